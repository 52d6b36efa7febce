"""`intersect` on CUDA with counts by vertex, rows with many neighbors: counted where they stand.

As in ``intersect_marks.py`` a block marks row u and its warps stream the rows of u's neighbors past
the marks. Whoever is in a triangle of u stands in row u, at a position that the marks tell: so many
members come before its word of the bitmap, so many bits are set before its own. Counters by place
in the row are in shared memory, and each is added to its vertex once for every row: no two
triangles meet at one word of global memory.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base.cuda.atomics import add
from edgewise.base.cuda.bits import count_bits
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import Kernel, device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.intersect_marks import (
    ABOVE,
    LONG,
    NEXT,
    SIDE,
    SPARSE,
    TOTAL,
    WARP,
    WORDS,
    Pair,
    is_marked,
    mark,
    place,
)
from edgewise.operators.cuda.intersect_pairs import below, holds
from edgewise.operators.cuda.state import THREADS
from edgewise.operators.cuda.totals import Totals, across

__all__ = ["vertex_kernel"]

#: Positions of a row with a counter in shared memory; those beyond are counted in global memory.
_ROOM, _PLACES = 6 if simulated() else 4096, SIDE // 32
_WARP, _HALF, _SPARSE = np.uint64(WARP), np.uint64(SIDE), np.uint64(SPARSE)
_0, _1, _2, _3, _4, _FIVE = (np.uint64(number) for number in range(6))
_5 = np.uint32(5)
_31, _BIT = np.uint32(31), np.uint32(1)

if simulated():  # which knows no warps: every lane adds what it has found

    @device
    def warp_sum(found):
        return found

    @device
    def has_sum(lane):
        return True

else:
    _sum = across(Totals(device(lambda old, new: old + new), (np.dtype(np.int64),), False), 32)

    @device
    def warp_sum(found):
        return _sum(found, np.int64(0))

    @device
    def has_sum(lane):
        return lane == _0


@device
def count_at(counters, found, indices, start, at, more):
    """Count for the member of row u that stands so many places from its start."""
    if at < _ROOM:
        cuda.atomic.add(counters, at, np.int32(more))
    else:
        add(found, np.int64(indices[start + np.uint64(at)]), np.int64(more))


@device
def meet(pair, w, rows, counters, found):
    """Count for a small id if it is marked."""
    indices, marks, before = rows
    w = np.uint32(w)
    word = marks[w >> _5]
    if np.uint32(word >> np.uint32(w & _31)) & _BIT == np.uint32(0):
        return np.int64(0)
    lower = np.uint32(word & np.uint32(np.uint32(_BIT << np.uint32(w & _31)) - _BIT))
    at = np.int64(before[w >> _5]) + count_bits(lower)
    count_at(counters, found, indices, pair.start, at, 1)
    return np.int64(1)


@cache
def vertex_kernel(ordered: bool) -> Kernel:
    """The loop over the long rows, a block to each."""
    threads, warps = np.uint64(THREADS), np.uint64(THREADS // WARP)

    @device
    def near(pair, indices, marks, before, counters, found):
        """The small ids of v that are marked; four are read at a time."""
        hits, f, rows = np.int64(0), pair.first + pair.lane, (indices, marks, before)
        while f + _3 * _WARP < pair.middle:
            a, b = indices[f], indices[f + _WARP]
            c, d = indices[f + _2 * _WARP], indices[f + _3 * _WARP]
            hits += meet(pair, a, rows, counters, found) + meet(pair, b, rows, counters, found)
            hits += meet(pair, c, rows, counters, found) + meet(pair, d, rows, counters, found)
            f += _4 * _WARP
        while f < pair.middle:
            hits += meet(pair, indices[f], rows, counters, found)
            f += _WARP
        return hits

    @device
    def far(pair, indices, marks, counters, found):
        """The large ids of v that stand in row u."""
        hits, f = np.int64(0), pair.middle + pair.lane
        while f < pair.last:
            w = indices[f]
            if is_marked(marks, place(w)) != np.uint32(0):
                e = below(indices, pair.start, pair.stop, np.uint64(w))
                if e < pair.stop and indices[e] == w:
                    at = np.int64(e - pair.start)
                    count_at(counters, found, indices, pair.start, at, 1)
                    hits += 1
            f += _WARP
        return hits

    @device
    def searched(pair, end, indices, counters, found):
        """The members of row u, up to ``end``, that stand in row v."""
        hits, f = np.int64(0), pair.start + pair.lane
        while f < end:
            if holds(indices, pair.first, pair.last, indices[f]):
                at = np.int64(f - pair.start)
                count_at(counters, found, indices, pair.start, at, 1)
                hits += 1
            f += _WARP
        return hits

    @kernel
    def run(indptr, indices, long_rows, arrays, control, count):
        marks = cuda.shared.array(WORDS, np.uint32)
        before = cuda.shared.array(_PLACES, np.uint16)
        counters = cuda.shared.array(_ROOM, np.int32)
        firsts = cuda.shared.array(THREADS, np.uint64)
        middles = cuda.shared.array(THREADS, np.uint64)
        lasts = cuda.shared.array(THREADS, np.uint64)
        words = cuda.shared.array(2, np.int64)  # the block's item, the triangles of its row
        found = arrays[0]
        me = np.uint64(cuda.threadIdx.x)
        lane, warp = me % _WARP, me // _WARP
        k = me
        while k < np.uint64(WORDS):
            marks[k] = 0
            k += threads
        k = me
        while k < np.uint64(_ROOM):
            counters[k] = 0
            k += threads
        lower = ordered or control[ABOVE] == 0
        while True:
            cuda.syncthreads()
            if me == _0:
                words[0], words[1] = add(control, NEXT, 1), 0
            cuda.syncthreads()
            item = words[0]
            if item >= control[LONG]:
                break
            u = np.uint64(long_rows[item])
            start, stop = indptr[u], indptr[u + _1]
            if ordered:
                stop = below(indices, start, stop, u)
            e = start + me
            while e < stop:
                w = np.uint64(indices[e])
                mark(marks, place(w))
                word = w >> _FIVE
                if w < _HALF and (e == start or np.uint64(indices[e - _1]) >> _FIVE != word):
                    before[word] = e - start
                e += threads
            mine = np.int64(0)
            base = start
            while base < stop:  # as many neighbors at once as there are threads
                cuda.syncthreads()
                if base + me < stop:
                    v = np.uint64(indices[base + me])
                    first, last = indptr[v], indptr[v + _1]
                    if ordered:
                        last = below(indices, first, last, v)
                    middle = last
                    if first < last and np.uint64(indices[last - _1]) >= _HALF:
                        middle = below(indices, first, last, _HALF)
                    firsts[me], middles[me], lasts[me] = first, middle, last
                cuda.syncthreads()
                j = warp
                while j < threads and base + j < stop:
                    e = base + j
                    v, end = np.uint64(indices[e]), e if lower else stop
                    pair = Pair(u, v, lane, start, stop, firsts[j], middles[j], lasts[j])
                    if pair.last - pair.first > _SPARSE * (end - start):
                        hits = searched(pair, end, indices, counters, found)
                    else:
                        hits = near(pair, indices, marks, before, counters, found)
                        hits += far(pair, indices, marks, counters, found)
                    hits = warp_sum(hits)
                    if has_sum(lane) and hits > 0:
                        mine += hits
                        count_at(counters, found, indices, start, np.int64(e - start), hits)
                        if len(count) > 0:
                            add(count, np.int64(e), hits)
                    j += warps
                base += threads
            if mine > 0:
                cuda.atomic.add(words, 1, mine)
            cuda.syncthreads()
            if me == _0 and words[1] > 0:
                add(found, np.int64(u), words[1])
                add(control, TOTAL, words[1])
            e = start + me
            while e < stop:
                marks[place(indices[e]) >> _5] = 0
                at = np.int64(e - start)
                if at < _ROOM and counters[at] > 0:
                    add(found, np.int64(indices[e]), np.int64(counters[at]))
                    counters[at] = 0
                e += threads

    return run
