"""The proposals of `suitor` in rounds, where vertices send and look up [1].

In each round every vertex without a standing proposal proposes to its best neighbor whose suitor it
outranks. A vertex keeps the best of its proposals. Who is refused or replaced proposes again.

[1] F. Manne, M. Halappanavar. New effective multithreaded matching algorithms. IPDPS 2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.order import BEST, outranks, rank
from edgewise.base.observe import notify
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import compute, deliver, filter, frontier, look_up, reduce_neighbors
from edgewise.operators.helpers import inlined

__all__ = ["propose_in_rounds"]


def propose_in_rounds(graph: AnyGraph, mate: Any, weights: Any) -> None:
    """Find all ``mate``, which are -1; ``weights`` is an array, or None where all are one."""
    unit, ids = weights is None, graph.vertex_ids(np.int64)
    offer, kind = (_unit_offer, np.dtype(np.int64)) if unit else (_offer, weights.dtype)
    held = graph.full(0, kind), graph.full(-1, np.int64), graph.full(-1, np.int64)
    target, looking, turn = graph.full(-1, np.int64), frontier(graph), 0
    while not looking.empty():
        weight, _, found = reduce_neighbors(
            graph, looking, offer, (held[0], held[2]), reduce=BEST, own=ids, mode="out",
            weights=weights, dtype=(kind, np.int64, np.int64),
        )  # fmt: skip
        compute(graph, looking, _aim, (target, found))
        proposing = filter(graph, looking, _has_one, target)
        deliver(graph, held, target, (weight, target, ids), reduce=BEST, frontier=proposing)
        waiting = filter(graph, None, _has_one, target)
        suitors = look_up(graph, held[2], target, frontier=waiting)
        looking = filter(graph, waiting, _differs, (suitors, ids))
        notify(turn, phase="propose", proposals=len(proposing))
        turn += 1
    compute(graph, None, _aim, (mate, held[2]))


def _offer(value, weight, source, own):
    return _bid(value, weight, source, own)


def _unit_offer(value, source, own):
    return _bid(value, rank(own, source), source, own)


@inlined
def _bid(value, weight, v, u):
    """The edge, if it outranks that of v's suitor."""
    if not weight > 0 or u == v or weight < value[0]:
        return weight * 0, np.int64(-1), np.int64(-1)
    if weight == value[0] and not outranks(v, weight, u, weight, value[1]):
        return weight * 0, np.int64(-1), np.int64(-1)
    return weight, np.int64(u), np.int64(v)


def _aim(v, target, found):
    target[v] = found[v]


def _has_one(v, target):
    return target[v] >= 0


def _differs(v, one, other):
    return one[v] != other[v]
