"""A hash set of edges in a plain array: open addressing with linear probing.

A key is ``min(u, v) * n + max(u, v)``. The table's length is a power of two, at least twice the
number of entries; -1 is an empty place and -2 one whose key was removed.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper
from edgewise.base.cpu.random import mix

__all__ = ["contains", "edge_key", "insert", "remove"]

_EMPTY, _REMOVED = -1, -2


@helper
def edge_key(u, v, n):
    """The number of an unordered pair."""
    return np.int64(min(u, v)) * n + max(u, v)


@helper
def contains(table, mask, key):
    """Is ``key`` in the first ``mask + 1`` places?"""
    return table[_find(table, mask, key)] == key


@helper
def insert(table, mask, key):
    """Add a key that is not there."""
    place = np.int64(mix(np.uint64(key))) & mask
    while table[place] >= 0:
        place = (place + 1) & mask
    table[place] = key


@helper
def remove(table, mask, key):
    """Take out a key that is there."""
    table[_find(table, mask, key)] = _REMOVED


@helper
def _find(table, mask, key):
    """The place of ``key``, or the empty one where its search ends."""
    place = np.int64(mix(np.uint64(key))) & mask
    while table[place] != key and table[place] != _EMPTY:
        place = (place + 1) & mask
    return place
