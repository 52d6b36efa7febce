"""Random permutations that are computed, not stored: the base of sampling without repeats.

`shuffled` gives the image of one position under a random permutation of ``0..size-1`` by an
alternating Feistel network [1] on just enough bits, walked along its cycle until it falls inside
the range. So the first ``m`` images are a sample of exactly ``m`` distinct numbers; each is
computed alone, on any thread, from (seed, position). Two walks at most are expected, more
only for sizes below 128.

Vertices, positions and sizes are uint64 inside; that is enough for the pairs of 2**32 vertices.

[1] M. Luby, C. Rackoff. How to construct pseudorandom permutations. SIAM J. Comput., 1988.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper
from edgewise.base.cpu.random import bits, first_half, step

__all__ = ["below", "pair", "shuffled", "shuffled_block", "width"]

_ONE, _32 = np.uint64(1), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_ROUNDS = 6


@helper
def shuffled(seed, position, size, wide):
    """Where a random permutation of ``0..size-1`` puts ``position``; ``wide = width(size)``."""
    shift = wide >> _ONE
    low_mask = (_ONE << shift) - _ONE
    high_mask = (_ONE << (wide - shift)) - _ONE
    low, high = position & low_mask, position >> shift
    while True:
        for turn in range(0, _ROUNDS, 2):
            low ^= bits(seed, np.uint64(turn), high) & low_mask
            high ^= bits(seed, np.uint64(turn + 1), low) & high_mask
        image = high << shift | low
        if image < size:
            return image


@helper
def shuffled_block(seed, first, size, wide, images, waiting, slots):
    """`shuffled` of the positions from ``first`` on, into ``images``.

    Rounds run over the whole block, several times as fast as one position after the other.
    ``waiting`` and ``slots`` are scratch arrays of its length, np.uint64 and np.int64.
    """
    shift = wide >> _ONE
    low_mask = (_ONE << shift) - _ONE
    high_mask = (_ONE << (wide - shift)) - _ONE
    count = len(images)
    for k in range(count):
        waiting[k], slots[k] = first + np.uint64(k), k
    while count:
        for turn in range(0, _ROUNDS, 2):
            even, odd = first_half(seed, np.uint64(turn)), first_half(seed, np.uint64(turn + 1))
            for k in range(count):
                low, high = waiting[k] & low_mask, waiting[k] >> shift
                low ^= step(even, high) & low_mask
                high ^= step(odd, low) & high_mask
                waiting[k] = high << shift | low
        left = 0
        for k in range(count):  # an image outside of the range walks on
            images[slots[k]] = waiting[k]
            waiting[left], slots[left] = waiting[k], slots[k]
            left += waiting[k] >= size
        count = left


@helper
def width(size):
    """The number of bits that `shuffled` works on: fewer than 8 would not mix well."""
    wide = np.uint64(8)
    while wide < np.uint64(64) and (size - _ONE) >> wide:
        wide += _ONE
    return wide


@helper
def pair(index):
    """The vertices ``u < v`` of the unordered pair number ``index``: pairs ordered by v, then u."""
    v = np.int64((1.0 + np.sqrt(1.0 + 8.0 * index)) * 0.5)
    rank = np.int64(index)
    while v * (v - 1) // 2 > rank:
        v -= 1
    while v * (v + 1) // 2 <= rank:
        v += 1
    return rank - v * (v - 1) // 2, v


@helper
def below(word, size):
    """A number in ``0..size-1`` from 64 random bits, by the high half of a product."""
    if size <= _LOW:
        return ((word >> _32) * size) >> _32
    return word % size
