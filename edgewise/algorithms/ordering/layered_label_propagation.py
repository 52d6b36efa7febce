"""Layered label propagation [1]: nested clusterings of several densities.

A layer is a clustering by label propagation with a penalty on size: v takes the label that
maximizes

    neighbors inside - gamma * (others inside)

A large gamma gives small, dense clusters; gamma = 0 is plain label propagation. Every layer refines
the order of the previous layers. Its clusters are sorted by their first member in that order, which
is kept inside each cluster. The layers go from the densest to gamma = 0, so the last layer keeps
together what earlier layers have placed side by side.

In each round, a hash of (seed, vertex, round) selects about half of the vertices, so that adjacent
vertices do not swap labels forever. Only vertices with a neighbor that changed are examined. Ties
go to the current label, then by a hash. Linear work per round at most.

[1] P. Boldi, M. Rosa, M. Santini, S. Vigna. Layered label propagation: a multiresolution
    coordinate-free ordering for compressing social networks. WWW 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from edgewise.algorithms.ordering.places import both_ways
from edgewise.base.checks import check_count, check_number, check_one_device
from edgewise.base.observe import notify
from edgewise.base.random import check_seed, hashed, mix
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators import (
    ADD,
    MAX,
    MIN,
    advance,
    compute,
    deliver,
    filter,
    look_up,
    reduce_neighbors,
)
from edgewise.operators.helpers import inner
from edgewise.operators.sorting import stable_order, to_places

__all__ = ["layered_label_propagation"]

_mix = inner(mix)

#: From the densest clusters to plain label propagation.
_GAMMAS = (*(2.0**-i for i in range(0, 11, 2)), 0.0)
#: A layer ends when one in so many vertices, or fewer, has anything to look for.
_SETTLED = 1000


@takes_graph
def layered_label_propagation(
    graph: LocalGraphLike,
    *,
    resolutions: Sequence[float] = _GAMMAS,
    max_iter: int = 20,
    seed: int = 0,
) -> Any:
    """Return each vertex's position by layered label propagation.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Edges of a directed graph are followed in both directions. Weights
        are ignored.
    resolutions : sequence of float
        The size penalty of each layer, nonnegative. Larger values give smaller clusters. The
        clusters of the last layer stay contiguous.
    max_iter : int
        The largest number of rounds per layer. A round updates about half of the vertices.
    seed : int
        Selects the vertices of each round and breaks ties.

    Returns
    -------
    array of int over vertices
        The position of each vertex, an array over vertices. `Graph.permute` takes it. It is the
        same for any number of threads.

    Notes
    -----
    O(n + m) time per round.

    Examples
    --------
    Two cliques joined by an edge, their members mixed:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 2, 1, 1, 3, 0], [2, 4, 4, 3, 5, 5, 1])
    >>> order = layered_label_propagation(graph)
    >>> sorted(order[[0, 2, 4]].tolist())
    [0, 1, 2]
    """
    check_one_device(graph, "layered_label_propagation")
    prices = [check_number(gamma, "resolutions") for gamma in resolutions]
    rounds, seed = check_count(max_iter, "max_iter"), int(check_seed(seed))
    graph = both_ways(graph, "layered_label_propagation")
    listed, xp = graph.vertex_ids(), graph.xp
    for layer, price in enumerate(prices):
        label = _clusters(graph, price, rounds, int(hashed(seed, layer)))
        place, first = to_places(graph, listed), graph.full(graph.num_vertices, xp.int64)
        deliver(graph, first, label, place.astype(xp.int64), reduce=MIN)
        listed = listed[stable_order(look_up(graph, first, label)[listed])]
        notify(layer, phase="layer", gamma=price)
    return to_places(graph, listed)


def _clusters(graph: Graph, gamma: float, rounds: int, seed: int) -> Any:
    """A label for every vertex: the vertex by whose id it goes."""
    xp, n = graph.xp, graph.num_vertices
    ids, label = graph.vertex_ids(), graph.vertex_ids()
    size, ones = graph.full(1, xp.int64), graph.full(1, xp.int64)
    active, best = graph.full(1, xp.int32), (graph.full(-1), graph.full(0.0))
    for turn in range(rounds):
        who, which = hashed(seed, [0, 1], turn)
        waiting = filter(graph, None, _is_set, active)
        if len(waiting) * _SETTLED <= n:
            break
        looking = filter(graph, waiting, _drawn, (ids, who))
        compute(graph, looking, _clear, active)
        reduce_neighbors(
            graph, looking, _one, label, reduce=ADD, dtype=xp.int64, key=label, stay=label,
            choose=_rate, by_key={"size": size}, params={"gamma": gamma, "which": which}, out=best,
        )  # fmt: skip
        moved = filter(graph, looking, _is_other, (best[0], label))
        deliver(graph, size, label, -ones, reduce=ADD, frontier=moved)
        compute(graph, moved, _take, (label, best[0]))
        deliver(graph, size, label, ones, reduce=ADD, frontier=moved)
        advance(graph, moved, _one, active, reduce=MAX)
    return label


def _one():
    return 1


def _rate(total, key, own, size, gamma, which):
    """What the label is worth without v itself; of equals v's own, then any of them."""
    others = size - total - (1 if key == own else 0)
    worth = total - gamma * others
    if key == own:
        return worth + 1e-6
    return worth + 5e-7 * np.float64(_mix(np.uint64(key) ^ which) >> np.uint64(11)) * 2.0**-53


def _is_set(v, active):
    return active[v] > 0


def _drawn(v, ids, key):
    return _mix(np.uint64(ids[v]) ^ key) >> np.uint64(63) == 0


def _clear(v, active):
    active[v] = 0


def _is_other(v, best, label):
    return best[v] != label[v]


def _take(v, label, best):
    label[v] = best[v]
