"""A separator of one part of a graph, improved by moves [1], [2].

A vertex of the separator moves to the side where that makes the separator lightest: it leaves, and
its neighbors on the other side come in. ``loss[s, v]`` is what v's move to side s adds. The least
loss goes first, gains and losses alike, every vertex once in a pass; then all moves after the best
moment are taken back. Passes go on while they gain.

A part has a range of places in the arrays of all, and the places of its members, to itself; so the
parts can be worked on at the same time.

[1] C. Fiduccia, R. Mattheyses. A linear-time heuristic for improving network partitions. DAC 1982.
[2] C. Ashcraft, J. Liu. A partition improvement algorithm for generalized nested dissection. 1994.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.heap import indexed_heap
from edgewise.operators.helpers import inner

__all__ = ["CUT", "Part", "pass_by_pass"]

#: The side of those in the separator; the others are on side 0 or 1.
CUT = 2
#: How many passes of moves there are at the most.
_PASSES = 8
#: A pass ends after so many moves in a row without a gain.
_PATIENCE = 200
#: How much of a part may be on one side.
_MOST = 0.55

_rise, _sink = indexed_heap(inner)


class Part(NamedTuple):
    """The graph, and what belongs to one part of it."""

    indptr: Any
    indices: Any
    weight: Any  # of vertices
    side: Any
    members: Any  # those of the part alone
    tally: Any  # the weights of the sides and of the separator, the sizes of the heaps
    loss: Any
    place: Any  # in the heaps, -1 if not in them
    heaps: Any
    log: Any  # moves of a pass: 4 * v + the side where v was
    locked: Any


@inner
def pass_by_pass(part):
    """Passes of moves while they gain; what the separator costs in the end."""
    cost = np.inf
    for _ in range(_PASSES):
        before = cost
        cost = _move_all(part)
        if cost >= before:
            break
    return cost


@inner
def _cost(tally):
    """The weight of the separator, and more where a side is too heavy; of equals, even sides.

    No separator at all, with everyone on one side, is none.
    """
    if tally[CUT] == 0:
        return np.inf
    total = tally[0] + tally[1] + tally[2]
    over = max(0.0, max(tally[0], tally[1]) - _MOST * total)
    return tally[2] + 2.0 * over + 0.5 * abs(tally[0] - tally[1]) / max(total, 1)


@inner
def _move_all(part):
    """One pass; what the separator costs after it."""
    tally, side, weight, log = part.tally, part.side, part.weight, part.log
    tally[:] = 0
    for v in part.members:
        part.locked[v], part.place[0, v], part.place[1, v] = False, -1, -1
        tally[side[v]] += weight[v]
    for v in part.members:
        if side[v] == CUT:
            _enter(v, part)
    most = _MOST * (tally[0] + tally[1] + tally[2])
    best, good, done, since = _cost(tally), np.int64(0), np.int64(0), 0
    while since < _PATIENCE:
        s = _next_side(part, most)
        if s < 0:
            break
        v = part.heaps[s, 0]
        _leave(v, 0, part)
        _leave(v, 1, part)
        done = _move(v, s, part, done)
        since += 1
        cost = _cost(tally)
        if cost < best:
            best, good, since = cost, done, 0
    while done > good:
        done -= 1
        side[log[done] >> 2] = log[done] & 3
    return best


@inner
def _next_side(part, most):
    """The side to which a move adds least, the lighter one of equals; -1 if there is none."""
    tally, found, least = part.tally, -1, np.int64(0)
    first = 0 if tally[0] <= tally[1] else 1
    for s in (first, 1 - first):
        if tally[3 + s] == 0:
            continue
        v = part.heaps[s, 0]
        if tally[s] + part.weight[v] > most and tally[s] >= tally[1 - s]:
            continue
        if found < 0 or part.loss[s, v] < least:
            found, least = s, part.loss[s, v]
    return found


@inner
def _move(v, s, part, done):
    """Move v from the separator to side s, and log what moves; how much is in the log then."""
    indptr, indices, weight, side = part.indptr, part.indices, part.weight, part.side
    tally, log, other = part.tally, part.log, 1 - s
    log[done] = 4 * v + CUT
    done += 1
    side[v], part.locked[v] = s, True
    tally[CUT] -= weight[v]
    tally[s] += weight[v]
    for e in range(indptr[v], indptr[v + 1]):
        u = np.int64(indices[e])
        if side[u] == CUT:
            _change(u, other, weight[v], part)
        elif side[u] == other:
            log[done] = 4 * u + other
            done += 1
            side[u] = CUT
            tally[other] -= weight[u]
            tally[CUT] += weight[u]
            for f in range(indptr[u], indptr[u + 1]):
                x = np.int64(indices[f])
                if side[x] == CUT and x != u:
                    _change(x, s, -weight[u], part)
            if not part.locked[u]:
                _enter(u, part)
    return done


@inner
def _enter(v, part):
    """Put v of the separator into both heaps."""
    part.loss[0, v] = part.loss[1, v] = -part.weight[v]
    for e in range(part.indptr[v], part.indptr[v + 1]):
        u = part.indices[e]
        if part.side[u] != CUT:
            part.loss[1 - part.side[u], v] += part.weight[u]
    for s in range(2):
        at = part.tally[3 + s]
        part.tally[3 + s] += 1
        _rise(_heap(part, s), at, v)


@inner
def _change(v, s, more, part):
    """Add to what v's move to side s adds."""
    part.loss[s, v] += more
    at = part.place[s, v]
    if at < 0:
        return
    if more < 0:
        _rise(_heap(part, s), at, v)
    else:
        _sink(_heap(part, s), at, part.tally[3 + s], v)


@inner
def _leave(v, s, part):
    """Take v out of the heap of side s."""
    at, last = part.place[s, v], part.tally[3 + s] - 1
    part.tally[3 + s], part.place[s, v] = last, -1
    if at == last:
        return
    w = part.heaps[s, last]
    _rise(_heap(part, s), at, w)
    _sink(_heap(part, s), part.place[s, w], last, w)


@inner
def _heap(part, s):
    """The heap of side s, where it keeps its members, and what their moves add."""
    return part.heaps[s], part.place[s], part.loss[s]
