"""Equal sets, found and told apart again, on CPU threads."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.random import mix

__all__ = ["fill_pairs", "find_new", "hash_sets"]

_CHUNK = 256


@inlined
def hash_sets(i, sets, ids, low, keys):
    """For each set of ``ids`` its size above ``low`` bits of a hash of its elements."""
    first, last = sets.starts[ids[i]], sets.starts[ids[i] + 1]
    value = np.uint64(0)
    for j in range(first, last):
        value = mix(value ^ np.uint64(sets.elements[j]))
    keys[i] = (np.uint64(last - first) << np.uint64(low)) | (value >> np.uint64(64 - low))


@inlined
def find_new(i, sets, ids, keys, new):
    """Which of the sorted sets differ from the one before."""
    new[i] = i == 0 or keys[i] != keys[i - 1] or not _equal(sets, ids[i - 1], ids[i])


@inner
def _equal(sets, one, other):
    """Are two sets of the same size equal?"""
    begin, shift = sets.starts[one], sets.starts[other] - sets.starts[one]
    for i in range(begin, sets.starts[one + 1]):
        if sets.elements[i] != sets.elements[i + shift]:
            return False
    return True


@inlined
def fill_pairs(i, left, right, alone, pairs, starts, out):
    """Write all pairs that each one stands for; ``alone``: of one collection with itself."""
    one, other = left.group[pairs.left[i]], right.group[pairs.right[i]]
    at = starts[i]
    for k in range(left.starts[one], left.starts[one + 1]):
        begin_other = right.starts[other]
        if alone and one == other:
            begin_other = k + 1
        first = left.members[k]
        for j in range(begin_other, right.starts[other + 1]):
            second = right.members[j]
            out.left[at] = min(first, second) if alone else first
            out.right[at] = max(first, second) if alone else second
            out.score[at] = pairs.score[i]
            at += 1
