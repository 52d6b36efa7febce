"""The refinement step of Leiden [1]: connected groups inside communities.

At first every vertex is a singleton group, named by itself. A singleton joins an adjacent group of
its community if that gains. The group is drawn with probability proportional to exp(gain / theta):
noise is added to the gains and the largest is taken [2]. A vertex that another one has joined
stays, so every group is connected. There are two ways:

* In place: all threads work at once. A hash divides the vertices into a few parts, so that vertices
  of later parts that have been joined are skipped. count[c] is the size of group c. A vertex first
  removes itself from its own group, if it is still a singleton. Empty groups cannot be joined. So
  two singletons never swap groups.
* In rounds, which is deterministic: a hash selects about half of the singletons as guests. A guest
  joins a group of several members, or a singleton that is not a guest.

Unlike [1], groups are not tested for being well connected: experiments showed no gain.

[1] V. Traag, L. Waltman, N. J. van Eck. From Louvain to Leiden. Scientific Reports 9, 2019.
[2] E. Gumbel. Statistical theory of extreme values. 1954.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.gains import gain, gain_both
from edgewise.algorithms.communities.hierarchy import Level, Moved, start
from edgewise.base import atomic
from edgewise.base.random import draw, hashed
from edgewise.operators import (
    ADD,
    MIN,
    compute,
    deliver,
    filter,
    reduce_neighbors,
    settle,
)
from edgewise.operators.helpers import inner

__all__ = ["refined", "refined_in_rounds"]

_PARTS, _ROUNDS = 2, 5
_draw = inner(draw)


def refined(level: Level, label: Any, rate: float, theta: float, seed: Any) -> Moved:
    """Groups inside the communities of ``label``, in place: a vertex names each; their masses."""
    graph, at = level.graph, start(level)
    (group, sums, _), count = at, graph.full(1, np.int32)
    names, active = ("size", "other")[: len(sums)], graph.full(1, np.int8)
    settle(
        graph, active, _inside, _join, (group, count, active), reduce=ADD, values=label, key=group,
        choose=_gain if len(sums) == 1 else _gain_both, own=(label, *level.masses),
        by_key=dict(zip(names, sums, strict=True)), params={"rate": rate},
        masses=dict(zip(names, level.masses, strict=True)), temperature=theta, skip_empty=True,
        dtype=np.float64, passes=1, parts=_PARTS, seed=int(seed), phase="refine",
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
        coin = hashed(seed, turn)
        guests = filter(graph, None, _is_guest, (alone, ids, coin))
        reduce_neighbors(
            graph, guests, _inside, label, reduce=ADD, key=group, choose=score,
            own=(label, *level.masses), by_key=by_key, params={"rate": rate, "coin": coin},
            temperature=theta, seed=int(coin), skip_empty=True, dtype=np.float64, out=best,
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


@inner
def _gain(total, own, size, rate):
    mass = own[1]
    return _rated(total, gain(total, 0.0, mass, size, mass, 1.0, rate))


@inner
def _gain_both(total, own, size, other, rate):
    masses = own[1:]
    return _rated(total, gain_both(total, 0.0, masses, (size, other), masses, 1.0, rate))


def _host_gain(total, key, own, alone, size, rate, coin):
    return -np.inf if alone and _guest(key, coin) else _gain(total, own, size, rate)


def _host_gain_both(total, key, own, alone, size, other, rate, coin):
    return -np.inf if alone and _guest(key, coin) else _gain_both(total, own, size, other, rate)


@inner
def _rated(total, gained):
    """The gain, if an edge leads there and it is no loss."""
    return gained if total > 0 and gained >= 0 else -np.inf


def _join(v, key, gain, group, count, active):
    """Leave one's own group, if still alone there, for another, if that still has somebody."""
    if gain > -np.inf and atomic.cas(count, v, 1, 0) == 1:
        there = count[key]
        while there > 0:
            before = atomic.cas(count, key, there, there + 1)
            if before == there:
                group[v] = key
                active[key] = 0
                return 0
            there = before
        count[v] = 1
    return 0


@inner
def _guest(v, coin):
    return _draw(coin, np.uint64(v), np.uint64(0)) >> np.uint64(63) == 0


def _is_guest(v, alone, ids, coin):
    return alone[v] != 0 and _guest(ids[v], coin)


def _found_one(v, score):
    return score[v] > -np.inf


def _leave(v, group, alone, best):
    group[v], alone[v] = best[v], 0


def _clear(v, sums):
    sums[v] = 0
