"""Cycles of the multilevel scheme on one CPU thread: down the levels and back.

Vertices are grouped along heavy edges, level by level, until few are left for each part
(`grouping`). The coarsest graph is partitioned by recursive bisection (`halving`). On the way back,
`improving` refines the partition on every level. Further cycles group only vertices of the same
part, so that all levels are refined again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.partitioning.descending import descend
from edgewise.algorithms.partitioning.graph_levels import Level
from edgewise.algorithms.partitioning.halving import bisected
from edgewise.algorithms.partitioning.holding import held_by
from edgewise.algorithms.partitioning.improving import Effort, improve
from edgewise.algorithms.partitioning.packing import packed
from edgewise.base.random import hashed

__all__ = ["PLANS", "Plan", "Task", "cycle", "in_cycles", "within_limit"]

#: Coarsening ends with so many vertices per part, and with so many altogether.
_PER_PART, _FEW = 20, 400


class Plan(NamedTuple):
    """What an effort means."""

    tries: int  # of every bisection, on its coarsest level
    repeats: int  # of the first bisections, on all levels
    cycles: int
    moves: Effort


PLANS = {
    "fast": Plan(4, 1, 1, Effort(4, 0, 0, 0.0)),
    "default": Plan(8, 4, 1, Effort(5, 2, 25, 0.4)),
    "high": Plan(16, 8, 3, Effort(12, 8, 50, 1.0)),
}


class Task(NamedTuple):
    """What is asked for: k parts, each of at most ``limit``, and how hard to search.

    With several weights per vertex, ``limit`` has an element for each.
    """

    k: int
    limit: Any
    seed: int
    plan: Plan


def in_cycles(level: Level, mass: np.ndarray, task: Task) -> np.ndarray:
    """Return a partition within the limit. ``mass`` may have several columns."""
    part = np.zeros(level.n, np.int32)
    for turn in range(task.plan.cycles):
        seed = int(hashed(task.seed, turn))
        part = cycle(level, mass, part, turn > 0, task._replace(seed=seed))
    return within_limit(level, mass, part, task)


def within_limit(level: Level, mass: np.ndarray, part: np.ndarray, task: Task) -> np.ndarray:
    """Return the partition, or one that keeps the limit if it does not; ValueError if none does."""
    k, limit, seed, plan = task
    if (held_by(mass, part, k, limit).load <= limit).all():
        return part
    fitting = packed(mass, part, k, limit)
    if fitting is None:
        raise ValueError(
            f"no partition into {k} parts of at most {_shown(limit)} was found: the heaviest "
            f"vertex weighs {_shown(mass.max(axis=0))}, all together {_shown(mass.sum(axis=0))}; "
            "give a larger imbalance or fewer parts"
        )
    improve(level, fitting, k, limit, seed, plan.moves, mass)
    return fitting


def _shown(numbers: Any) -> str:
    return ", ".join(f"{one:g}" for one in np.atleast_1d(numbers))


def cycle(level: Level, mass: np.ndarray, part: np.ndarray, again: bool, task: Task) -> np.ndarray:
    """One way down the levels and back; ``again`` with a partition, which groups respect."""
    k, limit, seed, plan = task
    fewest = max(_PER_PART * k, _FEW)
    limits = np.full(k if again else 1, 1.5 * level.mass.sum() / fewest)
    found = descend(level, part, lambda part: limits if len(part) > 1.3 * fewest else None, seed)
    levels, parts, up = found
    masses = [mass]
    for finer, vertices in zip(levels[1:], up, strict=True):
        masses.append(finer.mass if mass.ndim == 1 else _added(masses[-1], vertices, finer.n))
    whole = level.mass.sum() * np.max(limit / mass.sum(axis=0)) if mass.ndim > 1 else limit
    part = parts[-1] if again else bisected(levels[-1], k, whole, seed, plan.tries, plan.repeats)
    improve(levels[-1], part, k, limit, seed, plan.moves, masses[-1])
    for i in range(len(up) - 1, -1, -1):
        part = part[up[i]]
        improve(levels[i], part, k, limit, seed, plan.moves, masses[i])
    return part


def _added(mass: np.ndarray, group: np.ndarray, count: int) -> np.ndarray:
    """The masses of groups, in several columns."""
    return np.stack([np.bincount(group, one, count) for one in mass.T], axis=1)
