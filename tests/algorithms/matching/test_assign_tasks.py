"""Tasks to workers: the greedy rule one pair at a time, bounds, and optima of small problems."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.sparse

from edgewise.matching import assign_tasks


def greedy(costs, allowed, b, power):
    """The best of all pairs, again and again."""
    tasks, workers = allowed.shape
    found, loads, many = np.full(tasks, -1), np.zeros(workers), np.zeros(workers, int)
    while True:
        best = None
        for t, p in product(range(tasks), range(workers)):
            if found[t] < 0 and allowed[t, p] and many[p] < b:
                gain = np.power(loads[p] + costs[t], power) - np.power(loads[p], power)
                if best is None or gain > best[0]:
                    best = gain, t, p
        if best is None:
            return found
        _, t, p = best
        found[t], loads[p], many[p] = p, loads[p] + costs[t], many[p] + 1


def worth(costs, found, workers, power):
    done = found >= 0
    return (np.bincount(found[done], costs[done], minlength=workers) ** power).sum()


@pytest.mark.parametrize("method", ["lazy", "locally_dominant"])
@pytest.mark.parametrize("power", [0.5, 0.8])
@pytest.mark.parametrize("b", [9, 40])
def test_as_the_best_pair_again_and_again(method, power, b):
    rng = np.random.default_rng(b)
    costs, allowed = rng.pareto(1.5, 30) + 0.1, rng.random((30, 5)) < 0.5
    allowed[:, 2] |= ~allowed.any(axis=1)
    given = {"max_tasks": b, "concavity": power, "method": method}
    for form in (allowed, scipy.sparse.csr_array(allowed), scipy.sparse.coo_matrix(allowed)):
        found = assign_tasks(costs, 5, allowed=form, **given)
        assert found.workers.tolist() == greedy(costs, allowed, b, power).tolist()
    everywhere = assign_tasks(costs, 5, **given)
    alike = assign_tasks(costs, 5, allowed=np.ones((30, 5), bool), **given)
    assert (everywhere.workers == alike.workers).all()


def test_a_third_of_the_largest_worth_and_the_bounds():
    rng = np.random.default_rng(3)
    for _ in range(6):
        costs = rng.integers(1, 20, 7).astype(float)
        allowed = rng.random((7, 3)) < 0.6
        allowed[:, 0] |= ~allowed.any(axis=1)
        best, shortest = 0.0, np.inf
        for choice in product(range(3), repeat=7):
            choice = np.array(choice)
            loads = np.bincount(choice, costs, minlength=3)
            shortest = min(shortest, loads.max())
            if allowed[np.arange(7), choice].all() and np.bincount(choice).max() <= 4:
                best = max(best, (loads**0.5).sum())
        found = assign_tasks(costs, 3, allowed=allowed, max_tasks=4)
        assert worth(costs, found.workers, 3, 0.5) >= best / 3
        free = assign_tasks(costs, 3)
        assert free.lower_bound <= shortest <= free.makespan <= (4 / 3 - 1 / 9) * shortest
        assert free.makespan == free.loads.max() and free.loads.sum() == costs.sum()


def test_even_loads_beside_random_ones():
    costs = np.random.default_rng(1).pareto(2, 5000)
    found = assign_tasks(costs, 64, max_tasks=79)
    chance = np.bincount(np.random.default_rng(2).integers(0, 64, 5000), costs, minlength=64).max()
    assert np.bincount(found.workers).max() <= 79
    assert found.lower_bound <= found.makespan < 1.1 * found.lower_bound < chance


def test_workers_that_are_full_leave_tasks():
    allowed = np.array([[True, False], [True, False], [False, True]])
    for method in ("lazy", "locally_dominant"):
        found = assign_tasks([1, 2, 3], 2, allowed=allowed, max_tasks=2, method=method)
        assert found.workers.tolist() == [0, 0, 1]
    allowed = np.array([[True, False]] * 3 + [[True, True]])
    for method in ("lazy", "locally_dominant"):
        found = assign_tasks([1, 2, 3, 4], 2, allowed=allowed, max_tasks=2, method=method)
        assert sorted(found.workers.tolist()) == [-1, -1, 0, 0] or found.workers[0] == -1


def test_odd_problems():
    empty = assign_tasks([], 3)
    assert empty.workers.tolist() == [] and empty.makespan == empty.lower_bound == 0
    assert assign_tasks([5.0], 3).loads.tolist() == [5, 0, 0]
    assert sorted(assign_tasks([0, 0, 0], 3, max_tasks=1).workers.tolist()) == [0, 1, 2]
    assert assign_tasks([3, 1, 2], 1).makespan == 6


@pytest.mark.parametrize(
    ("costs", "workers", "options", "message"),
    [
        ([1, -1], 2, {}, "got -1 for task 1"),
        ([1, np.nan], 2, {}, "got nan for task 1"),
        ([[1, 2]], 2, {}, "one number per task"),
        (["a"], 2, {}, "one number per task"),
        ([1], 0, {}, "workers must"),
        ([1, 2, 3], 2, {"max_tasks": 1}, "at least 2 for 3 tasks"),
        ([1], 2, {"concavity": 1.0}, "concavity must"),
        ([1], 2, {"method": "fast"}, "method must"),
        ([1], 2, {"allowed": [[True]]}, r"shape \(1, 2\), got \(1, 1\)"),
        ([1, 2], 2, {"allowed": [[True, True], [False, False]]}, "task 1 has none"),
    ],
)
def test_wrong_arguments_are_named(costs, workers, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        assign_tasks(costs, workers, **options)
