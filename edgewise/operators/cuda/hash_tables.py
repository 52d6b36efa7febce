"""Hash tables from keys to totals on CUDA, in shared or in global memory: open addressing.

A table of ``size`` places, a power of two, is the part from ``base`` on of an array ``keys`` and of
one of totals. ``keys``, of 32 or 64 bits, holds a key with all bits flipped, and 0 where a place is
free; the one key whose flipped form is 0, which is -1, has a place to itself, after the last.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import cas, load
from edgewise.base.cuda.kernels import device
from edgewise.base.probing import is_key, probing
from edgewise.operators.cuda.inner import merger

__all__ = ["claim", "key_at", "lander", "size_for"]

_LOW, _SPREAD = np.int64(0xFFFFFFFF), np.uint64(0x9E3779B1)


@device
def size_for(most):
    """The size of a table for so many keys: it stays half empty."""
    size = np.int64(8)
    while size < 2 * most:
        size *= 2
    return size


@device
def claim(keys, base, size, key):
    """The place of a key, which is taken if the key is new; several threads may call it."""
    word = ~np.int64(key)
    if word == 0:
        keys[base + size] = 1
        return base + size
    spread = np.uint64((word ^ (word >> np.int64(32))) & _LOW) * _SPREAD
    home, last = (spread >> np.uint64(16)) & np.uint64(size - 1), size - 1
    return base + np.int64(_probe((keys, base), home, last, word)[0])


def _word_at(table, at):
    return np.int64(load(table[0], table[1] + np.int64(at)))


def _put(table, at, word):
    return np.int64(cas(table[0], table[1] + np.int64(at), 0, word))


_probe = probing(_word_at, _put, is_key, device)


@device
def key_at(word, i, size):
    """The key that the i-th place holds as ``word``, which is not 0."""
    return np.int64(-1) if i == size else ~np.int64(word)


@cache
def lander(combine: Any, dtype: np.dtype) -> tuple[np.dtype, Any]:
    """The type of a table's totals, and ``land(totals, at, new)``, which combines one in.

    There are no atomics of fewer than 32 bits, so the totals of small types are kept in more.
    """
    kind = dtype.type
    if dtype.itemsize >= 4:
        merge = merger(combine, (dtype,))
        return dtype, device(lambda totals, at, new: merge(totals, at, kind(new), 0))
    wide = np.dtype(np.int32)
    merge = merger(device(lambda old, new: kind(combine(kind(old), kind(new)))), (wide,))
    return wide, device(lambda totals, at, new: merge(totals, at, np.int32(kind(new)), 0))
