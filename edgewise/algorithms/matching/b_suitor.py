"""Half-approximate b-matching by proposals and annulments (b-Suitor [1]), without locks.

Every vertex proposes along its best edges, b(v) of them, and keeps the b(v) best proposals that it
gets; who loses a place there to a better one proposes along its next edge. Where all that rest are
mutual, they are the b-matching that the greedy method finds: one alone, whatever the order of
events. It has at least half the greatest weight.

A vertex reads its next edge off its shortlist with one atomic addition. A place that a proposal is
kept in only ever changes to a better one, by compare-and-swap: so the worst place that a thread has
read is still the worst if the swap succeeds, and nobody waits. The thread that annuls a proposal
makes the loser's next one. A vertex at the end of its shortlist waits for a longer one: that ends a
round. About linear work for random weights and small b, O(b) per proposal at worst.

``places[starts[v]:starts[v + 1]]`` are v's: the sender's id in the upper 32 bits and the position
of the edge in the sender's row in the lower ones, or -1.

[1] A. Khan, A. Pothen, M. Patwary, N. Satish, N. Sundaram, F. Manne, M. Halappanavar, P. Dubey.
    Efficient approximation algorithms for weighted b-matching. SIAM J. Sci. Comput. 38(5), 2016.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.bounds import selected, vertex_counts
from edgewise.algorithms.matching.hubs import fill_hubs, refill_hubs
from edgewise.algorithms.matching.order import outranks
from edgewise.algorithms.matching.result import Selection, finite_weights
from edgewise.algorithms.matching.shortlist import fill, shortlists
from edgewise.algorithms.weighting import weight_reader
from edgewise.base import atomic
from edgewise.base.checks import check_one_device
from edgewise.base.observe import notify
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators import compute, filter
from edgewise.operators.helpers import inner

__all__ = ["b_suitor", "proposals"]

#: Length of the shortlists where b is less; longer ones cost more than the rounds that they save.
_LIST = 4
_HALF, _LOWER = 32, (1 << 32) - 1


@takes_graph
def b_suitor(graph: LocalGraphLike, b: Any, *, weights: Any = None) -> Selection:
    """Edges of at least half the greatest weight, at most b(v) of them at every vertex v.

    The result is that of the greedy method, which takes edges in their order (the heavier first,
    ties as in `edgewise.matching.locally_dominant`) while both ends have room; the same on every
    engine and for any number of threads.

    Parameters
    ----------
    graph : undirected Graph
    b : int, or array of int over vertices
        How many edges a vertex may have.
    weights : None, "unit" or array over edges
        Finite; edges of weight zero or less are never chosen, self-loops neither.

    Returns
    -------
    Selection
        The chosen edges by their place in ``graph.edges()``, their weight and their number.

    Raises
    ------
    ValueError
        If the graph is directed, b is negative, or a weight is not finite.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[1.0, 2.0, 1.0])
    >>> b_suitor(path, 1)
    Selection(edges=array([1]), weight=2.0, cardinality=1)
    >>> b_suitor(path, [1, 1, 2, 1]).weight
    3.0
    """
    check_one_device(graph, "b_suitor")
    found = finite_weights(graph, weights, "b_suitor")
    return selected(graph, proposals(graph, vertex_counts(graph, b), found, 0), found)


def proposals(graph: Graph, b: Any, weights: Any, least: float) -> Any:
    """The edges of the greedy b-matching among those that weigh more than ``least``: their ids."""
    xp, degrees = graph.xp, graph.xp.diff(graph.indptr)
    limits = xp.minimum(b, degrees)
    starts, owed = offsets(limits), graph.full(0, np.int64)
    places = xp.full(int(starts[-1]), -1, np.int64)
    array, stride = weight_reader(graph, weights)
    bars, taken = graph.full(least, array.dtype), graph.full(0, np.int64)
    lists = shortlists(graph, xp.minimum(degrees, xp.maximum(limits, _LIST)), 1, least)
    market = (graph.indptr, graph.indices, array, stride, starts, places, taken, bars, owed, *lists)
    far = fill_hubs(graph, array, stride, bars, lists)
    compute(graph, None, _start, market)
    members, turn = filter(graph, None, _owes, owed), 0
    while not members.empty():
        notify(turn, frontier=len(members))
        refill_hubs(graph, far, owed, array, stride, bars, lists)
        compute(graph, members, _refill, (*market[:4], bars, *lists), work=_LIST * len(members))
        compute(graph, members, _court, market, work=_LIST * len(members))
        members, turn = filter(graph, None, _owes, owed), turn + 1
    held = places[places >= 0]
    edges = graph.indptr[held >> _HALF] + (held & _LOWER)
    return xp.sort(edges[held >> _HALF < graph.indices[edges]])


def _owes(v, owed):
    return owed[v] > 0


def _start(
    v, indptr, indices, weights, stride, starts, places, taken, bars, owed,
    first, edges, coming, stop, whole, sign, least,
):  # fmt: skip
    """Fill the list of ``v`` and propose; losers wait, as their lists may be in the making."""
    owes = starts[v + 1] - starts[v]
    if owes == 0:
        return
    lists = (first, edges, coming, stop, whole, sign, least)
    if stop[v] == first[v] and whole[v] == 0:
        fill(v, indptr, indices, weights, stride, bars, lists)
    i, end = first[v], stop[v]
    while owes > 0 and i < end:
        u = _propose(v, edges[i], indptr, indices, weights, stride, starts, places, taken, bars)
        i += 1
        if u != v:
            owes -= 1
            if u >= 0:
                atomic.add(owed, u, 1)
    coming[v] = i
    if owes > 0 and whole[v] == 0:
        atomic.add(owed, v, owes)


def _refill(v, indptr, indices, weights, stride, bars,
            first, edges, coming, stop, whole, sign, least):  # fmt: skip
    if coming[v] >= stop[v] and whole[v] == 0:
        lists = (first, edges, coming, stop, whole, sign, least)
        fill(v, indptr, indices, weights, stride, bars, lists)


def _court(
    v, indptr, indices, weights, stride, starts, places, taken, bars, owed,
    first, edges, coming, stop, whole, sign, least,
):  # fmt: skip
    """Let ``v`` make the proposals that it owes, and whoever loses by them the next one."""
    for _ in range(atomic.exch(owed, v, 0)):
        u = v
        while u >= 0:
            i = atomic.add(coming, u, 1)
            if i >= stop[u]:
                if whole[u] == 0:
                    atomic.add(owed, u, 1)
                break
            u = _propose(u, edges[i], indptr, indices, weights, stride, starts, places, taken, bars)


@inner
def _propose(u, e, indptr, indices, weights, stride, starts, places, taken, bars):
    """Propose along edge ``e`` of ``u``; who has to propose next: a loser, ``u`` itself, or -1."""
    v, weight = indices[e], weights[e * stride]
    if weight < bars[v]:
        return u
    mine, low, high = (u << _HALF) | (e - indptr[u]), starts[v], starts[v + 1]
    if taken[v] < high - low:
        free = low + atomic.add(taken, v, 1)
        if free < high and atomic.cas(places, free, -1, mine) == -1:
            return -1
    surely = False
    while True:
        at, worst, loser, least, second = low - 1, -1, -1, weight, weight
        for i in range(low, high):
            # A device may read what it has read before; an atomic operation reads what is there.
            held = atomic.max(places, i, -1) if surely else places[i]
            if held < 0:
                at, worst, loser = i, -1, -1
                break
            w = held >> _HALF
            other = weights[(indptr[w] + (held & _LOWER)) * stride]
            if at < low or outranks(v, least, loser, other, w):
                second = weight if at < low else min(second, least)
                at, worst, loser, least = i, held, w, other
            elif other < second:
                second = other
        if at < low:
            return u
        if worst >= 0 and outranks(v, least, loser, weight, u):
            atomic.max(bars, v, least)
            return u
        if atomic.cas(places, at, worst, mine) == worst:
            if worst >= 0:
                atomic.max(bars, v, second)
            return loser
        surely = True
