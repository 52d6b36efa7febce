"""`cover` on CPU threads: gains by decrement, an index of those who may be chosen.

Every thread counts in an array of its own, so there are no atomics and sums do not depend on their
number. Candidates are in the order of their gains when they were counted. Gains only fall, so the
best one, and the k best, are found by reading them up to the first that was below what is found.

The index, the numbers of the sets that a candidate is in, is built by counting. When the best
candidate may be below someone else, those that are best by now are indexed anew, over the sets not
yet covered.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.team import barrier, share
from edgewise.base.heap import binary_heap
from edgewise.base.insertion import is_less, read, write
from edgewise.base.offsets import offsets
from edgewise.base.threads import get_threads, launch
from edgewise.operators.covering import Cover, Covering, candidates
from edgewise.operators.cpu.set_rows import row_walker
from edgewise.operators.sets import Sets

__all__ = ["cover"]

#: Rows of less than so many bytes are the work of one thread.
_ALONE = 1 << 18
#: Words of ``state``: how many are chosen, what is covered, the vertex chosen at the moment; the
#: least vertex that may not have been chosen.
_CHOSEN, _COVERED, _NOW, _LEAST = range(4)
#: What stands for a choice that cannot be made: the best may be no candidate; all are chosen.
_UNKNOWN, _OVER = -1, -2


def cover(sets: Sets, request: Covering) -> Cover:
    """See `edgewise.operators.cover`."""
    k, weights, barred, bounds = request
    n, team = sets.num_vertices, 1 if sets.payload < _ALONE else get_threads()
    rows = sets.data, sets.starts, n
    covered, taken = np.zeros(len(sets), np.uint8), barred.copy()
    vertices, gained = np.empty(k, np.int64), np.zeros(k, np.int64)
    upper = np.zeros(k + 1 if bounds else 0, np.int64)
    state, gains = np.zeros(8, np.int64), np.zeros(n, np.int64)
    heap = np.empty(k if bounds else 0, np.int64)
    work = sets.payload + team * n
    while state[_NOW] != _OVER:
        held = tallied(rows, covered, np.ones(1, np.int64), team, work)
        if state[_CHOSEN] == 0:
            weighed = held if len(weights) == 1 else tallied(rows, covered, weights, team, work)
            gains[:] = weighed[0] if team == 1 else weighed.sum(axis=0)
            if len(weights) == 1 and weights[0] != 1:
                gains *= weights[0]
        chosen, rest = candidates(gains, taken, k)
        each = held[:, chosen].T  # by candidate, then by thread
        ends = offsets(each.ravel())
        at = ends[:-1].reshape(each.shape).T.copy()
        index = np.empty(ends[-1], np.uint32 if len(sets) < 2**32 else np.uint64)
        slots = np.full(n, -1, np.int32)
        slots[chosen] = np.arange(len(chosen))
        launch(fill_kernel, rows, covered, slots, at, index, work=work, team=team)
        held[:] = 0
        launch(choose_kernel, rows, weights, covered, (index, ends[::team].copy(), slots),
               (gains, held, taken, chosen, gains[chosen], rest),
               (vertices, gained, upper, heap), state, work=work, team=team)  # fmt: skip
        if state[_NOW] == _UNKNOWN:
            gains -= held.sum(axis=0)
    return Cover(vertices, gained, upper)


def tallied(rows: Any, covered: Any, weights: Any, team: int, work: int) -> np.ndarray:
    """How much each vertex is in sets that are not covered, by thread."""
    held = np.zeros((team, rows[2]), np.int64)
    launch(tally_kernel, rows, covered, weights, held, work=work, team=team)
    return held


def _count(v, count, known):
    held, weight = known
    held[v] += weight


def _file(v, count, known):
    slots, at, index, number = known
    slot = slots[v]
    if slot >= 0:
        index[at[slot]] = number
        at[slot] += 1


_counted, _filed = row_walker(_count), row_walker(_file)


@kernel(borrows=True)
def tally_kernel(me, team, control, rows, covered, weights, held):
    """How much of the sets that are not covered each vertex is in, by thread."""
    data, starts, n = rows
    low, high = share(me, team, len(starts))
    several = len(weights) > 1
    for i in range(low, high):
        if covered[i] == 0:
            _counted(data, starts[i], n, (held[me], weights[i] if several else weights[0]))


@kernel(borrows=True)
def fill_kernel(me, team, control, rows, covered, slots, at, index):
    """The sets that candidates are in, in the same shares as they were counted."""
    data, starts, n = rows
    low, high = share(me, team, len(starts))
    for i in range(low, high):
        if covered[i] == 0:
            _filed(data, starts[i], n, (slots, at[me], index, i))


@kernel(borrows=True)
def choose_kernel(me, team, control, rows, weights, covered, lists, gaining, found, state):
    """Choose until there are enough, or until the best may be none of the candidates."""
    data, starts, n = rows
    index, begins, slots = lists
    gains, held, taken, order, before, rest = gaining
    vertices, gained, upper, heap = found
    several, bounds, fresh = len(weights) > 1, len(upper) > 0, True
    held = held[: team if team > 1 else 0]  # one thread counts in the gains themselves
    while barrier(control, team):
        if me == 0:
            i, v = state[_CHOSEN], np.int64(_OVER)
            if bounds:
                upper[i] = state[_COVERED] + greatest(gains, held, taken, order, before, heap)
            if i < len(vertices):
                v, gain = best(gains, held, taken, order, before)
                if not fresh and gain <= rest and rest > 0:
                    v = np.int64(_UNKNOWN)
                elif v < 0:
                    v = np.int64(least_left(taken, state))
            if not fresh and bounds and heap[0] < rest:
                v = np.int64(_UNKNOWN)
            if v >= 0:
                vertices[i], gained[i], taken[v] = v, gain, 1
                state[_CHOSEN], state[_COVERED] = i + 1, state[_COVERED] + gain
            state[_NOW], fresh = v, False
        if not barrier(control, team):
            return
        v = state[_NOW]
        if v < 0:
            return
        if slots[v] >= 0:
            first = begins[slots[v]]
            low, high = share(me, team, begins[slots[v] + 1] - first)
            for j in range(first + low, first + high):
                i = np.int64(index[j])
                if covered[i] == 0:
                    covered[i] = 1
                    weight = weights[i] if several else weights[0]
                    if team == 1:
                        _counted(data, starts[i], n, (gains, -weight))
                    else:
                        _counted(data, starts[i], n, (held[me], weight))


@inner
def gain_of(gains, held, v):
    """What a vertex gains now."""
    gain = gains[v]
    for t in range(len(held)):
        gain -= held[t, v]
    return gain


@inner
def best(gains, held, taken, order, before):
    """The candidate of the greatest gain, the least of them, and the gain; -1 if none has any."""
    found, most = np.int64(-1), np.int64(0)
    for i in range(len(order)):
        if before[i] < most:
            break
        v = order[i]
        if taken[v] == 0:
            gain = gain_of(gains, held, v)
            if gain > most or (gain == most and found > v):
                found, most = v, gain
    return found, most


@inner
def least_left(taken, state):
    """The least vertex that has not been taken."""
    while taken[state[_LEAST]] != 0:
        state[_LEAST] += 1
    return state[_LEAST]


sink = binary_heap(is_less, read, write, inner).sink


@inner
def greatest(gains, held, taken, order, before, heap):
    """The sum of the greatest gains, as many as the heap holds, with the least of them on top."""
    heap[:] = 0
    for i in range(len(order)):
        if before[i] <= heap[0]:
            break
        v = order[i]
        if taken[v] == 0:
            gain = gain_of(gains, held, v)
            if gain > heap[0]:
                sink(heap, 0, len(heap), gain)
    return heap.sum()
