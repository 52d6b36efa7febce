"""All simple cycles of a graph, by Johnson's algorithm [1] with a bound on the length [2].

Cycles are listed by their smallest vertex s. A depth-first search from s enters a vertex v only if
``need[v]``, a lower bound of the number of edges from v back to s, fits the length that is left. At
first the bound is the distance to s. It rises when the search leaves v without a cycle, and falls
for v and the vertices that lead to it when a vertex on the path is left after a cycle. In an
undirected graph, the second vertex of a cycle is smaller than the last. Vertices that can be on no
cycle any more are removed. One CPU thread; O((n + m) (cycles + n)) time at most.

[1] D. Johnson. Finding all the elementary circuits of a directed graph. SIAM J. Computing 4, 1975.
[2] A. Gupta, T. Suzumura. Finding all bounded-length simple cycles in a directed graph. arXiv
    2105.10094, 2021.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.bridges import two_edge_connected_components
from edgewise.algorithms.components.strongly_connected_components import (
    strongly_connected_components,
)
from edgewise.algorithms.partition import plain
from edgewise.algorithms.traversal.cycle_search import NONE, Search, johnson
from edgewise.algorithms.traversal.path_list import PathList
from edgewise.base.checks import check_count
from edgewise.base.memory import free_memory
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.subgraphs import only_edges
from edgewise.graph.transfer import check_host, row_ids
from edgewise.operators.sequential import sequential

__all__ = ["simple_cycles"]

#: Vertices of cycles that the first pass has memory for.
_SPACE = 1 << 20


@takes_graph
def simple_cycles(
    graph: LocalGraphLike, *, max_length: int | None = None, max_cycles: int = 1000
) -> PathList:
    """Return the simple cycles of a graph: closed paths that visit no vertex twice.

    Parameters
    ----------
    graph : Graph
        In host memory. In a directed graph, cycles follow the edges.
    max_length : int, optional
        Largest number of edges of a cycle; unlimited by default.
    max_cycles : int
        Stop after so many cycles.

    Returns
    -------
    PathList
        The cycles in lexicographic order, up to ``max_cycles`` of them. Each one begins with its
        smallest vertex; the last vertex leads back to it. ``complete`` is True if there are no
        others. A self-loop is a cycle of one vertex, two opposite directed edges are one of two
        vertices. A cycle of an undirected graph is listed once.

    See Also
    --------
    cycle_basis : A few cycles from which all others can be combined.
    is_dag : Whether a directed graph has no cycle.

    Notes
    -----
    O((n + m) (c + n)) time for c cycles. Their number may be exponential in n; ``max_length``
    bounds it.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> square = Graph.from_edges([0, 1, 2, 3, 0], [1, 2, 3, 0, 2])
    >>> simple_cycles(square).lists()
    [[0, 1, 2], [0, 1, 2, 3], [0, 2, 3]]
    >>> simple_cycles(square, max_length=3).num_paths
    2
    """
    check_host(graph, "simple_cycles")
    n, most = graph.num_vertices, check_count(max_cycles, "max_cycles", 1)
    longest = n if max_length is None else min(check_count(max_length, "max_length"), n)
    rows = _on_cycles(graph)
    sizes, vertices = np.empty(min(most, _SPACE), np.int64), np.empty(_SPACE, np.int64)
    found = _listed(rows, longest, most, sizes, vertices)
    if found[0] > len(sizes) or found[1] > len(vertices):
        if 16 * int(found[1]) > free_memory():
            raise MemoryError(f"{found[0]:,} cycles exceed the free memory: lower max_cycles")
        sizes, vertices = np.empty(found[0], np.int64), np.empty(found[1], np.int64)
        found = _listed(rows, longest, most, sizes, vertices)
    count, total = found[:2].tolist()
    return PathList(offsets(sizes[:count]), vertices[:total].copy(), not found[2])


def _on_cycles(graph: Graph) -> Graph:
    """The graph without edges that are on no cycle, as far as components tell; without weights."""
    rows = Graph(graph.indptr, graph.indices, directed=graph.directed)
    find = strongly_connected_components if graph.directed else two_edge_connected_components
    part = plain(find(rows))
    return only_edges(rows, part[row_ids(rows)] == part[rows.indices])


def _listed(rows: Graph, longest: int, most: int, sizes: Any, vertices: Any) -> Any:
    """The number of cycles, of their vertices, and whether there are more."""
    n, back = rows.num_vertices, rows.transposed
    degree = np.stack((rows.row_lengths(), back.row_lengths()))
    search = Search(
        rows.indptr, rows.indices, back.indptr, back.indices, rows.directed, longest,
        longest < n, np.ones(n, np.bool_), degree, np.zeros(n, np.bool_),
        np.full(n, NONE, np.int64), *(np.empty(n + 1, np.int64) for _ in range(5)),
    )  # fmt: skip
    found = np.zeros(3, np.int64)
    sequential(johnson, (search, most, sizes, vertices, found), steps=n, work=1 << 40)
    return found
