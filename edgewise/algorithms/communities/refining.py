"""The refinement of Leiden [1]: groups inside communities, each of them connected.

At first every vertex is a group of its own, named by itself. Who is still alone joins a group of
its community that it has an edge to, if that gains. Which one is drawn with a chance of exp(gain /
theta), by adding noise to gains and taking the best [2]. Who was joined stays, so every group is
connected. There are two ways:

* in place: all threads at once, the vertices in a few parts, drawn by a hash, so that those of a
  later part who have been joined by then need not look. count[c] is how many group c has. Who goes
  takes itself off its own group first, and only if it is still alone there; and nobody can join a
  group that has nobody. So two who want to join each other do not swap places.
* in rounds, which is the same every time: a hash makes about half of those alone guests, who join
  groups of several members, or one who is alone and no guest.

Groups are not tested for being well connected, as in [1]: where we tried, that gained nothing.

[1] V. Traag, L. Waltman, N. J. van Eck. From Louvain to Leiden. Scientific Reports 9, 2019.
[2] E. Gumbel. Statistical theory of extreme values. 1954.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.levels import Level, Moved, start
from edgewise.base import atomic
from edgewise.base.random import draw, draw_uniform, hashed
from edgewise.operators import (
    ADD,
    MIN,
    compute,
    deliver,
    filter,
    for_rows,
    reduce_neighbors,
)
from edgewise.operators.engines import fused
from edgewise.operators.helpers import inner

__all__ = ["refined", "refined_in_rounds"]

_PARTS, _ROUNDS = 4, 5
_draw, _uniform = inner(draw), inner(draw_uniform)


def refined(level: Level, label: Any, rate: float, theta: float, seed: Any) -> Moved:
    """Groups inside the communities of ``label``, in place: a vertex names each; their masses."""
    graph, at = level.graph, start(level)
    (group, sums, _), count = at, graph.full(1, np.int32)
    chance = rate, theta, hashed(seed, 0)
    if fused(graph, "groups_inside", level.masses, label, at, count, chance):
        return at
    score, join = (_gain, _join) if len(sums) == 1 else (_gain_both, _join_both)
    by_key = dict(zip(("size", "other"), sums, strict=False))
    params = dict(zip(("rate", "theta", "coin"), chance, strict=True))
    for part in range(_PARTS):
        looking = filter(graph, None, _is_alone, (count, group, chance[2], part, _PARTS))
        for_rows(
            graph, looking, _inside, join, (group, count, *sums, *level.masses), reduce=ADD,
            values=label, key=group, choose=score, own=(label, group, *level.masses),
            by_key=by_key, params=params, dtype=np.float64,
        )  # fmt: skip
    return at


def refined_in_rounds(level: Level, label: Any, rate: float, theta: float, seed: Any) -> Moved:
    """The same in rounds."""
    graph, (group, sums, _) = level.graph, start(level)
    alone, nothing = graph.full(1, np.int8), graph.full(0, np.int8)
    best = graph.full(-1), graph.full(0.0)
    ids = graph.vertex_ids()
    score = _host_gain if len(sums) == 1 else _host_gain_both
    by_key = {"alone": alone, **dict(zip(("size", "other"), sums, strict=False))}
    for turn in range(_ROUNDS):
        params = {"rate": rate, "theta": theta, "coin": hashed(seed, turn)}
        guests = filter(graph, None, _is_guest, (alone, ids, params["coin"]))
        reduce_neighbors(
            graph, guests, _inside, label, reduce=ADD, key=group, choose=score,
            own=(label, ids, *level.masses), by_key=by_key, params=params, dtype=np.float64,
            out=best,
        )  # fmt: skip
        joining = filter(graph, guests, _found_one, best[1])
        compute(graph, joining, _leave, (group, alone, best[0]))
        for one, mass in zip(sums, level.masses, strict=True):
            compute(graph, joining, _clear, one)
            deliver(graph, one, best[0], mass, reduce=ADD, frontier=joining)
        deliver(graph, alone, best[0], nothing, reduce=MIN, frontier=joining)
    return Moved(group, sums, 0.0)


def _inside(value, weight, own):
    return weight if value == own[0] else 0


def _gain(total, key, own, size, rate, theta, coin):
    _, v, mass = own
    return _rated(total, rate * mass * size, key, v, theta, coin)


def _gain_both(total, key, own, size, other, rate, theta, coin):
    _, v, out, into = own
    return _rated(total, rate * (out * other + into * size), key, v, theta, coin)


def _host_gain(total, key, own, alone, size, rate, theta, coin):
    if alone and _guest(key, coin):
        return -np.inf
    _, v, mass = own
    return _rated(total, rate * mass * size, key, v, theta, coin)


def _host_gain_both(total, key, own, alone, size, other, rate, theta, coin):
    if alone and _guest(key, coin):
        return -np.inf
    _, v, out, into = own
    return _rated(total, rate * (out * other + into * size), key, v, theta, coin)


@inner
def _rated(total, expected, key, v, theta, coin):
    """The gain, with the noise that makes the best of all a draw by exp(gain / theta)."""
    gain = total - expected
    if not (total > 0 and gain >= 0):
        return -np.inf
    if theta == 0:
        return gain
    share = _uniform(coin, np.uint64(v), np.uint64(key) + np.uint64(1))
    return gain - theta * np.log(-np.log(share + 2.0**-54))


def _join(v, key, gain, group, count, sums, mass):
    if gain > -np.inf and _joins(v, key, group, count):
        atomic.add(sums, v, -mass[v])
        atomic.add(sums, key, mass[v])


def _join_both(v, key, gain, group, count, sums, others, mass, other_mass):
    if gain > -np.inf and _joins(v, key, group, count):
        atomic.add(sums, v, -mass[v])
        atomic.add(sums, key, mass[v])
        atomic.add(others, v, -other_mass[v])
        atomic.add(others, key, other_mass[v])


@inner
def _joins(v, key, group, count):
    """Leave one's own group, if still alone there, for another, if that still has somebody."""
    if atomic.cas(count, v, 1, 0) != 1:
        return False
    there = count[key]
    while there > 0:
        before = atomic.cas(count, key, there, there + 1)
        if before == there:
            group[v] = key
            return True
        there = before
    count[v] = 1
    return False


@inner
def _guest(v, coin):
    return _draw(coin, np.uint64(v), np.uint64(0)) >> np.uint64(63) == 0


def _is_alone(v, count, group, coin, part, parts):
    mine = np.int64(_draw(coin, np.uint64(v), np.uint64(0)) >> np.uint64(33)) % parts == part
    return mine and count[v] == 1 and group[v] == v


def _is_guest(v, alone, ids, coin):
    return alone[v] != 0 and _guest(ids[v], coin)


def _found_one(v, score):
    return score[v] > -np.inf


def _leave(v, group, alone, best):
    group[v], alone[v] = best[v], 0


def _clear(v, sums):
    sums[v] = 0
