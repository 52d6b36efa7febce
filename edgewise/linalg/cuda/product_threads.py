"""Rows of a sparse product on CUDA with few products: a thread computes a row, without atomics.

Each thread has a hash table of its own in shared memory. The threads of a block write their rows
together, next to one another.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add
from edgewise.base.cuda.bisection import row_of
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.linalg.cuda.row_tables import FREE, Form, home, reader, shared_tables
from edgewise.operators.cuda.inner import cast, edge_at, put, take

__all__ = ["thread_kernel"]

_1 = np.uint64(1)
#: One more than the most threads of a block.
_ENDS = 129


@cache
def thread_kernel(form: Form, slots: int) -> Any:
    """The kernel in which a thread computes a row; the threads of a block share ``slots`` places.

    Thread t has the places t, t + threads, ...
    """
    enter, mark = _owned(form)
    tables, value_at = shared_tables(slots, form, True), [reader(one) for one in form.values]
    left_at, right_at = value_at
    masking, multiply, sort = form.masking != "", form.multiply, form.sort

    @device
    def filled(row, data, table):
        words, _, t, threads, size = table
        for k in range(size):
            words[np.uint64(k * threads + t)] = FREE
        if masking:
            for e in range(np.uint64(data.mask[0][row]), np.uint64(data.mask[0][row + 1])):
                mark(table, np.int64(data.mask[1][e]))
        e, high = np.uint64(data.left[0][row]), np.uint64(data.left[0][row + 1])
        while e < high:
            k, a = np.uint64(data.left[1][e]), left_at(data.left[2], e)
            f, last = np.uint64(data.right[0][k]), np.uint64(data.right[0][k + _1])
            while f < last:
                new = cast(data.zero, multiply(a, right_at(data.right[2], f)))
                enter(table, np.int64(data.right[1][f]), new)
                f += _1
            e += _1

    @device
    def gathered(table):
        """The number of columns with sums, which are moved to the first places."""
        words, totals, t, threads, size = table
        count = np.int64(0)
        for k in range(size):
            word = words[np.uint64(k * threads + t)]
            if word >= 0:
                total, j = take(totals, np.uint64(k * threads + t)), count
                if sort:
                    while j > 0 and words[np.uint64((j - 1) * threads + t)] > word:
                        to, at = np.uint64(j * threads + t), np.uint64((j - 1) * threads + t)
                        words[to] = words[at]
                        put(totals, to, take(totals, at))
                        j -= 1
                words[np.uint64(j * threads + t)] = word
                put(totals, np.uint64(j * threads + t), total)
                count += 1
        return count

    @kernel
    def multiply_by_threads(data, rows, count, out):
        words, totals, _ = tables()
        ends = cuda.shared.array(_ENDS, np.int64)
        begin = cuda.shared.array(1, np.int64)
        t, threads = np.int64(cuda.threadIdx.x), np.int64(cuda.blockDim.x)
        item, mine = np.int64(cuda.blockIdx.x) * threads + t, np.int64(0)
        table = (words, totals, t, threads, np.int64(slots) // threads)
        if item < count:
            row = data.first + edge_at(rows, item)
            if data.products[row] > 0:
                filled(row, data, table)
                mine = gathered(table)
        if t == 0:
            ends[0] = 0
        scan(ends, mine, t, threads)
        if t == 0:
            begin[0] = add(out.cursor, 0, ends[threads])
        cuda.syncthreads()
        at = begin[0]
        if item < count:
            local = edge_at(rows, item)
            out.counts[local], out.starts[local] = mine, at + ends[t]
        for k in range(t, ends[threads], threads):
            owner = row_of(ends, 0, threads, k)
            place = np.uint64((k - ends[owner]) * threads + owner)
            out.indices[np.uint64(at + k)] = words[place]
            put(out.values, np.uint64(at + k), take(totals, place))

    return multiply_by_threads


@device
def scan(ends, mine, t, threads):
    """Sums over the threads of a block up to each, behind a first number that is 0."""
    ends[t + 1] = mine
    step = np.int64(1)
    while step < threads:
        cuda.syncthreads()
        more = ends[t + 1 - step] if t >= step else np.int64(0)
        cuda.syncthreads()
        ends[t + 1] += more
        step *= 2
    cuda.syncthreads()


def _owned(form: Form) -> tuple[Any, Any]:
    """``enter(table, column, new)`` and ``mark(table, column)`` for a table of one thread."""
    combine, early_exit, masking = form.combine, form.early_exit, form.masking
    masked, complement = masking == "mask", masking == "complement"

    @device
    def enter(table, column, new):
        words, totals, t, threads, size = table
        k = home(column, size - 1)
        while True:
            at = np.uint64(k * threads + t)
            word = np.int64(words[at])
            if word == column:
                if not early_exit:
                    put(totals, at, cast(new, combine(take(totals, at), new)))
                return
            if (word == FREE and not masked) or (masked and word == -2 - column):
                words[at] = column
                put(totals, at, new)
                return
            if word == FREE or (complement and word == -2 - column):
                return
            k = (k + 1) & (size - 1)

    @device
    def mark(table, column):
        words, _, t, threads, size = table
        k = home(column, size - 1)
        while words[np.uint64(k * threads + t)] != FREE:
            k = (k + 1) & (size - 1)
        words[np.uint64(k * threads + t)] = -2 - column

    return enter, mark
