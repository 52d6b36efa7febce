"""Up and down the levels of Leiden: communities of one level as communities of the next.

Vertices become groups, parts of communities, and these become the vertices of the level above.
Communities are named by one of their vertices on either level.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.communities.levels import Level, contracted
from edgewise.algorithms.communities.moving import Moved
from edgewise.operators import MIN, advance, deliver, frontier, look_up

__all__ = ["Step", "climb", "descend"]


class Step(NamedTuple):
    """A level and the one above it."""

    below: Level
    above: Level
    vertices: Any  # what the vertices below have become
    names: Any  # the vertex below that each group is called by
    label: Any  # the communities that the groups are parts of


def climb(level: Level, label: Any, groups: Moved) -> Step:
    """The level whose vertices are the groups, which are parts of the communities of ``label``.

    These are called by the smallest of their groups.
    """
    graph = level.graph
    above, vertices = contracted(level, groups.label, groups.sums)
    names = graph.xp.empty(above.size, groups.label.dtype)
    names[vertices] = groups.label
    smallest = graph.full(above.size, above.graph.indices.dtype)
    deliver(graph, smallest, label, vertices, reduce=MIN)
    return Step(level, above, vertices, names, look_up(graph, smallest, label)[names])


def descend(step: Step, at: Moved) -> tuple[Moved, Any]:
    """Communities of the level above for the one below, and who has reason to move there.

    Those are the vertices of what has changed sides since `climb`, and their neighbors.
    """
    graph = step.below.graph
    sums = tuple(graph.full(0.0) for _ in at.sums)
    for one, mass in zip(sums, at.sums, strict=True):
        one[step.names] = mass
    changed = (at.label != step.label)[step.vertices]
    restless = changed.astype(np.int8)
    advance(graph, frontier(graph, changed), _wake, restless, output=None)
    return Moved(step.names[at.label][step.vertices], sums, 0.0), restless


def _wake(source, target, edge, restless):
    restless[target] = 1
