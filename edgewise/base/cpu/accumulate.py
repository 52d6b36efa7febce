"""A thread's own table from keys to totals: open addressing, emptied by walking what was used.

A table is ``(slots, totals, used)``. ``slots[at]`` is the key at place ``at`` with its sign bit
flipped, 0 where the place is free: so a new table is zeros, and memory that no row reaches is never
touched. ``used[0]`` counts the places taken, which follow it in the order in which they were.

A round that brings at most ``b`` keys uses the first ``2**bits`` places alone, at least twice as
many: short rounds stay in the nearest cache however long the longest is. The one key whose flipped
form is 0 has the last place to itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.atomics import compare_and_swap, load
from edgewise.base.probing import is_key, probing

__all__ = ["claim", "clear_table", "find", "key_at", "new_tables", "owner", "shift_for", "table_of"]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SIGN = np.int64(-1 << 63)
_0, _LOW, _32 = np.uint64(0), np.uint64(0xFFFFFFFF), np.uint64(32)


def new_tables(team: int, most: int, dtype: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A table for each thread, for rounds of at most ``most`` keys, totals of type ``dtype``."""
    size = (1 << max(3, (2 * most - 1).bit_length())) + 1
    return (
        np.zeros((team, size), np.int64),
        np.empty((team, size), dtype),
        np.zeros((team, most + 1), np.int64),
    )


@inlined
def table_of(tables, me):
    """The table of thread ``me``."""
    return tables[0][me], tables[1][me], tables[2][me]


@inner
def shift_for(most):
    """How many bits of a hash are dropped in a round of at most ``most`` keys."""
    bits = np.uint64(3)
    while (np.uint64(1) << bits) < np.uint64(2) * np.uint64(most):
        bits += np.uint64(1)
    return np.uint64(64) - bits


def _slot(data, at):
    return data[0][at]


def _put(data, at, word):
    slots, totals, used, identity = data
    count = used[0] + 1
    slots[at], totals[at] = word, identity
    used[0], used[count] = count, np.int64(at)
    return np.int64(0)


def _shared_slot(data, at):
    return load(data[0], at)


def _put_shared(data, at, word):
    slots, totals, identity = data
    done, held = compare_and_swap(slots, at, np.int64(0), word)
    if done:
        totals[at] = identity
    return held


_probe = probing(_slot, _put, is_key, inlined)
_probe_shared = probing(_shared_slot, _put_shared, is_key, inner)


@inlined
def _home(slots, key, shift):
    """How a key is kept, and the first place to look for it."""
    word = np.int64(key) ^ _SIGN
    if word == 0:
        return np.int64(1), np.uint64(len(slots) - 1)
    return word, (np.uint64(key) * _GOLDEN) >> shift


@inlined
def find(table, key, shift, identity):
    """The place of ``key``; a new key gets a new place that holds the identity."""
    word, home = _home(table[0], key, shift)
    return _probe((*table, identity), home, ~_0 >> shift, word)[0]


@inner
def claim(slots, totals, key, shift, identity):
    """`find` in a table that all threads share, where one thread alone asks for a given key."""
    word, home = _home(slots, key, shift)
    return _probe_shared((slots, totals, identity), home, ~_0 >> shift, word)[0]


@inner
def owner(key, team):
    """The thread of a team that asks for a key in a table that all share."""
    return np.int64((((np.uint64(key) * _GOLDEN) >> np.uint64(16)) & _LOW) * np.uint64(team) >> _32)


@inlined
def key_at(slots, at):
    """The key at a place that is taken."""
    return _SIGN if at == len(slots) - 1 else slots[at] ^ _SIGN


@inner
def clear_table(table):
    """Forget all keys, in time proportional to their number."""
    slots, _, used = table
    for i in range(1, used[0] + 1):
        slots[used[i]] = 0
    used[0] = 0
