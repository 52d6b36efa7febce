"""The step of Markov clustering on a grid: see `edgewise.linalg.pruning`.

Whole rows of the square are computed in batches, pruned over the ranks that share them, and only
what remains is kept. So the memory is that of a batch and of the next matrix.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.memory import free_memory
from edgewise.distributed.matrix import GridMatrix
from edgewise.distributed.row_pruning import pruned
from edgewise.distributed.summa import product_rows, row_batches, stacked, task
from edgewise.linalg.pruning import Pruning

__all__ = ["inflated_square"]

#: The part of a rank's share of the free memory that a batch takes, unless a limit is given.
_PART = 4


def inflated_square(
    matrix: GridMatrix, pruning: Pruning, memory: int | None
) -> tuple[GridMatrix, float]:
    """See `edgewise.linalg.pruning.inflated_square`."""
    grid, limit = matrix.grid, memory
    if limit is None:
        here = _free(matrix) // (_PART * grid.size)
        limit = int(grid.world.allreduce(np.array([here], np.int64), "min")[0])
    work = task(matrix, matrix, "plus_times")
    parts, worst = [], 0.0
    for batch in row_batches(work, limit, strict=memory is not None):
        part, chaos = pruned(grid.row, product_rows(work, batch), pruning)
        parts.append(part)
        worst = max(worst, chaos)
    block = stacked(parts).to(matrix.device)
    worst = float(grid.world.allreduce(np.array([worst]), "max")[0])
    return matrix._with(block), worst


def _free(matrix: GridMatrix) -> int:
    """The free memory of the device."""
    if matrix.device == "cpu":
        return free_memory()
    from edgewise.base.cuda import device

    return free_memory() if device.simulated() else device.free_memory()
