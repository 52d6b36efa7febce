"""Sorting packed links on one thread: those of a window, inside the cache.

A link is a word of 64 bits, its source above its destination. Digits of 11, 11 and 10 bits of
either half are sorted from the least significant one on; the counts of all are taken first, so that
a digit in which no two words differ costs nothing. A few words go the way of all other sorts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.cpu.sort import DIGIT_BITS, sort_bucket

__all__ = ["DESTINATION", "LOW", "SOURCE", "Scratch", "scratch", "sort_keys"]

#: The digit with which a half of a word begins.
DESTINATION, SOURCE = 0, 3
#: The lower half of a word.
LOW = np.uint64(0xFFFFFFFF)

_FEW = 1 << 10  # words for which counting all digits is not worth it
_HALF, _DIGIT = np.uint64(32), np.uint64(11)
_MASK, _REST = np.uint64(2047), np.uint64(1023)
_ZERO = np.uint64(0)


class Scratch(NamedTuple):
    """What a thread needs beside its input and output: a row per thread in every array."""

    keys: np.ndarray  #: uint64, three rows of as many words as a window may have
    marks: np.ndarray  #: int64, two such rows
    digits: np.ndarray  #: uint32, counts of six digits
    few: np.ndarray  #: int64, counts of one


def scratch(team: int, size: int) -> Scratch:
    """Room for windows of so many words."""
    return Scratch(
        np.empty((team, 3, size), np.uint64),
        np.empty((team, 2, size), np.int64),
        np.empty((team, 6, 1 << DIGIT_BITS), np.uint32),
        np.empty((team, 1 << DIGIT_BITS), np.int64),
    )


@inner
def sort_keys(keys, other, digits, few, first):
    """Sort words by their digits from ``first`` on; is the result in ``other``?"""
    size = len(keys)
    if size < _FEW:
        sort_bucket(keys, None, other, None, few, _ZERO, 0 if first == 0 else 32, 64, False)
        return False
    digits[:] = 0
    if first == DESTINATION:
        _count(keys, _ZERO, digits[0], digits[1], digits[2])
    _count(keys, _HALF, digits[3], digits[4], digits[5])
    there = False
    for digit in range(first, 6):
        places = digits[digit]
        half, third = digit // 3, digit % 3
        shift = _HALF * np.uint64(half) + _DIGIT * np.uint64(third)
        mask = _REST if third == 2 else _MASK
        if places[(keys[0] >> shift) & mask] == size:  # no two differ; any word will do
            continue
        _begin(places)
        if there:
            _scatter(other, keys, places, shift, mask)
        else:
            _scatter(keys, other, places, shift, mask)
        there = not there
    return there


@inner
def _count(keys, shift, low, middle, high):
    """How often each value of the three digits of one half occurs."""
    for i in range(len(keys)):
        word = (keys[i] >> shift) & LOW
        low[word & _MASK] += np.uint32(1)
        middle[(word >> _DIGIT) & _MASK] += np.uint32(1)
        high[word >> (_DIGIT + _DIGIT)] += np.uint32(1)


@inner
def _begin(places):
    """Counts to where each value's words begin."""
    total = np.uint32(0)
    for value in range(len(places)):
        size = places[value]
        places[value] = total
        total += size


@inner
def _scatter(keys, other, places, shift, mask):
    """Words to their places by one digit, in their order."""
    for i in range(len(keys)):
        key = keys[i]
        digit = (key >> shift) & mask
        at = places[digit]
        places[digit] = at + np.uint32(1)
        other[at] = key
