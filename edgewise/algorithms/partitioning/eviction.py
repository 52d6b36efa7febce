"""Rebalancing on every engine: vertices leave the parts above the limit, and fit where they go.

Each vertex of a part that is too heavy has a goal: the part with the heaviest edges to it among
those in which it fits, or else any part with space, drawn. Of all vertices with the same goal,
those that lose least for their mass are accepted while they fit together; of these, each part gives
up as many as it must. No part rises above the limit, so the excess never grows. After two attempts
all goals are drawn: many vertices have the same best goal, and few of them fit there.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.random import uniform
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host
from edgewise.operators import ADD, advance, compute, filter, reduce_neighbors, take
from edgewise.operators.helpers import inner, lower_bound

__all__ = ["Balance", "Links", "evict", "loads", "may_be_near", "shift"]

#: Attempts in one call, and how many of them look for the best part of each vertex.
_ATTEMPTS, _CONNECTED = 8, 2
#: Ranks are logarithms of losses in whole steps, so that they are short.
_STEPS, _SCALE, _HIGHEST = 2.0**24, 2.0**20, 2.0**31 - 1.0
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
    light: float = 0.0  # a vertex has few edges if they weigh at most so much for its mass


def loads(graph: AnyGraph, part: Any, balance: Balance) -> Any:
    """Return the mass of each part."""
    return graph.xp.bincount(part, weights=balance.mass, minlength=balance.k)


def shift(graph: AnyGraph, members: Any, load: Any, mass: Any, old: Any, new: Any) -> None:
    """Bring the loads up to date before members go from their old to their new part."""
    ids, add = members.ids, graph.xp.add.at
    moved = mass[ids]
    add(load, new[ids], moved)
    add(load, old[ids], -moved)


def evict(
    graph: AnyGraph, links: Links, part: Any, balance: Balance, load: Any, turn: int
) -> float:
    """Move vertices out of the parts above the limit, as many as can be; what is left above it.

    ``load`` and ``touched`` follow. The first attempt leaves out what is costly to move: vertices
    inside of parts, unless they have few edges.
    """
    goal, score, rank = graph.full(-1, np.int64), graph.full(0.0), graph.full(0, np.int32)
    mass, _, limit = balance
    for attempt in range(_ATTEMPTS):
        held = host(load)
        if not (held > limit).any():
            return 0.0
        bar = links.light if attempt == 0 else np.inf
        leaving = filter(graph, None, _may_leave, (part, mass, load, limit, links, bar))
        asked = attempt < _CONNECTED
        if asked:
            near = filter(graph, leaving, may_be_near, (links.touched, links.outside))
            reduce_neighbors(graph, near, _along, mass, reduce=ADD, key=part, stay=part,
                             choose=_gain, own=(part, mass), by_key={"load": load},
                             params={"limit": limit}, dtype=np.float64,
                             out=(goal, score))  # fmt: skip
        ends = np.cumsum(np.maximum(limit - held, 0.0))
        shares = graph.xp.asarray(ends / max(ends[-1], 1e-300))
        drawn = attempt + _ATTEMPTS * turn
        compute(graph, leaving, _settle_on, (goal, score, rank, links, mass, shares, asked, drawn))
        leaving = take(graph, leaving, key=goal, rank=rank, weight=mass, budget=limit - load)
        leaving = take(graph, leaving, key=part, rank=rank, weight=mass, budget=load - limit,
                       crossing=True)  # fmt: skip
        if leaving.empty():
            if attempt > 0:
                break
            continue
        shift(graph, leaving, load, mass, part, goal)
        compute(graph, leaving, _leave, (part, goal, links.touched))
        advance(graph, leaving, _touch, links.touched)
    return float(np.maximum(host(load) - limit, 0.0).sum())


def may_be_near(v, touched, outside):
    """Can v have a neighbor in another part?"""
    return touched[v] != 0 or outside[v] > 0


def _along(weight):
    return weight


def _may_leave(v, part, mass, load, limit, links, bar):
    if load[part[v]] <= limit or mass[v] <= 0:
        return False
    near = links.touched[v] != 0 or links.outside[v] > 0
    return near or links.strength[v] <= bar * mass[v]


def _gain(total, staying, key, own, load, limit):
    part, mass = own
    if key == part or load + mass > limit:
        return _NEVER
    return float(total) - float(staying)


def _settle_on(v, goal, score, rank, links, mass, shares, asked, drawn):
    """The goal, and the rank by the loss for the mass; any part with space if v fits in none."""
    inside = (links.touched[v] == 0 and links.outside[v] <= 0) or links.strength[v] <= 0
    if inside or not asked or score[v] <= _NEVER:
        goal[v] = lower_bound(shares, 0, len(shares) - 1, _uniform(drawn, v))
        score[v] = -links.strength[v]
    loss = -score[v] / mass[v]
    steps = _STEPS * math.log2(1.0 + _SCALE * abs(loss))
    rank[v] = int(min(steps, _HIGHEST) if loss > 0 else -min(steps, _HIGHEST))


def _leave(v, part, goal, touched):
    part[v] = goal[v]
    touched[v] = 1


def _touch(source, target, edge, touched):
    touched[target] = 1
    return False
