"""A separator of one part of a graph, grown from a vertex at its end, and improved.

`improve` is a function for `compute`. Part p has ``members[bounds[p] : bounds[p + 1]]``; one of
them, its head, acts for it.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.ordering.separator_moves import CUT, Part, pass_by_pass
from edgewise.base.random import draw
from edgewise.operators.helpers import inner

__all__ = ["improve"]

_UNMET = 3

_draw = inner(draw)


def improve(v, heads, tries, seed, indptr, indices, weight, side, members, bounds, tallies, room,
            heaps, log, locked):  # fmt: skip
    """Make the separator of v's part lighter, if v is its head.

    With ``tries``, the best of so many new ones, each grown and improved.
    """
    p = heads[v]
    if p < 0:
        return
    low, high = bounds[p], bounds[p + 1]
    part = Part(indptr, indices, weight, side, members[low:high], tallies[p], room[:2], room[2:4],
                heaps[:, low:high], log[3 * low : 3 * high], locked)  # fmt: skip
    best, kept = np.inf, room[4]
    for turn in range(max(tries, 1)):
        if tries > 0:
            _grow(_draw(seed, np.uint64(p), np.uint64(turn)), part)
        cost = pass_by_pass(part)
        if cost < best:
            best = cost
            for u in part.members:
                kept[u] = side[u]
    for u in part.members:
        side[u] = kept[u]


@inner
def _grow(drawn, part):
    """Half of the part around a vertex that is as far as can be from one that is drawn."""
    side, queue, size = part.side, part.log, len(part.members)
    root = part.members[np.int64(drawn >> np.uint64(1)) % size]
    total = _spread(root, part, queue, np.int64(1) << 62)
    _spread(queue[size - 1], part, queue, total // 2)
    for u in part.members:
        for e in range(part.indptr[u], part.indptr[u + 1]):
            if side[u] == 1 and side[part.indices[e]] == 0:
                side[u] = CUT


@inner
def _spread(root, part, queue, enough):
    """Search from ``root`` through the part: side 0 until it weighs enough, then side 1.

    Returns the weight of the part.
    """
    side = part.side
    for u in part.members:
        side[u] = _UNMET
    queue[0], side[root] = root, 0
    head, tail, total = 0, 1, np.int64(0)
    while head < tail:
        v = queue[head]
        head += 1
        side[v] = 0 if total < enough else 1
        total += part.weight[v]
        for e in range(part.indptr[v], part.indptr[v + 1]):
            u = part.indices[e]
            if side[u] == _UNMET:
                side[u] = 0
                queue[tail] = u
                tail += 1
    return total
