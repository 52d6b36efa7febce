"""Rows of `edgewise.operators.sets` on CPU threads: written, measured, unpacked, walked."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.bits import lowest_bit
from edgewise.base.cpu.team import share
from edgewise.base.offsets import offsets
from edgewise.base.threads import launch
from edgewise.operators.cpu.walk import over
from edgewise.operators.set_encoding import SetRows, longest_row, put_number, take_number

__all__ = ["dense", "measure", "pack", "put", "row_walker", "take", "unpack"]

put, take = inlined(put_number), inlined(take_number)


@inlined
def word_at(data, at, size):
    """So many bytes of a bitmap, eight at most, as one word."""
    word = np.uint64(0)
    if size == 8:  # which is one load
        for j in range(8):
            word |= np.uint64(data[at + j]) << np.uint64(8 * j)
    else:
        for j in range(size):
            word |= np.uint64(data[at + j]) << np.uint64(8 * j)
    return word


@cache
def row_walker(visit: Any) -> Any:
    """``walk(data, at, n, known)``: ``visit(v, count, known)`` for each member, numbered from 0."""
    visit = inlined(visit)

    @inner
    def walk(data, at, n, known):
        size, at = take(data, at)
        count = 0
        if size & 1:
            for first in range(0, n, 64):
                word = word_at(data, at, (min(n - first, 64) + 7) >> 3)
                at += 8
                while word:
                    visit(first + lowest_bit(word), count, known)
                    word &= word - np.uint64(1)
                    count += 1
        else:
            v = np.int64(-1)
            for count in range(size >> 1):
                gap, at = take(data, at)
                v += gap + 1
                visit(v, count, known)

    return walk


def measure(rows: SetRows) -> tuple[np.ndarray, np.ndarray]:
    """The size of every set, and how many bytes its row has."""
    sizes, lengths = (np.empty(len(rows.starts), np.int64) for _ in range(2))
    launch(measure_kernel, *rows, sizes, lengths, work=8 * len(sizes))
    return sizes, lengths


def unpack(rows: SetRows) -> tuple[np.ndarray, np.ndarray]:
    """All rows one after another: where each begins, and the members."""
    sizes, _ = measure(rows)
    indptr = offsets(sizes)
    ids = np.empty(indptr[-1], np.int32 if rows.num_vertices < 2**31 else np.int64)
    launch(unpack_kernel, len(sizes), 64, (*rows, indptr, ids), work=len(sizes) + len(ids))
    return indptr, ids


def pack(n: int, indptr: np.ndarray, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The bytes of rows of ascending ids, of ``n`` vertices, and where each row begins."""
    count = len(indptr) - 1
    places = np.empty(count + 1, np.int64)
    data = np.empty(min(count * longest_row(n), 16 * count + 10 * len(ids)), np.uint8)
    launch(pack_kernel, indptr, ids, n, data, places, team=1, work=count + len(ids))
    return data[: places[-1]], places[:-1]


@kernel(borrows=True)
def measure_kernel(me, team, control, data, starts, n, sizes, lengths):
    """A thread reads its share of the rows."""
    low, high = share(me, team, len(starts))
    for i in range(low, high):
        size, at = take(data, starts[i])
        sizes[i] = size >> 1
        if size & 1:
            at += (n + 7) // 8
        else:
            for _ in range(size >> 1):
                while data[at] >= 128:
                    at += 1
                at += 1
        lengths[i] = at - starts[i]


def _note(v, count, known):
    ids, first = known
    ids[first + count] = v


_unpack = row_walker(_note)


@inlined
def _unpack_one(i, me, control, given):
    data, starts, n, indptr, ids = given
    _unpack(data, starts[i], n, (ids, indptr[i]))


unpack_kernel = over(_unpack_one)


@kernel(borrows=True)
def pack_kernel(me, team, control, indptr, ids, n, data, places):
    """One thread writes row after row."""
    at = np.int64(0)
    for i in range(len(indptr) - 1):
        places[i] = at
        size = indptr[i + 1] - indptr[i]
        if size >= dense(n):
            at = put(data, at, 2 * size + 1)
            end = at + (n + 7) // 8
            data[at:end] = 0
            for j in range(indptr[i], indptr[i + 1]):
                data[at + (ids[j] >> 3)] |= np.uint8(1 << (ids[j] & 7))
            at = end
        else:
            at, last = put(data, at, 2 * size), np.int64(-1)
            for j in range(indptr[i], indptr[i + 1]):
                at, last = put(data, at, ids[j] - last - 1), ids[j]
    places[len(indptr) - 1] = at


@inlined
def dense(n):
    """From so many members on a set is written as a bitmap."""
    return n // 8 + 1
