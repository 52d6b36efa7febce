"""Positions of 64-bit keys, by a hash table: open addressing with linear probing.

A place of the table holds the position of a key, or -1. The number of places is a power of two, at
least twice the number of keys.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.random import mix
from edgewise.base.cpu.team import share

__all__ = ["find_keys", "put_keys"]


@kernel
def put_keys(me, team, control, keys, table, clash):
    """Fill the table; ``clash[0]`` tells whether two keys are equal. One thread."""
    for i in range(len(keys)):
        at = _place(keys, table, keys[i])
        if table[at] >= 0:
            clash[0] = True
            return
        table[at] = i


@kernel
def find_keys(me, team, control, keys, table, wanted, found):
    """Write the position of each wanted key to ``found``, or -1."""
    low, high = share(me, team, len(wanted))
    for i in range(low, high):
        found[i] = table[_place(keys, table, wanted[i])]


@inner
def _place(keys, table, key):
    """The place of a key, or the free one where its search ends."""
    last = np.uint64(len(table) - 1)
    at = mix(np.uint64(key)) & last
    while table[at] >= 0 and keys[table[at]] != key:
        at = (at + np.uint64(1)) & last
    return at
