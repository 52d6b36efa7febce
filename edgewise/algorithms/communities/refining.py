"""The refinement of Leiden [1]: groups inside communities, each of them connected.

At first every vertex is a group of its own, named by itself. In each round a hash makes about half
of those still alone guests; a guest joins a group of its own community that it has an edge to, if
that gains: one of several members, or one who is alone and no guest. So whoever is joined is there
to stay, and every group is connected. Which group is drawn with a chance of exp(gain / theta), by
adding noise to the gain and taking the best [2]; at a theta of 0 it is the best. A round looks at
the edges of its guests alone, so that all rounds together look at those of the graph about once.
The same for every engine and number of threads.

The groups are not tested for being well connected in themselves, as in [1]: in what we measured,
that changes nothing but the time.

[1] V. Traag, L. Waltman, N. J. van Eck. From Louvain to Leiden. Scientific Reports 9, 2019.
[2] E. Gumbel. Statistical theory of extreme values. 1954.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.levels import Level
from edgewise.algorithms.communities.moving import Moved, Rules, start
from edgewise.algorithms.components.connected_components import link, shorten
from edgewise.base.random import draw, draw_uniform, hashed, step
from edgewise.operators import ADD, MIN, advance, compute, deliver, filter, reduce_neighbors
from edgewise.operators.helpers import inner

__all__ = ["refined", "split"]

_ROUNDS = 5
_step, _draw, _uniform = inner(step), inner(draw), inner(draw_uniform)


def refined(level: Level, label: Any, rules: Rules, theta: float, seed: int) -> Moved:
    """Groups inside the communities of ``label``: a vertex names each; their masses."""
    graph, (group, sums, _) = level.graph, start(level)
    n, xp = level.size, graph.xp
    alone, nothing = graph.full(1, np.int8), graph.full(0, np.int8)
    best = graph.full(-1), graph.full(0.0)
    own = (label, xp.arange(n), *level.masses)
    score = _join if len(sums) == 1 else _join_both
    by_key = {"alone": alone, **dict(zip(("size", "other"), sums, strict=False))}
    waiting = None
    for turn in range(_ROUNDS):
        params = {"rate": rules.rate, "theta": theta, "coin": hashed(seed, [turn])[0]}
        waiting = filter(graph, waiting, _is_set, alone)
        guests = filter(graph, waiting, _is_guest, (own[1], params["coin"]))
        if guests.empty():
            break
        reduce_neighbors(
            graph, guests, _inside, label, reduce=ADD, key=group, choose=score, own=own,
            by_key=by_key, params=params, dtype=np.float64, out=best,
        )  # fmt: skip
        joining = filter(graph, guests, _found_one, best[1])
        compute(graph, joining, _leave, (group, alone, best[0]))
        for one, mass in zip(sums, level.masses, strict=True):
            compute(graph, joining, _clear, one)
            deliver(graph, one, best[0], mass, reduce=ADD, frontier=joining)
        deliver(graph, alone, best[0], nothing, reduce=MIN, frontier=joining)
    return Moved(group, sums, 0.0)


def split(graph: Any, label: Any) -> Any:
    """The smallest vertex that each can reach inside its community: the pieces of communities."""
    piece = graph.xp.arange(graph.num_vertices, dtype=graph.indices.dtype)
    advance(graph, None, _link_inside, (piece, label), output=None)
    compute(graph, None, shorten, piece)
    return piece


def _inside(value, weight, own):
    return weight if value == own[0] else 0


@inner
def _hosts(key, alone, coin):
    return alone == 0 or not _guest(key, coin)


@inner
def _guest(v, coin):
    return _draw(coin, np.uint64(v), np.uint64(0)) >> np.uint64(63) == 0


@inner
def _rated(gain, key, v, theta, coin):
    """The gain with the noise that makes the best of all a draw by exp(gain / theta)."""
    if theta == 0:
        return gain
    share = _uniform(coin, np.uint64(v), np.uint64(key) + np.uint64(1))
    return gain - theta * np.log(-np.log(share + 2.0**-54))


def _join(total, key, own, alone, size, rate, theta, coin):
    _, v, mass = own
    gain = total - rate * mass * size
    if total > 0 and gain >= 0 and _hosts(key, alone, coin):
        return _rated(gain, key, v, theta, coin)
    return -np.inf


def _join_both(total, key, own, alone, size, other, rate, theta, coin):
    _, v, out, into = own
    gain = total - rate * (out * other + into * size)
    if total > 0 and gain >= 0 and _hosts(key, alone, coin):
        return _rated(gain, key, v, theta, coin)
    return -np.inf


def _is_set(v, alone):
    return alone[v] != 0


def _is_guest(v, ids, coin):
    return _guest(ids[v], coin)


def _found_one(v, score):
    return score[v] > -np.inf


def _leave(v, group, alone, best):
    group[v] = best[v]
    alone[v] = 0


def _clear(v, sums):
    sums[v] = 0


def _link_inside(source, target, edge, piece, label):
    if label[source] == label[target]:
        link(source, target, piece)
