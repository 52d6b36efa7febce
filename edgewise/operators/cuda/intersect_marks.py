"""`intersect` on CUDA, rows with many neighbors: a block marks one row and streams others past it.

The marks are a bitmap in shared memory; each warp walks the rows of some of the neighbors against
it: one pass over u for all its v. The first half of the bitmap holds the small ids exactly (where
neighbors are numbered by falling degree, that is nearly all of them); larger ids share the second
half, and what is found there is confirmed by bisection.

What is done with a common neighbor is a `Counting`. `by_function` calls the user's function.
`by_vertex` counts triangles: each vertex of a triangle of u stands in row u, at a place that the
marks tell: so many members come before its word of the bitmap, so many bits are set before its own.
Counters by place are in shared memory, and each is added to its vertex once for every row: no two
triangles add to one word of global memory.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add
from edgewise.base.cuda.bits import count_bits
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import Kernel, device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.intersect_pairs import below, hitter, holds
from edgewise.operators.cuda.state import THREADS
from edgewise.operators.cuda.totals import COUNT, across

__all__ = ["ABOVE", "LONG", "TOTAL", "WARP", "by_function", "by_vertex", "mark_kernel"]

#: Words of ``control``: the next item; how many rows are long; whether some row holds ids not below
#: its own; how many common neighbors there are.
NEXT, LONG, ABOVE, TOTAL = range(4)
#: Threads on a neighbor's row; none waits for another.
WARP = 8 if simulated() else 32
#: Ids below this are marked exactly: 16 KiB of marks in all.
_SIDE = 64 if simulated() else 1 << 16
#: Positions of a row with a counter in shared memory; those beyond are counted in global memory.
_COUNTERS = 6 if simulated() else 4096

_WORDS, _EXACT = 2 * _SIDE // 32, _SIDE // 32
_THREADS, _WARP, _HALF = np.uint64(THREADS), np.uint64(WARP), np.uint64(_SIDE)
#: A list so many times the other one is not walked, the other's members are looked up in it.
_SPARSE = np.uint64(16)
_0, _1, _2, _3, _4, _FIVE = (np.uint64(number) for number in range(6))
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


class Counting(NamedTuple):
    """What is done with common neighbors, as device functions; ``held`` is what `hold` returns."""

    hold: Any  # (arrays): what the others work with
    enter: Any  # (start, e, indices, held): the member at e of row u is marked
    small: Any  # (pair, w, indices, marks, held): 1 if a small id is marked, else 0
    found: Any  # (pair, e, indices, held): the member at e of row u is a common neighbor
    of_edge: Any  # (pair, e, count, indices, held): what a thread counts for u and v, which is at e
    leave: Any  # (u, total, words, control, held): what a thread goes on with after row u
    clear: Any  # (start, e, indices, held): the mark of the member at e of row u is taken back
    unrolled: bool  # are four small ids read at a time?


@cache
def mark_kernel(counting: Counting, each: bool, ordered: bool) -> Kernel:
    """The loop over the long rows, a block to each: marks in shared memory, a warp per neighbor."""
    hold, enter, small, common, of_edge, leave, clear, unrolled = counting
    warps = np.uint64(THREADS // WARP)

    @device
    def near(pair, indices, marks, held):
        """How many small ids of v this lane finds marked."""
        found, f, last = _NONE, pair.first + pair.lane, pair.middle
        if unrolled:
            while f + _3 * _WARP < last:
                a, b = indices[f], indices[f + _WARP]
                c, d = indices[f + _2 * _WARP], indices[f + _3 * _WARP]
                found = np.uint32(found + small(pair, a, indices, marks, held))
                found = np.uint32(found + small(pair, b, indices, marks, held))
                found = np.uint32(found + small(pair, c, indices, marks, held))
                found = np.uint32(found + small(pair, d, indices, marks, held))
                f += _4 * _WARP
        while f < last:
            if small(pair, indices[f], indices, marks, held) != _NONE:  # added, it costs registers
                found = np.uint32(found + _BIT)
            f += _WARP
        return np.int64(found)

    @device
    def far(pair, indices, marks, held):
        """How many large ids of v this lane finds in row u."""
        found, f = np.int64(0), pair.middle + pair.lane
        while f < pair.last:
            w = indices[f]
            if is_marked(marks, place(w)) != _NONE:
                e = below(indices, pair.start, pair.stop, np.uint64(w))
                if e < pair.stop and indices[e] == w:
                    common(pair, e, indices, held)
                    found += 1
            f += _WARP
        return found

    @device
    def searched(pair, end, indices, held):
        """How many of row u, up to ``end``, this lane finds in row v."""
        found, f = np.int64(0), pair.start + pair.lane
        while f < end:
            if holds(indices, pair.first, pair.last, indices[f]):
                common(pair, f, indices, held)
                found += 1
            f += _WARP
        return found

    @kernel
    def run(indptr, indices, long_rows, arrays, control, count):
        marks = cuda.shared.array(_WORDS, np.uint32)
        firsts = cuda.shared.array(THREADS, np.uint64)
        middles = cuda.shared.array(THREADS, np.uint64)
        lasts = cuda.shared.array(THREADS, np.uint64)
        words = cuda.shared.array(2, np.int64)  # the block's item, the sum of its counts
        me = np.uint64(cuda.threadIdx.x)
        lane, warp = me % _WARP, me // _WARP
        zero(marks, _WORDS, me)
        held = hold(arrays)
        lower = ordered or control[ABOVE] == 0
        total = np.int64(0)
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
                mark(marks, place(indices[e]))
                enter(start, e, indices, held)
                e += _THREADS
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
                while j < _THREADS and base + j < stop:
                    e = base + j
                    v, end = np.uint64(indices[e]), e if lower else stop
                    pair = Pair(u, v, lane, start, stop, firsts[j], middles[j], lasts[j])
                    if pair.last - pair.first > _SPARSE * (end - start):
                        found = searched(pair, end, indices, held)
                    else:
                        found = near(pair, indices, marks, held)
                        found += far(pair, indices, marks, held)
                    found = of_edge(pair, e, found, indices, held)
                    if found > 0:
                        total += found
                        if each:
                            add(count, np.int64(e), found)
                    j += warps
                base += _THREADS
            total = leave(u, total, words, control, held)
            e = start + me
            while e < stop:
                marks[place(indices[e]) >> _5] = 0
                clear(start, e, indices, held)
                e += _THREADS
        add_up(total, words, control)

    return run


@cache
def by_function(function: Any) -> Counting:
    """Call a function, if there is one; count for all rows together."""
    hit = hitter(function)
    count = device(lambda pair, w, indices, marks, held: is_marked(marks, w))

    @device
    def small(pair, w, indices, marks, held):
        if is_marked(marks, w) == _NONE:
            return _NONE
        hit(pair.u, pair.v, w, held)
        return _BIT

    @device
    def leave(u, total, words, control, held):
        cuda.syncthreads()
        return total

    return Counting(
        hold=device(lambda arrays: arrays),
        enter=device(lambda start, e, indices, held: None),
        small=count if function is None else small,
        found=device(lambda pair, e, indices, held: hit(pair.u, pair.v, indices[e], held)),
        of_edge=device(lambda pair, e, count, indices, held: count),
        leave=leave,
        clear=device(lambda start, e, indices, held: None),
        unrolled=function is None,
    )


@cache
def by_vertex() -> Counting:
    """Count for each of the three vertices, by places of row u; ``arrays`` are the counts."""
    by_warps, over_warp = not simulated(), across(COUNT, WARP)

    @device
    def hold(arrays):
        """How many members come before each word of the marks, the counters, and the counts."""
        before = cuda.shared.array(_EXACT, np.uint16)
        counters = cuda.shared.array(_COUNTERS, np.int32)
        zero(counters, _COUNTERS, np.uint64(cuda.threadIdx.x))
        return before, counters, arrays[0]

    @device
    def enter(start, e, indices, held):
        w = np.uint64(indices[e])
        word = w >> _FIVE
        if w < _HALF and (e == start or np.uint64(indices[e - _1]) >> _FIVE != word):
            held[0][word] = e - start

    @device
    def small(pair, w, indices, marks, held):
        w = np.uint32(w)
        word = marks[w >> _5]
        if np.uint32(word >> np.uint32(w & _31)) & _BIT == _NONE:
            return _NONE
        lower = np.uint32(word & np.uint32(np.uint32(_BIT << np.uint32(w & _31)) - _BIT))
        at = np.int64(held[0][w >> _5]) + count_bits(lower)
        count_at(held, indices, pair.start, at, 1)
        return _BIT

    @device
    def found(pair, e, indices, held):
        count_at(held, indices, pair.start, np.int64(e - pair.start), 1)

    @device
    def of_edge(pair, e, count, indices, held):
        """The first lane counts for its warp; in the simulator, which has no warps, every lane."""
        if by_warps:
            count = over_warp(count, np.int64(0))
            if pair.lane != _0:
                return np.int64(0)
        if count > 0:
            count_at(held, indices, pair.start, np.int64(e - pair.start), count)
        return count

    @device
    def leave(u, total, words, control, held):
        add_up(total, words, control)
        if cuda.threadIdx.x == 0 and words[1] > 0:
            add(held[2], np.int64(u), words[1])
        return np.int64(0)

    @device
    def clear(start, e, indices, held):
        at = np.int64(e - start)
        if at < _COUNTERS and held[1][at] > 0:
            add(held[2], np.int64(indices[e]), np.int64(held[1][at]))
            held[1][at] = 0

    return Counting(hold, enter, small, found, of_edge, leave, clear, True)


@device
def count_at(held, indices, start, at, more):
    """Count for the member of row u that stands so many places from its start."""
    if at < _COUNTERS:
        cuda.atomic.add(held[1], at, np.int32(more))
    else:
        add(held[2], np.int64(indices[start + np.uint64(at)]), np.int64(more))


@device
def add_up(total, words, control):
    """Add what the threads of a block have counted to the whole; ``words[1]`` is their sum."""
    if total > 0:
        cuda.atomic.add(words, 1, total)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0 and words[1] > 0:
        add(control, TOTAL, words[1])


@device
def zero(array, size, me):
    """Write zeros; the threads of a block share the array."""
    while me < np.uint64(size):
        array[me] = 0
        me += _THREADS


@device
def place(w):
    """The mark that stands for w: its own, or one shared by large ids."""
    w = np.uint64(w)
    return np.uint32(w) if w < _HALF else np.uint32(_HALF | (w & (_HALF - _1)))


@device
def is_marked(marks, w):
    """1 if this mark is set, else 0."""
    w = np.uint32(w)
    return np.uint32(np.uint32(marks[w >> _5] >> np.uint32(w & _31)) & _BIT)


@device
def mark(marks, w):
    """Set this mark."""
    cuda.atomic.or_(marks, np.int64(w >> _5), np.uint32(_BIT << np.uint32(w & _31)))
