"""Tasks to workers with even loads: a submodular b-matching, by greedy choices [1] and exchanges.

A worker of load L is worth f(L), with a concave f such as the square root. Even loads then have the
largest sum. A pair of a task and a worker adds f(L + cost) - f(L) to the sum, less the more the
worker has to do. Tasks have one worker each, and workers at most b tasks. Choosing the best pair
in every step reaches at least 1/3 of the largest sum, since the sum is submodular and b-matchings
are 2-extendible.

The costs of a task are the same on all workers. Then, for every concave f, the best pairs are those
of one pass: tasks in descending order of cost, each to the least loaded of its workers that are not
full (longest processing time first, LPT). For if a pair of a smaller task and worker p is best
while a larger task has no worker yet, the larger one may not run on p, and neither choice changes
the other. Lazy evaluation and locally dominant rounds find the same assignment in more steps. If
every task may run everywhere, the largest load is at most 4/3 of the optimum [2] unless b
interferes.

Exchanges (`edgewise.algorithms.matching.task_exchanges`) then lower the largest load.

[1] S M Ferdous, A. Pothen, A. Khan, A. Panyala, M. Halappanavar. A parallel approximation algorithm
    for maximizing submodular b-matching. ACDA 2021.
[2] R. Graham. Bounds on multiprocessing timing anomalies. SIAM J. Applied Mathematics 1969.
"""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.matching.task_exchanges import exchange
from edgewise.algorithms.matching.task_inputs import Allowed, allowed_workers, check_costs
from edgewise.algorithms.matching.task_moves import give_rest
from edgewise.base.checks import check_choice, check_count

__all__ = ["TaskAssignment", "assign_tasks"]


class TaskAssignment(NamedTuple):
    """The worker of each task, and how even the loads are.

    Attributes
    ----------
    workers : array of int64
        The worker of each task.
    loads : array of float64
        The sum of the costs of each worker's tasks.
    makespan : float
        The largest load.
    lower_bound : float
        No assignment to allowed workers has a smaller largest load.
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
    method: str = "exchange",
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
    method : {"exchange", "greedy"}
        "greedy" gives the most costly task first to the least loaded of its workers. "exchange"
        then moves and swaps tasks of the worker with the largest load, as long as that lowers it.

    Returns
    -------
    TaskAssignment
        ``workers``, ``loads``, ``makespan`` and ``lower_bound``. Every task has a worker.

    Raises
    ------
    ValueError
        If ``max_tasks`` and ``allowed`` leave no worker for some task.

    Notes
    -----
    Greedy choices take O(n log n + pairs) time for n tasks. Where full workers leave tasks over,
    others are moved along augmenting paths; the guarantee of greedy choices does not cover this.

    Examples
    --------
    >>> found = assign_tasks([7, 6, 5, 4, 3, 2], 2)
    >>> found.workers.tolist(), found.makespan, found.lower_bound
    ([0, 1, 1, 0, 0, 1], 14.0, 13.5)
    """
    costs = check_costs(costs)
    count = check_count(workers, "workers", 1, 2**31 - 1)
    b = len(costs) if max_tasks is None else check_count(max_tasks, "max_tasks", 1)
    check_choice(method, "method", ("exchange", "greedy"))
    if b * count < len(costs):
        raise ValueError(
            f"max_tasks must be at least {-(-len(costs) // count)} for {len(costs)} tasks and "
            f"{count} workers, got {b}"
        )
    if allowed is None:
        pairs, found = None, _to_the_least_loaded(costs, count, b)
    else:
        pairs = allowed_workers(allowed, len(costs), count)
        found = _to_allowed_ones(costs, pairs, count, b)
        give_rest(found, pairs, count, b)
    bound = _bound(costs, count)
    if pairs is not None and len(costs):
        bound = max(bound, _bound_of_allowed(costs, pairs, count, found))
    if method == "exchange":
        exchange(found, costs, pairs, count, b, bound)
    loads = np.bincount(found, costs, minlength=count).astype(np.float64)
    return TaskAssignment(found, loads, float(loads.max()), bound)


def _to_the_least_loaded(costs: np.ndarray, count: int, b: int) -> np.ndarray:
    """The greedy choices where all workers are allowed."""
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


def _to_allowed_ones(costs: np.ndarray, pairs: Allowed, count: int, b: int) -> np.ndarray:
    """The greedy choices from the allowed workers of each task; -1 if all of them are full."""
    found, loads, tasks = np.full(len(costs), -1), np.zeros(count), np.zeros(count, np.int64)
    for t in np.argsort(-costs, kind="stable").tolist():
        near = pairs.of(t)
        if b < len(costs):
            near = near[tasks[near] < b]
            if len(near) == 0:
                continue
        p = near[loads[near].argmin()]
        found[t] = p
        loads[p] += costs[t]
        tasks[p] += 1
    return found


def _bound(costs: np.ndarray, count: int) -> float:
    """The mean load; the largest cost; two tasks of the same worker if there are more tasks."""
    bound = max(float(costs.sum()) / count, float(costs.max(initial=0)))
    if len(costs) > count:
        largest = -np.partition(-costs, (count - 1, count))
        bound = max(bound, float(largest[count - 1] + largest[count]))
    return bound


def _bound_of_allowed(costs: np.ndarray, pairs: Allowed, count: int, found: np.ndarray) -> float:
    """The mean load of the first workers, of any number, by tasks that may run on no others.

    The workers are in descending order of load, or of what they had if tasks were divided.
    """
    shares = costs / np.diff(pairs.indptr)
    demand = np.bincount(pairs.indices, np.repeat(shares, np.diff(pairs.indptr)), minlength=count)
    best, place = 0.0, np.empty(count, np.int64)
    for loads in (demand, np.bincount(found, costs, minlength=count)):
        place[np.argsort(-loads, kind="stable")] = np.arange(count)
        last = np.maximum.reduceat(place[pairs.indices], pairs.indptr[:-1])
        sums = np.cumsum(np.bincount(last, costs, minlength=count))
        best = max(best, float((sums / np.arange(1, count + 1)).max()))
    return best
