"""The loops of `path_repair` on one CPU thread, for short lists: without rounds.

The list is a queue in a circle, on which a vertex is at most once. The loops end when it is empty,
when they have done as much work as they may, or when it is so long that all threads should go on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["LONG", "alone", "lose_alone", "spread_alone"]

#: Lists longer than this are left to all threads, in rounds.
LONG = 1 << 12


def alone(function: Any, repair: Any, *rows: Any) -> Any:
    """Let one thread go through the list; returns the vertices that it has found."""
    left, todo = repair.budget.left, repair.todo.arrays
    found = np.empty(len(todo.ids) if function is lose_alone else 0, np.int64)
    told = np.zeros(2, np.int64)  # the work done, and how many vertices are found
    most = int(min(left, 1 << 62))
    given = tuple(repair.rows_of(one) for one in rows)
    state = (*given, repair.distance, repair.lost, repair.stale, todo, most, told, found)
    sequential(function, state, steps=1, work=most)
    repair.budget.spend(int(told[0]))
    return found[: told[1]]


def spread_alone(control, out, distance, lost, stale, todo, left, told, found):
    """Let distances spread from the vertices on the list."""
    (start, length, targets, weights, step), (ids, waiting, count) = out, todo
    head, size, work = 0, count[0], 0
    while 0 < size <= LONG or head + size > len(ids):
        u = ids[head]
        head, size = _after(head, ids), size - 1
        waiting[u] = 0
        near = distance[u]
        for e in range(start[u], start[u] + length[u]):
            v, far = np.int64(targets[e]), near + weights[e * step]
            if far < distance[v]:
                distance[v], stale[v] = far, 1
                size = _append(v, ids, waiting, head, size)
        work += 4 + length[u]
        if work > left or ((work & 1023) < 64 and not going(control, work)):
            break
    _leave(ids, count, head, size)
    told[0] = work


def lose_alone(control, out, back, distance, lost, stale, todo, left, told, found):
    """Find the vertices on the list, and beyond, that no arc supports any more."""
    (start, length, targets, weights, step), (ids, waiting, count) = out, todo
    into, sizes, heads, lengths, pace = back
    head, size, work = 0, count[0], 0
    while 0 < size <= LONG or head + size > len(ids):
        v = ids[head]
        head, size = _after(head, ids), size - 1
        waiting[v] = 0
        work += 4
        if distance[v] == 0 or lost[v]:
            continue
        supported = False
        for e in range(into[v], into[v] + sizes[v]):
            u, work = np.int64(heads[e]), work + 1
            if lost[u] == 0 and supports(u, v, lengths[e * pace], distance):
                supported = True
                break
        if not supported:
            lost[v] = 1
            found[told[1]] = v
            told[1] += 1
            work += 2 * length[v]
            for e in range(start[v], start[v] + length[v]):
                w = np.int64(targets[e])
                if lost[w] == 0 and supports(v, w, weights[e * step], distance):
                    stale[w] = 1
                    size = _append(w, ids, waiting, head, size)
        if work > left or ((work & 1023) < 64 and not going(control, work)):
            break
    _leave(ids, count, head, size)
    told[0] = work


@inner
def supports(u, v, length, distance):
    """Does an arc from u give v its distance? Unreached vertices have no smaller one."""
    return distance[u] < distance[v] and distance[u] + length == distance[v]


@inner
def _after(head, ids):
    return head + 1 if head + 1 < len(ids) else 0


@inner
def _append(v, ids, waiting, head, size):
    """Put v at the end of the queue if it is not on it; returns the new length."""
    if waiting[v]:
        return size
    waiting[v] = 1
    at = head + size
    ids[at if at < len(ids) else at - len(ids)] = v
    return size + 1


@inner
def _leave(ids, count, head, size):
    """Leave what is left of a queue as a list; of one that wraps, nothing."""
    if head + size <= len(ids):
        for i in range(size):
            ids[i] = ids[head + i]
    count[0] = size
