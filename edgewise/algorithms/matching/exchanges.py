"""The functions that `two_thirds` gives to operators to make exchanges, and to tell of them.

The words are those of `edgewise.algorithms.matching.arms`.
"""

from __future__ import annotations

import numpy as np

from edgewise.base import atomic
from edgewise.base.random import mix
from edgewise.operators.helpers import inner

__all__ = ["contend", "enter", "has_moved", "settle", "spread"]

_mix = inner(mix)


@inner
def _center_of(v, mate):
    """The center that v belongs to."""
    m = np.int64(mate[v])
    return v if m < 0 else min(v, m)


@inner
def _touched(center, k, mate, indices, left, right):
    """The k-th of the three centers that an exchange touches, -1 if there is none: its own, that of
    the left arm, that of the right one."""
    if k == 0:
        return np.int64(center)
    e = left[center] if k == 1 else right[center]
    return np.int64(-1) if e < 0 else _center_of(np.int64(indices[e]), mate)


def enter(
    center, mate, indices, gain, left, right, top, lead, key, luck, changed, turn, look
):  # fmt: skip
    """An exchange that gains, and is possible still, tells the centers it touches how much it
    gains (not so by ``luck``); in the next round this center is looked at again."""
    if not gain[center] > 0.0:
        return False
    a, d = left[center], right[center]
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
        x = _touched(center, k, mate, indices, left, right)
        if x >= 0:
            atomic.max(top, x, 1.0 if luck else gain[center])
    return True


def contend(center, mate, indices, gain, left, right, top, lead, key, luck):
    """Among those that gain as much as any at a center, a hash decides."""
    for k in range(3):
        x = _touched(center, k, mate, indices, left, right)
        if x >= 0 and top[x] == (1.0 if luck else gain[center]):
            atomic.max(lead, x, _word(center, key))


def settle(
    center, mate, indices, gain, left, right, top, lead, key, luck, changed, turn, held, before,
    lengths, step,
):  # fmt: skip
    """Make the exchange if it leads at all centers that it touches; does it have to wait?

    Whoever leads at a center wipes what stands there. Others may come after that, and after the
    mates have changed, but as they do not lead there, they find none of what would let them.
    """
    mine, word, first = 1.0 if luck else gain[center], _word(center, key), True
    for k in range(3):
        x = _touched(center, k, mate, indices, left, right)
        first = first and (x < 0 or (top[x] == mine and lead[x] == word))
    for k in range(3):
        x = _touched(center, k, mate, indices, left, right)
        if x >= 0 and lead[x] == word:
            top[x], lead[x] = 0.0, np.uint64(0)
    if first:
        _make(center, mate, indices, left, right, changed, turn, held, before, lengths, step)
    return not first


@inner
def _word(center, key):
    """The hash of a center; no two have the same."""
    return _mix(np.uint64(center) ^ key)


@inner
def _make(b, mate, indices, left, right, changed, turn, held, before, lengths, step):
    """Make the exchange of center b; nothing else touches the same vertices."""
    c = np.int64(mate[b])
    _leave(b, mate, changed, turn, held, before)
    if c >= 0:
        _leave(c, mate, changed, turn, held, before)
    for k in range(2):
        end, e = (np.int64(b), left[b]) if k == 0 else (c, right[b])
        if e < 0:
            continue
        a = np.int64(indices[e])
        old = np.int64(mate[a])
        if old >= 0:
            _leave(old, mate, changed, turn, held, before)
        if changed[a] != turn:
            _leave(a, mate, changed, turn, held, before)
        mate[a], held[a] = end, lengths[e * step]
        mate[end], held[end] = a, lengths[e * step]


@inner
def _leave(v, mate, changed, turn, held, before):
    """Vertex v is free, and was something else before."""
    before[v], changed[v] = held[v], turn
    mate[v], held[v] = -1, 0.0


def has_moved(v, look, changed, turn):
    """Has v another mate than before this round? In the next one it is looked at."""
    if changed[v] != turn:
        return False
    look[v] = turn + 1
    return True


def spread(a, v, e, lengths, step, before, held, most, told, turn):
    """Tell v what its arm to ``a``, which has changed, gains now, if that is more."""
    weight = np.float64(lengths[e * step])
    gain = weight - held[a]
    if gain > weight - before[a] and gain > 0.0:
        told[v] = turn + 1
        if gain > most[v]:
            atomic.max(most, v, gain)
