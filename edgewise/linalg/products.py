"""What a sparse product takes: checked operands, and the rows that one call computes.

If there are far more columns than entries, the columns that occur are numbered first, so that no
table is longer than the operands.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_flag
from edgewise.graph.transfer import host
from edgewise.linalg.matrix import Matrix, as_matrix
from edgewise.linalg.semirings import Semiring, as_semiring

__all__ = [
    "Terms", "is_masked", "kinds", "multiplied", "row_batches", "scratch_bytes", "terms"
]  # fmt: skip

#: Columns per entry of the right operand from which columns are numbered anew, and their number.
_HYPERSPARSE, _MANY = 4, 1 << 22
#: Bytes per row of a batch: where it begins, and numbers by which threads share the rows.
_ROW = 48


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
    shown = None if complement else mask
    rows = _engine(left).products_by_row(left, right, shown)
    return Terms(left, right, semiring, mask, complement, sort, dtype, rows, 0, shape[0], names,
                 shape[1])  # fmt: skip


def multiplied(work: Terms, memory: int | None, finish: Any = None) -> Matrix:
    """The rows of the product; ``finish`` is what an engine shortens them with."""
    if memory is not None:
        _check_memory(scratch_bytes(work), memory)
    return _engine(work.left).multiplied(work, memory, finish)


def row_batches(work: Terms, memory: int) -> Iterator[tuple[int, int, int]]:
    """Ranges of rows whose results fit the memory, and what that leaves for computing them."""
    engine, scratch = _engine(work.left), scratch_bytes(work)
    most = work.products.clip(max=work.right.shape[1])
    if is_masked(work):
        most = work.left.xp.minimum(most, work.left.xp.diff(work.mask.indptr))  # type: ignore[union-attr]
    width = work.right.indices.dtype.itemsize + sum(np.dtype(d).itemsize for d in kinds(work))
    row = _ROW + most * width
    staged = row + engine.staged_bytes(work)
    widest = int(staged.max()) if len(row) else 0
    _check_memory(scratch + widest, memory)
    space = max(widest, memory - engine.beside_bytes(work, widest, memory))
    ends, results = host(staged.cumsum()), host(row.cumsum())
    del most, row, staged
    low = 0
    while low < len(ends):
        before = int(ends[low - 1]) if low else 0
        high = max(low + 1, int(np.searchsorted(ends, before + space, "right")))
        taken = int(results[high - 1]) - (int(results[low - 1]) if low else 0)
        yield low, high, memory - taken
        low = high


def scratch_bytes(work: Terms, *, parts: bool = False) -> int:
    """The bytes that one thread needs beside the result; ``parts`` if only some of the rows follow.

    An engine may choose other tables for a part of the rows, which take more.
    """
    return _engine(work.left).scratch_bytes(work, parts)


def _engine(matrix: Matrix) -> Any:
    return _engine_of(matrix.device.partition(":")[0])


@cache
def _engine_of(device: str) -> Any:
    return import_module(f"edgewise.linalg.{device}.spgemm")


def kinds(work: Terms) -> tuple:
    """The types of the values of the product, as a tuple."""
    return work.dtype if isinstance(work.dtype, tuple) else (work.dtype,)


def is_masked(work: Terms) -> bool:
    """Are only entries of the mask computed?"""
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
