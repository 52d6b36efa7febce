"""Sorting words of 64 bits by their upper ones on one thread, inside the cache.

Digits of 11 bits are sorted from the least significant one on; the counts of all are taken first,
so that a digit in which no two words differ costs nothing. A few words go the way of all other
sorts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.cpu.sort import DIGIT_BITS, sort_bucket
from edgewise.sensing.cpu.bins import bin_rows

__all__ = ["FEW", "HALF", "LOW", "Scratch", "begin", "scatter", "scratch", "sort_digits"]

#: Fewer words than this are not worth counting all digits.
FEW = 1 << 10
#: The lower half of a word, and where the digits of the upper one begin.
LOW, HALF = np.uint64(0xFFFFFFFF), (np.uint64(32), np.uint64(43), np.uint64(54))

_0, _DIGIT = np.uint64(0), np.uint64(2047)


class Scratch(NamedTuple):
    """What a thread needs beside its input and output: a row per thread in every array."""

    keys: np.ndarray  #: uint64, three rows of as many words as a window may have
    marks: np.ndarray  #: int64, two such rows
    digits: np.ndarray  #: uint32, counts of three digits
    few: np.ndarray  #: int64, counts of one
    bins: np.ndarray  #: int64, see `edgewise.sensing.cpu.bins`


def scratch(team: int, size: int) -> Scratch:
    """Scratch for windows of so many words."""
    return Scratch(
        np.empty((team, 3, size), np.uint64),
        np.empty((team, 2, size), np.int64),
        np.empty((team, len(HALF), 1 << DIGIT_BITS), np.uint32),
        np.empty((team, 1 << DIGIT_BITS), np.int64),
        bin_rows(team),
    )


@inner
def sort_digits(keys, other, digits, few, shifts):
    """Sort words by the digits that begin at some bits, up to the last; is it in ``other``?"""
    size = len(keys)
    if size < FEW:
        sort_bucket(keys, None, other, None, few, _0, np.int64(shifts[0]), 64, False)
        return False
    digits[:] = 0
    for i in range(size):
        for digit in range(len(shifts)):
            digits[digit, (keys[i] >> shifts[digit]) & _DIGIT] += np.uint32(1)
    there = False
    for digit in range(len(shifts)):
        if begin(digits[digit], size):
            if there:
                scatter(other, keys, digits[digit], shifts[digit])
            else:
                scatter(keys, other, digits[digit], shifts[digit])
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
def scatter(keys, other, places, shift):
    """Words to their places by one digit, in their order."""
    for i in range(len(keys)):
        key = keys[i]
        digit = (key >> shift) & _DIGIT
        at = places[digit]
        places[digit] = at + np.uint32(1)
        other[at] = key
