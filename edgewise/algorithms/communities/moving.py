"""Local moving [1]: vertices go to the community among their neighbors' where they gain most.

label[v] is the community of v, named by a vertex; sums[c] is what community c weighs, the sum of
its members' masses. A move of v from a to b gains the weight of v's edges into b, less of those
into a, times a scale, less what is to be expected: rate * mass[v] * (sums[b] - sums[a] + mass[v]).
Only a vertex that has a neighbor which moved since it last looked looks again (pruning [2]).

A pass is made in place: all threads move vertices at once, and see each other's moves (`settle`).
The first one takes the vertices in a few parts, drawn by a hash, unless only some may move: in the
order of their ids, which often go along the graph, communities would grow along with it. On a GPU,
where thousands move at once, every pass goes in parts, and of two singleton communities the one
with the higher id joins the other, so that they never swap. Which moves a vertex sees depends on
timing; the result of ``rounds`` does not.

[1] V. Blondel, J. Guillaume, R. Lambiotte, E. Lefebvre. Fast unfolding of communities in large
    networks. J. Stat. Mech. 2008.
[2] V. Traag, L. Waltman, N. J. van Eck. From Louvain to Leiden. Scientific Reports 9, 2019.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.communities.levels import Level, Moved
from edgewise.algorithms.communities.parts import coloured, count_looks, still_looking
from edgewise.operators import ADD, compute, filter, settle
from edgewise.operators.engines import CROWD, members_at_once
from edgewise.operators.helpers import inner

__all__ = ["Rules", "move"]


class Rules(NamedTuple):
    """What a move gains, and when a level is done with."""

    rate: float  # what is to be expected for two masses of 1
    unit: float  # how much a gain of 1 adds to the quality
    tol: float = 0.0  # stop when a pass adds no more than this to the quality
    passes: int = 32
    seed: int = 0
    scale: float = 1.0  # what an edge of weight 1 counts
    parts: int = 4  # of the vertices, that the first pass takes one after the other
    colouring: bool = False  # the parts, of every pass, are the classes of a colouring
    minimum_label: bool = False  # who is alone joins another who is only if that has a lower id
    early_termination: float = 0.0  # how much less likely each look without a move makes another


def move(level: Level, at: Moved, rules: Rules, active: Any = None) -> Moved:
    """Move vertices until a pass gains little: first those of ``active`` 1 (int8), or all.

    Changes the arrays of ``at``.
    """
    graph, (label, sums, gained) = level.graph, at
    parts: Any = rules.parts if active is None and level.size >= _FEW else 1
    active = graph.full(1, np.int8) if active is None else active
    if rules.colouring or rules.early_termination:
        parts = _Turns(graph, label, active, rules)
    single, least = len(sums) == 1, rules.minimum_label or members_at_once(graph) >= CROWD
    names = ("size", "sums") if single else ("size", "other", "sums", "others")
    params = dict(zip(names[len(sums) :], sums, strict=True))
    found = settle(
        graph, active, _along, _take, (label, sums[0], level.masses[0]),
        reduce=ADD, key=label, stay=label, choose=_gain if single else _gain_both,
        own=(label, *level.masses), by_key=dict(zip(names, sums, strict=False)),
        masses=dict(zip(names, level.masses, strict=False)),
        params={"scale": rules.scale, "rate": rules.rate, "least": bool(least), **params},
        dtype=np.float64, passes=rules.passes, tol=rules.tol / rules.unit, parts=parts,
        seed=rules.seed, phase="move",
    )  # fmt: skip
    return Moved(label, sums, gained + found * rules.unit)


#: Fewer vertices than this look in one part.
_FEW = 512


class _Turns:
    """Who looks in a pass: the classes of a coloring, or those that have not come to rest."""

    def __init__(self, graph: Any, label: Any, active: Any, rules: Rules):
        self._graph, self._label, self._active, self._rules = graph, label, active, rules
        self._classes = coloured(graph, rules.seed) if rules.colouring else None
        self._calm = graph.full(0, np.int32)
        self._last: Any = None

    def __call__(self, turn: int, looking: Any) -> Any:
        graph, rules = self._graph, self._rules
        if rules.early_termination:
            if self._last is not None:
                compute(graph, self._last[0], count_looks, (self._calm, self._label, self._last[1]))
            looking = still_looking(
                graph, looking, self._calm, rules.early_termination, rules.seed, turn
            )
            self._last = looking, self._label.copy()
        if self._classes is None:
            return (looking,)
        return (filter(graph, one, _is_set, self._active) for one in self._classes)


def _along(weight):
    return weight


def _gain(total, staying, key, own, size, sums, scale, rate):
    label, mass = own
    if key == label:
        return 0.0
    return scale * (total - staying) - rate * (mass * (size - sums[label] + mass))


def _gain_both(total, staying, key, own, size, other, sums, others, scale, rate):
    """The same for a directed graph: what leaves the one may enter the other, and back."""
    label, out, into = own
    if key == label:
        return 0.0
    expected = out * (other - others[label] + into) + into * (size - sums[label] + out)
    return scale * (total - staying) - rate * expected


def _take(v, key, gain, label, sums, mass, least):
    if not _goes(v, key, gain, label, sums, mass, least):
        return 0.0
    label[v] = key
    return gain


@inner
def _goes(v, key, gain, label, sums, mass, least):
    """Does v move? With ``least`` not if both are alone and the other's id is higher."""
    if not gain > 0 or key == label[v]:
        return False
    if least and key > label[v]:
        return sums[label[v]] != mass[v] or sums[key] != mass[key]
    return True


def _is_set(v, active):
    return active[v] != 0
