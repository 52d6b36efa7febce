"""What is in a bucket, counted by one block: a hash table in its shared memory.

Counting there is cheap, however often one key comes, and no sort is needed: the items of each key
and their packets are summed, and enter into the quantities and distributions of the window.

A table cannot overflow. A key stands in one of a few slots from where its hash says; if others have
them all, its items are put back to the front of the bucket for another turn, under another hash.
That holds for all items of a key or for none, since a slot that is taken stays so. What a turn has
found stands at the end of the bucket, before what earlier ones have.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base import random
from edgewise.base.cuda.atomics import cas
from edgewise.base.cuda.bits import bit_length
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import Kernel, device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.base.cuda.random import mix, twin
from edgewise.sensing.cuda.hash_partition import THREADS
from edgewise.sensing.quantities import BINS

__all__ = ["table_kernel"]

_SLOTS = 8 if simulated() else 2048  # of a table: a power of two
_CAPACITY, _BOTH = _SLOTS + 1, 2 * BINS
_PROBES = 4 if simulated() else 32  # slots that a key may have
_MASK, _HALF, _32 = np.uint64(_SLOTS - 1), np.uint64(0xFFFFFFFF), np.uint64(32)
_LEFT, _FOUND, _ITEMS, _PACKETS = 0, 1, 2, 3  # words that a block shares

step = twin(random.step, mix=mix)


@device
def _slot(table, key, empty, turn):
    """The slot that a key has, or gets, in this turn; -1 if others have all that it may have."""
    if key == empty:  # it looks like an empty slot, so it has one of its own
        return np.int64(_SLOTS)
    at = np.int64(step(np.uint64(key), turn) & _MASK)
    for _ in range(_PROBES):
        there = table[at]
        if there == empty:
            there = cas(table, at, empty, key)
            if there == empty:
                return at
        if there == key:
            return at
        at = (at + 1) & (_SLOTS - 1)
    return np.int64(-1)


@cache
def table_kernel(links: bool) -> Kernel:
    """A block counts what is in its bucket: the items of each key, and their packets.

    Of links, items are packets: a link and how many it has go to the end of the bucket, and
    ``found`` says how many links there are. Of ends nothing is kept. Both enter into what is
    counted of their window: ``facts`` from row ``fact`` on, and the distributions ``counts``.
    """
    capacity, word = (1, np.uint64) if links else (_CAPACITY, np.uint32)
    empty = word(np.iinfo(word).max)

    @kernel
    def run(dealt, window, found, facts, counts, fact, rows):
        table = cuda.shared.array(_CAPACITY, word)
        items = cuda.shared.array(_CAPACITY, np.int32)
        packets = cuda.shared.array(capacity, np.int32)
        bins = cuda.shared.array(_BOTH, np.int32)
        words = cuda.shared.array(4, np.int32)
        me, bucket = cuda.threadIdx.x, cuda.blockIdx.x
        start, stop = dealt.starts[bucket], dealt.starts[bucket + 1]
        size, end, turn, distinct = stop - start, stop, 0, 0
        for i in range(me, _BOTH, THREADS):
            bins[i] = 0
        if me == 0:
            words[_ITEMS] = 0
            words[_PACKETS] = 0
        while size > 0:
            for i in range(me, _CAPACITY, THREADS):
                table[i] = empty
                items[i] = 0
                if not links:
                    packets[i] = 0
            if me == 0:
                words[_LEFT] = 0
                words[_FOUND] = 0
            cuda.syncthreads()
            for base in range(start, start + size, THREADS):
                i = base + me
                item = np.uint64(0)
                if i < start + size:
                    item = dealt.keys[i]
                cuda.syncthreads()  # what is put back goes where all have read
                if i < start + size:
                    key = item if links else np.uint32(item >> _32)
                    at = _slot(table, key, empty, np.uint64(turn))
                    if at < 0:
                        dealt.keys[start + cuda.atomic.add(words, _LEFT, 1)] = item
                    else:
                        cuda.atomic.add(items, at, 1)
                        if not links:
                            cuda.atomic.add(packets, at, np.int32(item & _HALF))
            cuda.syncthreads()
            mine, ones, single, most_items, most_packets = 0, 0, 0, 0, 0
            for i in range(me, _CAPACITY, THREADS):
                if items[i] > 0:
                    mine += 1
            before = cuda.atomic.add(words, _FOUND, np.int32(mine))
            at = end - 1 - before
            for i in range(me, _CAPACITY, THREADS):
                count = items[i]
                if count > 0:
                    most_items = max(most_items, count)
                    if count == 1:
                        ones += 1
                    else:
                        cuda.atomic.add(bins, bit_length(count - 1), 1)
                    if links:
                        dealt.keys[at] = table[i]
                        dealt.packets[at] = count
                        at -= 1
                    else:
                        most_packets = max(most_packets, packets[i])
                        if packets[i] == 1:
                            single += 1
                        else:
                            cuda.atomic.add(bins, BINS + bit_length(packets[i] - 1), 1)
            if ones > 0:
                cuda.atomic.add(bins, 0, np.int32(ones))
            if single > 0:
                cuda.atomic.add(bins, BINS, np.int32(single))
            if most_items > words[_ITEMS]:
                cuda.atomic.max(words, _ITEMS, np.int32(most_items))
            if most_packets > words[_PACKETS]:
                cuda.atomic.max(words, _PACKETS, np.int32(most_packets))
            cuda.syncthreads()
            size, turn = np.int64(words[_LEFT]), turn + 1
            end -= words[_FOUND]
            distinct += words[_FOUND]
            cuda.syncthreads()
        w = window[bucket]
        if me == 0:
            if links:
                found[bucket] = distinct
            if distinct > 0:
                cuda.atomic.add(facts, (fact, w), np.int64(distinct))
                items_row = fact + (1 if links else 2)
                cuda.atomic.max(facts, (items_row, w), np.int64(words[_ITEMS]))
                if not links:
                    cuda.atomic.max(facts, (fact + 1, w), np.int64(words[_PACKETS]))
        for i in range(me, _BOTH, THREADS):
            if bins[i] > 0:
                row = rows[0] if i < BINS else rows[1]
                cuda.atomic.add(counts, (row, w, i % BINS), np.int64(bins[i]))

    return run
