"""Groups of vertices for a coarser graph in synchronous rounds, on every engine.

In a round, a coin decides which of the vertices that are alone may join and which may be joined. A
joining vertex chooses the group with the highest rating: the squared weight of the edges to it,
divided by its mass, as in `grouping`. Groups take the vertices of highest rating while their mass
stays within the limit. No vertex that joins is joined in the same round, so groups are not chained.
Vertices that stay alone are paired with others that have the same best group (two-hop matching),
and vertices without edges with one another. Linear work per round, and a sort.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.random import uniform
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, Frontier, compute, deliver, filter, reduce_neighbors, take
from edgewise.operators.helpers import inner

__all__ = ["alike", "clusters", "pairs_alike"]

#: The number of rounds. In one level, groups grow up to so many times the mean mass of a vertex.
_ROUNDS, _GROWTH = 3, 4.0
#: Ratings are varied by up to this share, so that equal ones do not all lead to the same group.
_NOISE = 0.01
#: Vertices that are alone are paired if they are a larger share.
_ALONE = 0.05
_POSITIVE = (1 << 63) - 1
_uniform = inner(uniform)


def clusters(graph: AnyGraph, mass: Any, most: float, seed: int) -> Any:
    """Return the group of each vertex, named by one of its members.

    Groups weigh at most ``most``, unless one vertex is heavier.
    """
    xp, n, seed = graph.xp, graph.num_vertices, seed & _POSITIVE
    ids = xp.arange(n, dtype=np.int64)
    label, size = ids.copy(), mass.copy()
    alone, shut = graph.full(1, np.int8), graph.full(0, np.int8)
    best, score = graph.full(-1, np.int64), graph.full(0.0)
    cap = min(most, _GROWTH * float(mass.sum()) / max(n, 1))
    rules = {"reduce": ADD, "key": label, "choose": _rating, "own": mass, "dtype": float,
             "by_key": {"size": size, "shut": shut}, "out": (best, score),
             "params": {"cap": cap, "seed": seed}}  # fmt: skip
    for turn in range(_ROUNDS):
        compute(graph, None, _shut_half, (alone, shut, seed, turn))
        joining = filter(graph, None, _may_join, (alone, shut))
        reduce_neighbors(graph, joining, _along, label, **rules)
        joining = filter(graph, joining, _has_found, score)
        joining = take(graph, joining, key=best, rank=-score, weight=mass, budget=cap - size)
        deliver(graph, size, best, mass, reduce=ADD, frontier=joining)
        compute(graph, joining, _join, (label, best, alone))
    left = filter(graph, None, _is_set, alone)
    if len(left) > _ALONE * n:
        shut[:] = 0
        rules["params"] = {"cap": np.inf, "seed": seed}
        reduce_neighbors(graph, left, _along, label, **rules)
        first = pairs_alike(graph, left, xp.where(score > 0, best, -1), mass, cap)
        label = xp.where(first >= 0, label[first], label)
    alike(graph, xp.flatnonzero(graph.row_lengths() == 0), 0 * ids, mass, most, label)
    return label


def alike(graph: AnyGraph, ids: Any, key: Any, mass: Any, most: float, label: Any) -> None:
    """Label some vertices by groups of the same key, each of at most ``most``; heavy ones not.

    A group fills half of the limit before its last member.
    """
    xp, half = graph.xp, most / 2
    ids = ids[mass[ids] <= half]
    if len(ids) > 1:
        ids = ids[xp.argsort(key[ids], kind="stable")]
        before = xp.cumsum(mass[ids]) - mass[ids]
        place = xp.floor(before / half) if half > 0 else before
        first = xp.ones(len(ids), bool)
        first[1:] = (place[1:] != place[:-1]) | (key[ids[1:]] != key[ids[:-1]])
        label[ids] = ids[xp.flatnonzero(first)[xp.cumsum(first) - 1]]


def pairs_alike(graph: AnyGraph, members: Frontier, key: Any, mass: Any, most: float) -> Any:
    """Return for each vertex the member it is paired with if that comes first, and -1 for others.

    Members are paired if they have the same key, which is not negative, and together weigh at most
    ``most``.
    """
    xp, found = graph.xp, graph.full(-1, np.int64)
    ids = members.ids[key[members.ids] >= 0]
    if len(ids) < 2:
        return found
    ids = ids[xp.argsort(key[ids], kind="stable")]
    first = xp.ones(len(ids), bool)
    first[1:] = key[ids[1:]] != key[ids[:-1]]
    place = xp.arange(len(ids)) - xp.flatnonzero(first)[xp.cumsum(first) - 1]  # in its run
    fits = ~first[1:] & (mass[ids[1:]] + mass[ids[:-1]] <= most)
    left = xp.flatnonzero(fits & (place[:-1] % 2 == 0))
    found[ids[left + 1]] = ids[left]
    return found


def _shut_half(v, alone, shut, seed, turn):
    shut[v] = alone[v] != 0 and _uniform(seed, v, turn) < 0.5


def _may_join(v, alone, shut):
    return alone[v] != 0 and shut[v] != 0


def _along(weight):
    return weight


def _rating(total, key, own, size, shut, cap, seed):
    if shut != 0 or size + own > cap:
        return -1.0
    return total * total / max(size, 1e-30) * (1.0 + _NOISE * _uniform(seed, key))


def _has_found(v, score):
    return score[v] > 0


def _join(v, label, best, alone):
    label[v] = best[v]
    alone[v] = 0
    alone[best[v]] = 0


def _is_set(v, flags):
    return flags[v] != 0
