"""The product with a dense block on CUDA: neighboring lanes take neighboring columns.

A group of lanes (a warp, or fewer for narrow blocks) walks a segment of a row, with one column per
lane, so that each entry reads consecutive elements of the block. Rows of more than `_SEGMENT`
entries are cut into segments, whose sums are joined in order. No atomics: what is added to what
depends on the row alone.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.kernels import device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.base.offsets import offsets
from edgewise.base.once import once
from edgewise.graph.transfer import on, rows_of
from edgewise.linalg.product_messages import product_message
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cuda.inner import caller, cast, same, take, weight_at
from edgewise.operators.cuda.state import THREADS, blocks_for
from edgewise.operators.functions import Function, naming_failures

__all__ = ["spmm"]

#: The most entries of a row for one group of lanes.
_SEGMENT = 128
#: What the device function of a message is called with.
_CALLED = ("value", "weight", "params")


class _Cut(NamedTuple):
    """Rows that have entries, and their segments."""

    ids: Any
    starts: Any  # where the segments of each row begin
    owner: Any  # whose each segment is, a place in ``ids``
    slots: Any  # where the sums of the segments of each row go, if it has several
    long: Any  # the rows that have several
    ends: Any  # where the sums of each of them begin


def spmm(matrix: Any, block: Any, ring: Any, flipped: bool, rows: Any, kind: Any) -> Any:
    """The product with a block of columns, of all rows or of some."""
    xp, message = matrix.xp, product_message(ring.multiply, flipped)
    width, zero = block.shape[1], ring.zero_for(kind)
    with on(matrix._device_number):
        result = xp.full((matrix.shape[0], width), zero, kind)
        cut = _segments(matrix, rows)
        count = len(cut.owner)
        if count == 0:
            return result
        lanes = min(32, 1 << (width - 1).bit_length())
        chunks = -(-width // lanes)
        parts, flat = xp.empty(int(cut.slots[-1]) * width, kind), result.reshape(-1)
        weights = matrix.values if "weight" in message.names else None
        data = (unsigned(matrix.indptr), unsigned(matrix.indices), weights, block.reshape(-1))
        send, combine = caller(message.given, message.names, _CALLED), translated(ring.add.combine)
        join = _joiner(combine, ring.add.early_exit)
        with naming_failures(message, Function(ring.add.combine, ())):
            blocks = blocks_for(count * chunks * lanes, THREADS)
            lists = tuple(unsigned(one) for one in cut[:4])
            _walk_kernel(send, join, lanes)(
                blocks, THREADS, data, lists, (count, chunks, width), zero, parts, flat
            )
            if len(parts):
                blocks = blocks_for(len(cut.long) * width, THREADS)
                long = (unsigned(cut.long), unsigned(cut.ends))
                _join_kernel(join)(blocks, THREADS, long, (len(cut.long), width), zero, parts, flat)
    return result


def _segments(matrix: Any, rows: Any) -> _Cut:
    """The segments of some rows, or of all, which matrices of the same entries share."""
    if rows is None:
        return once(matrix._structure, "segments", lambda: _cut(matrix, None))
    return _cut(matrix, rows)


def _cut(matrix: Any, rows: Any) -> _Cut:
    xp, indptr = matrix.xp, matrix.indptr
    lengths = xp.diff(indptr) if rows is None else indptr[rows + 1] - indptr[rows]
    some = xp.flatnonzero(lengths)
    ids = some if rows is None else rows[some]
    counts = (lengths[some] + _SEGMENT - 1) // _SEGMENT
    starts, several = offsets(counts), counts > 1
    owner = rows_of(starts, int(starts[-1]), np.int64, xp) if len(ids) else ids
    slots = offsets(xp.where(several, counts, 0))
    return _Cut(ids, starts, owner, slots, ids[several], offsets(counts[several]))


@cache
def _joiner(combine: Any, early_exit: bool) -> Any:
    """``join(a, b, zero)``: the sum of two sums, of which the first has a value if either has.

    Where any value will do (``early_exit``), adding a zero would forget it.
    """

    @device
    def add(a, b, zero):
        return cast(a, combine(a, b))

    @device
    def either(a, b, zero):
        return b if same(a, zero) else a

    return either if early_exit else add


@cache
def _walk_kernel(send: Any, join: Any, lanes: int) -> Any:
    """The kernel in which groups of lanes walk segments, each for ``lanes`` columns."""
    length = np.uint64(_SEGMENT)

    @device
    def at(e, column, width, data, total, zero):
        u, weight = np.uint64(data[1][e]), weight_at(data[2], e)
        new = send(take(data[3], u * width + column), weight, (0,))
        return join(total, cast(total, new), zero)

    @device
    def walk(low, high, column, width, data, zero):
        """Four sums run side by side, so that four loads are under way."""
        a, b, c, d = zero, zero, zero, zero
        e, one = low, np.uint64(1)
        while e + np.uint64(3) < high:
            a = at(e, column, width, data, a, zero)
            b = at(e + one, column, width, data, b, zero)
            c = at(e + np.uint64(2), column, width, data, c, zero)
            d = at(e + np.uint64(3), column, width, data, d, zero)
            e += np.uint64(4)
        while e < high:
            a = at(e, column, width, data, a, zero)
            e += one
        return join(join(a, b, zero), join(c, d, zero), zero)

    @kernel
    def walk_segments(data, lists, sizes, zero, parts, result):
        ids, starts, owner, slots = lists
        count, chunks, width = sizes
        i = cuda.grid(1)
        item, lane = i // lanes, i % lanes
        s, column = item // chunks, item % chunks * lanes + lane
        if s < count and column < width:
            k = owner[s]
            v, first = np.uint64(ids[k]), np.uint64(s) - starts[k]
            low = data[0][v] + first * length
            high = min(low + length, data[0][v + np.uint64(1)])
            total = walk(low, high, np.uint64(column), np.uint64(width), data, zero)
            if slots[k + np.uint64(1)] == slots[k]:
                result[np.int64(v) * width + column] = total
            else:
                parts[np.int64(slots[k] + first) * width + column] = total

    return walk_segments


@cache
def _join_kernel(join: Any) -> Any:
    """The kernel that joins the sums of the segments of long rows."""

    @kernel
    def join_segments(lists, sizes, zero, parts, result):
        ids, ends = lists
        count, width = sizes
        i = cuda.grid(1)
        k, column = i // width, i % width
        if k < count:
            total = zero
            for s in range(np.int64(ends[k]), np.int64(ends[k + 1])):
                total = join(total, parts[s * width + column], zero)
            result[np.int64(ids[k]) * width + column] = total

    return join_segments
