"""A bisection of one part of a graph, grown greedily and improved by moves [1].

A part has a range of places in the arrays of all parts, so all parts are worked on at the same time.
``gain[v]`` is the cut without v's move minus the cut with it. Vertices move by decreasing gain, gains
and losses alike, each once in a pass; then all moves after the best moment are undone. A side that
weighs more than its limit comes first.

[1] C. Fiduccia, R. Mattheyses. A linear-time heuristic for improving network partitions. DAC 1982.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.heap import indexed_heap
from edgewise.base.random import draw
from edgewise.operators.helpers import inner

__all__ = ["Halves", "halve"]

#: The largest number of passes, and of moves in a row without an improvement.
_PASSES, _PATIENCE = 8, 400
_rise, _sink = indexed_heap(inner)
_draw = inner(draw)


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
def halve(p, halves, tries, seed):
    """Improve the bisection of part p; with ``tries``, find one: the best of that many."""
    low, high = halves.bounds[p], halves.bounds[p + 1]
    if high - low < 2:
        for i in range(low, high):
            halves.side[halves.members[i]] = 0 if halves.target[p] > 0 else 1
        return
    best, over = np.inf, np.inf
    for turn in range(max(tries, 1)):
        if tries > 0:
            _grow(p, halves, _draw(np.uint64(seed), np.uint64(p), np.uint64(turn)))
        cut, extra = _passes(p, halves)
        if extra < over or (extra == over and cut < best):
            best, over = cut, extra
            for i in range(low, high):
                halves.kept[halves.members[i]] = halves.side[halves.members[i]]
    for i in range(low, high):
        halves.side[halves.members[i]] = halves.kept[halves.members[i]]


@inner
def _grow(p, g, drawn):
    """Grow side 0 from a random vertex, always by the vertex that adds least to the cut."""
    low, high = g.bounds[p], g.bounds[p + 1]
    for i in range(low, high):
        v = g.members[i]
        g.side[v], g.place[v], g.locked[v] = 1, -1, False
    heap = g.heaps[0, low:high], g.place, g.loss
    size, grown, i = 0, 0.0, np.int64(drawn % np.uint64(high - low))
    for _ in range(high - low):
        if grown >= g.target[p]:
            break
        if size == 0:  # the first, or the next component
            while g.side[g.members[low + i]] == 0:
                i = (i + 1) % (high - low)
            v = np.int64(g.members[low + i])
        else:
            v = np.int64(heap[0][0])
            size -= 1
            g.place[v] = -1
            if size > 0:
                _sink(heap, 0, size, heap[0][size])
        if grown + g.mass[v] > g.limit[p, 0]:
            g.locked[v] = True
            if size == 0:
                break
            continue
        g.side[v] = 0
        grown += g.mass[v]
        for e in range(g.indptr[v], g.indptr[v + 1]):
            u = np.int64(g.indices[e])
            if g.side[u] == 0 or g.locked[u]:
                continue
            if g.place[u] < 0:
                g.loss[u] = _loss(u, g)
                _rise(heap, size, u)
                size += 1
            else:
                g.loss[u] -= 2.0 * g.weight[e]
                _rise(heap, g.place[u], u)


@inner
def _loss(v, g):
    """What v's move adds to the cut."""
    loss = 0.0
    for e in range(g.indptr[v], g.indptr[v + 1]):
        loss += g.weight[e] if g.side[g.indices[e]] == g.side[v] else -g.weight[e]
    return loss


@inner
def _passes(p, g):
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
            _enter(v, p, g)
    best, even, done, good, since = cut, abs(first - g.target[p]), low, low, 0
    while since < _PATIENCE:
        s = _next_side(p, g)
        if s < 0:
            break
        v = np.int64(g.heaps[s, low])
        cut += g.loss[v]
        _move(v, s, p, g)
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
            _leave(v, s, p, g)  # it is too heavy for the other side, now
        if tally[2 + s] == 0:
            continue
        loss = g.loss[g.heaps[s, low]]
        lighter = (tally[s] > g.target[p]) == (s == 0)
        if found < 0 or loss < least or (loss == least and lighter):
            found, least = s, loss
    return found


@inner
def _move(v, s, p, g):
    """Move v from side s to the other; its neighbors' losses follow."""
    _leave(v, s, p, g)
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
            _enter(u, p, g)
        elif more < 0.0:
            _rise((g.heaps[t, low:], g.place, g.loss), g.place[u], u)
        else:
            _sink((g.heaps[t, low:], g.place, g.loss), g.place[u], np.int64(g.tally[p, 2 + t]), u)


@inner
def _enter(v, p, g):
    """Put v into the heap of its side."""
    s = g.side[v]
    _rise((g.heaps[s, g.bounds[p] :], g.place, g.loss), np.int64(g.tally[p, 2 + s]), v)
    g.tally[p, 2 + s] += 1


@inner
def _leave(v, s, p, g):
    """Take v out of the heap of side s."""
    heap = g.heaps[s, g.bounds[p] :], g.place, g.loss
    at, last = g.place[v], np.int64(g.tally[p, 2 + s]) - 1
    g.tally[p, 2 + s] -= 1
    g.place[v] = -1
    if at != last:
        w = np.int64(heap[0][last])
        _rise(heap, at, w)
        _sink(heap, g.place[w], last, w)
