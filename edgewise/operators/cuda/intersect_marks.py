"""`intersect` on CUDA, rows with many neighbors: a block marks one row and streams others past it.

The marks are a bitmap in shared memory; each warp walks the rows of some of the neighbors against
it: one pass over u for all its v. The first half of the bitmap holds the small ids exactly (where
neighbors are numbered by falling degree, that is nearly all of them); larger ids share the second
half, and what is found there is confirmed by bisection.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import Kernel, device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.intersect_pairs import below, hitter, holds
from edgewise.operators.cuda.state import THREADS

__all__ = ["ABOVE", "LONG", "NEXT", "SIDE", "SPARSE", "TOTAL", "WARP", "WORDS", "Pair",
           "is_marked", "mark", "mark_kernel", "place"]  # fmt: skip

#: Words of ``control``: the next item; how many rows are long; whether some row holds ids not below
#: its own; how many common neighbors there are.
NEXT, LONG, ABOVE, TOTAL = range(4)
#: Threads on a neighbor's row; they do not meet.
WARP = 8 if simulated() else 32
#: Ids below this are marked exactly: 16 KiB of marks in all.
SIDE = 64 if simulated() else 1 << 16
#: A list so many times the other one is not walked, the other's members are looked up in it.
SPARSE = 16

WORDS = 2 * SIDE // 32
_WARP, _SPARSE = np.uint64(WARP), np.uint64(SPARSE)
_0, _1, _2, _3 = (np.uint64(number) for number in range(4))
_HALF, _LOW = np.uint64(SIDE), np.uint64(SIDE - 1)
_5, _31, _BIT, _NONE = np.uint32(5), np.uint32(31), np.uint32(1), np.uint32(0)


class Pair(NamedTuple):
    """A row that is marked, and that of a neighbor, as a lane sees them: ``[start, stop)`` are
    those of u, ``[first, middle)`` the small ids of v and ``[middle, last)`` the large ones."""

    u: Any
    v: Any
    lane: Any
    start: Any
    stop: Any
    first: Any
    middle: Any
    last: Any


@cache
def mark_kernel(function: Any, each: bool, ordered: bool) -> Kernel:
    """The loop over the long rows, a block to each: marks in shared memory, a warp per neighbor."""
    hit, counts_only = hitter(function), function is None
    threads, warps = np.uint64(THREADS), np.uint64(THREADS // WARP)

    @device
    def near(pair, indices, marks, arrays):
        """How many small ids of v this lane finds marked."""
        found, f, last = _NONE, pair.first + pair.lane, pair.middle
        if counts_only:
            while f + _3 * _WARP < last:
                a, b = indices[f], indices[f + _WARP]
                c, d = indices[f + _2 * _WARP], indices[f + _3 * _WARP]
                found = np.uint32(found + is_marked(marks, a) + is_marked(marks, b))
                found = np.uint32(found + is_marked(marks, c) + is_marked(marks, d))
                f += _2 * _2 * _WARP
        while f < last:
            if is_marked(marks, indices[f]) != _NONE:
                hit(pair.u, pair.v, indices[f], arrays)
                found = np.uint32(found + _BIT)
            f += _WARP
        return np.int64(found)

    @device
    def far(pair, indices, marks, arrays):
        """How many large ids of v this lane finds in row u."""
        found, f = np.int64(0), pair.middle + pair.lane
        while f < pair.last:
            w = indices[f]
            if is_marked(marks, place(w)) != _NONE and holds(indices, pair.start, pair.stop, w):
                hit(pair.u, pair.v, w, arrays)
                found += 1
            f += _WARP
        return found

    @device
    def searched(pair, end, indices, arrays):
        """How many of row u, up to ``end``, this lane finds in row v."""
        found, f = np.int64(0), pair.start + pair.lane
        while f < end:
            if holds(indices, pair.first, pair.last, indices[f]):
                hit(pair.u, pair.v, indices[f], arrays)
                found += 1
            f += _WARP
        return found

    @kernel
    def run(indptr, indices, long_rows, arrays, control, count):
        marks = cuda.shared.array(WORDS, np.uint32)
        firsts = cuda.shared.array(THREADS, np.uint64)
        middles = cuda.shared.array(THREADS, np.uint64)
        lasts = cuda.shared.array(THREADS, np.uint64)
        words = cuda.shared.array(2, np.int64)  # the block's item, the sum of its counts
        me = np.uint64(cuda.threadIdx.x)
        lane, warp = me % _WARP, me // _WARP
        k = me
        while k < np.uint64(WORDS):
            marks[k] = 0
            k += threads
        if me == _0:
            words[1] = 0
        lower = ordered or control[ABOVE] == 0
        total = np.int64(0)
        while True:
            cuda.syncthreads()
            if me == _0:
                words[0] = add(control, NEXT, 1)
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
                mark(marks, place(indices[e]))
                e += threads
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
                        found = searched(pair, end, indices, arrays)
                    else:
                        found = near(pair, indices, marks, arrays)
                        found += far(pair, indices, marks, arrays)
                    if found > 0:
                        total += found
                        if each:
                            add(count, np.int64(e), found)
                    j += warps
                base += threads
            cuda.syncthreads()
            e = start + me
            while e < stop:
                marks[place(indices[e]) >> _5] = 0
                e += threads
        if total > 0:
            cuda.atomic.add(words, 1, total)
        cuda.syncthreads()
        if me == _0 and words[1] > 0:
            add(control, TOTAL, words[1])

    return run


@device
def place(w):
    """The mark that stands for w: its own, or one shared by large ids."""
    w = np.uint64(w)
    return np.uint32(w) if w < _HALF else np.uint32(_HALF | (w & _LOW))


@device
def is_marked(marks, w):
    """1 if this mark is set, else 0."""
    w = np.uint32(w)
    return np.uint32(np.uint32(marks[w >> _5] >> np.uint32(w & _31)) & _BIT)


@device
def mark(marks, w):
    """Set this mark."""
    cuda.atomic.or_(marks, np.int64(w >> _5), np.uint32(_BIT << np.uint32(w & _31)))
