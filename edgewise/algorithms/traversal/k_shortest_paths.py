"""The k shortest simple paths between two vertices, by Yen's algorithm [1] with Lawler's rule [2].

Each path found is left at every vertex from its own deviation on: the rest is a shortest path that
avoids the vertices before, and the next edges of all known paths with the same beginning. The best
candidate is the next path. One CPU thread; O(k n) searches at most.

[1] J. Yen. Finding the k shortest loopless paths in a network. Management Science 17(11), 1971.
[2] E. Lawler. A procedure for computing the k best solutions to discrete optimization problems and
    its application to the shortest path problem. Management Science 18(7), 1972.
"""

from __future__ import annotations

import heapq
from itertools import chain
from typing import Any

import numpy as np

from edgewise.algorithms.traversal.lengths import metric_of
from edgewise.algorithms.traversal.path_list import PathList
from edgewise.algorithms.traversal.two_ends import Waiting, detour
from edgewise.algorithms.weighting import edge_weights
from edgewise.base.checks import check_count, check_vertex
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.sequential import sequential

__all__ = ["k_shortest_paths"]


@takes_graph
def k_shortest_paths(
    graph: LocalGraphLike,
    source: int | str,
    target: int | str,
    *,
    k: int = 10,
    weights: Any = None,
) -> PathList:
    """Return the k shortest simple paths from a source to a target, the shortest first.

    Parameters
    ----------
    graph : Graph
        In host memory. In a directed graph, paths follow the edges.
    source, target : int or str
        The ends of the paths, by id or label.
    k : int
        Number of paths.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights are lengths and must not be negative.

    Returns
    -------
    PathList
        At most ``k`` paths that visit no vertex twice, in ascending order of their length.
        ``complete`` is True if there are no others.

    See Also
    --------
    shortest_path : The first of them.
    all_shortest_paths : All paths of the smallest length.

    Notes
    -----
    O(k n m log n) time at most.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> square = Graph.from_edges([0, 1, 0, 3, 0], [1, 2, 3, 2, 2], [1.0, 1.0, 1.0, 2.0, 4.0])
    >>> k_shortest_paths(square, 0, 2, weights="weight", k=2).lists()
    [[0, 1, 2], [0, 3, 2]]
    """
    check_host(graph, "k_shortest_paths")
    source, target = check_vertex(graph, source), check_vertex(graph, target, "target")
    count = check_count(k, "k", 1)
    if metric_of(graph, weights).endless:
        raise ValueError("weights must keep distances within float64, but a sum might exceed it")
    lengths = edge_weights(graph, weights)
    lengths = np.ones(graph.num_arcs) if lengths is None else lengths
    paths, complete = _yen(_Detours(graph, lengths, target), source, target, count)
    sizes = np.array([len(path) for path in paths], np.int64)
    return PathList(offsets(sizes), np.array([*chain.from_iterable(paths)], np.int64), complete)


def _yen(search: _Detours, source: int, target: int, count: int) -> tuple[list[list[int]], bool]:
    """The first paths, and whether they are all."""
    first = search([source], set())
    waiting = [] if first is None else [(first[0], first[1], 0)]  # length, path, deviation
    paths: list[list[int]] = []
    while waiting:
        if len(paths) == count:
            return paths, False
        _, path, deviation = heapq.heappop(waiting)
        paths.append(path)
        for at in range(deviation, len(path) - 1):
            start = path[: at + 1]
            taken = {other[at + 1] for other in paths if other[: at + 1] == start}
            found = search(start, taken)
            if found is not None:
                heapq.heappush(waiting, (*found, at))
    return paths, True


class _Detours:
    """Searches for the shortest rest of a path; memory is shared by all of them."""

    def __init__(self, graph: Graph, lengths: Any, target: int):
        n, whole = graph.num_vertices, lengths.dtype.kind == "i"
        self._rows = (graph.indptr, graph.indices, lengths)
        self._graph, self._target = graph, target
        self._seen, self._barred = np.zeros(n, np.int64), np.zeros(n, np.int64)
        key = np.empty(n, np.int64 if whole else np.float64)
        self._data = Waiting(np.empty(n, np.int64), np.empty(n, np.int64), key)
        self._lengths: dict[tuple[int, int], Any] = {}

    def __call__(self, start: list[int], taken: set[int]) -> tuple[Any, list[int]] | None:
        """The length and the vertices of the best path with this start and another next vertex."""
        self._seen[:], self._barred[:] = 0, 0
        self._barred[start[:-1]] = 1
        nexts = np.fromiter(taken, np.int64, len(taken))
        self._barred[nexts] |= 2
        n, m = self._graph.num_vertices, self._graph.num_arcs
        state = (*self._rows, self._seen, self._barred, self._data, start[-1], self._target)
        sequential(detour, state, steps=n, work=m)
        if self._seen[self._target] == 0:
            return None
        rest = [self._target]
        while rest[-1] != start[-1]:
            rest.append(int(self._seen[rest[-1]]) - 1)
        before = sum(self._length(u, v) for u, v in zip(start, start[1:], strict=False))
        return before + self._data.key[self._target].item(), start[:-1] + rest[::-1]

    def _length(self, u: int, v: int) -> Any:
        """The length of an edge."""
        if (u, v) not in self._lengths:
            low, high = self._graph.indptr[u : u + 2].tolist()
            at = low + int(np.searchsorted(self._graph.indices[low:high], v))
            self._lengths[u, v] = self._rows[2][at].item()
        return self._lengths[u, v]
