"""Moves of vertices between modules that shorten the code; see `infomap`.

label[v] is the module of v, named by a vertex. sums are arrays over modules: the visit rates of
their vertices, the flow that leaves them, and in directed graphs the flow that enters them. Let v
join module c, and let s be the flow between them in both directions. Then ``leave`` of c grows by
the flow out of v minus s, and ``enter`` by the flow into v minus s.

A round goes in parts. A hash selects the vertices of a part. They are evaluated against the state
before it and move together. Then the sums are updated along the edges of the moved vertices. Flows
are integer multiples of 1 / ONE, so sums do not depend on the order, and the result is the same for
any number of threads. A round that lengthens the code is undone. A vertex is examined again only
after a neighbor has moved.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.communities.codelength import plogp
from edgewise.algorithms.communities.hierarchy import Level
from edgewise.algorithms.communities.map_scores import ONE, saved, saved_both, words
from edgewise.base import atomic
from edgewise.base.observe import notify
from edgewise.base.random import hashed, mix
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, advance, compute, filter, for_rows, frontier, reduce_all
from edgewise.operators.helpers import inner

__all__ = ["Modules", "placed", "settled"]

_PARTS, _ROUNDS = 8, 40
_TOL = 1e-4  # bits: a round that shortens the code by less is the last
_mix = inner(mix)


class Modules(NamedTuple):
    """The module of every vertex, what they sum up to, and the length of the code.

    That is without the words of the vertices, which are the same for all modules.
    """

    label: Any
    sums: tuple[Any, ...]
    length: float


def placed(level: Level, label: Any = None) -> Modules:
    """The vertices in given modules, or each in one of its own."""
    graph, sums = level.graph, tuple(one.copy() for one in level.masses)
    at = graph.vertex_ids()
    if label is not None:
        goal = label.astype(np.int64)
        moved = filter(graph, None, _is_other, (goal, at))
        _change(level, Modules(at, sums, 0.0), moved, goal, graph.full(0, np.int8))
    return Modules(at, sums, _length(graph, sums))


def settled(level: Level, at: Modules, seed: int, weights: Any = None) -> Modules:
    """Move vertices until a round shortens the code by little.

    Along edges of weight 0 in ``weights``, which else are the graph's, nobody moves.
    """
    graph, active = level.graph, level.graph.full(1, np.int8)
    weights = graph.weights if weights is None else weights
    for turn in range(_ROUNDS):
        label, sums = at.label.copy(), tuple(one.copy() for one in at.sums)
        moved = _round(level, Modules(label, sums, 0.0), active, weights, hashed(seed, turn)[()])
        found = Modules(label, sums, _length(graph, sums))
        notify(turn, phase="move", moved=moved)
        gain = at.length - found.length
        if gain > 0:
            at = found
        if not moved or gain < _TOL:
            break
    return at


def _length(graph: AnyGraph, sums: tuple[Any, ...]) -> float:
    every = plogp(int(sums[-1].sum()) / ONE)
    return every + reduce_all(graph, (sums[0], sums[1], sums[-1]), reduce=ADD, function=words)


def _round(level: Level, at: Modules, active: Any, weights: Any, key: Any) -> int:
    """All parts, one after the other; how many vertices moved. Changes the arrays of ``at``."""
    graph, best, count = level.graph, at.label.copy(), 0
    choice = {"reduce": ADD, "key": at.label, "stay": at.label, "own": (at.label, *level.masses),
              "choose": saved if len(at.sums) == 2 else saved_both, "dtype": np.int64,
              "by_key": dict(zip(("mass", "leave", "enter"), at.sums, strict=False)),
              "weights": weights}  # fmt: skip
    waiting = frontier(graph, active != 0)
    for part in range(_PARTS):
        looking = filter(graph, waiting, _is_drawn, (key, part, _PARTS))
        if looking.empty():
            continue
        every = {"every": float(at.sums[-1].sum())}
        for_rows(graph, looking, _along, _note, (best, active), params=every, **choice)
        moved = filter(graph, looking, _is_other, (best, at.label))
        count += len(moved)
        _change(level, at, moved, best, active)
    return count


def _change(level: Level, at: Modules, moved: Any, best: Any, active: Any) -> None:
    """Move some vertices to their best module (all others are where it is best for them)."""
    if moved.empty():
        return
    graph, (label, (mass, *flows), _), (visits, *ways) = level.graph, at, level.masses
    pass_on, join = (_pass_on, _join) if len(flows) == 1 else (_pass_on_both, _join_both)
    advance(graph, moved, pass_on, (label, best, active, graph.weights, *flows), output=None)
    compute(graph, moved, join, (label, best, mass, visits, *flows, *ways))


def _along(weight):
    return weight


def _note(v, key, saved, best, active):
    best[v], active[v] = key, 0


def _pass_on(source, target, edge, label, best, active, weights, leave):
    """What no longer lies inside a module leaves it; and the neighbor has to look again."""
    flow = _seen(target, edge, label, best, active, weights)
    if label[source] == label[target]:
        atomic.add(leave, label[source], flow)
    if best[source] == best[target]:
        atomic.add(leave, best[source], -flow)


def _pass_on_both(source, target, edge, label, best, active, weights, leave, enter):
    flow = _seen(target, edge, label, best, active, weights)
    if label[source] == label[target]:
        atomic.add(leave, label[source], flow)
        atomic.add(enter, label[source], flow)
    if best[source] == best[target]:
        atomic.add(leave, best[source], -flow)
        atomic.add(enter, best[source], -flow)


@inner
def _seen(target, edge, label, best, active, weights):
    """The flow of an edge: half of it if the neighbor moves, too, and sees the other half."""
    active[target] = 1
    return weights[edge] if label[target] == best[target] else weights[edge] // 2


def _join(v, label, best, mass, visits, leave, way):
    _carry(v, label, best, mass, visits)
    _carry(v, label, best, leave, way)
    label[v] = best[v]


def _join_both(v, label, best, mass, visits, leave, enter, out, into):
    _carry(v, label, best, mass, visits)
    _carry(v, label, best, leave, out)
    _carry(v, label, best, enter, into)
    label[v] = best[v]


@inner
def _carry(v, label, best, sums, mass):
    atomic.add(sums, label[v], -mass[v])
    atomic.add(sums, best[v], mass[v])


def _is_drawn(v, key, part, parts):
    return _mix(np.uint64(v) ^ key) % np.uint64(parts) == np.uint64(part)


def _is_other(v, best, label):
    return best[v] != label[v]
