"""From a graph to a coarse one, level by level; groups stay inside parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.partitioning.graph_levels import Level, merged
from edgewise.algorithms.partitioning.grouping import grouped
from edgewise.base.observe import notify
from edgewise.base.random import hashed

__all__ = ["Descent", "descend"]

#: Coarsening ends when more than this share of the vertices is left.
_STUCK = 0.95


class Descent(NamedTuple):
    """Levels from the finest on, and the parts of their vertices; ``up[i]`` maps i to i + 1."""

    levels: list[Level]
    parts: list[np.ndarray]
    up: list[np.ndarray]


def descend(
    level: Level, part: np.ndarray, most: Callable[[np.ndarray], Any], seed: Any
) -> Descent:
    """Return all levels. ``most(part)`` is the largest mass of a group by part; None at the end."""
    found = Descent([level], [part], [])
    while (limits := most(found.parts[-1])) is not None:
        finer, above = found.levels[-1], found.parts[-1]
        group, count = grouped(finer, above, limits, int(hashed(seed, len(found.up))))
        if count > _STUCK * finer.n:
            break
        part = np.empty(count, np.int32)
        part[group] = above
        found.levels.append(merged(finer, group, count))
        found.parts.append(part)
        found.up.append(group)
        notify(len(found.up), phase="coarsen", vertices=count, arcs=len(found.levels[-1].indices))
    return found
