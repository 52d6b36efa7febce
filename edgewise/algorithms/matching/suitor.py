"""The Suitor algorithm [1]: proposals and annulments, half-approximate.

word[v] is the arc from v to its suitor, -1 while it has none. A vertex proposes along its best arc
to a neighbor without a better suitor; the one it outbids goes on below the arc that it lost. Rank
and suitor follow from the arc, so one compare-and-swap changes both and no locks are needed. In
the end suitors are mates: those of `locally_dominant`, because the order of edges is the same.

A few times linear work on common graphs. Rows must be ascending, as graphs have them.

[1] F. Manne, M. Halappanavar. New effective multithreaded matching algorithms. IPDPS 2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.order import find, outranks
from edgewise.algorithms.matching.result import Matching, finite_weights, matched
from edgewise.base import atomic
from edgewise.base.cache import inner
from edgewise.base.checks import check_one_device
from edgewise.graph.foreign import takes_graph
from edgewise.operators import compute

__all__ = ["suitor"]


@takes_graph
def suitor(graph: Any, *, weights: Any = None) -> Matching:
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
    found, step = finite_weights(graph, weights, "suitor"), 1
    mate = graph.full(-1, graph.indices.dtype)
    if graph.num_arcs == 0:
        return Matching(mate, 0.0, 0)
    if found is None:
        found, step = graph.xp.ones(1, np.int64), 0  # one weight for all
    word = graph.full(-1, np.int64)
    compute(graph, None, _propose, (word, graph.indptr, graph.indices, found, step))
    compute(graph, None, _accept, (mate, word, graph.indices))
    return matched(graph, mate, weights)


def _propose(u, word, indptr, indices, weights, step):
    """Let u propose, then the one whom it outbids, and so on."""
    past = np.int64(-1)  # whom u has tried last, along an arc of weight `tried`
    tried = weights[0]
    while True:
        at, best = np.int64(-1), weights[0]
        for e in range(indptr[u], indptr[u + 1]):
            v, weight = np.int64(indices[e]), weights[e * step]
            if v == u or weight <= 0 or (at >= 0 and weight < best):
                continue
            if at >= 0 and not outranks(u, weight, v, best, np.int64(indices[at])):
                continue
            # What ranks above an arc that failed was out of reach then, and has been ever since.
            if past >= 0 and not outranks(u, tried, past, weight, v):
                continue
            now = word[v]
            if now >= 0:
                rival, offer = np.int64(indices[now]), weights[now * step]
                if not outranks(v, weight, u, offer, rival):
                    continue
            at, best = np.int64(e), weight
        if at < 0:
            break  # nobody is left who would have u
        past = np.int64(indices[at])
        lost = _settle(u, past, best, word, indptr, indices, weights, step)
        if lost < 0:
            break
        u, tried = np.int64(indices[lost]), weights[lost * step]


@inner
def _settle(u, v, weight, word, indptr, indices, weights, step):
    """Let u be the suitor of v if it is the best; the arc from v to the one who lost it, or -1."""
    mine, now = find(v, u, indptr, indices), word[v]
    while True:
        rival = np.int64(indices[max(now, 0)])
        if now >= 0 and not outranks(v, weight, u, weights[now * step], rival):
            return mine
        seen = atomic.cas(word, v, now, mine)
        if seen == now:
            return now
        now = seen


def _accept(v, mate, word, indices):
    if word[v] >= 0:
        mate[v] = indices[word[v]]
