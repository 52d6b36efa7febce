"""Products of all rows with a dense vector or block on CPU threads.

Threads take ranges of rows with about as many entries each. Along a row two sums run side by side,
because one alone would wait for each addition to end. Of a narrow block eight columns are summed at
once, in registers. What is added to what depends on the row alone.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import numpy as np

from edgewise.base.bisection import bisection
from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.check_bounds import debugging
from edgewise.base.cpu.team import grab
from edgewise.base.threads import launch, team_for
from edgewise.graph.csr import frozen
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cpu.inner import cast, weight_at
from edgewise.operators.functions import compiled, naming_failures, plain

__all__ = ["product", "unsigned_rows"]

#: Entries and rows in a range of rows.
_RANGE = 1 << 14
#: Blocks of so many columns are summed in memory, all columns at once.
_WIDE = 48


def product(matrix: Any, right: Any, ring: Any, message: Any, kind: Any) -> Any:
    """The product of all rows with a vector or a block of one type."""
    n, wide = matrix.shape[0], right.ndim == 2
    if wide and right.shape[1] == 1:
        return product(matrix, right.reshape(-1), ring, message, kind).reshape(-1, 1)
    run, zero, combine = _prepared(ring, message, wide, kind, debugging())
    result = np.empty((n, *right.shape[1:]), kind)
    work = (matrix.nnz + n) * (right.shape[1] if wide else 1)
    ranges = (matrix.nnz + n) // _RANGE + 1
    rows = unsigned_rows(matrix, "weight" in message.names)
    with naming_failures(message, combine):
        launch(run, ranges, rows, frozen(right), zero, result, work=work, team=team_for(work))
    return result


@lru_cache(256)
def _prepared(ring: Any, message: Any, wide: bool, kind: Any, checked: bool) -> tuple:
    """The kernel of a semiring, its zero, and its compiled addition."""
    send, combine = plain(message, ("value", "weight")), compiled(ring.add.combine, "add", 2)
    return _kernel(send, combine, wide), ring.zero_for(kind), combine


def unsigned_rows(matrix: Any, weighted: bool) -> tuple:
    """The arrays of a matrix as kernels take them."""
    kept = matrix.__dict__.setdefault("_unsigned", {})
    if weighted not in kept:
        values = matrix.values if weighted else None
        kept[weighted] = unsigned(matrix.indptr), unsigned(matrix.indices), values
    return kept[weighted]


@cache
def _kernel(send: Any, combine: Any, wide: bool) -> Any:
    row = _block_row(send, combine) if wide else _vector_row(send, combine)

    @kernel(borrows=True)
    def multiply_rows(me, team, control, ranges, rows, right, zero, result):
        indptr, n = rows[0], len(rows[0]) - 1
        while True:
            r, end = grab(control, 0, 1, ranges)
            if r == end:
                break
            i = np.uint64(_first(indptr, 0, n, r * _RANGE))
            last = np.uint64(_first(indptr, 0, n, end * _RANGE))
            low = indptr[i]
            while i < last:
                high = indptr[i + np.uint64(1)]
                row(i, low, high, rows, right, zero, result)
                low = high
                i += np.uint64(1)

    return multiply_rows


def _is_before(indptr, row, wanted):
    return indptr[row] + row < np.uint64(wanted)


#: The first row of a range: so many entries and rows are before it.
_first = bisection(_is_before, inner)


def _vector_row(send: Any, combine: Any) -> Any:
    """``row(i, low, high, ...)``: the sum of a row."""

    @inlined
    def at(e, rows, right, total):
        new = send(right[rows[1][e]], weight_at(rows[2], e), ())
        return cast(total, combine(total, cast(total, new)))

    @inlined
    def row(i, low, high, rows, right, zero, result):
        a, b, e, one = zero, zero, low, np.uint64(1)
        while e + one < high:
            a = at(e, rows, right, a)
            b = at(e + one, rows, right, b)
            e += np.uint64(2)
        if e < high:
            a = at(e, rows, right, a)
        result[i] = combine(a, b)

    return row


def _block_row(send: Any, combine: Any) -> Any:
    """``row(i, low, high, ...)``: the sums of a row, eight columns at a time."""

    @inlined
    def at(u, j, weight, right, total):
        return cast(total, combine(total, cast(total, send(right[u, j], weight, ()))))

    @inlined
    def eight(i, low, high, j, rows, right, zero, result):
        a, b, c, d, p, q, r, s = zero, zero, zero, zero, zero, zero, zero, zero
        for e in range(low, high):
            u, weight = rows[1][e], weight_at(rows[2], e)
            a = at(u, j, weight, right, a)
            b = at(u, j + np.uint64(1), weight, right, b)
            c = at(u, j + np.uint64(2), weight, right, c)
            d = at(u, j + np.uint64(3), weight, right, d)
            p = at(u, j + np.uint64(4), weight, right, p)
            q = at(u, j + np.uint64(5), weight, right, q)
            r = at(u, j + np.uint64(6), weight, right, r)
            s = at(u, j + np.uint64(7), weight, right, s)
        result[i, j] = a
        result[i, j + np.uint64(1)] = b
        result[i, j + np.uint64(2)] = c
        result[i, j + np.uint64(3)] = d
        result[i, j + np.uint64(4)] = p
        result[i, j + np.uint64(5)] = q
        result[i, j + np.uint64(6)] = r
        result[i, j + np.uint64(7)] = s

    @inlined
    def two(i, low, high, j, rows, right, zero, result):
        a, b = zero, zero
        for e in range(low, high):
            u, weight = rows[1][e], weight_at(rows[2], e)
            a = at(u, j, weight, right, a)
            b = at(u, j + np.uint64(1), weight, right, b)
        result[i, j] = a
        result[i, j + np.uint64(1)] = b

    @inlined
    def many(low, high, rows, right, zero, totals):
        for j in range(len(totals)):
            totals[j] = zero
        for e in range(low, high):
            sent, weight = right[rows[1][e]], weight_at(rows[2], e)
            for j in range(len(totals)):  # vector instructions
                totals[j] = combine(totals[j], cast(totals, send(sent[j], weight, ())))

    @inlined
    def row(i, low, high, rows, right, zero, result):
        j, width = np.uint64(0), np.uint64(right.shape[1])
        if width >= np.uint64(_WIDE):
            many(low, high, rows, right, zero, result[i])
            return
        while j + np.uint64(8) <= width:
            eight(i, low, high, j, rows, right, zero, result)
            j += np.uint64(8)
        while j + np.uint64(2) <= width:
            two(i, low, high, j, rows, right, zero, result)
            j += np.uint64(2)
        if j < width:
            a = zero
            for e in range(low, high):
                a = at(rows[1][e], j, weight_at(rows[2], e), right, a)
            result[i, j] = a

    return row
