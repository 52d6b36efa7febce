"""Local moving [1]: vertices move to the neighboring community of largest gain.

label[v] is the community of v, named by a vertex. sums[c] is the size of community c, the sum of
its members' masses. `gains` has the gain of a move. A vertex is examined again only after a
neighbor has moved (pruning [2]). `settle` makes the passes, in one of two ways:

* In place: all threads move vertices at once and see each other's moves. Unless only some vertices
  may move, the first pass takes them in a few parts, selected by a hash. In the order of their ids,
  communities would grow along that order. The result depends on timing. On a GPU, where thousands
  move at once, every pass goes in parts. There, of two singleton communities the one with the
  higher id joins the other, so that they never swap.
* Synchronous: the vertices of a part are evaluated against the state before it, and those that gain
  move together. The result is the same for any number of threads and on every engine. A grid always
  works this way; there the sizes of communities are the ghost exchange of Vite [3].

[1] V. Blondel, J. Guillaume, R. Lambiotte, E. Lefebvre. Fast unfolding of communities in large
    networks. J. Stat. Mech. 2008.
[2] V. Traag, L. Waltman, N. J. van Eck. From Louvain to Leiden. Scientific Reports 9, 2019.
[3] S. Ghosh, M. Halappanavar, A. Tumeo et al. Distributed Louvain algorithm for graph community
    detection. IPDPS 2018.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.communities.gains import gain, gain_both
from edgewise.algorithms.communities.hierarchy import Level, Moved
from edgewise.algorithms.communities.schedule import colored, count_looks, still_looking
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, compute, filter, settle
from edgewise.operators.engines import CROWD, members_at_once
from edgewise.operators.helpers import inner
from edgewise.operators.passes import drawn

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
    coloring: bool = False  # the parts, of every pass, are the classes of a coloring
    minimum_label: bool = False  # who is alone joins another who is only if that has a lower id
    early_termination: float = 0.0  # how much less likely each look without a move makes another
    synchronous: bool = False  # those of a part see what there was before it


class Rating(NamedTuple):
    """The two of the rules by which communities are rated."""

    scale: float
    rate: float


def move(level: Level, at: Moved, rules: Rules, active: Any = None) -> Moved:
    """Move vertices until a pass gains little: first those of ``active`` 1 (int8), or all.

    Changes the arrays of ``at``.
    """
    graph, (label, sums, gained) = level.graph, at
    parts: Any = rules.parts if active is None and level.size >= _FEW else 1
    active = graph.full(1, np.int8) if active is None else active
    if rules.synchronous:
        parts = _SYNCHRONOUS_PARTS
    if rules.coloring or rules.early_termination:
        parts = _Turns(graph, label, active, rules)
    names = ("size", "other")[: len(sums)]
    by_key = dict(zip(names, sums, strict=True))
    finish, rated = _take, _GAIN[len(sums)]
    state: Any = label
    if rules.synchronous and rules.minimum_label:
        rated, by_key["named"] = _LOWERED[len(sums)], level.masses[0]
    elif rules.minimum_label or (members_at_once(graph) >= CROWD and not rules.synchronous):
        finish, state = _take_lower, (label, sums[0], level.masses[0])
    found = settle(
        graph, active, _along, finish, state, reduce=ADD, key=label, stay=label, choose=rated,
        own=(label, *level.masses), by_key=by_key,
        masses=dict(zip(names, level.masses, strict=True)),
        params={"rating": Rating(rules.scale, rules.rate)}, dtype=np.float64, passes=rules.passes,
        tol=rules.tol / rules.unit, parts=parts, synchronous=rules.synchronous, seed=rules.seed,
        phase="move",
    )  # fmt: skip
    return Moved(label, sums, gained + found * rules.unit)


#: Fewer vertices than this look in one part; the parts of a synchronous pass.
_FEW, _SYNCHRONOUS_PARTS = 512, 8


class _Turns:
    """Who looks in a pass: the classes of a coloring, or those that have not come to rest."""

    def __init__(self, graph: AnyGraph, label: Any, active: Any, rules: Rules):
        self._graph, self._label, self._active, self._rules = graph, label, active, rules
        self._classes = colored(graph, rules.seed) if rules.coloring else None
        self._idle = graph.full(0, np.int32)
        self._last: Any = None

    def __call__(self, turn: int, looking: Any) -> Any:
        graph, rules = self._graph, self._rules
        if rules.early_termination:
            if self._last is not None:
                compute(graph, self._last[0], count_looks, (self._idle, self._label, self._last[1]))
            looking = still_looking(
                graph, looking, self._idle, rules.early_termination, rules.seed, turn
            )
            self._last = looking, self._label.copy()
        if self._classes is not None:
            return (filter(graph, one, _is_set, self._active) for one in self._classes)
        if rules.synchronous:
            return drawn(graph, looking, self._active, rules.seed + turn, _SYNCHRONOUS_PARTS)
        return (looking,)


def _along(weight):
    return weight


@inner
def _gain(total, staying, key, own, size, staying_size, rating):
    label, mass = own
    if key == label:
        return 0.0
    return gain(total, staying, mass, size, staying_size, rating.scale, rating.rate)


@inner
def _gain_both(total, staying, key, own, size, staying_size, other, staying_other, rating):
    if key == own[0]:
        return 0.0
    there, home = (size, other), (staying_size, staying_other)
    return gain_both(total, staying, own[1:], there, home, rating.scale, rating.rate)


def _lowered(total, staying, key, own, size, staying_size, named, rating):
    if key > own[0] and size == named and staying_size == own[1]:
        return -np.inf
    return _gain(total, staying, key, own, size, staying_size, rating)


def _lowered_both(
    total, staying, key, own, size, staying_size, other, staying_other, named, rating
):
    if key > own[0] and size == named and staying_size == own[1]:
        return -np.inf
    return _gain_both(total, staying, key, own, size, staying_size, other, staying_other, rating)


#: How communities are rated, by the number of masses.
_GAIN = {1: _gain, 2: _gain_both}
_LOWERED = {1: _lowered, 2: _lowered_both}


@inner
def _take(v, key, gain, label):
    if not gain > 0 or key == label[v]:
        return 0.0
    label[v] = key
    return gain


def _take_lower(v, key, gain, label, sums, mass):
    """Stay, if both are alone and the other's id is higher: it may come here."""
    if key > label[v] and sums[label[v]] == mass[v] and sums[key] == mass[key]:
        return 0.0
    return _take(v, key, gain, label)


def _is_set(v, active):
    return active[v] != 0
