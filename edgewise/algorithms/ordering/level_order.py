"""Numbering of vertices level by level, as in Cuthill-McKee [1].

All components are numbered at once, from one start each. Vertices of a level are sorted by the
position of their parent (the first neighbor in the previous level), then by a given rank, then by
id. So the numbering is that of a sequential queue, for any number of threads. A wide level is
numbered in parallel, by a reduction over rows and a sort. A narrow level is numbered by one thread,
which is faster there and sorts by parent in linear time, by counting.

[1] E. Cuthill, J. McKee. Reducing the bandwidth of sparse symmetric matrices. ACM 1969.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host
from edgewise.operators import ANY, MIN, frontier, propagate, reduce_neighbors
from edgewise.operators.adjacency import unsigned
from edgewise.operators.sequential import going, runs_alone, sequential, sequential_or
from edgewise.operators.sorting import stable_order

__all__ = ["depths_from", "level_by_level", "level_sizes"]

#: Vertices in a level from which on all threads are put to work.
_WIDE = 1 << 14
#: One thread searches graphs of up to a quarter of a million arcs.
_ALONE = 8


class Numbering(NamedTuple):
    """The vertices in order, level by level, and what their sorting needs."""

    listed: Any
    bounds: Any  # of the levels in ``listed``
    place: Any  # of every vertex in ``listed``, n while it has none
    parent: Any  # the place of the parent of each listed vertex
    moved: Any
    count: Any


def depths_from(graph: AnyGraph, starts: Any) -> Any:
    """The distance of every vertex from the nearest start; each component must have one."""
    return sequential_or(graph, _depths_alone, _depths_together, starts, times=_ALONE)


def _depths_alone(graph: Graph, starts: Any) -> Any:
    depth, rows = graph.full(-1, np.int32), (unsigned(graph.indptr), unsigned(graph.indices))
    state = (*rows, starts, depth, np.empty(len(depth), rows[1].dtype))
    sequential(_search, state, steps=len(depth), work=graph.num_arcs)
    return depth


def _depths_together(graph: AnyGraph, starts: Any) -> Any:
    parent, depth = graph.full(-1, graph.id_dtype), graph.full(-1, np.int32)
    parent[starts], depth[starts] = starts.astype(parent.dtype), 0
    propagate(graph, frontier(graph, depth == 0), _sender, parent, reduce=ANY, depths=depth)
    return depth


def _search(control, indptr, indices, starts, depth, queue):
    """From all starts at once, on one thread."""
    head, tail = np.uint64(0), np.uint64(0)
    for i in range(len(starts)):
        depth[starts[i]], queue[tail] = 0, starts[i]
        tail += np.uint64(1)
    while head < tail:
        v = queue[head]
        head += np.uint64(1)
        following = depth[v] + 1
        for e in range(indptr[v], indptr[v + np.uint64(1)]):
            u = indices[e]
            if depth[u] < 0:
                depth[u], queue[tail] = following, u
                tail += np.uint64(1)


def level_sizes(graph: AnyGraph, depth: Any) -> np.ndarray:
    """How many vertices there are in every level, all components together; on the host."""
    return np.asarray(host(graph.xp.bincount(depth)))


def level_by_level(graph: AnyGraph, depth: Any, rank: Any, label: Any) -> Any:
    """All vertices in order, component after component, by (depth, parent, rank, id).

    ``depth`` is the distance from the start of each one's component, and ``label`` tells
    components apart.
    """
    xp, n = graph.xp, graph.num_vertices
    if n == 0:
        return xp.arange(0)
    widest = int(rank.max()) + 1
    listed = stable_order(depth.astype(np.int64) * widest + rank).astype(graph.id_dtype)
    bounds = offsets(level_sizes(graph, depth))
    place = graph.full(n, listed.dtype)
    place[listed[: bounds[1]]] = xp.arange(bounds[1], dtype=listed.dtype)
    parent, moved, count = xp.empty_like(place), xp.empty_like(place), xp.empty(n + 1, np.int64)
    numbering = Numbering(listed, bounds, place, parent, moved, count)
    for low, high in runs_alone(graph, bounds, _WIDE, first=1):
        if high == low:
            members = frontier(graph, depth == low)
            reduce_neighbors(graph, members, _place, place, reduce=MIN, out=parent)
            _place_level(graph, listed, bounds[low], bounds[low + 1], place, parent)
        else:
            state = (graph.indptr, graph.indices, low, high, numbering)
            steps = int(bounds[high] - bounds[low])
            sequential(_number, state, steps=steps, work=graph.num_arcs, phase="number")
    apart = label[listed]
    return listed[stable_order(apart)] if bool((apart != apart[0]).any()) else listed


def _place_level(
    graph: AnyGraph, listed: Any, low: int, high: int, place: Any, parent: Any
) -> None:
    """Sort one level by the places of the parents; it is sorted by rank already."""
    members = listed[low:high]
    members = members[stable_order(parent[members])]
    listed[low:high] = members
    place[members] = graph.xp.arange(low, high, dtype=place.dtype)


def _number(control, indptr, indices, first, last, numbering):
    """Levels ``first`` to ``last - 1``, sorted by counting; vertices without a place have n."""
    listed, bounds, place, parent, moved, count = numbering
    n, ahead = len(listed), 0
    for level in range(first, last):
        base, low, high = bounds[level - 1], bounds[level], bounds[level + 1]
        count[base : low + 1] = 0
        for i in range(low, high):
            best, v = n, listed[i]
            for e in range(indptr[v], indptr[v + 1]):
                best = min(best, place[indices[e]])
            parent[i] = best
            count[best + 1] += 1
            ahead += indptr[v + 1] - indptr[v]
            if ahead > 65536:
                ahead = 0
                if not going(control, i - bounds[first]):
                    return
        count[base] = low
        for p in range(base, low):
            count[p + 1] += count[p]
        for i in range(low, high):
            p = parent[i]
            moved[count[p]] = listed[i]
            count[p] += 1
        for i in range(low, high):
            v = moved[i]
            listed[i], place[v] = v, i


def _sender(source):
    return source


def _place(value):
    return value
