"""The links of one window, and what is counted of them, in the cache of one thread.

A radix sort by destination and then by source, from the least significant digit on, that counts
what it can on the way:

1. Packets are dealt as words, a destination above its source, by the lowest digit of destinations.
   Those of one link are near each other then: a small table remembers the last links, and what
   comes again is added to the one before. Most duplicates end here; where there are few, none do.
2. After two more digits destinations are in order, and get numbers. From here on a word has a
   source, the number of a destination and packets, and goes by the three digits of sources.
3. Equal neighbors become one link. Fan-outs are lengths of runs, fan-ins are counted by number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.cpu.bits import bit_length
from edgewise.base.cpu.sort import DIGIT_BITS
from edgewise.sensing.cpu.bins import TURNS, add_rows, bin_rows, count_steps, count_values
from edgewise.sensing.cpu.radix import HALF, LOW, begin, scatter

__all__ = [
    "GOT",
    "LINKS",
    "LINK_MOST",
    "SENT",
    "VALID",
    "CountScratch",
    "count_window",
    "count_scratch",
]

#: Where quantities are: packets, links, the most packets of one; sources and destinations, and then
#: the most packets and links of one of them.
VALID, LINKS, LINK_MOST, SENT, GOT = 0, 1, 2, 3, 6

_RECENT = 10  # bits of the hash of a link that may be remembered
_NUMBER, _PACKETS = np.uint64(18), np.uint64(14)  # bits of a word below its source
_MOST = (1 << 14) - 1  # packets that a word has space for
_FRESH = _MOST * 13 // 16  # words of so many that may be left
_COUNT_BITS = np.uint64(_MOST)
_NUMBERS = (np.uint64(1) << _NUMBER) - np.uint64(1)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_0, _1, _11, _22, _32 = (np.uint64(bits) for bits in (0, 1, 11, 22, 32))
_DIGIT, _REST = np.uint64(2047), np.uint64(1023)
_HIGH = ~LOW


class CountScratch(NamedTuple):
    """What a thread needs for windows of up to 2**18 packets: a row per thread in every array."""

    words: np.ndarray  #: uint64, two rows of as many as a window has, and one more
    packets: np.ndarray  #: uint16, two such rows
    ids: np.ndarray  #: uint32, destinations by number
    got: np.ndarray  #: uint32, the packets up to each of them
    fans: np.ndarray  #: uint32, their links
    sent: np.ndarray  #: uint32, the packets up to each source
    ends: np.ndarray  #: uint32, the links up to each source
    digits: np.ndarray  #: uint32, counts of six digits
    recent: np.ndarray  #: uint32, where a link of each hash was last
    bins: np.ndarray  #: int64, see `edgewise.sensing.cpu.bins`


def count_scratch(team: int, size: int) -> CountScratch:
    """Scratch for windows of so many packets."""
    ids, got, fans, sent, ends = np.empty((5, team, size), np.uint32)
    return CountScratch(
        np.empty((team, 2, size + 1), np.uint64),
        np.empty((team, 2, size + 1), np.uint16),
        *(ids, got, fans, sent, ends),
        np.empty((team, 6, 1 << DIGIT_BITS), np.uint32),
        np.zeros((team, 1 << _RECENT), np.uint32),
        bin_rows(team),
    )


@inner
def count_window(me, source, destination, scratch, keys, packets, found, counts, w, measured):
    """The links of a window with packets, to ``keys`` and ``packets``; how many there are.

    If they are ``measured``, what is counted goes to column ``w`` of ``found`` and ``counts``.
    """
    words, other = scratch.words[me, 0], scratch.words[me, 1]
    beside, spare = scratch.packets[me, 0], scratch.packets[me, 1]
    digits, bins = scratch.digits[me], scratch.bins[me]
    _deal(source, destination, digits[0], words)
    size = _combine(words, len(source), scratch.recent[me], other, beside)
    if size > 0:
        words, other = other, words
        _count_digits(words, size, digits)
        for digit in range(1, 3):
            if begin(digits[digit], size):
                _scatter_both(words, beside, size, digits[digit], digit, other, spare)
                words, other = other, words
                beside, spare = spare, beside
        number = _renumber(words, beside, size, digits[3], scratch, me, other)
    else:  # a packet each
        size = len(source)
        _count_digits(words, size, digits)
        for digit in range(1, 3):
            if begin(digits[digit], size):
                scatter(words[:size], other, digits[digit], HALF[digit])
                words, other = other, words
        number = _renumber(words, None, size, digits[3], scratch, me, other)
    words, other = other, words
    for digit in range(4, 6):
        if begin(digits[digit], size):
            scatter(words[:size], other, digits[digit], HALF[digit - 3])
            words, other = other, words
    words[size] = ~words[size - 1]
    scratch.fans[me, :number] = 0
    links, sources, most = _links(words, size, scratch, me, keys, packets)
    if measured:
        found[VALID, w], found[LINKS, w], found[LINK_MOST, w] = len(source), links, most
        add_rows(bins, counts[2, w])
        found[SENT, w], found[GOT, w] = sources, number
        found[SENT + 1, w] = count_steps(scratch.sent[me, :sources], bins, counts[0, w])
        found[SENT + 2, w] = count_steps(scratch.ends[me, :sources], bins, counts[1, w])
        found[GOT + 1, w] = count_steps(scratch.got[me, :number], bins, counts[4, w])
        found[GOT + 2, w] = count_values(scratch.fans[me, :number], bins, counts[3, w])
    else:
        bins[:] = 0
    return links


@inner
def _deal(source, destination, places, words):
    """Packets as words, in the order of the lowest digit of their destinations."""
    places[:] = 0
    for i in range(len(destination)):
        places[np.uint64(destination[i]) & _DIGIT] += np.uint32(1)
    begin(places, -1)
    for i in range(len(destination)):
        to = np.uint64(destination[i])
        at = places[to & _DIGIT]
        places[to & _DIGIT] = at + np.uint32(1)
        words[at] = (to << _32) | np.uint64(source[i])


@inner
def _combine(words, size, recent, links, packets):
    """Words that are remembered are added to the ones before; how many are left.

    All is forgotten after so many words that the packets of one always have space. If hardly any of
    the first came again, which is not worth it, nothing is left.
    """
    number = _0
    for low in range(0, size, _MOST):
        if low == _MOST and number > _FRESH:
            return np.int64(0)
        recent[:] = number
        links[number] = ~words[low]
        for i in range(low, min(low + _MOST, size)):
            word = words[i]
            slot = (word * _MIX) >> np.uint64(64 - _RECENT)
            at = np.uint64(recent[slot])
            known = np.uint64(links[at] == word)
            here = number ^ ((at ^ number) & (_0 - known))  # no branch: none could be foretold
            links[number], packets[number] = word, np.uint16(0)
            packets[here] += np.uint16(1)
            recent[slot] = np.uint32(here)
            number += _1 - known
    return np.int64(number)


@inner
def _count_digits(words, size, digits):
    """How often each value of the digits occurs that words have not been dealt by."""
    digits[1:] = 0
    for i in range(size):
        word = words[i]
        digits[1, (word >> HALF[1]) & _DIGIT] += np.uint32(1)
        digits[2, word >> HALF[2]] += np.uint32(1)
        digits[3, word & _DIGIT] += np.uint32(1)
        digits[4, (word >> _11) & _DIGIT] += np.uint32(1)
        digits[5, (word >> _22) & _REST] += np.uint32(1)


@inner
def _scatter_both(words, packets, size, places, number, other, spare):
    """Words, and packets along with them, to their places by the digit of this number."""
    shift = HALF[number]
    for i in range(size):
        word = words[i]
        digit = (word >> shift) & _DIGIT
        at = places[digit]
        places[digit] = at + np.uint32(1)
        other[at], spare[at] = word, packets[i]


@inner
def _renumber(words, packets, size, places, scratch, me, other):
    """Sources above numbers of destinations and packets, by the lowest digit of sources."""
    ids, got = scratch.ids[me], scratch.got[me]
    begin(places, -1)
    number, total = _0, np.uint32(0)
    for i in range(size):
        word = words[i]
        mine = _1 if packets is None else np.uint64(packets[i])
        total += np.uint32(mine)
        ids[number], got[number] = np.uint32(word >> _32), total
        at = places[word & _DIGIT]
        places[word & _DIGIT] = at + np.uint32(1)
        other[at] = (word << _32) | (number << _PACKETS) | mine
        number += np.uint64((words[min(i + 1, size - 1)] ^ word) > LOW)
    return np.int64(number) + 1


@inner
def _links(words, size, scratch, me, keys, packets):
    """Words of one link to links: how many, of how many sources, and the most packets of one.

    Behind the last word is one of another source.
    """
    ids, fans, sent, ends, bins = (
        scratch.ids[me], scratch.fans[me], scratch.sent[me], scratch.ends[me], scratch.bins[me]
    )  # fmt: skip
    links, sources = _0, _0
    total, number, most = np.uint32(0), np.int64(0), np.int64(0)
    for i in range(size):
        word = words[i]
        number += np.int64(word & _COUNT_BITS)
        total += np.uint32(word & _COUNT_BITS)
        to = (word >> _PACKETS) & _NUMBERS
        keys[links], packets[links] = (word & _HIGH) | np.uint64(ids[to]), number
        change = words[i + 1] ^ word
        last = np.uint64(change > _COUNT_BITS)
        most = max(most, number)
        fans[to] += np.uint32(last)
        bins[i & TURNS, bit_length(np.uint64(number - 1))] += np.int64(last)
        links += last
        sent[sources], ends[sources] = total, np.uint32(links)
        sources += np.uint64(change > LOW)
        number &= np.int64(last) - 1
    return np.int64(links), np.int64(sources), most
