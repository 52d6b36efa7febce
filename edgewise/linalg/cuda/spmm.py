"""The product with a dense block on CUDA: neighboring lanes take neighboring columns.

A group of lanes (a warp, or fewer for narrow blocks) walks a segment of a row, with one column per
lane, so that each entry reads consecutive elements of the block. Rows of more than `_SEGMENT`
entries are cut into segments, whose sums are joined in order. No atomics: what is added to what
depends on the row alone.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.kernels import device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.base.offsets import offsets
from edgewise.base.once import once
from edgewise.graph.transfer import on, rows_of
from edgewise.linalg.product_messages import product_message
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cuda.inner import caller, cast, take, weight_at
from edgewise.operators.cuda.state import THREADS, blocks_for
from edgewise.operators.functions import Function, naming_failures

__all__ = ["spmm"]

#: The most entries of a row for one group of lanes.
_SEGMENT = 128
#: What the device function of a message is called with.
_CALLED = ("value", "weight", "params")


def spmm(matrix: Any, block: Any, ring: Any, flipped: bool, rows: Any, kind: Any) -> Any:
    """The product with a block of columns, of all rows or of some."""
    xp, message = matrix.xp, product_message(ring.multiply, flipped)
    width, zero = block.shape[1], ring.zero_for(kind)
    result = xp.full((matrix.shape[0], width), zero, kind)
    with on(matrix._device_number):
        ids, starts, owner = _segments(matrix, rows)
        count = len(owner)
        if count == 0:
            return result
        lanes = min(32, 1 << (width - 1).bit_length())
        chunks = -(-width // lanes)
        parts = xp.empty((count if count > len(ids) else 0) * width, kind)
        weights = matrix.values if "weight" in message.names else None
        data = (unsigned(matrix.indptr), unsigned(matrix.indices), weights, block.reshape(-1))
        lists = (unsigned(ids), unsigned(starts), unsigned(owner))
        send, combine = caller(message.given, message.names, _CALLED), translated(ring.add.combine)
        with naming_failures(message, Function(ring.add.combine, ())):
            walk = _walk_kernel(send, combine, lanes)
            blocks = blocks_for(count * chunks * lanes, THREADS)
            walk(blocks, THREADS, data, lists, (count, chunks, width), zero, parts,
                 result.reshape(-1))  # fmt: skip
            if len(parts):
                blocks = blocks_for(len(ids) * width, THREADS)
                _join_kernel(combine)(
                    blocks, THREADS, lists, (len(ids), width), zero, parts, result.reshape(-1)
                )
    return result


def _segments(matrix: Any, rows: Any) -> tuple[Any, Any, Any]:
    """Rows that have entries, where the segments of each begin, and whose each segment is."""
    if rows is None:
        return once(matrix, "segments", lambda: _cut(matrix, None))
    return _cut(matrix, rows)


def _cut(matrix: Any, rows: Any) -> tuple[Any, Any, Any]:
    xp = matrix.xp
    lengths = (
        xp.diff(matrix.indptr) if rows is None else matrix.indptr[rows + 1] - matrix.indptr[rows]
    )
    some = xp.flatnonzero(lengths)
    ids = some if rows is None else rows[some]
    starts = offsets((lengths[some] + _SEGMENT - 1) // _SEGMENT)
    owner = rows_of(starts, int(starts[-1]), np.int64, xp) if len(ids) else ids
    return ids, starts, owner


@cache
def _walk_kernel(send: Any, combine: Any, lanes: int) -> Any:
    """The kernel in which groups of lanes walk segments, each for ``lanes`` columns."""
    length = np.uint64(_SEGMENT)

    @device
    def at(e, column, width, data, total):
        u, weight = np.uint64(data[1][e]), weight_at(data[2], e)
        new = send(take(data[3], u * width + column), weight, (0,))
        return cast(total, combine(total, cast(total, new)))

    @device
    def walk(low, high, column, width, data, zero):
        """Four sums run side by side, so that four loads are under way."""
        a, b, c, d = zero, zero, zero, zero
        e, one = low, np.uint64(1)
        while e + np.uint64(3) < high:
            a = at(e, column, width, data, a)
            b = at(e + one, column, width, data, b)
            c = at(e + np.uint64(2), column, width, data, c)
            d = at(e + np.uint64(3), column, width, data, d)
            e += np.uint64(4)
        while e < high:
            a = at(e, column, width, data, a)
            e += one
        ab, cd = cast(a, combine(a, b)), cast(c, combine(c, d))
        return cast(ab, combine(ab, cd))

    @kernel
    def walk_segments(data, lists, sizes, zero, parts, result):
        ids, starts, owner = lists
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
            if starts[k + np.uint64(1)] - starts[k] == np.uint64(1):
                result[np.int64(v) * width + column] = total
            else:
                parts[s * width + column] = total

    return walk_segments


@cache
def _join_kernel(combine: Any) -> Any:
    """The kernel that joins the sums of the segments of long rows."""

    @kernel
    def join_segments(lists, sizes, zero, parts, result):
        ids, starts, _ = lists
        count, width = sizes
        i = cuda.grid(1)
        k, column = i // width, i % width
        if k < count:
            first, last = np.int64(starts[k]), np.int64(starts[k + 1])
            if last - first > 1:
                total = zero
                for s in range(first, last):
                    total = cast(total, combine(total, parts[s * width + column]))
                result[np.int64(ids[k]) * width + column] = total

    return join_segments
