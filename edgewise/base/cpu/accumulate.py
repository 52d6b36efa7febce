"""A thread's own table from keys to totals: open addressing, emptied by walking what was used.

``table`` is ``(slots, keys, totals, used)``: ``slots[h]`` is 1 + the place of the key hashed to h
in ``keys`` and ``totals`` (0: free), and ``used[0]`` counts them. Sizes of ``slots`` are powers of
two, at least twice the number of keys that may come.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper, inner
from edgewise.base.cpu.random import mix

__all__ = ["clear_table", "find", "new_table"]


@helper
def new_table(most, totals):
    """Room for ``most`` different keys; totals have the type of the given array."""
    size = 16
    while size < 2 * most:
        size *= 2
    return (
        np.zeros(size, np.int64),
        np.empty(most, np.int64),
        np.empty(most, totals.dtype),
        np.zeros(1, np.int64),
    )


@inner
def find(table, key, identity):
    """The place of ``key``; a new key gets a new place that holds the identity."""
    slots, keys, totals, used = table
    mask = np.uint64(len(slots) - 1)
    h = mix(np.uint64(key)) & mask
    while slots[h] != 0:
        if keys[slots[h] - 1] == key:
            return slots[h] - 1
        h = (h + np.uint64(1)) & mask
    place = used[0]
    slots[h], keys[place], totals[place] = place + 1, key, identity
    used[0] = place + 1
    return place


@inner
def clear_table(table):
    """Forget all keys, in time proportional to their number."""
    slots, keys, _, used = table
    mask = np.uint64(len(slots) - 1)
    if used[0] * 4 > len(slots):
        slots[:] = 0
    else:
        for i in range(used[0] - 1, -1, -1):  # the last first: no probe is cut short
            h = mix(np.uint64(keys[i])) & mask
            while slots[h] != i + 1:
                h = (h + np.uint64(1)) & mask
            slots[h] = 0
    used[0] = 0
