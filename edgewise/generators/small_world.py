"""Small-world graphs (Watts and Strogatz [1]): a ring lattice with randomly rewired edges.

Edges are visited nearest first and in the order of their vertices, as in NetworkX. Each try is a
hash of (seed, edge, try). Adjacency is tested by the lattice itself and by a hash table of the
rewired edges alone. One pass on one thread, linear work.

[1] D. Watts, S. Strogatz. Collective dynamics of small-world networks. Nature, 1998.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.checks import check_count, check_fraction
from edgewise.base.parallel import launch, threads
from edgewise.base.random import check_seed
from edgewise.generators.draws import MOST_VERTICES, id_type, stream, uniforms
from edgewise.graph import Graph

__all__ = ["watts_strogatz"]


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


def _table_size(entries: int) -> int:
    """A power of two that leaves at least half of a hash table empty."""
    return 1 << (2 * entries).bit_length()
