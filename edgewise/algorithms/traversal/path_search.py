"""Paths between two vertices, listed by depth-first search [1].

The search follows only arcs that can lead to the target in time: a search backward from the target
gives the number of edges left. The first pass counts, and the second writes.

[1] R. Sedgewick. Algorithms in C, part 5: graph algorithms. Third edition, 2001.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.traversal.bfs import hops
from edgewise.algorithms.traversal.path_list import PathList
from edgewise.base.memory import free_memory
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.operators.sequential import going, sequential

__all__ = ["listed_paths"]


class _Search(NamedTuple):
    indptr: np.ndarray
    indices: np.ndarray
    left: np.ndarray  #: the distance of each vertex to the target
    path: np.ndarray
    cursor: np.ndarray
    on_path: np.ndarray


def listed_paths(graph: Graph, source: int, target: int, longest: int, most: int) -> PathList:
    """Return the paths of at most so many edges, and at most so many paths."""
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
