"""The searches of `shortest_path`, for one CPU thread.

seen[u] is one more than the vertex before u in a search, and 0 where the search has not been: fresh
memory is zero, so that nothing is filled in advance. With two searches it has two rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.heap import indexed_heap
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going

__all__ = ["Waiting", "approach", "meet", "meet_by_length"]


class Waiting(NamedTuple):
    """A heap of vertices, the place of each in it, and their keys; with a row per search."""

    heap: Any
    place: Any
    key: Any


def meet(control, indptr, indices, back_indptr, back_indices, seen, queue, source, target, found):
    """Two breadth-first searches; ``found`` gets the ends of the edge that joins them.

    The frontier of side s is ``queue[s, low[s]:high[s]]``. The first edge between both searches is
    on a shortest path: a shorter one would have joined them at an earlier level.
    """
    seen[0, source], seen[1, target] = source + 1, target + 1
    queue[0, 0], queue[1, 0] = source, target
    if source == target:
        found[0], found[1] = source, source
        return
    low, high = (0, 0), (1, 1)
    steps = 0
    while high[0] > low[0] and high[1] > low[1]:
        side = 0 if high[0] - low[0] <= high[1] - low[1] else 1
        tail = high[side]
        for i in range(low[side], high[side]):
            v = queue[side, i]
            steps += 1
            if steps % 1024 == 0 and not going(control, steps):
                return
            begin = indptr[v] if side == 0 else back_indptr[v]
            end = indptr[v + 1] if side == 0 else back_indptr[v + 1]
            for e in range(begin, end):
                u = np.int64(indices[e] if side == 0 else back_indices[e])
                if seen[side, u] != 0:
                    continue
                if seen[1 - side, u] != 0:
                    found[0], found[1] = (v, u) if side == 0 else (u, v)
                    return
                seen[side, u] = v + 1
                queue[side, tail] = u
                tail += 1
        if side == 0:
            low, high = (high[0], low[1]), (tail, high[1])
        else:
            low, high = (low[0], high[1]), (high[0], tail)


def meet_by_length(control, rows, back_rows, seen, data, source, target, most, found):
    """Two searches of Dijkstra; ``found`` gets a vertex of a shortest path that both have seen."""
    heap, place, distance = data
    seen[0, source], seen[1, target] = source + 1, target + 1
    distance[0, source] = distance[1, target] = 0
    first, second = (heap[0], place[0], distance[0]), (heap[1], place[1], distance[1])
    _rise(first, 0, source)
    _rise(second, 0, target)
    if source == target:
        found[0], found[1] = source, source
        return
    sizes = (1, 1)
    best, steps = most, 0
    while sizes[0] > 0 and sizes[1] > 0:
        near, far = distance[0, heap[0, 0]], distance[1, heap[1, 0]]
        if near >= best - far:
            return
        steps += 1
        if steps % 1024 == 0 and not going(control, steps):
            return
        if sizes[0] <= sizes[1]:
            size, best = _settle(rows, first, seen[0], sizes[0], seen[1], second[2], best, found)
            sizes = (size, sizes[1])
        else:
            size, best = _settle(back_rows, second, seen[1], sizes[1], seen[0], first[2], best,
                                 found)  # fmt: skip
            sizes = (sizes[0], size)


def approach(control, indptr, indices, lengths, bound, seen, data, distance, source, target):
    """One search by distance plus estimate; a vertex that gets nearer is searched again."""
    heap, place, key = data
    nowhere = len(seen)
    seen[source], distance[source], key[source] = source + 1, 0.0, bound[source]
    _rise(data, 0, source)
    size, steps = 1, 0
    while size > 0:
        v = heap[0]
        if v == target:
            return
        place[v] = nowhere
        size -= 1
        if size > 0:
            _sink(data, 0, size, heap[size])
        steps += 1
        if steps % 1024 == 0 and not going(control, steps):
            return
        for e in range(indptr[v], indptr[v + 1]):
            u, length = np.int64(indices[e]), distance[v] + lengths[e]
            if length == np.inf or (seen[u] != 0 and length >= distance[u]):
                continue
            waits = seen[u] != 0 and place[u] < nowhere
            seen[u], distance[u], key[u] = v + 1, length, length + bound[u]
            at = place[u] if waits else size
            size += 0 if waits else 1
            _rise(data, at, u)


_rise, _sink = indexed_heap(inner)


@inner
def _settle(rows, data, seen, size, other_seen, other_distance, best, found):
    """Settle the nearest vertex of one search; its new heap's size, and the best length."""
    indptr, indices, lengths = rows
    heap, place, distance = data
    v = heap[0]
    size -= 1
    if size > 0:
        _sink(data, 0, size, heap[size])
    for e in range(indptr[v], indptr[v + 1]):
        u, length = np.int64(indices[e]), distance[v] + lengths[e]
        if length == np.inf or (seen[u] != 0 and length >= distance[u]):
            continue
        at = size if seen[u] == 0 else place[u]
        size += 1 if seen[u] == 0 else 0
        seen[u], distance[u] = v + 1, length
        _rise(data, at, u)
        if other_seen[u] != 0 and length < best - other_distance[u]:
            best = length + other_distance[u]
            found[0] = found[1] = u
    return size, best


def detour(control, indptr, indices, lengths, seen, barred, data, source, target):
    """A search of Dijkstra for `k_shortest_paths`, until the target is settled.

    It enters no vertex with the bit 1 in ``barred``, and no vertex with the bit 2 from the source.
    """
    heap, place, distance = data
    seen[source], distance[source] = source + 1, 0
    _rise(data, 0, source)
    size, steps = 1, 0
    while size > 0:
        v = heap[0]
        if v == target:
            return
        size -= 1
        if size > 0:
            _sink(data, 0, size, heap[size])
        steps += 1
        if steps % 1024 == 0 and not going(control, steps):
            return
        for e in range(indptr[v], indptr[v + 1]):
            u, length = np.int64(indices[e]), distance[v] + lengths[e]
            if barred[u] & 1 or (v == source and barred[u] & 2) or length == np.inf:
                continue
            if seen[u] != 0 and length >= distance[u]:
                continue
            at = size if seen[u] == 0 else place[u]
            size += 1 if seen[u] == 0 else 0
            seen[u], distance[u] = v + 1, length
            _rise(data, at, u)
