"""A hash table from pairs of communities to entries of linked rows, for `agglomerating`.

The key of a pair is ``low * n + high``. Communities that were merged into others never return, so
their pairs are not removed. When they fill the table, it is built again from the rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.probing import is_key, key_at, probing
from edgewise.operators.helpers import inner

__all__ = ["Pairs", "find_entry", "keep_room", "pair_table", "put_entry"]

_EMPTY = -1
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_probe = probing(key_at, None, is_key, inner, _EMPTY)


class Pairs(NamedTuple):
    """The keys, the entries of one of the two rows, and how many places are used."""

    key: np.ndarray
    entry: np.ndarray
    used: np.ndarray


def pair_table(sources: Any, targets: Any, n: int) -> Pairs:
    """The table of the entries of rows; entry e is that of sources[e] for targets[e]."""
    size = 4 << len(sources).bit_length()
    table = Pairs(np.full(size, _EMPTY, np.int64), np.empty(size, np.int64), np.full(2, n))
    table.used[0] = size  # it is filled at the first use
    return table


@inner
def find_entry(rows, pairs, x, z):
    """The entry of x for z, or -1."""
    key = min(x, z) * pairs.used[1] + max(x, z)
    at, held = _probe(pairs.key, _home(pairs, key), len(pairs.key) - 1, key)
    if held != key:
        return np.int64(-1)
    e = pairs.entry[at]
    return e if rows.other[e] == z else rows.twin[e]


@inner
def put_entry(pairs, x, z, e):
    """Add the entry of x for z, a pair that is not there."""
    key = min(x, z) * pairs.used[1] + max(x, z)
    at, _ = _probe(pairs.key, _home(pairs, key), len(pairs.key) - 1, key)
    pairs.key[at], pairs.entry[at] = key, e
    pairs.used[0] += 1


@inner
def keep_room(rows, pairs, count):
    """Build the table anew if few places are left for so many pairs; the number of steps."""
    if 4 * (pairs.used[0] + count) <= 3 * len(pairs.key):
        return 0
    pairs.used[0] = 0
    for at in range(len(pairs.key)):
        pairs.key[at] = _EMPTY
    for x in range(len(rows.head)):
        e = rows.head[x]
        while e >= 0:
            if x < rows.other[e]:
                put_entry(pairs, x, rows.other[e], e)
            e = rows.after[e]
    return len(pairs.key)


@inner
def _home(pairs, key):
    """Where the search of a key begins."""
    mixed = np.uint64(key) * _FACTOR
    return (mixed >> np.uint64(32)) & np.uint64(len(pairs.key) - 1)
