"""The aggregation of `rabbit_order` by operators, in rounds.

Each vertex of a round finds the group of largest modularity gain. If that group is also in this
round and earlier in the order, the vertex waits for the next round. Then groups become the vertices
of a smaller graph. With one vertex at a time, this is the order of the paper. In parallel, most
vertices join in the first rounds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.communities.gains import gain
from edgewise.base.observe import notify
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, Monoid, compute, deliver, filter, reduce_neighbors
from edgewise.operators.sorting import to_places

__all__ = ["joined_in_rounds"]

#: Vertices whose turn comes at once: all of them.
_BATCH = 2**62


class Groups(NamedTuple):
    """The vertices of a level are groups, each called by the vertex that the others have joined."""

    names: Any
    places: Any  # in the order of degrees
    degrees: Any  # of all members together
    waiting: Any  # has it not decided yet?


def joined_in_rounds(graph: AnyGraph, queue: Any) -> tuple[Any, Any]:
    """Return the vertex that each one has joined, itself if none, and the round in which it did.

    ``queue`` are the vertices in ascending order of degree. The graph is undirected, on one device.
    """
    n, ids, arcs = graph.num_vertices, graph.id_dtype, float(graph.num_arcs)
    parent, rounds, come, turn = graph.vertex_ids(ids), graph.full(0, np.int32), 0, 0
    plain = graph.with_weights(None)
    level = plain.without_self_loops() if graph.num_self_loops else plain
    places, degrees = to_places(graph, queue), graph.row_lengths() * 1.0
    at = Groups(parent.copy(), places, degrees, graph.full(True))
    while True:
        turn += 1
        members = filter(level, None, _has_come, (at.waiting, at.places, come))
        if members.empty():
            if come >= n:
                return parent, rounds
            come += _BATCH
            continue
        gains, best = reduce_neighbors(
            level, members, _offer, at.degrees, reduce=_BEST, mode="out", params={"arcs": arcs},
            dtype=(np.float64, np.int64),
        )  # fmt: skip
        target = level.vertex_ids(ids)
        compute(level, members, _choose, (target, at.places, at.waiting, gains, best))
        joining = filter(level, members, _joins, target)
        compute(level, members, _decide, (at.waiting, target, gains, joining.empty()))
        notify(turn, phase="join", joined=len(joining))
        if not joining.empty():
            compute(level, joining, _note, (parent, rounds, at.names, target, turn))
            level, at = _contracted(level, at, joining, target)


def _contracted(level: Any, at: Groups, joining: Any, target: Any) -> tuple[Any, Groups]:
    """The level above, where those that have joined are part of what they joined."""
    root, degrees = target.copy(), level.full(0.0)
    compute(level, joining, _climb, (root, target))
    small, vertices = level.contract(root, self_loops="drop")
    deliver(level, degrees, root, at.degrees, reduce=ADD)
    old = at._replace(degrees=degrees)
    new = Groups(*(small.full(0, one.dtype) for one in old))
    compute(level, None, _hand_over, (root, vertices, old, new))
    return small, new


def _offer(value, weight, source, own, arcs):
    """What joining the source gains, in units of 1 / 2m^2: whole, so that ties are ties."""
    return gain(weight, 0.0, own, value, own, arcs, 1.0), source


def _better(one, other):
    """The greater gain, of equal ones the lower id."""
    wins = (other[0] > one[0]) | ((other[0] == one[0]) & (other[1] < one[1]))
    return other[0] if wins else one[0], other[1] if wins else one[1]


_BEST = Monoid((0.0, 2**62), _better)


def _has_come(v, waiting, places, come):
    return waiting[v] and places[v] < come


def _choose(v, target, places, waiting, gains, best):
    if gains[v] > 0 and (places[best[v]] > places[v] or not waiting[best[v]]):
        target[v] = best[v]


def _joins(v, target):
    return target[v] != v


def _decide(v, waiting, target, gains, last):
    """Who has joined, or gains nothing, has decided; all have, where nobody joins any more."""
    if last or target[v] != v or not gains[v] > 0:
        waiting[v] = False


def _note(v, parent, rounds, names, target, turn):
    parent[names[v]], rounds[names[v]] = names[target[v]], turn


def _climb(v, root, target):
    """Follow what has joined what to the one that has joined nothing."""
    u = target[v]
    while target[u] != u:
        u = target[u]
    root[v] = u


def _hand_over(v, root, vertices, old, new):
    if root[v] == v:
        u = vertices[v]
        new.names[u], new.places[u] = old.names[v], old.places[v]
        new.degrees[u], new.waiting[u] = old.degrees[v], old.waiting[v]
