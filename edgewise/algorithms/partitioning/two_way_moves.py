"""A bisection of one part of a graph, improved by moves [1].

A part has a range of places in the arrays of all parts, so all parts are worked on at the same
time. ``loss[v]`` is what v's move adds to the cut. Vertices of least loss move first, gains and
losses alike, each once in a pass; then all moves after the best moment are undone. A side above its
limit is made lighter first.

[1] C. Fiduccia, R. Mattheyses. A linear-time heuristic for improving network partitions. DAC 1982.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.heap import indexed_heap
from edgewise.operators.helpers import inner

__all__ = ["Halves", "enter", "leave", "shift", "two_way"]

#: The largest number of passes, and of moves in a row without an improvement.
_PASSES, _PATIENCE = 8, 400
_rise, _sink = indexed_heap(inner)


class Halves(NamedTuple):
    """A graph whose edges lie inside parts: p has ``members[bounds[p] : bounds[p + 1]]``."""

    indptr: Any
    indices: Any
    weight: Any
    mass: Any
    side: Any
    members: Any
    bounds: Any
    limit: Any  # limit[p, s] is the largest mass of side s
    target: Any  # target[p] is the mass that side 0 should have
    loss: Any  # minus the gain
    place: Any  # in the heap of its side; -1 for none
    heaps: Any  # one of each side
    log: Any  # the vertices that moved in a pass
    locked: Any
    kept: Any  # the sides of the best bisection
    tally: Any  # of each part: the masses of the sides, and the sizes of the heaps


@inner
def two_way(p, g):
    """Passes of moves while they improve; the cut at the end, and the mass beyond the limits."""
    low, high = g.bounds[p], g.bounds[p + 1]
    cut, first, second = 0.0, 0.0, 0.0
    for i in range(low, high):
        v = g.members[i]
        if g.side[v] == 0:
            first += g.mass[v]
            for e in range(g.indptr[v], g.indptr[v + 1]):
                if g.side[g.indices[e]] != 0:
                    cut += g.weight[e]
        else:
            second += g.mass[v]
    for _ in range(_PASSES):
        before, over = cut, _over(first, second, p, g)
        cut, first, second = _pass(p, g, cut, first, second)
        if cut >= before and _over(first, second, p, g) >= over:
            break
    return cut, _over(first, second, p, g)


@inner
def _over(first, second, p, g):
    return max(first - g.limit[p, 0], 0.0) + max(second - g.limit[p, 1], 0.0)


@inner
def _pass(p, g, cut, first, second):
    """One pass of moves; the cut and the masses of the sides after it."""
    low, high = g.bounds[p], g.bounds[p + 1]
    tally = g.tally[p]
    tally[0], tally[1], tally[2], tally[3] = first, second, 0.0, 0.0
    over = _over(first, second, p, g)
    for i in range(low, high):
        v = np.int64(g.members[i])
        g.locked[v], g.place[v] = False, -1
    for i in range(low, high):
        v, near, loss = np.int64(g.members[i]), over > 0.0, 0.0
        for e in range(g.indptr[v], g.indptr[v + 1]):
            if g.side[g.indices[e]] == g.side[v]:
                loss += g.weight[e]
            else:
                loss -= g.weight[e]
                near = True
        g.loss[v] = loss
        if near:
            enter(v, p, g)
    best, even, done, good, since = cut, abs(first - g.target[p]), low, low, 0
    while since < _PATIENCE:
        s = _next_side(p, g)
        if s < 0:
            break
        v = np.int64(g.heaps[s, low])
        cut += g.loss[v]
        shift(v, s, p, g)
        g.log[done] = v
        done += 1
        since += 1
        extra, off = _over(tally[0], tally[1], p, g), abs(tally[0] - g.target[p])
        if extra < over or (extra == over and (cut < best or (cut == best and off < even))):
            best, over, even, good, since = cut, extra, off, done, 0
            first, second = tally[0], tally[1]
    while done > good:
        done -= 1
        v = g.log[done]
        g.side[v] = 1 - g.side[v]
    return best, first, second


@inner
def _next_side(p, g):
    """The side that the next vertex leaves: the one above its limit, or that of the best move."""
    low, tally, found, least = g.bounds[p], g.tally[p], -1, 0.0
    for s in range(2):
        if tally[2 + s] > 0 and tally[s] > g.limit[p, s]:
            return s
    for s in range(2):
        while tally[2 + s] > 0:
            v = np.int64(g.heaps[s, low])
            if tally[1 - s] + g.mass[v] <= g.limit[p, 1 - s]:
                break
            leave(v, s, p, g)  # it is too heavy for the other side, now
        if tally[2 + s] == 0:
            continue
        loss = g.loss[g.heaps[s, low]]
        lighter = (tally[s] > g.target[p]) == (s == 0)
        if found < 0 or loss < least or (loss == least and lighter):
            found, least = s, loss
    return found


@inner
def shift(v, s, p, g):
    """Move v from side s to the other; its neighbors' losses follow."""
    leave(v, s, p, g)
    g.tally[p, s] -= g.mass[v]
    g.tally[p, 1 - s] += g.mass[v]
    g.side[v], g.locked[v] = 1 - s, True
    low = g.bounds[p]
    for e in range(g.indptr[v], g.indptr[v + 1]):
        u = np.int64(g.indices[e])
        t = g.side[u]
        more = -2.0 * g.weight[e] if t == s else 2.0 * g.weight[e]
        g.loss[u] += more
        if g.locked[u]:
            continue
        if g.place[u] < 0:
            enter(u, p, g)
        elif more < 0.0:
            _rise((g.heaps[t, low:], g.place, g.loss), g.place[u], u)
        else:
            _sink((g.heaps[t, low:], g.place, g.loss), g.place[u], np.int64(g.tally[p, 2 + t]), u)


@inner
def enter(v, p, g):
    """Put v into the heap of its side."""
    s = g.side[v]
    _rise((g.heaps[s, g.bounds[p] :], g.place, g.loss), np.int64(g.tally[p, 2 + s]), v)
    g.tally[p, 2 + s] += 1


@inner
def leave(v, s, p, g):
    """Take v out of the heap of side s."""
    heap = g.heaps[s, g.bounds[p] :], g.place, g.loss
    at, last = g.place[v], np.int64(g.tally[p, 2 + s]) - 1
    g.tally[p, 2 + s] -= 1
    g.place[v] = -1
    if at != last:
        w = np.int64(heap[0][last])
        _rise(heap, at, w)
        _sink(heap, g.place[w], last, w)
