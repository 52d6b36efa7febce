"""The Suitor algorithm [1]: a 1/2-approximate maximum weight matching by proposals.

Every vertex proposes along its best arc to a neighbor whose current proposal is worse. A vertex
whose proposal is replaced continues after that arc. In the end, proposals are mutual and are the
matching. It is that of `locally_dominant`, because the order of edges is the same.

The upper 32 bits of ``word[v]`` are v's suitor. The lower bits are the arc's index in the suitor's
row. -1 stands for none. So rank and suitor change by one compare-and-swap, without locks.
``held[v]`` is at most the weight of the suitor's arc; comparing with it rules out most arcs. Close
to linear work on common graphs. On a grid vertices propose in rounds (`proposals`).

[1] F. Manne, M. Halappanavar. New effective multithreaded matching algorithms. IPDPS 2014.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.matching.order import better, outranks, rank
from edgewise.algorithms.matching.proposals import propose_in_rounds
from edgewise.algorithms.matching.result import Matching, finite_weights, matched
from edgewise.algorithms.weighted_rows import WeightedRows
from edgewise.base import atomic
from edgewise.graph import Graph
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import Frontier, Monoid, compute, for_rows
from edgewise.operators.engines import by_rows_or
from edgewise.operators.helpers import inlined, inner

__all__ = ["propose_all", "suitor"]

#: Losers with rows up to so long go on at once, so many times; others wait for the next round.
_SHORT, _STEPS = 256, 1 << 12
_HALF, _LOWER = 32, (1 << 32) - 1
#: Of arcs (weight, vertex, neighbor, arc) the one that ranks highest.
_BEST_ARC = Monoid((0, -1, -1, -1), better, idempotent=True)


class Proposals(NamedTuple):
    """The proposals that stand."""

    word: Any
    held: Any


class Outbid(NamedTuple):
    """The vertices that go on in the next round, and the last arc of each that failed."""

    tried: Any  # the weight of the arc
    past: Any  # where it led
    queue: Any
    size: Any


@takes_graph
def suitor(graph: GraphLike, *, weights: Any = "weight") -> Matching:
    """Return the matching of `locally_dominant`, found by proposals (Suitor).

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and edges of weight zero or less are never matched.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Finite, and the same in both directions of an edge.

    Returns
    -------
    Matching
        The matching of `locally_dominant`. It has at least half the maximum weight.

    Raises
    ------
    ValueError
        If the graph is directed, or a weight is not finite; the message names the edge.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[2.0, 3.0, 2.0])
    >>> suitor(path).mate.tolist()
    [-1, 2, 1, -1]
    """
    found = finite_weights(graph, weights, "suitor")
    mate = graph.full(-1, graph.id_dtype)
    by_rows_or(graph, propose_all, propose_in_rounds)(graph, mate, found)
    return matched(graph, mate, weights)


def propose_all(graph: Graph, mate: Any, weights: Any) -> None:
    """Find all ``mate``, which are -1; ``weights`` is an array, or None where all are one."""
    xp, n, unit = graph.xp, graph.num_vertices, weights is None
    lengths = xp.ones(1, np.int64) if unit else weights
    rows = WeightedRows(graph.indptr, graph.indices, lengths, 0 if unit else 1)
    kind = lengths.dtype
    most = np.inf if kind.kind == "f" else np.iinfo(kind).max
    word, held = graph.full(-1, np.int64), graph.full(0, kind)
    tried, past, ids = graph.full(most, kind), mate.copy(), graph.vertex_ids(mate.dtype)
    standing, queues = Proposals(word, held), [xp.empty(n, np.int32) for _ in range(2)]
    size, turn, members = xp.zeros(1, np.int64), 0, None
    while turn == 0 or int(size[0]) > 0:
        if turn > 0:
            count, size[0] = int(size[0]), 0
            members = Frontier._trusted(n, ids=queues[turn % 2][:count])
        for_rows(
            graph, members, _unit_offer if unit else _offer, _propose_on,
            (rows, standing, Outbid(tried, past, queues[1 - turn % 2], size)),
            own=(ids, tried, past), params={"rows": rows, "standing": standing},
            reduce=_BEST_ARC, weights=weights, dtype=(kind, np.int64, np.int64, np.int64),
        )  # fmt: skip
        turn += 1
    compute(graph, None, _accept, (mate, word))


def _accept(v, mate, word):
    mate[v] = word[v] >> _HALF  # -1 stays -1


@inlined
def _worth(u, v, e, rows):
    """The weight of the arc e from u to v; where all are one, what decides between them."""
    return rows.weights[e] if rows.stride else rank(u, v)


def _offer(weight, source, edge, own, total, rows, standing):
    return _bid(weight, source, edge, own, total, rows, standing)


def _unit_offer(source, edge, own, total, rows, standing):
    return _bid(rank(own[0], source), source, edge, own, total, rows, standing)


@inlined
def _bid(weight, v, e, own, total, rows, standing):
    """The arc, if it is better than the best so far, below what was tried, and has a chance.

    What ranks above an arc that failed was out of reach then, and has been ever since. Without a
    chance is who is outranked by v's suitor, or by one that it had: what is read here may be old.
    """
    u, tried, past = own
    if weight > tried or weight < total[0] or weight == 0 or v == u:
        return total
    if weight == total[0] and not outranks(u, weight, v, weight, total[2]):
        return total
    if weight == tried and past >= 0 and not outranks(u, weight, past, weight, v):
        return total
    if weight < standing.held[v]:
        return total
    if weight == standing.held[v] and _is_outbid(u, v, weight, standing.word[v], rows):
        return total
    return weight, np.int64(u), np.int64(v), np.int64(e)


def _propose_on(u, total, rows, standing, outbid):
    """Let u propose along the arc that was found, then the vertex that it outbids, and so on."""
    for _ in range(_STEPS):
        weight, _, v, e = total
        if v < 0:
            return
        lost = _propose(u, v, e, weight, rows, standing)
        if lost < 0:
            return
        u = lost >> _HALF
        low, high = rows.indptr[u], rows.indptr[u + 1]
        weight, last = _worth(u, v, low + (lost & _LOWER), rows), v
        if high - low > _SHORT:
            break
        total = (weight * 0, np.int64(-1), np.int64(-1), np.int64(-1))
        for e in range(low, high):
            v = np.int64(rows.indices[e])
            offer = _worth(u, v, e, rows)
            total = _bid(offer, v, e, (u, weight, last), total, rows, standing)
    outbid.tried[u], outbid.past[u] = weight, last
    outbid.queue[atomic.add(outbid.size, 0, 1)] = u


@inlined
def _is_outbid(u, v, weight, now, rows):
    """Does the suitor in the word outrank u at v?"""
    rival = now >> _HALF
    if rival < 0:
        return False
    offer = _worth(rival, v, rows.indptr[rival] + (now & _LOWER), rows)
    return not outranks(v, weight, u, offer, rival)


@inner
def _propose(u, v, e, weight, rows, standing):
    """Let u be the suitor of v if it is the best; the word of the one who lost, or -1."""
    mine, now = (u << _HALF) | (e - rows.indptr[u]), standing.word[v]
    while True:
        if _is_outbid(u, v, weight, now, rows):
            return mine
        seen = atomic.cas(standing.word, v, now, mine)
        if seen == now:
            atomic.max(standing.held, v, weight)
            return now
        now = seen
