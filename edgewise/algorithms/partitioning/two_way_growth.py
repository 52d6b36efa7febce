"""A bisection of one part of a graph: side 0 grows from a random vertex, and moves improve it."""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.partitioning.two_way_moves import enter, leave, shift, two_way
from edgewise.base.random import draw
from edgewise.operators.helpers import inner

__all__ = ["halve"]

_draw = inner(draw)


def halve(i, pick, halves, tries, seed):
    """Improve the bisection of part pick[i]; with ``tries``, find one: the best of that many."""
    p = pick[i]
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
    tally = g.tally[p]
    tally[0], tally[1], tally[2], tally[3] = 0.0, 0.0, 0.0, 0.0
    for i in range(low, high):
        v = g.members[i]
        g.side[v], g.place[v], g.locked[v], g.loss[v] = 1, -1, False, 0.0
        tally[1] += g.mass[v]
        for e in range(g.indptr[v], g.indptr[v + 1]):
            g.loss[v] += g.weight[e]
    i = np.int64(drawn % np.uint64(high - low))
    for _ in range(high - low):
        if tally[0] >= g.target[p]:
            break
        if tally[3] == 0:  # the first vertex, or one of the next component
            while g.locked[g.members[low + i]]:
                i = (i + 1) % (high - low)
            enter(np.int64(g.members[low + i]), p, g)
        v = np.int64(g.heaps[1, low])
        if tally[0] + g.mass[v] <= g.limit[p, 0]:
            shift(v, 1, p, g)
        else:
            leave(v, 1, p, g)
            g.locked[v] = True
