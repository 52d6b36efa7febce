"""Matrices from single entries: sorted by row and column, values at one place combined."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.offsets import offsets
from edgewise.graph.csr import index_dtype
from edgewise.graph.transfer import rows_of
from edgewise.linalg.borrow import device_of, each, on_device
from edgewise.linalg.matrix import Matrix
from edgewise.linalg.semirings import as_monoid
from edgewise.operators.helpers import inner
from edgewise.operators.items import for_each

__all__ = ["arcs_of", "check_shape", "combined", "from_sorted", "gathered", "order_of"]


def gathered(
    rows: Any, columns: Any, values: Any, shape: Any, reduce: Any, place: str | None = None
) -> Matrix:
    """See `Matrix.from_entries`."""
    shape, monoid = check_shape(shape), as_monoid(reduce)
    device, xp = device_of(rows, columns, values, place)
    ends = []
    for name, given, size in (("rows", rows, shape[0]), ("columns", columns, shape[1])):
        array = on_device(given, xp)
        if array.dtype.kind not in "iu" and len(array):
            raise TypeError(f"{name} must be integers, got dtype {array.dtype}")
        if len(array) and not (array.min() >= 0 and array.max() < size):
            raise ValueError(
                f"{name} must be from 0 to {size - 1}, got {array.min()} to {array.max()}"
            )
        ends.append(array.astype(np.int64))
    if len(ends[0]) != len(ends[1]):
        raise ValueError(f"rows and columns must be as many, got {len(ends[0])} and {len(ends[1])}")
    values = each(lambda one: on_device(one, xp), values)
    order = order_of(ends[0], ends[1], shape, xp)
    rows, columns = ends[0][order], ends[1][order]
    values = each(lambda one: one[order], values)
    new = xp.ones(len(rows), bool)
    new[1:] = (rows[1:] != rows[:-1]) | (columns[1:] != columns[:-1])
    if not bool(new.all()):
        first = xp.flatnonzero(new)
        values = each(lambda one: combined(one, first, monoid.combine, device, xp), values)
        rows, columns = rows[first], columns[first]
    return from_sorted(rows, columns, values, shape, device)


def from_sorted(rows: Any, columns: Any, values: Any, shape: Any, device: str) -> Matrix:
    """The matrix of entries that ascend by row and column."""
    xp = np if isinstance(rows, np.ndarray) else device_of(rows, columns, None, device)[1]
    indptr = offsets(xp.bincount(rows, minlength=shape[0]))
    return Matrix(indptr, columns.astype(index_dtype(shape[1])), values, num_columns=shape[1],
                  device=device)  # fmt: skip


def arcs_of(starts: Any, rows: Any, indptr: Any, xp: Any) -> Any:
    """The positions of the entries of some rows, which begin at ``starts``, one row after another.

    ``indptr`` says where each of them begins in the list.
    """
    total = int(indptr[-1])
    owner = rows_of(indptr, total, np.int64, xp)
    return xp.arange(total) + (starts[rows] - indptr[:-1])[owner]


def combined(values: Any, first: Any, combine: Any, device: str, xp: Any) -> Any:
    """The values that begin at each place, combined up to the next."""
    ends = xp.append(first, len(values))
    result = xp.empty(len(first), values.dtype)
    for_each(len(first), _combiner(inner(combine)), (ends, values, result), device=device,
             work=len(values))  # fmt: skip
    return result


def check_shape(shape: Any) -> tuple[int, int]:
    """A pair of sizes."""
    if not isinstance(shape, tuple) or len(shape) != 2:
        raise TypeError(f"shape must be a pair (rows, columns), got {shape!r}")
    return check_count(shape[0], "shape[0]"), check_count(shape[1], "shape[1]")


def order_of(rows: Any, columns: Any, shape: tuple[int, int], xp: Any) -> Any:
    """The order of entries by row and then by column; equal ones keep theirs."""
    if shape[0] * max(shape[1], 1) < 2**62:
        keys = rows * shape[1] + columns
        if xp is not np:
            return xp.argsort(keys)  # a radix sort, which is stable
        from edgewise.base.parallel import sort

        order = np.arange(len(keys))
        sort(keys, order)
        return order
    return xp.lexsort(xp.stack((columns, rows)))


@cache
def _combiner(combine: Any) -> Any:
    def join(i, ends, values, result):
        total = values[ends[i]]
        for e in range(ends[i] + 1, ends[i + 1]):
            total = combine(total, values[e])
        result[i] = total

    return join
