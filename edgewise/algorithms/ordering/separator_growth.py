"""A separator of one part of a graph, grown from a vertex at its end, and improved.

`improve` is a function for `compute`. One member of a part, its head, acts for it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.ordering.separator_moves import CUT, Part, pass_by_pass
from edgewise.base.random import draw
from edgewise.operators.helpers import inner

__all__ = ["Divided", "Scratch", "improve"]

_UNMET = 3

_draw = inner(draw)


class Divided(NamedTuple):
    """A graph in parts: p has ``members[bounds[p] : bounds[p + 1]]``; its head acts for it."""

    indptr: Any
    indices: Any
    weight: Any  # of vertices
    side: Any
    heads: Any  # the part of its head, -1 for all other vertices
    members: Any
    bounds: Any


class Scratch(NamedTuple):
    """Memory for the parts to work in."""

    tallies: Any
    loss: Any
    places: Any
    kept: Any  # the sides in the best separator so far
    heaps: Any
    log: Any
    locked: Any


def improve(v, graph, tries, seed, scratch):
    """Make the separator of v's part lighter, if v is its head.

    With ``tries``, the best of so many new ones, each grown and improved.
    """
    p = graph.heads[v]
    if p < 0:
        return
    low, high = graph.bounds[p], graph.bounds[p + 1]
    side, kept, best = graph.side, scratch.kept, np.inf
    part = Part(graph.indptr, graph.indices, graph.weight, side, graph.members[low:high],
                scratch.tallies[p], scratch.loss, scratch.places, scratch.heaps[:, low:high],
                scratch.log[3 * low : 3 * high], scratch.locked)  # fmt: skip
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
