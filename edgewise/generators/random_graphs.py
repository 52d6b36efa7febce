"""Uniformly random graphs: a given number of edges, no structure.

`uniform` and `random_bipartite` give exactly m distinct edges, every set of m equally likely: the
first m images of a random permutation of all possible edges, which is computed and not stored
(`edgewise.generators.cpu.permutation`). `urand` draws both ends of every edge independently, as the
GAP benchmarks do. All in linear work, each edge from (seed, its number) alone.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.checks import check_count, check_flag
from edgewise.base.parallel import launch
from edgewise.base.random import check_seed
from edgewise.generators.draws import assemble, check_multiplicity, check_part, id_type
from edgewise.generators.kronecker import Edges, check_scale
from edgewise.graph import Graph

__all__ = ["check_edges", "random_bipartite", "uniform", "uniform_edges", "urand", "urand_edges"]


def uniform(n: int, m: int, *, directed: bool = False, seed: int = 0) -> Graph:
    """The random graph G(n, m): exactly ``m`` distinct edges, no self-loops.

    Parameters
    ----------
    n : int
        Number of vertices.
    m : int
        Number of edges.
    directed : bool
        Choose among the n(n-1) directed edges instead of the n(n-1)/2 undirected ones.
    seed : int
        The same seed gives the same graph, whatever the number of threads.

    Returns
    -------
    Graph

    Raises
    ------
    ValueError
        If there are not that many different edges.

    Examples
    --------
    >>> graph = uniform(100, 250)
    >>> graph.num_vertices, graph.num_edges
    (100, 250)
    """
    edges = uniform_edges(n, m, directed=directed, seed=seed)
    return Graph.from_edges(*edges, directed=directed, num_vertices=int(n))


def uniform_edges(
    n: int,
    m: int,
    *,
    directed: bool = False,
    seed: int = 0,
    part: tuple[int, int] | None = None,
) -> Edges:
    """The edges that `uniform` draws, as two arrays.

    Parameters
    ----------
    n, m, directed, seed
        As for `uniform`.
    part : pair of int, optional
        Only edges ``part[0]`` to ``part[1] - 1``, in memory for these alone.

    Returns
    -------
    Edges
        ``sources`` and ``targets``, int32 while the ids fit.

    Examples
    --------
    >>> len(uniform_edges(100, 250, part=(200, 250)).sources)
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


def urand(
    scale: int,
    *,
    edge_factor: int = 16,
    directed: bool = False,
    duplicates: str = "merge",
    self_loops: str = "drop",
    seed: int = 0,
) -> Graph:
    """A uniform graph with ``2**scale`` vertices, both ends of every edge drawn independently.

    Parameters
    ----------
    scale : int
        Base-2 logarithm of the number of vertices.
    edge_factor : int
        Edges drawn per vertex; merging repeats and dropping loops leaves slightly fewer.
    directed : bool
        Keep the drawn directions.
    duplicates : {"merge", "count"}
        Merge repeated edges, or count them into integer weights.
    self_loops : {"drop", "keep"}
        What to do with edges from a vertex to itself.
    seed : int
        The same seed gives the same graph, whatever the number of threads.

    Returns
    -------
    Graph

    Examples
    --------
    >>> graph = urand(10, edge_factor=4)
    >>> graph.num_vertices, graph.num_edges <= 4096
    (1024, True)
    """
    check_multiplicity(duplicates, self_loops)
    sources, targets = urand_edges(scale, edge_factor=edge_factor, seed=seed)
    return assemble(
        sources,
        targets,
        num_vertices=1 << scale,
        directed=directed,
        duplicates=duplicates,
        self_loops=self_loops,
    )


def urand_edges(
    scale: int, *, edge_factor: int = 16, seed: int = 0, part: tuple[int, int] | None = None
) -> Edges:
    """The edges that `urand` draws, as two arrays, with repeats and loops.

    Parameters
    ----------
    scale, edge_factor, seed
        As for `urand`.
    part : pair of int, optional
        Only edges ``part[0]`` to ``part[1] - 1``, in memory for these alone.

    Returns
    -------
    Edges
        ``sources`` and ``targets``, int32 while the ids fit.

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
    """A random bipartite graph with exactly ``m`` distinct edges.

    Parameters
    ----------
    left, right : int
        Sizes of the two sides: vertices ``0..left-1`` and ``left..left+right-1``.
    m : int
        Number of edges, each between the two sides.
    seed : int
        The same seed gives the same graph, whatever the number of threads.

    Returns
    -------
    Graph

    Raises
    ------
    ValueError
        If there are not that many different edges.

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
