"""Uniform random graphs.

`gnm_random` and `random_bipartite` give exactly m distinct edges, and every set of m edges is
equally likely. They take the first m images of a random permutation of all possible edges, which is
computed and not stored (`edgewise.generators.cpu.permutation`). `gnp_random` draws the number of
edges first. `urand` draws both ends of every edge independently, as the GAP benchmarks do. All take
linear work. Each edge depends only on the seed and its number.
"""

from __future__ import annotations

import math

import numpy as np

from edgewise.base.checks import check_count, check_flag, check_fraction
from edgewise.base.parallel import launch
from edgewise.base.random import check_seed
from edgewise.generators.draws import (
    assemble,
    binomials,
    check_multiplicity,
    check_number,
    check_part,
    id_type,
    stream,
)
from edgewise.generators.kronecker import Edges, check_scale
from edgewise.graph import Graph

__all__ = [
    "check_edges",
    "gnm_random",
    "gnm_random_edges",
    "gnp_chromatic_number",
    "gnp_random",
    "random_bipartite",
    "urand",
    "urand_edges",
]


def gnm_random(n: int, m: int, *, directed: bool = False, seed: int = 0) -> Graph:
    """Return a random graph G(n, m) with exactly ``m`` distinct edges and no self-loops.

    Parameters
    ----------
    n : int
        The number of vertices.
    m : int
        The number of edges.
    directed : bool
        Draw from the n(n-1) directed edges instead of the n(n-1)/2 undirected ones.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        Every graph with n vertices and m edges is equally likely.

    Raises
    ------
    ValueError
        If there are fewer than ``m`` possible edges.

    See Also
    --------
    gnm_random_edges : The edges as two arrays.
    urand : A faster draw that may merge a few edges.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> graph = gnm_random(100, 250)
    >>> graph.num_vertices, graph.num_edges
    (100, 250)
    """
    edges = gnm_random_edges(n, m, directed=directed, seed=seed)
    return Graph.from_edges(*edges, directed=directed, num_vertices=int(n))


def gnm_random_edges(
    n: int,
    m: int,
    *,
    directed: bool = False,
    seed: int = 0,
    part: tuple[int, int] | None = None,
) -> Edges:
    """Return the edges that `gnm_random` draws, as two arrays.

    Parameters
    ----------
    n, m, directed, seed
        As for `gnm_random`.
    part : pair of int, optional
        Draw only edges ``part[0]`` to ``part[1] - 1``, which takes memory for these alone.

    Returns
    -------
    Edges
        ``sources`` and ``targets``, two arrays over edges, int32 if the ids fit.

    Examples
    --------
    >>> len(gnm_random_edges(100, 250, part=(200, 250)).sources)
    50
    """
    from edgewise.generators.cpu.random_edges import CellTable, distinct_cells, distinct_pairs

    n, m, key = check_count(n, "n"), check_count(m, "m"), check_seed(seed)
    directed = check_flag(directed, "directed")
    possible = n * (n - 1) if directed else n * (n - 1) // 2
    check_edges(m, possible, f"{n} vertices")
    first, count = check_part(part, m)
    edges = Edges(np.empty(count, id_type(n)), np.empty(count, id_type(n)))
    if directed:
        launch(distinct_cells, key, CellTable(n, n, True, 0), first, *edges, work=count)
    else:
        launch(distinct_pairs, key, np.uint64(possible), first, *edges, work=count)
    return edges


def gnp_random(
    n: int,
    p: float | None = None,
    *,
    average_degree: float | None = None,
    directed: bool = False,
    seed: int = 0,
) -> Graph:
    """Return a random graph G(n, p), an Erdos-Renyi graph: every edge has probability ``p``.

    Parameters
    ----------
    n : int
        The number of vertices.
    p : float, optional
        The probability of each edge. Give either this or ``average_degree``.
    average_degree : float, optional
        The expected degree of a vertex, which determines ``p``. In a directed graph, it is the
        expected out-degree.
    directed : bool
        Draw from the n(n-1) directed edges instead of the n(n-1)/2 undirected ones.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        A graph without self-loops.

    See Also
    --------
    gnm_random : A graph with an exact number of edges.
    gnp_chromatic_number : The predicted number of colors.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> gnp_random(5, 1.0).num_edges
    10
    >>> graph = gnp_random(1000, average_degree=8)
    >>> bool(7 < graph.degrees().mean() < 9)
    True
    """
    n, key = check_count(n, "n"), check_seed(seed)
    possible = n * (n - 1) if check_flag(directed, "directed") else n * (n - 1) // 2
    check_edges(0, possible, f"{n} vertices")
    if (p is None) == (average_degree is None):
        raise ValueError(f"give either p or average_degree, got {p} and {average_degree}")
    if p is None:
        most = max(n - 1, 0)
        p = check_number(average_degree, "average_degree", least=0, most=most) / max(most, 1)
    m = int(binomials(stream(key, 1), np.array([possible]), check_fraction(p, "p"))[0])
    return gnm_random(n, m, directed=directed, seed=int(stream(key, 2)))


