"""Positions of 64-bit keys, by a hash table: open addressing with linear probing.

A place of the table holds the position of a key, or -1. The number of places is a power of two, at
least twice the number of keys.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.random import mix
from edgewise.base.cpu.team import share
from edgewise.base.probing import probing

__all__ = ["find_keys", "put_keys"]

_FREE = np.int64(-1)


@kernel
def put_keys(me, team, control, keys, table, clash):
    """Fill the table; ``clash[0]`` tells whether two keys are equal. One thread."""
    for i in range(len(keys)):
        at, held = _place(keys, table, keys[i])
        if held != _FREE:
            clash[0] = True
            return
        table[at] = i


@kernel
def find_keys(me, team, control, keys, table, wanted, found):
    """Write the position of each wanted key to ``found``, or -1."""
    low, high = share(me, team, len(wanted))
    for i in range(low, high):
        found[i] = _place(keys, table, wanted[i])[1]


@inner
def _place(keys, table, key):
    """The place of a key and its position; or the free place where its search ends, and -1."""
    last = np.uint64(len(table) - 1)
    return _probe((keys, table), mix(np.uint64(key)) & last, last, key)


def _position_at(data, at):
    return data[1][at]


def _is_same(data, at, position, key):
    return data[0][np.uint64(position)] == key


_probe = probing(_position_at, None, _is_same, inlined, _FREE)
