"""The refinement of a partition by rounds of all vertices at once (Jet [1]), on every engine.

A round moves vertices regardless of the balance, then parts above the limit give up vertices
(`eviction`). Candidates are the vertices of the boundary that would lose little: each for the part
to which it has the heaviest edges. A candidate moves if it does not lose when all candidates of
higher gain move before it. A vertex that moved rests for a round. The best partition of all rounds
is kept. A round costs the edges of the boundary.

[1] M. Gilbert, K. Madduri, E. Boman, S. Rajamanickam. Jet: multilevel graph partitioning on
    graphics processing units. SIAM J. Sci. Comput. 2024.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.partitioning.eviction import (
    Balance,
    Links,
    evict,
    loads,
    may_be_near,
    shift,
)
from edgewise.base.observe import notify
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, advance, compute, filter, reduce_all, reduce_neighbors

__all__ = ["refine"]

#: A round counts as progress if it improves the cut by this share. The largest number of rounds.
_PROGRESS, _ROUNDS = 0.001, 100
#: A vertex has few edges if they weigh at most this share of the mean for its mass.
_FEW = 0.25


class _Plan(NamedTuple):
    """The moves of a round."""

    target: Any  # the part that a candidate goes to; -1 for others
    gain: Any  # the weight of the arcs into that part, then the gain
    age: Any  # the last round in which the vertex moved


def refine(graph: AnyGraph, part: Any, balance: Balance, ratio: float, stalled: int) -> Any:
    """Return an improved partition: rounds end after ``stalled`` ones without progress.

    A candidate may lose a share ``ratio`` of the weight of its edges inside its part.
    """
    links = Links(graph.full(0.0), graph.full(0.0), graph.full(1, np.int8))
    plan = _Plan(graph.full(-1, np.int64), graph.full(0.0), graph.full(-1, np.int32))
    reduce_neighbors(graph, None, _along, part, reduce=ADD, dtype=np.float64, out=links.strength)
    kept, best, over, since, near = part.copy(), np.inf, np.inf, 0, None
    load = loads(graph, part, balance)
    pace = float(links.strength.sum()) / max(float(balance.mass.sum()), 1e-300)
    links = links._replace(light=_FEW * pace)
    for turn in range(_ROUNDS):
        if turn > 0:
            moving = _candidates(graph, near, part, links, plan, turn, ratio)
            shift(graph, moving, load, balance.mass, part, plan.target)
            _move_all(graph, moving, part, links, plan, turn)
        extra = evict(graph, links, part, balance, load, turn)
        cut, near = _measure(graph, part, links)
        since += 1
        notify(turn, phase="refine", vertices=graph.num_vertices, cut=cut, excess=extra)
        if extra < over or (extra == over and cut < best):
            if extra < over or cut < (1.0 - _PROGRESS) * best:
                since = 0
            best, over = cut, extra
            kept[:] = part
        if since >= stalled or near.empty():
            break
    return kept


def _measure(graph: AnyGraph, part: Any, links: Links) -> tuple[float, Any]:
    """Bring ``outside`` up to date; the cut, and the vertices of the boundary."""
    near = filter(graph, None, may_be_near, (links.touched, links.outside))
    reduce_neighbors(graph, near, _across, part, reduce=ADD, dtype=np.float64,
                     out=links.outside)  # fmt: skip
    links.touched[:] = 0
    near = filter(graph, near, _is_positive, links.outside)
    return float(reduce_all(graph, links.outside, reduce=ADD, frontier=near)) / 2, near


def _candidates(
    graph: AnyGraph, near: Any, part: Any, links: Links, plan: _Plan, turn: int, ratio: float
) -> Any:
    """The vertices that move in a round of unconstrained moves."""
    target, gain, age = plan
    rested = filter(graph, near, _has_rested, (age, turn))
    reduce_neighbors(graph, rested, _along, part, reduce=ADD, key=part, choose=_link, own=part,
                     dtype=np.float64, out=(target, gain))  # fmt: skip
    compute(graph, rested, _judge, (part, target, gain, links.strength, links.outside, ratio))
    wanting = filter(graph, rested, _is_candidate, target)
    after, ids = graph.full(0.0), graph.xp.arange(graph.num_vertices)
    reduce_neighbors(graph, wanting, _afterwards, (part, target, gain), reduce=ADD,
                     own=(part, target, gain, ids), dtype=np.float64, out=after)  # fmt: skip
    moving = filter(graph, wanting, _does_not_lose, after)
    compute(graph, wanting, _forget_losers, (target, after))
    return moving


def _move_all(
    graph: AnyGraph, moving: Any, part: Any, links: Links, plan: _Plan, turn: int
) -> None:
    """Move vertices to their targets."""
    compute(graph, moving, _move, (part, plan.target, plan.age, links.touched, turn))
    advance(graph, moving, _touch, links.touched)


def _along(weight):
    return weight


def _across(value, own, weight):
    return 0.0 if value == own else float(weight)


def _is_positive(v, values):
    return values[v] > 0


def _has_rested(v, age, turn):
    return age[v] < turn - 1


def _link(total, key, own):
    return -1.0 if key == own else float(total)


def _judge(v, part, target, gain, strength, outside, ratio):
    stay = strength[v] - outside[v]
    if target[v] == part[v] or not gain[v] > (1.0 - ratio) * stay:
        target[v] = -1
    gain[v] -= stay


def _is_candidate(v, target):
    return target[v] >= 0


def _afterwards(value, own, weight, source):
    """What the edge gains if the candidates of higher gain have moved."""
    there, goal, high = value
    part, target, gain, v = own
    if goal >= 0 and (high > gain or (high == gain and source < v)):
        there = goal
    return float(weight) if there == target else -float(weight) if there == part else 0.0


def _does_not_lose(v, after):
    return after[v] >= 0


def _move(v, part, target, age, touched, turn):
    part[v] = target[v]
    target[v] = -1
    age[v] = turn
    touched[v] = 1


def _forget_losers(v, target, after):
    if after[v] < 0:
        target[v] = -1


def _touch(source, target, edge, touched):
    touched[target] = 1
    return False
