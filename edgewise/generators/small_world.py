"""Small-world graphs: a lattice and some random edges.

`watts_strogatz` rewires the edges of a ring [1]. Edges are visited nearest first and in the order
of their vertices, as in NetworkX. Each try is a hash of (seed, edge, try). Adjacency is tested by
the lattice itself and by a hash table of the rewired edges alone. One pass on one thread, linear
work.

`navigable_small_world` adds directed edges to a square grid, by distance [2]. A distance is drawn
from its distribution in a grid without borders, then a vertex that far away. Those beyond the
border, at most seven of eight on average, are drawn again. Each try is a hash of (seed, edge, try).

[1] D. Watts, S. Strogatz. Collective dynamics of small-world networks. Nature, 1998.
[2] J. Kleinberg. The small-world phenomenon: an algorithmic perspective. STOC 2000.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.checks import check_count, check_fraction
from edgewise.base.parallel import launch, threads
from edgewise.base.random import check_seed
from edgewise.generators.draws import MOST_VERTICES, check_number, id_type, stream, uniforms
from edgewise.graph import Graph

__all__ = ["navigable_small_world", "watts_strogatz"]


def watts_strogatz(n: int, k: int, *, p: float = 0.1, seed: int = 0) -> Graph:
    """Return a Watts-Strogatz small-world graph: a ring lattice with rewired edges.

    Parameters
    ----------
    n : int
        The number of vertices.
    k : int
        The degree of each vertex in the ring lattice; even and less than n.
    p : float
        The probability that an edge is rewired: it keeps its first end and draws a new second one.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        An undirected graph with ``n * k // 2`` edges, no self-loops and no repeats.

    Notes
    -----
    O(n k) time on one thread.

    Examples
    --------
    >>> watts_strogatz(20, 4, p=0.3).num_edges
    40
    >>> watts_strogatz(6, 2, p=0).degrees().tolist()
    [2, 2, 2, 2, 2, 2]
    """
    from edgewise.generators.cpu.lattice_rewiring import rewire

    n, k, key = check_count(n, "n", most=MOST_VERTICES), check_count(k, "k"), check_seed(seed)
    check_fraction(p, "p")
    if k % 2:
        raise ValueError(f"k must be even, got {k}")
    if k >= max(n, 1):
        raise ValueError(f"k must be less than n = {n}, got {k}")
    m = n * k // 2
    edges = np.arange(m)
    sources = edges % max(n, 1)
    targets = (sources + edges // max(n, 1) + 1) % max(n, 1)
    chosen = np.flatnonzero(uniforms(stream(key, 1), m) < p)
    table = np.full(_table_size(len(chosen)), -1)
    moved, degrees = np.zeros(m, bool), np.full(n, k)
    with threads(1):
        launch(rewire, stream(key, 2), k, chosen, targets, moved, degrees, table, work=len(chosen))
    kind = id_type(n)
    return Graph.from_edges(sources.astype(kind), targets.astype(kind), num_vertices=n)


def navigable_small_world(
    n: int, *, p: int = 1, q: int = 1, r: float = 2.0, seed: int = 0
) -> Graph:
    """Return Kleinberg's navigable small-world graph: a square grid with long-range contacts.

    Parameters
    ----------
    n : int
        The side of the grid. The graph has ``n * n`` vertices, numbered row by row.
    p : int
        Vertices at a lattice distance of at most p have edges both ways; at least 1.
    q : int
        The number of long-range contacts that each vertex draws.
    r : float
        A contact at lattice distance d has probability in proportion to ``d**-r``; not negative.
        Greedy routing is fast for r = 2 only.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        A directed graph. Contacts that repeat another edge are merged with it.

    See Also
    --------
    watts_strogatz : A ring with rewired edges.

    Notes
    -----
    O(n^2 (p^2 + q log n)) expected time.

    Examples
    --------
    >>> navigable_small_world(10, q=0).num_edges
    360
    >>> 360 < navigable_small_world(10, seed=1).num_edges <= 460
    True
    """
    from edgewise.generators.cpu.lattice_contacts import draw_contacts

    n, key = check_count(n, "n", least=1, most=46340), check_seed(seed)
    p, q = check_count(p, "p", least=1), check_count(q, "q")
    r = check_number(r, "r", least=0)
    kind, vertices = id_type(n * n), np.arange(n * n).reshape(n, n)
    near = [
        (down, right)
        for down in range(-min(p, n - 1), min(p, n - 1) + 1)
        for right in range(abs(down) - p, p - abs(down) + 1)
        if (down or right) and abs(right) < n
    ]
    ends = [_shifted(vertices, down, right, kind) for down, right in near]
    if n > 1:
        distances = np.arange(1.0, 2 * n - 1)
        # A grid without borders has 4 d vertices at distance d.
        sums = np.concatenate([[0.0], np.cumsum(distances * distances**-r)])
        far = np.empty(n * n * q, kind), np.empty(n * n * q, kind)
        launch(draw_contacts, key, n, q, sums, *far, work=len(far[0]))
        ends.append(far)
    sources, targets = (
        (np.concatenate(one) for one in zip(*ends, strict=True)) if ends else ((), ())
    )
    return Graph.from_edges(sources, targets, directed=True, num_vertices=n * n, duplicates="first")


def _shifted(vertices: np.ndarray, down: int, right: int, kind) -> tuple[np.ndarray, np.ndarray]:
    """The edges from all vertices of a grid to those so many rows and columns away."""
    n = len(vertices)
    rows, others = slice(max(-down, 0), n - max(down, 0)), slice(max(down, 0), n + min(down, 0))
    columns = slice(max(-right, 0), n - max(right, 0))
    beside = slice(max(right, 0), n + min(right, 0))
    return (
        vertices[rows, columns].astype(kind).ravel(),
        vertices[others, beside].astype(kind).ravel(),
    )


def _table_size(entries: int) -> int:
    """A power of two that leaves at least half of a hash table empty."""
    return 1 << (2 * entries).bit_length()
