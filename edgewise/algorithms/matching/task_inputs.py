"""What `assign_tasks` is given: costs of tasks, and the workers that each may run on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.offsets import offsets

__all__ = ["Allowed", "allowed_workers", "check_costs"]


class Allowed(NamedTuple):
    """The allowed workers of each task, as sorted rows."""

    indptr: np.ndarray
    indices: np.ndarray

    def of(self, task: int) -> np.ndarray:
        """The allowed workers of a task."""
        return self.indices[self.indptr[task] : self.indptr[task + 1]]


def check_costs(costs: Any) -> np.ndarray:
    """The costs as float64; an error names the first task whose cost is no such number."""
    given = np.asarray(costs)
    if given.ndim != 1 or given.dtype.kind not in "biuf":
        raise TypeError(f"costs must be one number per task, got shape {given.shape}")
    wrong = np.flatnonzero(~((given >= 0) & (given < np.inf)))
    if len(wrong):
        raise ValueError(
            f"costs must be finite and not negative, got {given[wrong[0]]} for task {wrong[0]}"
        )
    return given.astype(np.float64)


def allowed_workers(allowed: Any, tasks: int, count: int) -> Allowed:
    """The allowed workers of each task, checked."""
    if hasattr(allowed, "tocsr"):
        rows = allowed.tocsr()
        shape, (task, worker) = rows.shape, rows.nonzero()
    else:
        table = np.asarray(allowed)
        shape, (task, worker) = table.shape, np.nonzero(table)
    if shape != (tasks, count):
        raise ValueError(f"allowed must have shape ({tasks}, {count}), got {shape}")
    sizes = np.bincount(task, minlength=tasks)
    if (sizes == 0).any():
        raise ValueError(
            f"allowed must have a worker for each task, and task {sizes.argmin()} has none"
        )
    order = np.lexsort((worker, task))
    return Allowed(offsets(sizes), worker[order].astype(np.int64))
