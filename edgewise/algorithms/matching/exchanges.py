"""The functions that `two_thirds` gives to operators to make exchanges and to note changes.

The words are those of `edgewise.algorithms.matching.arms`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base import atomic
from edgewise.base.random import mix
from edgewise.operators.helpers import inlined, inner

__all__ = [
    "Contest",
    "Exchanges",
    "Mates",
    "contend",
    "enter",
    "has_moved",
    "settle",
    "spread",
]

_mix = inner(mix)


class Mates(NamedTuple):
    """The matching, and in which rounds it is to change: arrays over vertices.

    What is noted of a vertex is noted with the number of a round, so nothing has to be cleared.
    """

    mate: Any
    held: Any
    before: Any  # what was held before the round in which that changed last
    most: Any
    look: Any  # the round in which this vertex must be looked at; both ends of a center, always
    told: Any  # the round in which an arm of this vertex gains more than before
    changed: Any  # the round in which its mate became another


class Exchanges(NamedTuple):
    """The exchange planned for every center."""

    gain: Any
    left: Any
    right: Any


class Contest(NamedTuple):
    """What decides at each center between the exchanges that touch it."""

    top: Any  # the highest gain
    lead: Any  # and among those that gain as much, the highest hash
    key: Any
    luck: bool  # the hash alone decides


@inlined
def _center_of(v, mate):
    """The center that v belongs to."""
    m = np.int64(mate[v])
    return v if m < 0 else min(v, m)


@inlined
def _touched(center, k, indices, mate, planned):
    """The k-th of the three centers that an exchange touches, -1 if there is none: its own, that of
    the left arm, that of the right one."""
    if k == 0:
        return np.int64(center)
    e = planned.left[center] if k == 1 else planned.right[center]
    return np.int64(-1) if e < 0 else _center_of(np.int64(indices[e]), mate)


@inlined
def enter(center, rows, mates, planned, contest, turn):
    """An exchange that gains, and is possible still, enters its gain (1 by ``luck``) at the centers
    it touches; in the next round this center is looked at again."""
    if not planned.gain[center] > 0.0:
        return False
    indices, mate, changed, look = rows.indices, mates.mate, mates.changed, mates.look
    a, d = planned.left[center], planned.right[center]
    if (
        changed[center] == turn
        or (a >= 0 and changed[indices[a]] == turn)
        or (d >= 0 and changed[indices[d]] == turn)
    ):
        return False
    look[center] = turn + 1
    if mate[center] >= 0:
        look[mate[center]] = turn + 1
    for k in range(3):
        x = _touched(center, k, indices, mate, planned)
        if x >= 0:
            atomic.max(contest.top, x, _bid(center, planned, contest))
    return True


@inlined
def _bid(center, planned, contest):
    """What the exchange of a center enters with."""
    return 1.0 if contest.luck else planned.gain[center]


@inlined
def contend(center, rows, mates, planned, contest):
    """Among those that gain as much as any at a center, a hash decides."""
    for k in range(3):
        x = _touched(center, k, rows.indices, mates.mate, planned)
        if x >= 0 and contest.top[x] == _bid(center, planned, contest):
            atomic.max(contest.lead, x, _word(center, contest.key))


@inlined
def settle(center, rows, mates, planned, contest, turn):
    """Make the exchange if it leads at all centers that it touches; does it have to wait?

    The exchange that leads at a center clears what stands there. Others may come after that, and
    after the mates have changed, but as they do not lead there, they find none of what would let
    them.
    """
    indices, mate, top, lead = rows.indices, mates.mate, contest.top, contest.lead
    mine, word, first = _bid(center, planned, contest), _word(center, contest.key), True
    for k in range(3):
        x = _touched(center, k, indices, mate, planned)
        first = first and (x < 0 or (top[x] == mine and lead[x] == word))
    for k in range(3):
        x = _touched(center, k, indices, mate, planned)
        if x >= 0 and lead[x] == word:
            top[x], lead[x] = 0.0, np.uint64(0)
    if first:
        _make(center, planned.left[center], planned.right[center], rows, mates, turn)
    return not first


@inlined
def _word(center, key):
    """The hash of a center; no two have the same."""
    return _mix(np.uint64(center) ^ key)


@inlined
def _make(b, left, right, rows, mates, turn):
    """Make the exchange of center b; nothing else touches the same vertices."""
    mate, held, c = mates.mate, mates.held, np.int64(mates.mate[b])
    _leave(b, mates, turn)
    if c >= 0:
        _leave(c, mates, turn)
    for k in range(2):
        end, e = (np.int64(b), left) if k == 0 else (c, right)
        if e < 0:
            continue
        a, weight = np.int64(rows.indices[e]), rows.weights[e * rows.stride]
        old = np.int64(mate[a])
        if old >= 0:
            _leave(old, mates, turn)
        if mates.changed[a] != turn:
            _leave(a, mates, turn)
        mate[a], held[a] = end, weight
        mate[end], held[end] = a, weight


@inlined
def _leave(v, mates, turn):
    """Vertex v is free, and was something else before."""
    mates.before[v], mates.changed[v] = mates.held[v], turn
    mates.mate[v], mates.held[v] = -1, 0.0


@inlined
def has_moved(v, mates, turn):
    """Has v another mate than before this round? In the next one it is looked at."""
    if mates.changed[v] != turn:
        return False
    mates.look[v] = turn + 1
    return True


def spread(a, v, e, rows, mates, turn):
    """Note at v what its arm to ``a``, which has changed, gains now, if that is more."""
    weight = np.float64(rows.weights[e * rows.stride])
    gain = weight - mates.held[a]
    if gain > weight - mates.before[a] and gain > 0.0:
        mates.told[v] = turn + 1
        if gain > mates.most[v]:
            atomic.max(mates.most, v, gain)
