"""The functions that `two_thirds` gives to operators to make exchanges, and to tell of them.

The words are those of `edgewise.algorithms.matching.arms`.
"""

from __future__ import annotations

import numpy as np

from edgewise.base import atomic
from edgewise.base.random import mix
from edgewise.operators.helpers import inner

__all__ = [
    "center_of",
    "contend",
    "look_at",
    "make",
    "spread",
    "stands",
]

_mix = inner(mix)


@inner
def center_of(v, mate):
    """The center that v belongs to."""
    return v if mate[v] < 0 else min(v, np.int64(mate[v]))


def contend(center, mate, indices, gain, left, right, top, lead, key, luck, phase):
    """Rank an exchange by gain (not so by ``luck``), then by a hash, at the centers it touches.

    First the gain, then the hash among those that gain as much, then ask whether it leads at all of
    them, then wipe.
    """
    mine = 1.0 if luck else gain[center]
    word = _mix(np.uint64(center) ^ key)  # no two centers have the same
    for k in range(3):
        x, e = np.int64(center), left[center] if k == 1 else right[center]
        if k > 0 and e < 0:
            continue
        if k > 0:
            x = center_of(np.int64(indices[e]), mate)
        if phase == 0:
            atomic.max(top, x, mine)
        elif phase == 1:
            if top[x] == mine:
                atomic.max(lead, x, word)
        elif phase == 2:
            if top[x] != mine or lead[x] != word:
                return False
        else:
            top[x], lead[x] = 0.0, np.uint64(0)
    return True


def make(b, mate, held, indices, lengths, step, left, right, changed):
    """Make the exchange of center b; nothing else touches the same vertices."""
    c = np.int64(mate[b])
    mate[b], held[b], changed[b] = -1, 0.0, True
    if c >= 0:
        mate[c], held[c], changed[c] = -1, 0.0, True
    for k in range(2):
        end, e = (b, left[b]) if k == 0 else (c, right[b])
        if e < 0:
            continue
        a = np.int64(indices[e])
        old = np.int64(mate[a])
        if old >= 0:
            mate[old], held[old], changed[old] = -1, 0.0, True
        mate[a], held[a], changed[a] = end, lengths[e * step], True
        mate[end], held[end] = a, lengths[e * step]


def stands(center, indices, left, right, changed):
    """Is an exchange that was not made still possible?"""
    a, d = left[center], right[center]
    return not (
        changed[center] or (a >= 0 and changed[indices[a]]) or (d >= 0 and changed[indices[d]])
    )


def spread(a, v, e, lengths, step, before, held, most, told, lost):
    """Tell v what its arm to ``a``, which has changed, gains now."""
    weight = np.float64(lengths[e * step])
    old, new = weight - before[a], weight - held[a]
    if new > old and new > 0.0:
        told[v] = True
        if new > most[v]:
            atomic.max(most, v, new)
    elif new < old and old > 0.0 and old >= most[v]:
        lost[v] = True  # its best arm, it may be


def look_at(v, mate, look):
    """The center of v is to be looked at again."""
    look[center_of(v, mate)] = True
