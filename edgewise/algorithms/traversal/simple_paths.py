"""All simple paths [1] or all shortest paths between two vertices, listed by depth-first search.

The search follows only arcs that can lead to the target in time: a search backward from the target
gives the number of edges left. For shortest paths it follows only arcs on a shortest path from the
source. The first pass counts, and the second writes. One CPU thread; time in proportion to the
paths, but simple paths may have dead ends.

[1] R. Sedgewick. Algorithms in C, part 5: graph algorithms. Third edition, 2001.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.traversal.bfs import hops
from edgewise.algorithms.traversal.path_list import PathList
from edgewise.algorithms.traversal.sssp import by_length
from edgewise.algorithms.weighting import edge_weights
from edgewise.base.checks import check_count, check_vertex
from edgewise.base.memory import free_memory
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.subgraphs import only_edges
from edgewise.graph.transfer import check_host, row_ids
from edgewise.operators.sequential import going, sequential

__all__ = ["all_shortest_paths", "simple_paths"]

_FEW = 1000


@takes_graph
def simple_paths(
    graph: LocalGraphLike,
    source: int | str,
    target: int | str,
    *,
    max_length: int | None = None,
    max_paths: int = _FEW,
) -> PathList:
    """Return the simple paths from a source to a target: paths that visit no vertex twice.

    Parameters
    ----------
    graph : Graph
        In host memory. In a directed graph, paths follow the edges.
    source, target : int or str
        The ends of the paths, by id or label.
    max_length : int, optional
        Largest number of edges of a path; unlimited by default.
    max_paths : int
        Stop after so many paths.

    Returns
    -------
    PathList
        The paths in lexicographic order, up to ``max_paths`` of them. If source and target are
        equal, the only path is that vertex.

    See Also
    --------
    all_shortest_paths : Only the shortest ones.
    shortest_path : One shortest path.

    Notes
    -----
    The number of paths and of dead ends may be exponential in n; ``max_length`` bounds it.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> square = Graph.from_edges([0, 1, 2, 3, 0], [1, 2, 3, 0, 2])
    >>> simple_paths(square, 0, 2).lists()
    [[0, 1, 2], [0, 2], [0, 3, 2]]
    >>> simple_paths(square, 0, 2, max_length=1).lists()
    [[0, 2]]
    """
    check_host(graph, "simple_paths")
    source, target = check_vertex(graph, source), check_vertex(graph, target, "target")
    n = graph.num_vertices
    longest = n if max_length is None else min(check_count(max_length, "max_length"), n)
    return _listed(graph, source, target, longest, check_count(max_paths, "max_paths", 1))


@takes_graph
def all_shortest_paths(
    graph: LocalGraphLike,
    source: int | str,
    target: int | str,
    *,
    weights: Any = None,
    max_paths: int = _FEW,
) -> PathList:
    """Return all shortest paths from a source to a target.

    Parameters
    ----------
    graph : Graph
        In host memory. In a directed graph, paths follow the edges.
    source, target : int or str
        The ends of the paths, by id or label.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights are lengths and must not be negative. Lengths that differ only by rounding are
        different.
    max_paths : int
        Stop after so many paths.

    Returns
    -------
    PathList
        The paths in lexicographic order, up to ``max_paths`` of them; none if no path exists.

    See Also
    --------
    shortest_path : One shortest path.
    simple_paths : Paths of any length.

    Notes
    -----
    One search from the source, plus time in proportion to the paths.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> square = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> all_shortest_paths(square, 0, 2).lists()
    [[0, 1, 2], [0, 3, 2]]
    """
    check_host(graph, "all_shortest_paths")
    source, target = check_vertex(graph, source), check_vertex(graph, target, "target")
    most, lengths = check_count(max_paths, "max_paths", 1), edge_weights(graph, weights)
    paths = hops(graph, source) if lengths is None else by_length(graph, source, weights)
    u, v, distance, reached = row_ids(graph), graph.indices, paths.distance, paths.parent >= 0
    inside = reached[u] & reached[v]
    ends, heads = u[inside], v[inside]
    steps = 1 if lengths is None else lengths[inside]
    tight = np.zeros(graph.num_arcs, bool)
    tight[inside] = distance[ends] + steps == distance[heads]
    plain = Graph(graph.indptr, graph.indices, directed=True)
    return _listed(only_edges(plain, tight), source, target, graph.num_vertices, most)


class _Search(NamedTuple):
    indptr: np.ndarray
    indices: np.ndarray
    left: np.ndarray  #: the distance of each vertex to the target
    path: np.ndarray
    cursor: np.ndarray
    on_path: np.ndarray


def _listed(graph: Graph, source: int, target: int, longest: int, most: int) -> PathList:
    """The paths of at most so many edges, and so many paths."""
    n, left = graph.num_vertices, hops(graph, target, mode="in" if graph.directed else "out")
    found, none = np.zeros(3, np.int64), np.empty(0, np.int64)
    space = np.empty(n + 1, np.int64), np.empty(n + 1, np.int64), np.zeros(n, np.bool_)
    search = _Search(graph.indptr, graph.indices, left.distance, *space)
    given = (search, source, target, longest, most)
    state: tuple[Any, ...] = (*given, none, none, found)
    sequential(_search, state, steps=most, work=10 * graph.num_arcs, phase="count")
    if 16 * int(found[1]) > free_memory():
        raise MemoryError(f"{found[0]:,} paths exceed the free memory: lower max_paths")
    sizes, vertices = np.empty(found[0], np.int64), np.empty(found[1], np.int64)
    complete, found[:], space[2][:] = not found[2], 0, False
    state = (*given, sizes, vertices, found)
    sequential(_search, state, steps=most, work=10 * graph.num_arcs, phase="list")
    return PathList(offsets(sizes), vertices, complete)


def _search(control, search, source, target, longest, most, sizes, vertices, found):
    """Depth-first search; ``found`` is the number of paths and of their vertices, and if cut off.

    ``path[:depth + 1]`` is the path so far, ``cursor[i]`` the next arc of ``path[i]``.
    """
    indptr, indices, left, path, cursor, on_path = search
    if left[source] > longest:
        return
    path[0], cursor[0], on_path[source] = source, indptr[source], True
    depth, steps = 0, 0
    while depth >= 0:
        steps += 1
        if steps % 1024 == 0 and not going(control, found[0]):
            return
        v, e = path[depth], cursor[depth]
        if v == target:
            if found[0] == most:
                found[2] = 1
                return
            if len(sizes) > 0:
                sizes[found[0]] = depth + 1
                for i in range(depth + 1):
                    vertices[found[1] + i] = path[i]
            found[0] += 1
            found[1] += depth + 1
            e = indptr[v + 1]
        end = indptr[v + 1]
        while e < end and (on_path[indices[e]] or left[indices[e]] > longest - depth - 1):
            e += 1
        if e == end:
            on_path[v] = False
            depth -= 1
            continue
        cursor[depth] = e + 1
        depth += 1
        path[depth], cursor[depth] = indices[e], indptr[indices[e]]
        on_path[indices[e]] = True
