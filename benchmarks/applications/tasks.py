"""Tasks of a Fock matrix on 64 workers, and random tasks, beside LPT, chance and the bound."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.applications.part import Part, timed

__all__ = ["TASKS", "by_lpt"]

_EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "fock_tasks.py"


def by_lpt(costs: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """The loads if the longest task goes first, to the least loaded of its workers."""
    loads = np.zeros(allowed.shape[1])
    for t in np.argsort(-costs, kind="stable"):
        may = np.flatnonzero(allowed[t])
        loads[may[loads[may].argmin()]] += costs[t]
    return loads


def problems(quick: bool) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """A name, the costs of the tasks, and their allowed workers."""
    example, rng = runpy.run_path(str(_EXAMPLE)), np.random.default_rng(0)
    costs, pairs = example["tasks"](4 if quick else 120)
    owner = pairs * 64 // (int(pairs.max()) + 1)
    yield "Fock, anywhere", costs, np.ones((len(costs), 64), bool)
    for name, sides in (("Fock, 3 near workers", (owner[0], owner[1], (owner[0] + 1) % 64)),
                        ("Fock, owners of two rows", (owner[0], owner[1]))):  # fmt: skip
        allowed = np.zeros((len(costs), 64), bool)
        for side in sides:
            allowed[np.arange(len(costs)), side] = True
        yield name, costs, allowed
    shares = 1 / np.arange(1, 33) ** 0.7
    for n, few in ((30, 2),) if quick else ((300, 2), (2000, 2), (2000, 3)):
        for name, costs in (
            ("uniform", rng.uniform(1, 2, n)),
            ("Pareto", rng.pareto(1.5, n) + 0.1),
        ):
            allowed = np.zeros((n, 32), bool)
            for row in allowed:
                row[rng.choice(32, few, replace=False, p=shares / shares.sum())] = True
            yield f"{name} costs, {few} of 32 workers", costs, allowed


def rows(quick: bool) -> Iterator[tuple]:
    from scipy.sparse import csr_array

    from edgewise.matching import assign_tasks

    for name, costs, allowed in problems(quick):
        given = None if allowed.all() else csr_array(allowed)
        workers, rng = allowed.shape[1], np.random.default_rng(2)
        spent, found = timed(partial(assign_tasks, costs, workers, allowed=given), 3)
        greedy = assign_tasks(costs, workers, allowed=given, method="greedy")
        longest_first = by_lpt(costs, allowed).max()
        assert np.isclose(greedy.makespan, longest_first), "greedy choices are LPT"
        order = rng.random(allowed.shape) * allowed
        chance = np.bincount(order.argmax(axis=1), costs, minlength=workers).max()
        loads = [one / found.lower_bound for one in (found.makespan, longest_first, chance)]
        yield name, len(costs), *loads, spent


TASKS = Part(
    "Tasks",
    "Largest load beside the lower bound. LPT gives the longest task first to the least loaded "
    "allowed worker, and is what the greedy submodular b-matching finds; `assign_tasks` goes on "
    "with exchanges.",
    {"tasks": "word", "number": "count", "assign_tasks": "ratio", "LPT": "ratio", "random": "ratio",
     "time": "time"},
    rows,
)  # fmt: skip
