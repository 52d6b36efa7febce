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


def least(costs, allowed, b):
    """The smallest largest load, of all assignments; infinite if there is none."""
    tasks, workers = allowed.shape
    best = np.inf
    for choice in product(range(workers), repeat=tasks):
        choice = np.array(choice)
        if allowed[np.arange(tasks), choice].all() and np.bincount(choice).max() <= b:
            best = min(best, np.bincount(choice, costs).max())
    return best


@pytest.mark.parametrize("power", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("b", [9, 40])
def test_greedy_is_the_best_pair_again_and_again_for_every_concave_worth(power, b):
    rng = np.random.default_rng(b)
    costs, allowed = rng.pareto(1.5, 30) + 0.1, rng.random((30, 5)) < 0.5
    allowed[:, 2] |= ~allowed.any(axis=1)
    given = {"max_tasks": b, "method": "greedy"}
    wanted = greedy(costs, allowed, b, power)
    assert (wanted >= 0).all()
    for form in (allowed, scipy.sparse.csr_array(allowed), scipy.sparse.coo_matrix(allowed)):
        assert (assign_tasks(costs, 5, allowed=form, **given).workers == wanted).all()
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
        assert worth(costs, greedy(costs, allowed, 4, 0.5), 3, 0.5) >= best / 3
        free = assign_tasks(costs, 3, method="greedy")
        assert free.lower_bound <= shortest <= free.makespan <= (4 / 3 - 1 / 9) * shortest
        assert free.makespan == free.loads.max() and free.loads.sum() == costs.sum()
        better = assign_tasks(costs, 3)
        assert shortest <= better.makespan <= free.makespan


def test_every_task_has_an_allowed_worker_that_is_not_full_or_there_is_none():
    """Beside all assignments: greedy choices alone would leave tasks over in some of these."""
    rng, moved, refused, nearest = np.random.default_rng(1), 0, 0, []
    for _ in range(60):
        costs, b = rng.integers(1, 20, 6).astype(float), int(rng.integers(2, 4))
        allowed = rng.random((6, 3)) < 0.4
        allowed[:, 0] |= ~allowed.any(axis=1)
        moved += (greedy(costs, allowed, b, 0.5) < 0).any()
        best = least(costs, allowed, b)
        if best == np.inf:
            with pytest.raises(ValueError, match="max_tasks must be larger: . tasks, such as "):
                assign_tasks(costs, 3, allowed=allowed, max_tasks=b)
            refused += 1
            continue
        plain = assign_tasks(costs, 3, allowed=allowed, max_tasks=b, method="greedy")
        found = assign_tasks(costs, 3, allowed=allowed, max_tasks=b)
        for one in (plain, found):
            assert allowed[np.arange(6), one.workers].all() and np.bincount(one.workers).max() <= b
            assert (one.loads == np.bincount(one.workers, costs, minlength=3)).all()
        assert found.lower_bound <= best <= found.makespan <= plain.makespan
        nearest.append(found.makespan / best)
    assert moved > refused > 5 and np.mean(nearest) < 1.05


def test_the_bound_sees_what_is_allowed():
    allowed = np.zeros((40, 8), bool)
    allowed[:30, :2] = allowed[30:] = True
    found = assign_tasks(np.ones(40), 8, allowed=allowed)
    assert found.lower_bound == found.makespan == 15


def test_exchanges_lower_the_largest_load():
    rng = np.random.default_rng(0)
    costs, allowed = rng.uniform(1, 2, 300), np.zeros((300, 32), bool)
    shares = 1 / np.arange(1, 33) ** 0.7
    for row in allowed:
        row[rng.choice(32, 2, replace=False, p=shares / shares.sum())] = True
    plain = assign_tasks(costs, 32, allowed=allowed, method="greedy")
    found = assign_tasks(costs, 32, allowed=allowed, max_tasks=20)
    assert allowed[np.arange(300), found.workers].all() and np.bincount(found.workers).max() <= 20
    assert found.makespan < 1.05 * found.lower_bound < 1.1 * found.lower_bound < plain.makespan


def test_even_loads_beside_random_ones():
    costs = np.random.default_rng(1).pareto(2, 5000)
    found = assign_tasks(costs, 64, max_tasks=79)
    chance = np.bincount(np.random.default_rng(2).integers(0, 64, 5000), costs, minlength=64).max()
    assert np.bincount(found.workers).max() <= 79
    assert found.lower_bound <= found.makespan < 1.1 * found.lower_bound < chance


def test_workers_that_are_full():
    allowed = np.array([[True, False], [True, False], [False, True]])
    found = assign_tasks([1, 2, 3], 2, allowed=allowed, max_tasks=2)
    assert found.workers.tolist() == [0, 0, 1]
    allowed = np.array([[True, True]] * 2 + [[True, False]])  # the cheapest task is left over
    assert assign_tasks([3, 3, 1], 2, allowed=allowed, max_tasks=2).workers[2] == 0
    allowed = np.array([[True, False]] * 3 + [[True, True]])
    with pytest.raises(ValueError, match="3 tasks, such as 1, are allowed on 1 of 2 workers"):
        assign_tasks([1, 2, 3, 4], 2, allowed=allowed, max_tasks=2)


def test_odd_problems():
    empty = assign_tasks([], 3)
    assert empty.workers.tolist() == [] and empty.makespan == empty.lower_bound == 0
    assert assign_tasks([], 2, allowed=np.zeros((0, 2), bool)).makespan == 0
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
        ([1], 2, {"method": "fast"}, "method must"),
        ([1], 2, {"allowed": [[True]]}, r"shape \(1, 2\), got \(1, 1\)"),
        ([1, 2], 2, {"allowed": [[True, True], [False, False]]}, "task 1 has none"),
    ],
)
def test_wrong_arguments_are_named(costs, workers, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        assign_tasks(costs, workers, **options)
