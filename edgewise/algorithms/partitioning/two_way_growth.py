"""A bisection of one part of a graph: side 0 grows from a random vertex, and moves improve it."""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.partitioning.two_way_moves import two_way
from edgewise.base.heap import indexed_heap
from edgewise.base.random import draw
from edgewise.operators.helpers import inner

__all__ = ["halve"]

_rise, _sink = indexed_heap(inner)
_draw = inner(draw)


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
        cut, extra = two_way(p, halves)
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
