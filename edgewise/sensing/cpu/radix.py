"""Sorting words of 64 bits by half of them on one thread: those of a window, inside the cache.

Digits of 11, 11 and 10 bits are sorted from the least significant one on; the counts of all are
taken first, so that a digit in which no two words differ costs nothing. A few words go the way of
all other sorts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.cpu.sort import DIGIT_BITS, sort_bucket
from edgewise.sensing.cpu.bins import bin_rows

__all__ = ["FEW", "LOW", "Scratch", "begin", "scatter", "scratch", "sort_halves"]

#: Fewer words than this are not worth counting all digits.
FEW = 1 << 10
#: The lower half of a word.
LOW = np.uint64(0xFFFFFFFF)

_0, _11, _22, _32 = (np.uint64(bits) for bits in (0, 11, 22, 32))
_DIGIT, _REST = np.uint64(2047), np.uint64(1023)


class Scratch(NamedTuple):
    """What a thread needs beside its input and output: a row per thread in every array."""

    keys: np.ndarray  #: uint64, three rows of as many words as a window may have
    marks: np.ndarray  #: int64, two such rows
    digits: np.ndarray  #: uint32, counts of three digits
    few: np.ndarray  #: int64, counts of one
    bins: np.ndarray  #: int64, see `edgewise.sensing.cpu.bins`


def scratch(team: int, size: int) -> Scratch:
    """Room for windows of so many words."""
    return Scratch(
        np.empty((team, 3, size), np.uint64),
        np.empty((team, 2, size), np.int64),
        np.empty((team, 3, 1 << DIGIT_BITS), np.uint32),
        np.empty((team, 1 << DIGIT_BITS), np.int64),
        bin_rows(team),
    )


@inner
def sort_halves(keys, other, digits, few):
    """Sort words by their upper halves, in their order; is the result in ``other``?"""
    size = len(keys)
    if size < FEW:
        sort_bucket(keys, None, other, None, few, _0, 32, 64, False)
        return False
    digits[:] = 0
    for i in range(size):
        half = keys[i] >> _32
        digits[0, half & _DIGIT] += np.uint32(1)
        digits[1, (half >> _11) & _DIGIT] += np.uint32(1)
        digits[2, half >> _22] += np.uint32(1)
    there = False
    for digit in range(3):
        places, shift = digits[digit], _32 + _11 * np.uint64(digit)
        mask = _REST if digit == 2 else _DIGIT
        if not begin(places, size):
            continue
        if there:
            scatter(other, keys, places, shift, mask)
        else:
            scatter(keys, other, places, shift, mask)
        there = not there
    return there


@inner
def begin(places, size):
    """Counts to where each value's words begin; do any of so many words differ?"""
    total, differ = np.uint32(0), True
    for value in range(len(places)):
        count = places[value]
        differ &= count != size
        places[value] = total
        total += count
    return differ


@inner
def scatter(keys, other, places, shift, mask):
    """Words to their places by one digit, in their order."""
    for i in range(len(keys)):
        key = keys[i]
        digit = (key >> shift) & mask
        at = places[digit]
        places[digit] = at + np.uint32(1)
        other[at] = key
