"""`edgewise.linalg.spgemm_batches` on a grid: see `edgewise.distributed.summa`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from edgewise.distributed.matrix import GridMatrix
from edgewise.distributed.summa import Batch, Task, product_rows, row_batches, task
from edgewise.linalg.matrix import Matrix

__all__ = ["spgemm_batches"]


def spgemm_batches(
    left: Any, right: Any, semiring: Any, mask: Any, complement: Any, sort: bool, memory: int
) -> Iterator[tuple[int, GridMatrix]]:
    """See `edgewise.linalg.spgemm_batches`."""
    work = task(left, right, semiring, mask, complement, sort)
    return _yielded(work, row_batches(work, memory))


def _yielded(work: Task, batches: list[Batch]) -> Iterator[tuple[int, GridMatrix]]:
    grid, done = work.left.grid, 0
    for batch in batches:
        block = _in_place(product_rows(work, batch), batch, work.left.block.shape[0])
        yield done, GridMatrix(grid, work.left.rows, work.right.columns, block)
        done += sum(grid.column.counts(batch.high - batch.low))


def _in_place(part: Matrix, batch: Batch, rows: int) -> Matrix:
    """The rows of a batch among all rows of the block, of which the others are empty."""
    indptr = part.xp.full(rows + 1, part.nnz, np.int64)
    indptr[: batch.low] = 0
    indptr[batch.low : batch.high + 1] = part.indptr
    return part._like(indptr, part.indices, part.values, **part._options())
