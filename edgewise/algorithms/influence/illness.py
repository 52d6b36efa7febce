"""The course of an infection at a vertex, in 64 runs at a time: one bit of a word for each.

A vertex is susceptible, exposed (in SEIR), infectious, then recovered.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.traversal.bit_parallel import settle
from edgewise.base.bits import count_bits
from edgewise.base.random import coins

__all__ = ["States", "census", "fall_ill", "go_on", "is_active"]


class States(NamedTuple):
    """The runs in which each vertex is in each state, as words, and counts of new infections.

    ``before`` is what was seen in the step before; ``fresh`` counts the runs that are new in this
    step, ``infected`` all runs.
    """

    seen: Any
    before: Any
    ill: Any
    exposed: Any
    fresh: Any
    infected: Any
    ids: Any


def fall_ill(v, states):
    """The seeds are infectious from the start."""
    states.fresh[v] = settle(v, states.seen, states.before, states.ill)
    states.infected[v] += states.fresh[v]


def go_on(v, states, course, seed, first, latent, step):
    """Some recover, some of the exposed become infectious, and new infections are added."""
    seen, before, ill, exposed = states.seen, states.before, states.ill, states.exposed
    i, found = states.ids[v], np.int64(0)
    for j in range(seen.shape[1]):
        new, sick, waiting = seen[v, j] & ~before[v, j], ill[v, j], exposed[v, j]
        before[v, j] = seen[v, j]
        sick &= ~coins(course.recovery, sick, seed, i, first + j, step, 1)
        if latent:
            onset = coins(course.incubation, waiting, seed, i, first + j, step, 2)
            ill[v, j], exposed[v, j] = sick | onset, (waiting & ~onset) | new
        else:
            ill[v, j] = sick | new
        found += count_bits(new)
    states.fresh[v] = found
    states.infected[v] += found


def census(v, fresh, exposed, ill):
    """In how many runs a vertex is newly infected, exposed, and infectious."""
    waiting, sick = np.int64(0), np.int64(0)
    for j in range(ill.shape[1]):
        waiting += count_bits(exposed[v, j])
        sick += count_bits(ill[v, j])
    return fresh[v], waiting, sick


def is_active(v, ill, exposed):
    """Is a vertex exposed or infectious in some run?"""
    some = np.uint64(0)
    for j in range(ill.shape[1]):
        some |= ill[v, j] | exposed[v, j]
    return some != np.uint64(0)
