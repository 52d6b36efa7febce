"""The sum of many runs of links that fit the cache together, on one thread.

A link is a word: its key, less the least one, above its packets, and where these do not fit into
one word there are several. Words are laid in one row, run by run; a table remembers where a key of
each hash was last, and one that comes again is added there. What is left is sorted by its first 44
bits, which leaves little out of place, and then by insertion; or by all bits, where that is much.
Equal neighbors become one link.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.bits import bit_length
from edgewise.base.cpu.sort import DIGIT_BITS, sort_bucket
from edgewise.base.insertion import insertion
from edgewise.sensing.cpu.radix import sort_digits

__all__ = ["Scratch", "add_many", "heavy_hitters", "key_of", "scratch_for"]

_RECENT = 14  # bits of the hash of a key that may be remembered
_SHIFTS = (np.uint64(20), np.uint64(31), np.uint64(42), np.uint64(53))  # the first 44 bits
_MIX = np.uint64(0x9E3779B97F4A7C15)
_0, _1, _32 = np.uint64(0), np.uint64(1), np.uint64(32)


class Scratch(NamedTuple):
    """What a thread sums in: a row per thread."""

    keys: np.ndarray  #: uint64, two rows of words
    packets: np.ndarray  #: int64, two such rows
    ends: np.ndarray  #: uint64, where runs end
    few: np.ndarray  #: int64, counts of a digit
    digits: np.ndarray  #: uint32, counts of four
    recent: np.ndarray  #: uint32, where a key of each hash was last


def scratch_for(team: int, size: int, runs: int) -> Scratch:
    """Scratch for so many links of so many runs."""
    return Scratch(
        np.empty((team, 2, size), np.uint64),
        np.empty((team, 2, size), np.int64),
        np.empty((team, runs + 1), np.uint64),
        np.empty((team, 1 << DIGIT_BITS), np.int64),
        np.empty((team, len(_SHIFTS), 1 << DIGIT_BITS), np.uint32),
        np.empty((team, 1 << _RECENT), np.uint32),
    )


@inlined
def key_of(links, i):
    """A link as a word: its source above its destination."""
    return (np.uint64(links.source[i]) << _32) | np.uint64(links.destination[i])


@inner
def add_many(me, links, lows, highs, but, scratch, keys, packets):
    """Sum all runs ``but`` one, to ``keys`` and ``packets``; how many links, or -1 for no space."""
    least, most = ~_0, _0
    for run in range(len(lows)):
        if lows[run] < highs[run] and run != but:
            least = min(least, key_of(links, lows[run]))
            most = max(most, key_of(links, highs[run] - 1))
    bits = max(bit_length(most - least), 1)
    if most < least or bits > 60:
        return np.int64(-1)
    size = _lay(me, links, lows, highs, but, scratch, least, np.uint64(64 - bits))
    if size < 0:
        return size
    words, other = scratch.keys[me, 0, :size], scratch.keys[me, 1, :size]
    if sort_digits(words, other, scratch.digits[me], scratch.few[me], _SHIFTS):
        words, other = other, words
    if not _insert(words, np.uint64(64 - bits)):
        sort_bucket(words, None, other, None, scratch.few[me], _0, 64 - bits, 64, False)
    return _add_words(words, np.uint64(64 - bits), least, keys, packets)


@inner
def heavy_hitters(lows, highs):
    """The largest run, if it has a quarter of all links; else -1."""
    large, most, total = np.int64(-1), np.int64(0), np.int64(0)
    for run in range(len(lows)):
        size = highs[run] - lows[run]
        total += size
        if size > most:
            large, most = run, size
    return large if 4 * most >= total else np.int64(-1)


@inner
def _lay(me, links, lows, highs, but, scratch, least, shift):
    """Lay the words of runs in a row, known ones added; how many there are, or -1 for no space.

    A word's packets take one bit less than there are: then sums of two never touch the key, and one
    comparison tells whether the word at hand has this key, and space for these packets.
    """
    words, recent = scratch.keys[me, 0], scratch.recent[me]
    most, size = ((_1 << shift) - _1) >> _1, _0
    recent[:] = 0
    words[0] = most + _1  # no key's
    for run in range(len(lows)):
        if run == but:
            continue
        for i in range(lows[run], highs[run]):
            key, packets = (key_of(links, i) - least) << shift, np.uint64(links.packets[i])
            while packets > most and size < len(words):
                words[size] = key | most
                packets -= most
                size += _1
            if size == len(words):
                return np.int64(-1)
            slot = (key * _MIX) >> np.uint64(64 - _RECENT)
            at = np.uint64(recent[slot])
            known = np.uint64(words[at] - key + packets <= most)
            here = size ^ ((at ^ size) & (_0 - known))  # no branch: none could be foretold
            words[size] = key
            words[here] += packets
            recent[slot] = np.uint32(here)
            size += _1 - known
    return np.int64(size)


def _has_less(data, word, other):
    return word >> data[1] < other >> data[1]


def _word_at(data, i):
    return data[0][i]


def _put_word(data, i, word):
    data[0][i] = word


_insert_word = insertion(_has_less, _word_at, _put_word, inner).insert


@inner
def _insert(words, shift):
    """Sort words that are hardly out of order; False, and they are not yet, if it takes long."""
    moves = 2 * len(words)
    for i in range(1, len(words)):
        moves -= i - _insert_word((words, shift), 0, i, words[i])
        if moves < 0:
            return False
    return True


@inner
def _add_words(words, shift, least, keys, packets):
    """Add up sorted words of equal keys; how many keys there are."""
    mask = (_1 << shift) - _1
    at, total = _0, np.int64(0)
    for i in range(len(words)):
        word = words[i]
        total += np.int64(word & mask)
        keys[at], packets[at] = (word >> shift) + least, total
        last = np.uint64((words[min(i + 1, len(words) - 1)] ^ word) > mask)
        total &= np.int64(last) - 1
        at += last
    return np.int64(at) + 1
