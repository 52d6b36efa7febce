"""A partition by recursive bisection, of all parts of one depth at once.

The parts of a depth go together through a multilevel bisection: vertices are grouped inside their
parts until each part has few, the best of several grown bisections is taken for each, and improved
level by level. No edge joins two parts after edges between them are left out, so parts do not
disturb one another, and threads share them out. A part that is to become k parts is divided in the
ratio of the halves of k. The limits of the sides leave the same slack for every later bisection.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.partitioning.grouping import Level, coarser, inside
from edgewise.algorithms.partitioning.two_way_moves import Halves, halve
from edgewise.base.offsets import offsets
from edgewise.base.random import hashed
from edgewise.operators import for_each
from edgewise.operators.sorting import stable_order

__all__ = ["bisected"]

#: A part of so few vertices is not made smaller.
_FEW = 120
#: Coarsening ends when more than this share of the vertices is left.
_STUCK = 0.95
#: Sides may exceed their share by so many vertices of average mass.
_LOOSE = 2.0


def bisected(level: Level, k: int, limit: float, seed: Any, tries: int) -> np.ndarray:
    """Return a partition into k parts, of mass at most ``limit`` where bisections allow it."""
    part, counts = np.zeros(level.n, np.int32), np.array([k])
    depth = 0
    while counts.max() > 1:
        left = (counts + 1) // 2
        mass = np.bincount(part, weights=level.mass, minlength=len(counts))
        share = np.stack([left, counts - left], 1) / counts[:, None]
        slack = (counts * limit / np.maximum(mass, 1e-300)) ** (
            1 / np.ceil(np.log2(counts + (counts == 1))).clip(1)
        )
        size = np.bincount(part, minlength=len(counts))
        even = mass[:, None] * share
        bound = np.maximum(
            np.maximum(slack, 1.0)[:, None] * even,
            even + (_LOOSE * mass / np.maximum(size, 1))[:, None],
        )
        side = _halved(level, part, counts > 1, mass, mass * share[:, 0], bound,
                       int(hashed(seed, depth)), tries)  # fmt: skip
        first = offsets(np.where(counts > 1, 2, 1))[:-1]
        part = (first[part] + side).astype(np.int32)
        counts = np.stack([left, counts - left], 1).ravel()
        counts = counts[counts > 0]
        depth += 1
    return part


def _halved(
    level: Level, part: np.ndarray, chosen: np.ndarray, mass: np.ndarray, target: np.ndarray,
    bound: np.ndarray, seed: int, tries: int,
) -> np.ndarray:  # fmt: skip
    """Return the side of every vertex, 0 or 1; 0 in parts that are not chosen."""
    levels, parts, up = [inside(level, part)], [part], []
    while True:
        sizes = np.bincount(parts[-1], minlength=len(chosen))
        large = chosen & (sizes > _FEW)
        if not large.any():
            break
        most = np.where(large, 3.0 * mass / _FEW, -1.0)
        small, vertices = coarser(levels[-1], parts[-1], most, int(hashed(seed, len(up))))
        if small.n > _STUCK * levels[-1].n:
            break
        of = np.empty(small.n, np.int32)
        of[vertices] = parts[-1]
        levels.append(small)
        parts.append(of)
        up.append(vertices)
    side = np.zeros(levels[-1].n, np.int8)
    _improve(levels[-1], parts[-1], chosen, target, bound, side, seed, tries)
    for level, part, vertices in zip(levels[-2::-1], parts[-2::-1], reversed(up), strict=True):
        side = side[vertices]
        _improve(level, part, chosen, target, bound, side, seed, 0)
    return side


def _improve(
    level: Level, part: np.ndarray, chosen: np.ndarray, target: np.ndarray, bound: np.ndarray,
    side: np.ndarray, seed: int, tries: int,
) -> None:  # fmt: skip
    n, count = level.n, len(chosen)
    members, bounds = stable_order(part), offsets(np.bincount(part, minlength=count))
    pick = np.flatnonzero(chosen)
    halves = Halves(
        *level, side, members, bounds, bound, target, np.empty(n), np.empty(n, np.int64),
        np.empty((2, n), np.int64), np.empty(n, np.int64), np.empty(n, np.bool_),
        np.empty(n, np.int8), np.empty((count, 4)),
    )  # fmt: skip
    work = (8 + 4 * tries) * (n + len(level.indices))
    for_each(len(pick), _halve, (pick, halves, tries, np.uint64(seed)), work=work)


def _halve(i, pick, halves, tries, seed):
    halve(pick[i], halves, tries, seed)
