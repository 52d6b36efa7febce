"""What a sparse product takes: checked operands, and the rows that one call computes.

If there are far more columns than entries, the columns that occur are numbered first, so that no
table is longer than the operands.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_flag
from edgewise.linalg.matrix import Matrix, as_matrix
from edgewise.linalg.semirings import Semiring, as_semiring, multiply_reads
from edgewise.operators.adjacency import unsigned

__all__ = ["Finish", "Terms", "multiplied", "row_batches", "terms"]

#: Columns per entry of the right operand from which columns are numbered anew, and their number.
_HYPERSPARSE, _MANY = 4, 1 << 22


class Finish(NamedTuple):
    """A compiled step that shortens each row as it is written; see the engines."""

    emit: Any
    params: tuple
    most: int  # entries that a row keeps


class Terms(NamedTuple):
    """The operands of a product, and the rows ``low`` to ``high - 1`` of it."""

    left: Matrix
    right: Matrix
    semiring: Semiring
    mask: Matrix | None
    complement: bool
    sort: bool
    dtype: Any
    products: Any  # of each row
    low: int
    high: int
    names: Any = None  # of columns, where they were numbered anew
    num_columns: int = 0  # of the result

    def rows(self, low: int, high: int) -> Terms:
        """The same product for some of its rows."""
        return self._replace(low=low, high=high)


def terms(left: Any, right: Any, semiring: Any, mask: Any, complement: Any, sort: bool) -> Terms:
    """The checked operands of a product."""
    left, right = as_matrix(left, "left"), as_matrix(right, "right")
    semiring, complement = as_semiring(semiring), check_flag(complement, "complement")
    shape = left.shape[0], right.shape[1]
    if left.shape[1] != right.shape[0]:
        raise ValueError(
            f"right must have as many rows as left has columns ({left.shape[1]}), "
            f"got {right.shape[0]}"
        )
    if mask is None and complement:
        raise ValueError("complement needs a mask, got mask=None")
    mask = None if mask is None else as_matrix(mask, "mask")
    if mask is not None and mask.shape != shape:
        raise ValueError(f"mask must have the shape of the product {shape}, got {mask.shape}")
    for name, one in (("right", right), ("mask", mask)):
        if one is not None and one.device != left.device:
            raise ValueError(
                f"{name} must be on the device of left ({left.device}), got {one.device}"
            )
    if mask is not None and sort and not complement:
        mask = mask.sorted()
    dtype, names = semiring.result_dtype(left.dtype, right.dtype), None
    if shape[1] > max(_MANY, _HYPERSPARSE * right.nnz):
        right, mask, names = _numbered(right, mask)
    rows = _engine(left).products_by_row(_arrays(left), _arrays(right), mask and _arrays(mask)[:2])
    if mask is not None and complement:
        rows = _engine(left).products_by_row(_arrays(left), _arrays(right))
    return Terms(left, right, semiring, mask, complement, sort, dtype, rows, 0, shape[0], names,
                 shape[1])  # fmt: skip


def multiplied(work: Terms, memory: int | None, finish: Finish | None = None) -> Matrix:
    """The rows of the product."""
    engine, low, high = _engine(work.left), work.low, work.high
    product, products = _product(work, finish), work.products[low:high]
    if memory is not None:
        _check_memory(engine.scratch_bytes(product, products), memory)
    indptr, indices, values = engine.multiply(product, products, memory)
    if work.names is not None:
        indices = work.names[indices]
    ordered = work.sort or (_is_masked(work) and work.mask.sorted_rows)  # type: ignore[union-attr]
    indices = indices.view(np.int64 if indices.dtype.itemsize == 8 else np.int32)
    return work.left._like(indptr, indices, values, num_columns=work.num_columns,
                           sorted_rows=ordered)  # fmt: skip


def row_batches(work: Terms, memory: int) -> Iterator[tuple[int, int]]:
    """Ranges of rows whose results fit the memory, beside what computing them takes."""
    engine, product = _engine(work.left), _product(work, None)
    scratch = engine.scratch_bytes(product, work.products)
    most = work.products.clip(max=work.right.shape[1])
    if _is_masked(work):
        most = work.left.xp.minimum(most, work.left.xp.diff(work.mask.indptr))  # type: ignore[union-attr]
    width = work.right.indices.dtype.itemsize + sum(np.dtype(d).itemsize for d in _kinds(work))
    row = 8 + most * width
    needed = scratch + int(row.max()) if len(row) else 0
    _check_memory(needed, memory)
    ends = np.cumsum(row) if isinstance(row, np.ndarray) else row.cumsum().get()
    low = 0
    while low < len(ends):
        before = int(ends[low - 1]) if low else 0
        high = max(low + 1, int(np.searchsorted(ends, before + memory - scratch, "right")))
        yield low, high
        low = high


def _product(work: Terms, finish: Finish | None) -> Any:
    """What an engine computes."""
    left, right = _arrays(work.left), _arrays(work.right)
    reads = multiply_reads(work.semiring.multiply)
    part = slice(work.low, work.high + 1)
    mask = None if work.mask is None else _arrays(work.mask)
    zero = work.semiring.zero_for(*_kinds(work))
    ascending = work.right.sorted_rows and work.mask is not None and work.mask.sorted_rows
    return _engine(work.left).product(
        work.semiring,
        zero,
        work.dtype,
        (left[0][part], left[1], left[2] if reads[0] else None),
        (right[0], right[1], right[2] if reads[1] else None),
        work.right.shape[1],
        mask=None if mask is None else (mask[0][part], mask[1]),
        complement=work.complement,
        searched=ascending,
        sort=work.sort,
        emit=finish and finish.emit,
        params=finish.params if finish else (),
        keeps=finish and finish.most,
    )


def _engine(matrix: Matrix) -> Any:
    return import_module(f"edgewise.linalg.{matrix.device.partition(':')[0]}.spgemm")


def _arrays(matrix: Matrix) -> tuple:
    """Row starts and columns as unsigned numbers, and values."""
    return unsigned(matrix.indptr), unsigned(matrix.indices), matrix.values


def _kinds(work: Terms) -> tuple:
    return work.dtype if isinstance(work.dtype, tuple) else (work.dtype,)


def _is_masked(work: Terms) -> bool:
    return work.mask is not None and not work.complement


def _check_memory(needed: int, memory: int) -> None:
    if needed > memory:
        raise ValueError(f"memory must be at least {needed} bytes for this product, got {memory}")


def _numbered(right: Matrix, mask: Matrix | None) -> tuple[Matrix, Matrix | None, Any]:
    """The operands with the columns that occur numbered in their order, and these columns."""
    xp, every = right.xp, [one for one in (right, mask) if one is not None]
    names = xp.unique(xp.concatenate([one.indices for one in every]))
    done = [
        one._like(
            one.indptr,
            xp.searchsorted(names, one.indices),
            one.values,
            num_columns=max(1, len(names)),
            sorted_rows=one.sorted_rows,
        )  # fmt: skip
        for one in every
    ]
    return done[0], done[1] if mask is not None else None, names
