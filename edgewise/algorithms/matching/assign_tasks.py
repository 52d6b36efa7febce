"""Tasks to workers with even loads: a submodular b-matching, by greedy choices [1].

A worker of load L is worth L^a, with a below 1. Even loads then have the largest sum. A pair of a
task and a worker adds (L + cost)^a - L^a to the sum, less the more the worker has to do. Tasks have
one worker each, and workers at most b tasks. Choosing the best pair again and again reaches at
least 1/3 of the largest sum, since the sum is submodular and b-matchings are 2-extendible.

Two methods make the same choices. "lazy" keeps tasks in a heap by their last known gain, which can
only fall, and computes it again for the task on top. "locally_dominant" takes in each round all
pairs that are best for both of their ends, whose number is large where tasks may run on a few
workers only. If every task may run everywhere, the best pair is the most costly task with the least
loaded worker: the rule of longest processing time first (LPT), whose largest load is at most 4/3 of
the optimum [2] unless b interferes.

[1] S M Ferdous, A. Pothen, A. Khan, A. Panyala, M. Halappanavar. A parallel approximation algorithm
    for maximizing submodular b-matching. ACDA 2021.
[2] R. Graham. Bounds on multiprocessing timing anomalies. SIAM J. Applied Mathematics 1969.
"""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.matching.task_inputs import allowed_workers, check_costs
from edgewise.base.checks import check_choice, check_count, check_fraction
from edgewise.base.observe import notify

__all__ = ["TaskAssignment", "assign_tasks"]


class TaskAssignment(NamedTuple):
    """The worker of each task, and how even the loads are.

    Attributes
    ----------
    workers : array of int64
        The worker of each task; -1 if all of its workers were full.
    loads : array of float64
        The sum of the costs of each worker's tasks.
    makespan : float
        The largest load.
    lower_bound : float
        No assignment of all tasks has a smaller largest load.
    """

    workers: np.ndarray
    loads: np.ndarray
    makespan: float
    lower_bound: float


def assign_tasks(
    costs: Any,
    workers: int,
    *,
    max_tasks: int | None = None,
    allowed: Any = None,
    concavity: float = 0.5,
    method: str = "lazy",
) -> TaskAssignment:
    """Return a worker for each task such that the loads of workers are even.

    Parameters
    ----------
    costs : array of float
        The cost of each task, finite and not negative.
    workers : int
        The number of workers.
    max_tasks : int, optional
        The largest number of tasks of one worker (b); by default, there is no limit.
    allowed : array of bool or SciPy sparse matrix, tasks x workers, optional
        The workers that each task may run on; by default, all.
    concavity : float
        The exponent a of loads, above 0 and below 1. A smaller one prefers even loads more where a
        choice of workers is limited; without ``allowed`` it changes nothing.
    method : {"lazy", "locally_dominant"}
        How the choices are found. They are the same unless gains tie.

    Returns
    -------
    TaskAssignment
        ``workers``, ``loads``, ``makespan`` and ``lower_bound``.

    Raises
    ------
    ValueError
        If a task has no allowed worker, or ``max_tasks`` is too small for all tasks.

    Examples
    --------
    >>> found = assign_tasks([7, 6, 5, 4, 3, 2], 2)
    >>> found.workers.tolist(), found.makespan, found.lower_bound
    ([0, 1, 1, 0, 0, 1], 14.0, 13.5)
    """
    costs = check_costs(costs)
    count = check_count(workers, "workers", 1, 2**31 - 1)
    b = len(costs) if max_tasks is None else check_count(max_tasks, "max_tasks", 1)
    power = check_fraction(concavity, "concavity")
    if not 0 < power < 1:
        raise ValueError(f"concavity must lie between 0 and 1, got {concavity!r}")
    check_choice(method, "method", ("lazy", "locally_dominant"))
    if b * count < len(costs):
        raise ValueError(
            f"max_tasks must be at least {-(-len(costs) // count)} for {len(costs)} tasks and "
            f"{count} workers, got {b}"
        )
    if allowed is None:
        found = _to_the_least_loaded(costs, count, b)
    else:
        indptr, indices = allowed_workers(allowed, len(costs), count)
        way = _lazy if method == "lazy" else _locally_dominant
        found = way(costs, indptr, indices, count, b, power)
    done = found >= 0
    loads = np.bincount(found[done], costs[done], minlength=count).astype(np.float64)
    return TaskAssignment(found, loads, float(loads.max()), _bound(costs, count))