def gnp_chromatic_number(average_degree: float) -> int:
    """Return the smaller of the two likely chromatic numbers of a sparse random graph.

    For large n, the chromatic number of `gnp_random` is almost surely k or k + 1, where k is the
    smallest integer with ``average_degree < 2 k log k`` [1]. It does not depend on n.

    Parameters
    ----------
    average_degree : float
        The expected degree, which is constant while n grows.

    Returns
    -------
    int
        The number k.

    See Also
    --------
    gnp_random : The graph.

    References
    ----------
    [1] D. Achlioptas, A. Naor. The two possible values of the chromatic number of a random graph.
    Annals of Mathematics, 2005.

    Examples
    --------
    >>> [gnp_chromatic_number(degree) for degree in (2, 10, 100)]
    [2, 4, 18]
    """
    degree, k = check_number(average_degree, "average_degree", least=0), 1
    while degree >= 2 * k * math.log(k) and degree > 0:
        k += 1
    return k


def urand(
    scale: int,
    *,
    edge_factor: int = 16,
    directed: bool = False,
    count_duplicates: bool = False,
    self_loops: str = "drop",
    seed: int = 0,
) -> Graph:
    """Return a uniform random graph with ``2**scale`` vertices, as in the GAP benchmarks.

    Both ends of every edge are drawn independently.

    Parameters
    ----------
    scale : int
        The base-2 logarithm of the number of vertices.
    edge_factor : int
        The number of edges drawn per vertex. Merging repeats and dropping loops leaves slightly
        fewer.
    directed : bool
        Make a directed graph.
    count_duplicates : bool
        Store the multiplicity of each edge as an integer weight. Otherwise repeated edges are
        merged.
    self_loops : {"drop", "keep"}
        What to do with edges from a vertex to itself.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        A graph with at most ``edge_factor * 2**scale`` edges.

    See Also
    --------
    urand_edges : The edges as two arrays.
    gnm_random : A graph with an exact number of edges.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> graph = urand(10, edge_factor=4)
    >>> graph.num_vertices, graph.num_edges <= 4096
    (1024, True)
    """
    check_multiplicity(count_duplicates, self_loops)
    sources, targets = urand_edges(scale, edge_factor=edge_factor, seed=seed)
    return assemble(
        sources,
        targets,
        num_vertices=1 << scale,
        directed=directed,
        count_duplicates=count_duplicates,
        self_loops=self_loops,
    )


def urand_edges(
    scale: int, *, edge_factor: int = 16, seed: int = 0, part: tuple[int, int] | None = None
) -> Edges:
    """Return the edges that `urand` draws, as two arrays, with repeats and self-loops.

    Parameters
    ----------
    scale, edge_factor, seed
        As for `urand`.
    part : pair of int, optional
        Draw only edges ``part[0]`` to ``part[1] - 1``, which takes memory for these alone.

    Returns
    -------
    Edges
        ``sources`` and ``targets``, two arrays over edges, int32 if the ids fit.

    Examples
    --------
    >>> len(urand_edges(8, edge_factor=3).sources)
    768
    """
    from edgewise.generators.cpu.random_edges import independent

    n = 1 << check_scale(scale)
    m = n * check_count(edge_factor, "edge_factor", most=2**20)
    first, count = check_part(part, m)
    edges = Edges(np.empty(count, id_type(n)), np.empty(count, id_type(n)))
    launch(independent, check_seed(seed), n, first, *edges, work=count)
    return edges


def random_bipartite(left: int, right: int, *, m: int, seed: int = 0) -> Graph:
    """Return a random bipartite graph with exactly ``m`` distinct edges.

    Parameters
    ----------
    left, right : int
        The sizes of the two sides: vertices ``0..left-1`` and ``left..left+right-1``.
    m : int
        The number of edges, each between the two sides.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        An undirected graph. Every set of m edges is equally likely.

    Raises
    ------
    ValueError
        If there are fewer than ``m`` possible edges.

    Notes
    -----
    O(n + m) time.

    As the pattern of a matrix, it has a row for each left vertex and a column for each right one. A
    partial distance-2 coloring of the columns needs at least as many colors as a row has entries.
    For n rows, n columns and m in proportion to n, the largest row almost surely has at least about
    ``log(n) / log(log(n))`` entries.

    Examples
    --------
    >>> graph = random_bipartite(3, 4, m=12)
    >>> graph.degrees().tolist()
    [4, 4, 4, 3, 3, 3, 3]
    """
    from edgewise.generators.cpu.random_edges import CellTable, distinct_cells

    left, right = check_count(left, "left"), check_count(right, "right")
    m, key, n = check_count(m, "m"), check_seed(seed), left + right
    check_edges(m, left * right, f"sides of {left} and {right} vertices")
    sources, targets = np.empty(m, id_type(n)), np.empty(m, id_type(n))
    table = CellTable(left, right, False, left)
    launch(distinct_cells, key, table, 0, sources, targets, work=m)
    return Graph.from_edges(sources, targets, num_vertices=n)


def check_edges(m: int, possible: int, where: str) -> None:
    """ValueError if so many edges are not possible."""
    if m > possible:
        raise ValueError(f"m must be at most {possible}, the number of edges of {where}, got {m}")
    if possible >= 2**61:
        raise ValueError(f"{where} have {possible} possible edges; at most 2**61 can be numbered")
