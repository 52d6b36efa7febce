"""Rows of `edgewise.operators.sets` on CUDA: written in parts, and unpacked.

A short row is read by one thread. Of a long one a block takes as many bytes at once as it has
threads: a number ends at every byte below 128, whose thread puts it together from those before, and
a scan over the block gives each its place and the sum of the gaps so far.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add
from edgewise.base.cuda.device import host, simulated
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.base.offsets import offsets
from edgewise.operators.cuda.state import THREADS, blocks_for, check_work
from edgewise.operators.set_encoding import put_number, take_number
from edgewise.operators.sets import Sets

__all__ = ["put", "put_list", "put_words", "take", "unpack"]

#: Rows of more members than this are read by a block of so many threads.
_SHORT, _LANES = (6, 4) if simulated() else (48, 64)

put, take = device(put_number), device(take_number)


@device
def measured(data, at, number):
    """Where the next number would go."""
    while number >= 128:
        number >>= 7
        at += 1
    return at + 1


@cache
def put_list(writing: bool) -> Any:
    """``put(data, at, members, low, high, last)``: gaps of members after ``last``; the end.

    Without ``writing`` it only finds the end.
    """
    each = put if writing else measured

    @device
    def gaps(data, at, members, low, high, last):
        for k in range(low, high):
            v = np.int64(members[k])
            at = each(data, at, v - last - 1)
            last = v
        return at

    return gaps


@cache
def put_words(writing: bool) -> Any:
    """As `put_list`, for the vertices that are marked in words ``low`` to ``high - 1``."""
    each = put if writing else measured

    @device
    def gaps(data, at, marks, low, high, last):
        for k in range(low, high):
            word, v = np.uint32(marks[k]), 32 * np.int64(k)
            while word != 0:
                if word & np.uint32(1):
                    at = each(data, at, v - last - 1)
                    last = v
                word = np.uint32(word >> np.uint32(1))
                v += 1
        return at

    return gaps


def unpack(sets: Sets) -> tuple[Any, Any]:
    """All rows one after another: where each begins, and the members."""
    xp, count = sets.xp, len(sets)
    sizes = xp.empty(count, np.int64)
    rows = sets.data, sets.starts, sets.num_vertices
    size_kernel(blocks_for(count), THREADS, rows, sizes)
    indptr = offsets(sizes)
    total = int(indptr[-1])
    check_work("cover", (total, np.uint32))
    ids = xp.empty(total, np.uint32)
    long, control = xp.empty(count, np.int64), xp.zeros(1, np.int64)
    short_kernel(blocks_for(count), THREADS, rows, indptr, ids, long, control)
    few = int(host(control)[0])
    long_kernel(few, _LANES, rows, indptr, ids, long)
    return indptr, ids


@kernel
def size_kernel(rows, sizes):
    """How many members each row has."""
    data, starts, _ = rows
    i = cuda.grid(1)
    if i < len(starts):
        sizes[i] = take(data, starts[i])[0] >> 1


@kernel
def short_kernel(rows, indptr, ids, long, control):
    """A thread to each short row; the long ones are listed."""
    data, starts, _ = rows
    i = np.int64(cuda.grid(1))
    if i < len(starts):
        size, at = take(data, starts[i])
        if size & 1 or size >> 1 > _SHORT:
            long[add(control, 0, 1)] = i
        else:
            v = np.int64(-1)
            for k in range(indptr[i], indptr[i + 1]):
                gap, at = take(data, at)
                v += gap + 1
                ids[k] = v


@kernel
def long_kernel(rows, indptr, ids, long):
    """A block to each long row."""
    counts = cuda.shared.array(_LANES, np.int64)
    gaps = cuda.shared.array(_LANES, np.int64)
    data, starts, n = rows
    me, i = np.int64(cuda.threadIdx.x), long[cuda.blockIdx.x]
    size, at = take(data, starts[i])
    first, done, last = indptr[i], np.int64(0), np.int64(-1)
    at += me
    if size & 1:
        v, mine = 8 * me, np.int64(0)
        while done < size >> 1:
            byte = np.int64(data[at]) if v < n else np.int64(0)
            mine = np.int64(0)
            for j in range(8):
                mine += (byte >> j) & 1
            up_to(counts, gaps, mine, np.int64(0), me)
            place = first + done + counts[me] - mine
            for j in range(8):
                if (byte >> j) & 1:
                    ids[place] = v + j
                    place += 1
            done += counts[_LANES - 1]
            cuda.syncthreads()
            at += _LANES
            v += 8 * _LANES
    else:
        while done < size >> 1:
            begin, gap = at - me, np.int64(0)
            byte = np.int64(data[at]) if at < len(data) else np.int64(128)
            ends = np.int64(1 if byte < 128 else 0)
            if ends:
                gap = byte
                before = at - 1
                while before >= begin_of(starts[i], size) and data[before] >= 128:
                    gap = (gap << 7) | (np.int64(data[before]) & 127)
                    before -= 1
                gap += 1
            up_to(counts, gaps, ends, gap, me)
            if ends and done + counts[me] <= size >> 1:
                ids[first + done + counts[me] - 1] = last + gaps[me]
            done += counts[_LANES - 1]
            last += gaps[_LANES - 1]
            cuda.syncthreads()
            at = begin + _LANES + me


@device
def begin_of(start, size):
    """Where the members of a row begin, behind its size."""
    start += 1
    while size >= 128:
        size >>= 7
        start += 1
    return start


@device
def up_to(counts, gaps, count, gap, me):
    """Sums over the threads of a block up to each; all call it."""
    counts[me], gaps[me] = count, gap
    step = np.int64(1)
    while step < _LANES:
        cuda.syncthreads()
        more, further = np.int64(0), np.int64(0)
        if me >= step:
            more, further = counts[me - step], gaps[me - step]
        cuda.syncthreads()
        counts[me] += more
        gaps[me] += further
        step *= 2
    cuda.syncthreads()