def _to_the_least_loaded(costs: np.ndarray, count: int, b: int) -> np.ndarray:
    """The greedy choice where all workers are allowed: the most costly task first."""
    found = np.empty(len(costs), np.int64)
    free, tasks = [(0.0, p) for p in range(count)], [0] * count  # a heap already
    for t in np.argsort(-costs, kind="stable").tolist():
        load, p = free[0]
        found[t], tasks[p] = p, tasks[p] + 1
        if tasks[p] == b:
            heapq.heappop(free)
        else:
            heapq.heapreplace(free, (load + float(costs[t]), p))
    return found


def _lazy(
    costs: np.ndarray, indptr: np.ndarray, indices: np.ndarray, count: int, b: int, power: float
) -> np.ndarray:
    """The best pair again and again, from a heap of tasks by gains that may be out of date."""
    found, loads, tasks = np.full(len(costs), -1), np.zeros(count), np.zeros(count, np.int64)
    heap = [(-gain, t) for t, gain in enumerate(costs**power)]
    heapq.heapify(heap)
    while heap:
        t = heap[0][1]
        near = indices[indptr[t] : indptr[t + 1]]
        near = near[tasks[near] < b]
        if len(near) == 0:
            heapq.heappop(heap)
            continue
        p = near[np.argmin(loads[near])]
        gain = _gains(loads[p : p + 1], costs[t : t + 1], power)[0]
        if -gain > heap[0][0]:  # it has fallen: perhaps another task is on top
            heapq.heapreplace(heap, (-gain, t))
            continue
        heapq.heappop(heap)
        found[t] = p
        loads[p] += costs[t]
        tasks[p] += 1
    return found


def _locally_dominant(
    costs: np.ndarray, indptr: np.ndarray, indices: np.ndarray, count: int, b: int, power: float
) -> np.ndarray:
    """In each round all pairs that are the best of their task and of their worker."""
    found, loads, tasks = np.full(len(costs), -1), np.zeros(count), np.zeros(count, np.int64)
    task, worker, turn = np.repeat(np.arange(len(costs)), np.diff(indptr)), indices, 0
    while len(task):
        gain = _gains(loads[worker], costs[task], power)
        order = np.lexsort((worker, task, -gain))  # one strict order of all pairs
        first_of_task = order[np.unique(task[order], return_index=True)[1]]
        first_of_worker = order[np.unique(worker[order], return_index=True)[1]]
        chosen = np.intersect1d(first_of_task, first_of_worker)
        found[task[chosen]] = worker[chosen]
        loads[worker[chosen]] += costs[task[chosen]]
        tasks[worker[chosen]] += 1
        left = (found[task] < 0) & (tasks[worker] < b)
        notify(turn, phase="locally_dominant", chosen=len(chosen), left=int(left.sum()))
        task, worker, turn = task[left], worker[left], turn + 1
    return found


def _gains(loads: np.ndarray, costs: np.ndarray, power: float) -> np.ndarray:
    """What tasks add to the worth of workers."""
    return (loads + costs) ** power - loads**power


def _bound(costs: np.ndarray, count: int) -> float:
    """The mean load; the largest cost; two tasks of the same worker if there are more tasks."""
    bound = max(float(costs.sum()) / count, float(costs.max(initial=0)))
    if len(costs) > count:
        largest = -np.partition(-costs, (count - 1, count))
        bound = max(bound, float(largest[count - 1] + largest[count]))
    return bound
