"""An iteration of Leiden: up the levels from some communities, and down again to better ones.

The vertices of each level above are groups inside the communities. A thorough iteration climbs as
long as groups merge, not only as long as that gains. On small levels it also lets a group leave for
a community of its own: two communities that merged early come apart again, once they have grown so
much that this gains.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from edgewise.algorithms.communities.climbing import Step, climb, descend
from edgewise.algorithms.communities.hierarchy import Level, Moved
from edgewise.algorithms.communities.moving import Rules, move
from edgewise.base.random import hashed

__all__ = ["Plan", "iterate"]

_ENOUGH = 0.97  # of its vertices: a graph that shrinks by less is not worth another level
_SMALL = 1 << 12  # vertices of the largest level that any may leave
_SLIGHT = 1e-9  # a leave that adds no more than this to the quality is not made


class Plan(NamedTuple):
    """How vertices move and groups are formed."""

    refine: Callable[..., Moved]
    rules: Rules
    theta: float
    thorough: bool = False


def iterate(level: Level, at: Moved, plan: Plan, seed: Any, *, first: bool) -> Moved:
    """Up from these communities, and down again to better ones; how much was gained."""
    steps: list[Step] = []
    rules, gained = plan.rules, 0.0
    while first or not steps or plan.thorough or at.gain > rules.tol:
        chance = hashed(seed, len(steps))
        groups = plan.refine(level, at.label, rules.rate, plan.theta, chance)
        step, above = climb(level, at, groups)
        if step.above.size > _ENOUGH * level.size:
            break
        steps.append(step)
        level, at = step.above, move(step.above, above, rules)
        if plan.thorough and level.size <= _SMALL:
            at = _leave(level, at, rules)
        gained += at.gain
    for step in reversed(steps):
        lower, active = descend(step, at)
        at = move(step.below, lower, rules, active)
        gained += at.gain
    return at._replace(gain=gained)


def _leave(level: Level, at: Moved, rules: Rules) -> Moved:
    """Vertices leave for communities of their own where that gains, and all move once more.

    Of each community, one leaves at a time: the one that gains most.
    """
    graph: Any = level.graph
    xp, n, masses = graph.xp, level.size, level.masses
    sources, targets, weights = graph.arcs()
    for _ in range(rules.passes):
        label, sums, _ = at
        staying = xp.bincount(sources, (label[sources] == label[targets]) * weights, n)
        # Gains as in `gains`, where the community joined is empty.
        expected = sum(
            mass * (one[label] - other)
            for mass, one, other in zip(masses, sums[::-1], masses[::-1], strict=True)
        )
        won = rules.rate * expected - rules.scale * staying
        leaving = xp.flatnonzero(won * rules.unit > _SLIGHT)
        if len(leaving) == 0:
            break
        leaving = leaving[xp.argsort(-won[leaving], kind="stable")]
        leaving = leaving[xp.unique(label[leaving], return_index=True)[1]]
        free = xp.flatnonzero(xp.bincount(label, minlength=n) == 0)[: len(leaving)]
        for one, mass in zip(sums, masses, strict=True):
            one[label[leaving]] -= mass[leaving]
            one[free] = mass[leaving]
        label[leaving] = free
        more = at.gain + float(won[leaving].sum()) * rules.unit
        at = move(level, at._replace(gain=more), rules)
    return at
