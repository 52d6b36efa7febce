"""Rebalancing on every engine: vertices leave the parts above the limit, and fit where they go.

Each vertex of a part that is too heavy has a goal: the part with the heaviest edges to it among
those in which it fits, or else some light part. Of all vertices with the same goal, those that lose
least for their mass are accepted while they fit together; of these, each part gives up as many as
it must. No part rises above the limit, so the excess never grows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.random import uniform
from edgewise.operators import ADD, advance, compute, filter, reduce_neighbors, take
from edgewise.operators.helpers import inner

__all__ = ["Balance", "Links", "evict", "excess", "may_be_near"]

#: Attempts in one call.
_ATTEMPTS = 8
#: The score of a part into which a vertex does not fit.
_NEVER = -1e300
_uniform = inner(uniform)


class Balance(NamedTuple):
    """The masses of vertices, the number of parts, and the most that a part may weigh."""

    mass: Any
    k: int
    limit: float


class Links(NamedTuple):
    """What vertices have at their arcs."""

    strength: Any  # the weight of all arcs
    outside: Any  # the weight of the arcs to other parts
    touched: Any  # 1 if the vertex or a neighbor has moved since ``outside`` was found


def loads(graph: Any, part: Any, balance: Balance) -> Any:
    """Return the mass of each part."""
    return graph.xp.bincount(part, weights=balance.mass, minlength=balance.k)


def excess(graph: Any, part: Any, balance: Balance) -> float:
    """Return the mass above the limit."""
    load = loads(graph, part, balance)
    return float(graph.xp.maximum(load - balance.limit, 0.0).sum())


def evict(graph: Any, links: Links, part: Any, balance: Balance, turn: int) -> None:
    """Move vertices out of the parts above the limit, as many as can be; ``touched`` follows."""
    goal, score = graph.full(-1, np.int64), graph.full(0.0)
    mass, k, limit = balance
    for attempt in range(_ATTEMPTS):
        load = loads(graph, part, balance)
        if not bool((load > limit).any()):
            return
        lightest = graph.xp.argsort(load)[: max(k // 2, 1)]
        leaving = filter(graph, None, _is_in_heavy, (part, mass, load, limit))
        compute(graph, leaving, _fit_nowhere, score)
        near = filter(graph, leaving, may_be_near, (links.touched, links.outside))
        reduce_neighbors(graph, near, _along, mass, reduce=ADD, key=part, stay=part, choose=_gain,
                         own=(part, mass), by_key={"load": load}, params={"limit": limit},
                         dtype=np.float64, out=(goal, score))  # fmt: skip
        drawn = attempt + _ATTEMPTS * turn
        compute(graph, leaving, _settle_on, (goal, score, *links, part, mass, lightest, drawn))
        leaving = take(graph, leaving, key=goal, rank=score, weight=mass, budget=limit - load)
        leaving = take(graph, leaving, key=part, rank=score, weight=mass, budget=load - limit,
                       crossing=True)  # fmt: skip
        if leaving.empty():
            return
        compute(graph, leaving, _leave, (part, goal, links.touched))
        advance(graph, leaving, _touch, links.touched)


def may_be_near(v, touched, outside):
    """Can v have a neighbor in another part?"""
    return touched[v] != 0 or outside[v] > 0


def _along(weight):
    return weight


def _is_in_heavy(v, part, mass, load, limit):
    return load[part[v]] > limit and mass[v] > 0


def _fit_nowhere(v, score):
    score[v] = _NEVER


def _gain(total, staying, key, own, load, limit):
    part, mass = own
    if key == part or load + mass > limit:
        return _NEVER
    return float(total) - float(staying)


def _settle_on(v, goal, score, strength, outside, touched, part, mass, lightest, drawn):
    """The goal, and the loss for the mass; a light part if v fits nowhere beside it."""
    if score[v] <= _NEVER:
        goal[v] = lightest[int(_uniform(drawn, v) * len(lightest))]
        score[v] = -strength[v]
    score[v] = -score[v] / mass[v]


def _leave(v, part, goal, touched):
    part[v] = goal[v]
    touched[v] = 1


def _touch(source, target, edge, touched):
    touched[target] = 1
    return False
