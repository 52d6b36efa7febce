"""Workers for tasks that greedy choices leave over: tasks are moved along augmenting paths.

A path leads from such a task to an allowed worker, which is full, from there to a task of it, to a
worker allowed for that one, and so on to a worker that is not full. Breadth-first search finds a
shortest path; every task on it moves on. If there is no path, the workers that were found are too
few for the tasks that may run on no others.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.matching.task_inputs import Allowed

__all__ = ["give_rest"]


def give_rest(found: np.ndarray, pairs: Allowed, count: int, b: int) -> None:
    """Change ``found`` until no task has -1; a ValueError says why that is impossible."""
    tasks = np.bincount(found[found >= 0], minlength=count)
    for task in np.flatnonzero(found < 0).tolist():
        last, came = _search(task, found, tasks, pairs, b)
        tasks[last] += 1
        while last >= 0:  # from the end of the path
            mover = came[last]
            found[mover], last = last, int(found[mover])


def _search(
    task: int, found: np.ndarray, tasks: np.ndarray, pairs: Allowed, b: int
) -> tuple[int, dict[int, int]]:
    """A worker that is not full, and for each worker on the way the task that may move to it."""
    came: dict[int, int] = {}
    waiting, at = [task], 0
    while at < len(waiting):
        mover = waiting[at]
        at += 1
        for p in pairs.of(mover).tolist():
            if p in came:
                continue
            came[p] = mover
            if tasks[p] < b:
                return p, came
            waiting += np.flatnonzero(found == p).tolist()
    raise ValueError(
        f"max_tasks must be larger: {len(waiting)} tasks, such as {task}, are allowed on "
        f"{len(came)} of {len(tasks)} workers, which take {len(came) * b}"
    )
