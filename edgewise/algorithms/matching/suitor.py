"""The Suitor algorithm [1]: proposals and annulments, half-approximate.

Every vertex proposes along its best arc to a neighbor that has no better suitor. Who is outbid, at
once or later, goes on below the arc that failed. When nobody moves any more, suitors are mates, and
they are those of `locally_dominant`, because the order of edges is the same.

``word[v]`` is v's suitor in its upper 32 bits and, in the lower ones, which arc of the suitor's row
it proposed along; -1 while there is none. So rank and suitor change with one compare-and-swap, and
no locks are needed. ``held[v]`` is the weight that the suitor offers, or less: most arcs are passed
over by it alone.

A few times linear work on common graphs.

[1] F. Manne, M. Halappanavar. New effective multithreaded matching algorithms. IPDPS 2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.order import better, outranks, rank
from edgewise.algorithms.matching.result import Matching, finite_weights, matched
from edgewise.base import atomic
from edgewise.base.checks import check_one_device
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators import Frontier, Monoid, compute, for_rows
from edgewise.operators.helpers import inlined, inner

__all__ = ["propose_all", "suitor"]

#: Losers with rows up to so long go on at once, so many times; others wait for the next round.
_SHORT, _STEPS = 256, 1 << 12
_HALF, _LOWER = 32, (1 << 32) - 1
#: Of arcs (weight, vertex, neighbor, arc) the one that ranks highest.
_BEST_ARC = Monoid((0, -1, -1, -1), better, idempotent=True)


@takes_graph
def suitor(graph: LocalGraphLike, *, weights: Any = None) -> Matching:
    """A matching by proposals: each vertex ends with the best suitor that it can keep.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and edges of weight zero or less are never matched.
    weights : None, "unit" or array over edges
        Finite, and the same in both directions of an edge.

    Returns
    -------
    Matching
        That of `locally_dominant`; of at least half the maximum weight.

    Raises
    ------
    ValueError
        If the graph is directed, or a weight is not finite; names the edge.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[2.0, 3.0, 2.0])
    >>> suitor(path).mate.tolist()
    [-1, 2, 1, -1]
    """
    check_one_device(graph, "suitor")
    found = finite_weights(graph, weights, "suitor")
    mate = graph.full(-1, graph.indices.dtype)
    propose_all(graph, mate, found)
    return matched(graph, mate, weights)


def propose_all(graph: Graph, mate: Any, weights: Any) -> None:
    """Find all ``mate``, which are -1; ``weights`` is an array, or None where all are one."""
    xp, step = graph.xp, 0 if weights is None else 1
    lengths = xp.ones(1, np.int64) if weights is None else weights
    kind = lengths.dtype
    most = np.inf if kind.kind == "f" else np.iinfo(kind).max
    word, held = graph.full(-1, np.int64), graph.full(0, kind)
    tried, past = graph.full(most, kind), graph.full(-1, mate.dtype)
    own = (graph.vertex_ids(mate.dtype), tried, past)
    market = (graph.indptr, graph.indices, lengths, step, word, held)
    queues = [xp.empty(graph.num_vertices, np.int32) for _ in range(2)]
    waiting, turn, members = xp.zeros(1, np.int64), 0, None
    while turn == 0 or int(waiting[0]) > 0:
        if turn > 0:
            count, waiting[0] = int(waiting[0]), 0
            members = Frontier.trusted(graph.num_vertices, ids=queues[turn % 2][:count])
        for_rows(
            graph, members, _offer if step else _unit_offer, _court,
            (*market, tried, past, queues[1 - turn % 2], waiting), own=own,
            reduce=_BEST_ARC, weights=weights, dtype=(kind, np.int64, np.int64, np.int64),
            params={"held": held, "word": word, "indptr": graph.indptr, "lengths": lengths,
                    "step": step},
        )  # fmt: skip
        turn += 1
    compute(graph, None, _accept, (mate, word))


def _accept(v, mate, word):
    mate[v] = word[v] >> _HALF  # -1 stays -1


@inlined
def _worth(u, v, e, lengths, step):
    """The weight of the arc e from u to v; where all are one, what decides between them."""
    return lengths[e] if step else rank(u, v)


def _offer(weight, source, edge, own, total, held, word, indptr, lengths, step):
    return _bid(weight, own[0], source, edge, own[1], own[2], total, held, word, indptr, lengths,
                step)  # fmt: skip


def _unit_offer(source, edge, own, total, held, word, indptr, lengths, step):
    return _bid(rank(own[0], source), own[0], source, edge, own[1], own[2], total, held, word,
                indptr, lengths, step)  # fmt: skip


@inlined
def _bid(weight, u, v, e, tried, past, total, held, word, indptr, lengths, step):
    """The arc, if it is better than the best so far, below what was tried, and has a chance.

    What ranks above an arc that failed was out of reach then, and has been ever since. Without a
    chance is who is outranked by v's suitor, or by one that it had: what is read here may be old.
    """
    if weight > tried or weight < total[0] or weight == 0 or v == u:
        return total
    if weight == total[0] and not outranks(u, weight, v, weight, total[2]):
        return total
    if weight == tried and past >= 0 and not outranks(u, weight, past, weight, v):
        return total
    if weight < held[v]:
        return total
    if weight == held[v] and _outbid(u, v, weight, word[v], indptr, lengths, step):
        return total
    return weight, np.int64(u), np.int64(v), np.int64(e)


def _court(u, total, indptr, indices, lengths, step, word, held, tried, past, queue, waiting):
    """Let u propose along the arc that was found, then the one whom it outbids, and so on."""
    for _ in range(_STEPS):
        weight, _, v, e = total
        if v < 0:
            return
        lost = _propose(u, v, e, weight, indptr, indices, lengths, step, word, held)
        if lost < 0:
            return
        u = lost >> _HALF
        low, high = indptr[u], indptr[u + 1]
        weight = _worth(u, v, low + (lost & _LOWER), lengths, step)
        if high - low > _SHORT:
            tried[u], past[u] = weight, v
            queue[atomic.add(waiting, 0, 1)] = u
            return
        last = v
        total = (weight * 0, np.int64(-1), np.int64(-1), np.int64(-1))
        for e in range(low, high):
            v = np.int64(indices[e])
            offer = _worth(u, v, e, lengths, step)
            total = _bid(offer, u, v, e, weight, last, total, held, word, indptr, lengths, step)
    tried[u], past[u] = weight, last
    queue[atomic.add(waiting, 0, 1)] = u


@inlined
def _outbid(u, v, weight, now, indptr, lengths, step):
    """Does the suitor that the word tells of outrank u at v?"""
    rival = now >> _HALF
    if rival < 0:
        return False
    offer = _worth(rival, v, indptr[rival] + (now & _LOWER), lengths, step)
    return not outranks(v, weight, u, offer, rival)


@inner
def _propose(u, v, e, weight, indptr, indices, lengths, step, word, held):
    """Let u be the suitor of v if it is the best; the word of the one who lost, or -1."""
    mine, now = (u << _HALF) | (e - indptr[u]), word[v]
    while True:
        if _outbid(u, v, weight, now, indptr, lengths, step):
            return mine
        seen = atomic.cas(word, v, now, mine)
        if seen == now:
            atomic.max(held, v, weight)
            return now
        now = seen
