"""A hash set of edges in a plain array: open addressing with linear probing.

A key is ``min(u, v) * n + max(u, v)``. The table's length is a power of two, at least twice the
number of entries; -1 is an empty place and -2 one whose key was removed.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper, inner
from edgewise.base.cpu.random import mix
from edgewise.base.probing import is_key, key_at, probing

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
    _probe_unused(table, mix(np.uint64(key)) & np.uint64(mask), mask, key)


@helper
def remove(table, mask, key):
    """Take out a key that is there."""
    table[_find(table, mask, key)] = _REMOVED


@helper
def _find(table, mask, key):
    """The place of ``key``, or the empty one where its search ends."""
    return _probe(table, mix(np.uint64(key)) & np.uint64(mask), mask, key)[0]


def _key_or_none(table, at):
    """The key at a place; one that was removed is as good as none."""
    return max(table[at], np.int64(_EMPTY))


def _put(table, at, key):
    table[at] = key
    return np.int64(_EMPTY)


_probe = probing(key_at, None, is_key, inner, _EMPTY)
_probe_unused = probing(_key_or_none, _put, is_key, inner, _EMPTY)
