"""A partition by recursive bisection, of all parts of one depth at once.

The parts of a depth go together through a multilevel bisection: vertices are grouped inside their
parts until each part has few, the best of several grown bisections is taken for each, and improved
level by level. No edge joins two parts after edges between them are left out, so parts do not
disturb one another, and threads share them out. A part that is to become k parts is divided in the
ratio of the halves of k. The limits of the sides leave the same slack for every later bisection.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.partitioning.descending import descend
from edgewise.algorithms.partitioning.graph_levels import Level, inside
from edgewise.algorithms.partitioning.two_way_growth import halve
from edgewise.algorithms.partitioning.two_way_moves import Halves
from edgewise.base.offsets import offsets
from edgewise.base.random import hashed
from edgewise.operators import for_each
from edgewise.operators.sorting import stable_order

__all__ = ["bisected"]

#: A part of so few vertices is not made smaller.
_FEW = 120
#: Sides may exceed their share by so many vertices of average mass.
_LOOSE = 2.0
#: Up to so many parts, the whole multilevel bisection is repeated and the best one taken.
_FEW_PARTS = 2


class _Task(NamedTuple):
    """Parts to divide, and into what."""

    part: np.ndarray
    chosen: np.ndarray  # which parts to divide
    mass: np.ndarray  # of each part
    target: np.ndarray  # the mass that side 0 should have
    bound: np.ndarray  # the largest mass of either side


def bisected(level: Level, k: int, limit: float, seed: Any, tries: int, repeats: int) -> np.ndarray:
    """Return a partition into k parts, of mass at most ``limit`` where bisections allow it.

    Each bisection is the best of ``tries`` on the coarsest level. The first ones are the best of
    several ``repeats`` of all levels.
    """
    part, counts, depth = np.zeros(level.n, np.int32), np.array([k]), 0
    while counts.max() > 1:
        task = _task(level, part, counts, limit)
        fewer = inside(level, part)
        turns = repeats if len(counts) <= _FEW_PARTS else 1
        seeds = hashed(seed, np.arange(turns), depth)
        side = _best(fewer, task, [_halved(fewer, task, int(one), tries) for one in seeds])
        part = (offsets(np.where(task.chosen, 2, 1))[:-1][part] + side).astype(np.int32)
        counts = np.stack([(counts + 1) // 2, counts // 2], 1).ravel()
        counts, depth = counts[counts > 0], depth + 1
    return part


def _task(level: Level, part: np.ndarray, counts: np.ndarray, limit: float) -> _Task:
    """Divide parts that are to become ``counts`` parts in the ratio of the halves of that."""
    mass = np.bincount(part, weights=level.mass, minlength=len(counts))
    size = np.bincount(part, minlength=len(counts))
    even = mass[:, None] * np.stack([(counts + 1) // 2, counts // 2], 1) / counts[:, None]
    depths = np.ceil(np.log2(np.maximum(counts, 2)))
    slack = (counts * limit / np.where(mass > 0, mass, 1.0)) ** (1 / depths)
    loose = _LOOSE * mass / np.maximum(size, 1)
    bound = np.maximum(np.maximum(slack, 1.0)[:, None] * even, even + loose[:, None])
    return _Task(part, counts > 1, mass, even[:, 0].copy(), bound)


def _best(level: Level, task: _Task, found: list[np.ndarray]) -> np.ndarray:
    """Return the best of several bisections, chosen for every part: first by mass, then by cut."""
    if len(found) == 1:
        return found[0]
    part, count = task.part, len(task.chosen)
    rows = np.repeat(np.arange(level.n), np.diff(level.indptr))
    scores = np.empty((2, len(found), count))
    for i, side in enumerate(found):
        across = side[rows] != side[level.indices]
        mass = np.bincount(2 * part + side, weights=level.mass, minlength=2 * count)
        scores[0, i] = np.maximum(mass.reshape(count, 2) - task.bound, 0.0).sum(1)
        scores[1, i] = np.bincount(part[rows[across]], level.weight[across], minlength=count)
    winner = np.lexsort((scores[1], scores[0]), axis=0)[0]
    return np.stack(found)[winner[part], np.arange(level.n)]


def _halved(level: Level, task: _Task, seed: int, tries: int) -> np.ndarray:
    """Return the side of every vertex, 0 or 1; 0 in parts that are not divided."""

    def most(part: np.ndarray) -> Any:
        large = task.chosen & (np.bincount(part, minlength=len(task.chosen)) > _FEW)
        return np.where(large, 3.0 * task.mass / _FEW, -1.0) if large.any() else None

    levels, parts, up = descend(level, task.part, most, seed)
    side = np.zeros(levels[-1].n, np.int8)
    _improve(levels[-1], parts[-1], task, side, seed, tries)
    for i in range(len(up) - 1, -1, -1):
        side = side[up[i]]
        _improve(levels[i], parts[i], task, side, seed, 0)
    return side


def _improve(
    level: Level, part: np.ndarray, task: _Task, side: np.ndarray, seed: int, tries: int
) -> None:
    """Improve all bisections in place, in parallel; with tries, find them."""
    n, count = level.n, len(task.chosen)
    members, bounds = stable_order(part), offsets(np.bincount(part, minlength=count))
    pick = np.flatnonzero(task.chosen)
    halves = Halves(
        *level, side, members, bounds, task.bound, task.target, np.empty(n), np.empty(n, np.int64),
        np.empty((2, n), np.int64), np.empty(n, np.int64), np.empty(n, np.bool_),
        np.empty(n, np.int8), np.empty((count, 4)),
    )  # fmt: skip
    work = (8 + 4 * tries) * (n + len(level.indices))
    for_each(len(pick), halve, (pick, halves, tries, np.uint64(seed)), work=work)
