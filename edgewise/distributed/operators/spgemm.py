"""`edgewise.linalg.spgemm` on a grid: see `edgewise.distributed.summa`."""

from __future__ import annotations

from typing import Any

from edgewise.distributed.matrix import GridMatrix
from edgewise.distributed.summa import product_rows, row_batches, stacked, task

__all__ = ["spgemm"]


def spgemm(
    left: Any, right: Any, semiring: Any, mask: Any, complement: Any, sort: bool, memory: int | None
) -> GridMatrix:
    """See `edgewise.linalg.spgemm`."""
    work = task(left, right, semiring, mask, complement, sort)
    parts = [product_rows(work, batch) for batch in row_batches(work, memory)]
    block = stacked(parts).to(work.left.device)
    return GridMatrix(work.left.grid, work.left.rows, work.right.columns, block)
