"""Moves and swaps of tasks that lower the largest load of an assignment.

A step takes the worker p with the largest load. It moves one of p's tasks to another worker, or
swaps it for a cheaper task there, such that the larger load of both workers becomes smallest. For
each task of another worker, only the two tasks of p are tried whose cost would make both loads most
even. If nothing helps p, steps go on with the next worker, as they may relieve p. A step
takes O(n log n) time for n tasks.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.matching.task_inputs import Allowed
from edgewise.base.observe import notify

__all__ = ["exchange"]

#: Tasks, the workers they may go to, and the tasks that come back; -1 for none.
Chances = tuple[np.ndarray, np.ndarray, np.ndarray]

#: Steps for each worker, and tasks and pairs that all steps look at, at most.
_STEPS, _WORK = 8, 2 * 10**8
#: A smaller gain, or distance from the bound, is nothing: in units of the bound.
_GAIN = 1e-4


def exchange(
    found: np.ndarray, costs: np.ndarray, pairs: Allowed | None, count: int, b: int, bound: float
) -> None:
    """Change ``found`` as long as its largest load falls."""
    loads = np.bincount(found, costs, minlength=count).astype(np.float64)
    tasks = np.bincount(found, minlength=count)
    keys, size = None, len(costs)
    if pairs is not None:
        keys = np.repeat(np.arange(len(costs)), np.diff(pairs.indptr)) * count + pairs.indices
        size += len(keys)
    open_ = np.ones(count, np.bool_)  # workers that a step may still relieve
    for turn in range(min(_STEPS * count, _WORK // max(size, 1))):
        p = int(np.where(open_, loads, 0.0).argmax())
        if not open_[p] or loads[p] == 0 or loads.max() <= bound * (1 + _GAIN):
            break
        notify(turn, phase="exchange", makespan=float(loads.max()))
        mine = np.flatnonzero(found == p)
        mine = mine[np.argsort(costs[mine], kind="stable")]
        chances = (_moves(mine, costs, keys, loads, tasks, b),
                   _swaps(mine, costs, keys, loads, found))  # fmt: skip
        step = _best(chances, costs, loads, p, float(loads[p]) - _GAIN * bound)
        if step is None:
            open_[p] = False
            continue
        task, worker, other, less = step
        open_[:] = True
        found[task] = worker
        loads[p] -= less
        loads[worker] += less
        if other >= 0:
            found[other] = p
        else:
            tasks[p] -= 1
            tasks[worker] += 1


def _best(
    chances: tuple[Chances, ...], costs: np.ndarray, loads: np.ndarray, p: int, below: float
) -> tuple[int, int, int, float] | None:
    """The chance after which the larger of two loads is smallest, and what p loses by it."""
    found = None
    for task, worker, other in chances:
        less = costs[task] - np.where(other >= 0, costs[other], 0.0)
        after = np.maximum(loads[p] - less, loads[worker] + less)
        if len(after) and after.min() < below:
            i = int(after.argmin())
            below = float(after[i])
            found = int(task[i]), int(worker[i]), int(other[i]), float(less[i])
    return found


def _moves(
    mine: np.ndarray, costs: np.ndarray, keys: np.ndarray | None, loads: np.ndarray,
    tasks: np.ndarray, b: int,
) -> Chances:  # fmt: skip
    """Each task of a worker to the least loaded of all, or to all that are allowed."""
    free = np.where(tasks < b, loads, np.inf)
    if keys is None:
        worker = np.full(len(mine), free.argmin())
        task = mine
    else:
        low = np.searchsorted(keys, mine * len(loads))
        sizes = np.searchsorted(keys, (mine + 1) * len(loads)) - low
        task = np.repeat(mine, sizes)
        ends = np.cumsum(sizes)
        worker = keys[np.arange(len(task)) + np.repeat(low - ends + sizes, sizes)] % len(loads)
    fits = np.isfinite(free[worker])
    return task[fits], worker[fits], np.full(int(fits.sum()), -1)


def _swaps(
    mine: np.ndarray, costs: np.ndarray, keys: np.ndarray | None, loads: np.ndarray,
    found: np.ndarray,
) -> Chances:  # fmt: skip
    """For each other task, those two of a worker whose cost is next to the ideal one."""
    p = found[mine[0]]
    other = np.flatnonzero(found != p)
    if keys is not None:
        other = other[_known(keys, other * len(loads) + p)]
    ideal = costs[other] + (loads[p] - loads[found[other]]) / 2
    place = np.searchsorted(costs[mine], ideal)
    task = np.concatenate([mine[np.maximum(place - 1, 0)], mine[np.minimum(place, len(mine) - 1)]])
    other = np.concatenate([other, other])
    worker = found[other]
    if keys is not None:
        may = _known(keys, task * len(loads) + worker)
        task, worker, other = task[may], worker[may], other[may]
    return task, worker, other


def _known(keys: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Which pairs are allowed."""
    return keys[np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)] == wanted
