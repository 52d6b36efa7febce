"""Probability laws of outbreaks, for searches that draw edges when they reach them."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.influence.diffusion import Chances, Course
from edgewise.base import random
from edgewise.base.offsets import offsets
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import row_ids
from edgewise.operators.helpers import inner

__all__ = [
    "EACH",
    "ONE",
    "RECOVERING",
    "Law",
    "law_of",
    "lot",
    "passing",
    "share_of",
    "span_of",
    "steps_until",
]

#: Kinds of laws: each edge for itself, one edge into each vertex, until the source recovers.
EACH, ONE, RECOVERING = range(3)
_KINDS = {"independent_cascade": EACH, "linear_threshold": ONE}
_UNIT = 2.0**32 - 1  # the chance 1
#: What the hashes of one outbreak are for, beside those of its edges (which are 0 and above).
_PICK, _SPAN = -1, -2


class Law(NamedTuple):
    """How things spread along edges, in the order of the edge ids.

    ``chance[e]`` is the chance that edge e passes something on: once (`EACH`), instead of the other
    edges into its target, whose chances before it add up to ``before[e]`` (`ONE`), or in each step
    until its source recovers (`RECOVERING`), there as ``log1p(-chance)``. ``recovery`` and
    ``incubation`` are ``log1p(-p)`` of the chances of leaving these states in a step; 0 where there
    is no such state.
    """

    kind: int
    chance: Any
    before: Any
    recovery: float
    incubation: float


def law_of(graph: AnyGraph, chances: Chances, course: Course | None) -> Law:
    """The law of a model."""
    xp, kind = graph.xp, _KINDS.get(chances.model, RECOVERING)
    chance, before = chances.thresholds / _UNIT, xp.zeros(0)
    if kind == ONE:
        before = _before(graph, chances.thresholds) / _UNIT
    if kind != RECOVERING or course is None:
        return Law(kind, chance, before, 0.0, 0.0)
    with np.errstate(divide="ignore"):
        recovery, incubation = (float(np.log1p(-one / _UNIT)) for one in course)
        waits = incubation if chances.model == "seir" else 0.0
        return Law(kind, xp.log1p(-chance), before, recovery, waits)


def passing(law: Law) -> Any:
    """The chance of each edge to pass something on at all, once its source has caught it."""
    if law.kind != RECOVERING:
        return law.chance
    chance, recovery = -np.expm1(law.chance), -np.expm1(law.recovery)
    ever = chance + recovery - chance * recovery
    return chance / np.maximum(ever, 1e-300)


def _before(graph: Any, thresholds: Any) -> Any:
    """The sum over those edges into the same vertex that come before each edge."""
    xp, into = graph.xp, graph.transposed
    arriving = thresholds[into.arc_ids].astype(np.int64)
    sums = offsets(arriving)
    found = xp.empty(graph.num_arcs, np.int64)
    found[into.arc_ids] = sums[:-1] - sums[into.indptr[row_ids(into)]]
    return found


@inner
def lot(kind, seed, number, e, u, before):
    """What is drawn for edge e to u: it passes on if that is at least 0 and below its share."""
    if kind == ONE:
        return random.uniform(seed, number, _PICK, u) - before[e]
    return random.uniform(seed, number, e)


@inner
def share_of(kind, chance, span):
    """The chance of an edge to pass something on while its source is ill, for so many steps."""
    return -math.expm1(chance * span) if kind == RECOVERING else chance


@inner
def span_of(kind, seed, number, v, recovery):
    """For how many steps v is ill, if it falls ill."""
    if kind == RECOVERING:
        return steps_until(random.uniform(seed, number, _SPAN, v), recovery)
    return np.int64(1)


@inner
def steps_until(drawn, log):
    """The step of the first success, from 1, if ``log`` is log1p(-p); drawn by inversion."""
    if log == 0.0:
        return np.int64(1) << 40
    return np.int64(min(math.log1p(-drawn) / log, 1.0e12)) + 1
