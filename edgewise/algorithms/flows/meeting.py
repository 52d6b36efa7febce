"""Augmenting paths by two breadth-first searches that meet, for flows of few paths.

One search runs from the source along arcs with residual capacity, the other from the target against
them. The search with the smaller frontier takes the next level. A vertex that both reach is on an
augmenting path. If one search ends before that, the flow is a maximum flow. Searches are numbered,
and ``seen[s, v]`` is the number of the last one that reached v, so that nothing is cleared between
them.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.flows.flow_memory import FINISHED, HIGH, LOGGED, LOOKED, LOW, SEARCHES
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going

__all__ = ["meet", "reach", "restore", "send"]

#: So many arcs lie between two questions whether to go on: a fraction of a millisecond.
_LOOK = 1 << 14


@inner
def meet(control, network, both, source, target, limit, patience):
    """Send flow until it is a maximum flow or reaches the limit; is it so, in time?"""
    value, counts = both.value, both.counts
    while value[0] < limit:
        at = _search(control, network, both, source, target, patience)
        if at == -2:
            return False
        if at == -1:
            counts[FINISHED] = 1
            return True
        send(network, both, source, target, at, limit - value[0])
    return True


@inner
def reach(control, network, both, target):
    """Make the last search from the target complete, or a new one if the last was no failure."""
    indptr, indices, reverse, capacity = network
    counts, seen, queue = both.counts, both.seen[1], both.queue[1]
    if not counts[FINISHED]:
        counts[SEARCHES] += 1
        seen[target], queue[0] = counts[SEARCHES], target
        counts[LOW], counts[HIGH] = 0, 1
    stamp, looked, due = np.int32(counts[SEARCHES]), counts[LOOKED], 0
    head, tail = counts[LOW], counts[HIGH]
    while head < tail:
        if looked >= due:
            due = looked + _LOOK
            if not going(control, looked):
                return
        v = queue[head]
        head += 1
        first, last = indptr[v], indptr[v + 1]
        looked += 1 + last - first
        for e in range(first, last):
            u = indices[e]
            if seen[u] != stamp and capacity[reverse[e]] > 0:
                seen[u], queue[tail] = stamp, u
                tail += 1
    counts[LOOKED], counts[FINISHED] = looked, 1


@inner
def _search(control, network, both, source, target, patience):
    """Return a vertex that both searches reach; -1 if there is none, -2 if it takes too long."""
    indptr, indices, reverse, capacity = network
    seen, arc, queue, _, _, counts = both
    counts[SEARCHES] += 1
    stamp, looked, due = np.int32(counts[SEARCHES]), counts[LOOKED], 0
    seen[0, source], seen[1, target] = stamp, stamp
    queue[0, 0], queue[1, 0] = source, target
    low, high, other_low, other_high, side = 0, 1, 0, 1, 0
    while low < high and other_low < other_high:
        if high - low > other_high - other_low:
            low, high, other_low, other_high, side = other_low, other_high, low, high, 1 - side
        own, other, arcs, waiting = seen[side], seen[1 - side], arc[side], queue[side]
        tail = high
        while low < high:
            if looked >= due:
                due = looked + _LOOK
                if looked >= patience or not going(control, looked):
                    counts[LOOKED] = looked
                    return -2
            v = waiting[low]
            low += 1
            first, last = indptr[v], indptr[v + 1]
            looked += 1 + last - first
            for e in range(first, last):
                u = indices[e]
                if own[u] != stamp:
                    along = e if side == 0 else reverse[e]
                    if capacity[along] > 0:
                        own[u], arcs[u], waiting[tail] = stamp, along, u
                        tail += 1
                        if other[u] == stamp:
                            counts[LOOKED] = looked
                            return np.int64(u)
        high = tail
    counts[LOOKED] = looked
    counts[LOW] = low if side == 1 else other_low
    counts[HIGH] = high if side == 1 else other_high
    return -1


@inner
def send(network, both, source, target, at, most):
    """Send as much as possible along the path by a vertex."""
    _, indices, reverse, capacity = network
    _, arc, _, log, value, counts = both
    amount, v = most, np.int64(at)
    while v != source:
        e = arc[0, v]
        amount = min(amount, capacity[e])
        v = np.int64(indices[reverse[e]])
    v = np.int64(at)
    while v != target:
        e = arc[1, v]
        amount = min(amount, capacity[e])
        v = np.int64(indices[e])
    value[0] += amount
    v = np.int64(at)
    while v != source:
        e = arc[0, v]
        _move(reverse, capacity, log, counts, e, amount)
        v = np.int64(indices[reverse[e]])
    v = np.int64(at)
    while v != target:
        e = arc[1, v]
        _move(reverse, capacity, log, counts, e, amount)
        v = np.int64(indices[e])


@inner
def _move(reverse, capacity, log, counts, e, amount):
    capacity[e] -= amount
    capacity[reverse[e]] += amount
    if counts[LOGGED] < len(log):
        log[counts[LOGGED]] = e
    counts[LOGGED] += 1


@inner
def restore(network, both, original):
    """Undo all that was sent since the log was empty."""
    _, _, reverse, capacity = network
    log, counts = both.log, both.counts
    if counts[LOGGED] <= len(log):
        for i in range(counts[LOGGED]):
            e = log[i]
            capacity[e], capacity[reverse[e]] = original[e], original[reverse[e]]
    else:
        for e in range(len(capacity)):
            capacity[e] = original[e]
    counts[LOGGED], counts[FINISHED], both.value[0] = 0, 0, 0
