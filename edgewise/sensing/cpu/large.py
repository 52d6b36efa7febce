"""The quantities and distributions of one large matrix, by all threads.

One pass counts sources and links, and deals the destinations to buckets that fit the cache, by a
hash that no two share: where addresses lie does not matter, and nobody asks for their order. A
bucket of few destinations is counted in a table by one thread. Others are sorted, and runs of equal
ones counted; that of a bucket with a good part of all links is done by all threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.bits import bit_length
from edgewise.base.cpu.sort import (
    DIGIT_BITS,
    big_bucket,
    deal,
    sort,
    sort_bucket,
    split_bits,
)
from edgewise.base.cpu.team import grab, share
from edgewise.base.insertion import Items
from edgewise.base.probing import probing
from edgewise.base.threads import get_threads, launch, threads
from edgewise.graph.csr import frozen
from edgewise.sensing.cpu.bins import TURNS, add_rows, bin_rows, count_steps, count_values
from edgewise.sensing.cpu.counting import GOT, LINK_MOST, LINKS, SENT, VALID
from edgewise.sensing.cpu.radix import LOW
from edgewise.sensing.cpu.ranks import narrow
from edgewise.sensing.links import Links
from edgewise.sensing.quantities import BINS, Distributions, Quantities

__all__ = ["measure_large"]

_BLOCK = 1 << 11  # links that are counted and dealt while they are in the cache
_MANY = 9  # bits of a bucket's number: where they are fewer, one more leaves more space in a table
_SLOTS = 12  # bits of a table's slots, twice as many as it takes destinations
_CHUNK = 1 << 15  # words that a thread takes of a large bucket
_MIX = np.uint64(0x9E3779B1)  # odd: it takes each of 2**32 numbers to one of its own
_0, _1, _32 = np.uint64(0), np.uint64(1), np.uint64(32)


def measure_large(
    links: Links, beside: bool, memory: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """A column of quantities and one of distributions.

    ``beside`` says that some packets take more than 32 bits; ``memory`` has two words of 64 bits
    for each link, or is made.
    """
    source, destination, _ = narrow(links.source, links.destination)
    count = len(source)
    if memory is None or len(memory) < 2 * count:
        memory = np.empty(2 * count, np.uint64)
    words, other = np.split(memory[: 2 * count], 2)
    packets, spare = np.empty((2, count), np.int64) if beside else (None, None)
    with threads(get_threads()):  # the same team throughout, whatever others set meanwhile
        team, split = get_threads(), split_bits(count, 32)
        split += split < _MANY
        found = np.zeros((len(Quantities._fields), team), np.int64)
        counts = np.zeros((len(Distributions._fields), team, BINS), np.int64)
        totals, ends = np.empty((2, team, _BLOCK), np.int64)
        table = np.zeros((team, 1 << _SLOTS, 2), np.uint64)
        few = np.empty((team, 1 << DIGIT_BITS), np.int64)
        scratch = _Scratch(totals, ends, bin_rows(team), table, few)
        counted = _Counted(found, counts)
        given = Links(frozen(source), frozen(destination), frozen(links.packets))
        places = np.zeros((team, 1 << split), np.int64)
        bounds, big = np.zeros((1 << split) + 1, np.int64), big_bucket(count, team)
        buckets = _Buckets(places, bounds, np.uint64(64 - split))
        launch(_deal, given, words, packets, buckets, scratch, counted, work=4 * count)
        launch(_count_buckets, words, packets, Items(other, spare), bounds, big, scratch, counted,
               work=4 * count)  # fmt: skip
        for bucket in np.flatnonzero(np.diff(bounds) > big):
            part = slice(bounds[bucket], bounds[bucket + 1])
            inside = None if packets is None else packets[part]
            sort(words[part], inside, low=32, high=64, other=other[part])
            launch(_count_sorted, words[part], inside, scratch, counted, work=len(words[part]))
    most = found.max(axis=1)
    most[[VALID, LINKS, SENT, GOT]] = found[[VALID, LINKS, SENT, GOT]].sum(axis=1)
    return most, counts.sum(axis=1)


class _Scratch(NamedTuple):
    """What a thread needs to count."""

    totals: np.ndarray  #: int64, packets up to the end of each run of a block
    ends: np.ndarray  #: int64, links up to there
    bins: np.ndarray  #: int64, see `edgewise.sensing.cpu.bins`
    table: np.ndarray  #: uint64, pairs: a destination above its links, and its packets; all 0
    few: np.ndarray  #: int64, counts of one digit


class _Buckets(NamedTuple):
    """Where each bucket begins, for each thread and for all; the lowest bit of their numbers."""

    places: np.ndarray
    bounds: np.ndarray
    shift: np.uint64


class _Counted(NamedTuple):
    """What each thread has found: of `Quantities`, and in the bins of `Distributions`."""

    found: np.ndarray
    counts: np.ndarray


@kernel(borrows=True)
def _deal(me, team, control, given, words, beside, buckets, scratch, counted):
    """Count links and sources, and deal destinations, with packets or beside, to buckets."""
    (places, bounds, shift), (found, counts) = buckets, counted
    low, high = share(me, team, len(words))
    mine, bins, total, most = places[me], scratch.bins[me], np.int64(0), np.int64(0)
    for i in range(low, high):
        mine[_word(given, i) >> shift] += 1
    if not deal(me, team, control, places, bounds):
        return
    for begin in range(low, high, _BLOCK):
        end = min(begin + _BLOCK, high)
        for i in range(begin, end):
            number, word = given.packets[i], _word(given, i)
            total += number
            most = max(most, number)
            bins[i & TURNS, bit_length(np.uint64(number - 1))] += 1
            at = mine[word >> shift]
            mine[word >> shift] = at + 1
            if beside is None:
                words[at] = word | np.uint64(number)
            else:
                words[at], beside[at] = word, number
        add_rows(bins, counts[2, me])
        _count_runs(given.source, given.packets, _0, begin, end, scratch, me,
                    found[SENT : SENT + 3, me], counts[0, me], counts[1, me])  # fmt: skip
    found[VALID, me], found[LINKS, me], found[LINK_MOST, me] = total, high - low, most


@inner
def _word(given, i):
    """A number for the destination of a link, above 32 bits for something else."""
    return (np.uint64(given.destination[i]) * _MIX) << _32


@kernel(borrows=True)
def _count_buckets(me, team, control, words, beside, spare, bounds, big, scratch, counted):
    """Sort each bucket and count its destinations, leaving out those with more than ``big``."""
    found, counts = counted
    high = 64 - bit_length(np.uint64(len(bounds) - 2))
    mine, few = found[GOT : GOT + 3, me], scratch.few[me]
    while True:
        bucket, end = grab(control, 0, 1, len(bounds) - 1)
        if bucket >= end:
            return
        low, last = bounds[bucket], bounds[bucket + 1]
        if low == last or last - low > big:
            continue
        part, rest = words[low:last], spare.keys[low:last]
        if beside is None:
            if not _count_in_table(part, high, scratch, me, mine, counts[4, me], counts[3, me]):
                sort_bucket(part, None, rest, None, few, _0, 32, high, False)
                _count_runs(
                    part, None, _32, 0, last - low, scratch, me, mine, counts[4, me], counts[3, me]
                )
        else:
            packets, apart = beside[low:last], spare.payload[low:last]
            sort_bucket(part, packets, rest, apart, few, _0, 32, high, False)
            _count_runs(
                part, packets, _32, 0, last - low, scratch, me, mine, counts[4, me], counts[3, me]
            )


def _word_at(table, slot):
    return table[slot, 0]


def _is_same(table, slot, held, word):
    return (held ^ word) <= LOW


_probe = probing(_word_at, None, _is_same, inner, _0)


@inner
def _count_in_table(words, high, scratch, me, found, sums, fans):
    """Count destinations, of which the bits below ``high`` differ; False if there are too many."""
    table, totals, ends = scratch.table[me], scratch.totals[me], scratch.ends[me]
    above, mask, number = np.uint64(64 - high), np.uint64((1 << _SLOTS) - 1), np.int64(0)
    for i in range(len(words)):
        word = words[i]
        slot, held = _probe(table, (word << above) >> np.uint64(64 - _SLOTS), mask, word)
        ends[number] = np.int64(slot)
        number += held == _0
        table[slot, 0] = (held | (word & ~LOW)) + _1
        table[slot, 1] += word & LOW
        if number == _BLOCK:
            break
    for j in range(number):
        slot = np.uint64(ends[j])
        totals[j], ends[j] = np.int64(table[slot, 1]), np.int64(table[slot, 0] & LOW)
        table[slot, 0] = table[slot, 1] = _0
    if number == _BLOCK:
        return False
    found[0] += number
    found[1] = max(found[1], count_values(totals[:number], scratch.bins[me], sums))
    found[2] = max(found[2], count_values(ends[:number], scratch.bins[me], fans))
    return True


@kernel(borrows=True)
def _count_sorted(me, team, control, words, beside, scratch, counted):
    """Count the destinations of a bucket that is sorted, on all threads."""
    found, counts = counted
    while True:
        low, high = grab(control, 0, _CHUNK, len(words))
        if low >= high:
            return
        _count_runs(words, beside, _32, low, high, scratch, me, found[GOT : GOT + 3, me],
                    counts[4, me], counts[3, me])  # fmt: skip


@inner
def _count_runs(words, packets, shift, low, high, scratch, me, found, sums, fans):
    """Count runs of words that are equal but for the lower bits, which begin in ``low:high``."""
    while 0 < low < high and words[low] >> shift == words[low - 1] >> shift:
        low += 1
    totals, ends, bins, last = (
        scratch.totals[me],
        scratch.ends[me],
        scratch.bins[me],
        len(words) - 1,
    )
    total, size = np.int64(0), np.int64(0)  # of the run that is open
    for begin in range(low, high, _BLOCK):
        groups = np.int64(0)
        for i in range(begin, min(begin + _BLOCK, high)):
            total += np.int64(words[i] & LOW) if packets is None else packets[i]
            size += 1
            totals[groups], ends[groups] = total, size
            groups += (words[i] ^ words[min(i + 1, last)]) >> shift != _0
        if groups > 0:
            total -= totals[groups - 1]
            size -= ends[groups - 1]
            found[0] += groups
            found[1] = max(found[1], count_steps(totals[:groups], bins, sums))
            found[2] = max(found[2], count_steps(ends[:groups], bins, fans))
    if size > 0:  # it goes on behind, or is the last
        i = high
        while i <= last and words[i] >> shift == words[high - 1] >> shift:
            total += np.int64(words[i] & LOW) if packets is None else packets[i]
            size += 1
            i += 1
        found[0] += 1
        found[1], found[2] = max(found[1], total), max(found[2], size)
        sums[bit_length(np.uint64(total - 1))] += 1
        fans[bit_length(np.uint64(size - 1))] += 1
