"""The b-Suitor algorithm [1]: a 1/2-approximate maximum weight b-matching, without locks.

Every vertex proposes along its b(v) best edges and keeps the b(v) best proposals that it receives.
A vertex whose proposal is replaced proposes along its next edge. When all remaining proposals are
mutual, they are the greedy b-matching, which is unique. It has at least half the maximum weight.

A vertex reads its next edge from its shortlist with one atomic addition. A slot for a proposal only
changes to a better proposal, by compare-and-swap. So the worst slot that a thread has read is still
the worst if the swap succeeds, and no thread waits. The thread that replaces a proposal makes the
next one of its sender. A vertex at the end of its shortlist waits for a longer one, which ends a
round. About linear work for random weights and small b; O(b) per proposal at worst.

``places[starts[v]:starts[v + 1]]`` are the slots of v. The upper 32 bits are the sender's id and
the lower ones the index of the edge in the sender's row; -1 is an empty slot.

[1] A. Khan, A. Pothen, M. Patwary, N. Satish, N. Sundaram, F. Manne, M. Halappanavar, P. Dubey.
    Efficient approximation algorithms for weighted b-matching. SIAM J. Sci. Comput. 38(5), 2016.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.matching.b_values import selected, vertex_counts
from edgewise.algorithms.matching.long_rows import fill_hubs, refill_hubs
from edgewise.algorithms.matching.order import outranks
from edgewise.algorithms.matching.result import Selection, finite_weights
from edgewise.algorithms.matching.shortlist import fill, shortlists
from edgewise.algorithms.weighted_rows import weighted_rows
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


class Proposals(NamedTuple):
    """The proposals that vertices keep."""

    starts: Any
    places: Any
    taken: Any  # how many places of each vertex have been asked for while free
    bars: Any  # the least weight that a new proposal must have
    owed: Any  # how many proposals each vertex has still to make


@takes_graph
def b_suitor(graph: LocalGraphLike, b: Any, *, weights: Any = "weight") -> Selection:
    """Return a 1/2-approximate maximum weight b-matching.

    It is the greedy b-matching: edges are taken from the heaviest on while neither end is full. It
    is the same on every engine and for any number of threads.

    Parameters
    ----------
    graph : Graph
        Undirected.
    b : int, or array of int over vertices
        The largest number of chosen edges at each vertex.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Finite. Self-loops and edges of weight zero or less are never chosen.

    Returns
    -------
    Selection
        The indices of the chosen edges in ``graph.edges()``, their total weight and their number.

    Raises
    ------
    ValueError
        If the graph is directed, b is negative, or a weight is not finite.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[1.0, 2.0, 1.0])
    >>> b_suitor(path, 1).edges.tolist()
    [1]
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
    places, rows = xp.full(int(starts[-1]), -1, np.int64), weighted_rows(graph, weights)
    bars, taken = graph.full(least, rows.weights.dtype), graph.full(0, np.int64)
    lists = shortlists(graph, xp.minimum(degrees, xp.maximum(limits, _LIST)), 1, least)
    state = (rows, Proposals(starts, places, taken, bars, owed), lists)
    hubs = fill_hubs(graph, rows, bars, lists)
    compute(graph, None, _start, state)
    members, turn = filter(graph, None, _owes, owed), 0
    while not members.empty():
        notify(turn, frontier=len(members))
        refill_hubs(graph, hubs, owed, rows, bars, lists)
        compute(graph, members, _refill, (rows, bars, lists), work=_LIST * len(members))
        compute(graph, members, _go_on, state, work=_LIST * len(members))
        members, turn = filter(graph, None, _owes, owed), turn + 1
    held = places[places >= 0]
    edges = graph.indptr[held >> _HALF] + (held & _LOWER)
    return xp.sort(edges[held >> _HALF < graph.indices[edges]])


def _owes(v, owed):
    return owed[v] > 0


def _start(v, rows, kept, lists):
    """Fill the list of ``v`` and propose; losers wait, as their lists may be in the making."""
    owes = kept.starts[v + 1] - kept.starts[v]
    if owes == 0:
        return
    if lists.stop[v] == lists.starts[v] and lists.whole[v] == 0:
        fill(v, rows, kept.bars, lists)
    i, end = lists.starts[v], lists.stop[v]
    while owes > 0 and i < end:
        u = _propose(v, lists.edges[i], rows, kept)
        i += 1
        if u != v:
            owes -= 1
            if u >= 0:
                atomic.add(kept.owed, u, 1)
    lists.coming[v] = i
    if owes > 0 and lists.whole[v] == 0:
        atomic.add(kept.owed, v, owes)


def _refill(v, rows, bars, lists):
    if lists.coming[v] >= lists.stop[v] and lists.whole[v] == 0:
        fill(v, rows, bars, lists)


def _go_on(v, rows, kept, lists):
    """Let ``v`` make the proposals that it owes, and each vertex that loses by them its next."""
    for _ in range(atomic.exch(kept.owed, v, 0)):
        u = v
        while u >= 0:
            i = atomic.add(lists.coming, u, 1)
            if i >= lists.stop[u]:
                if lists.whole[u] == 0:
                    atomic.add(kept.owed, u, 1)
                break
            u = _propose(u, lists.edges[i], rows, kept)


@inner
def _propose(u, e, rows, kept):
    """Propose along edge ``e`` of ``u``; who has to propose next: a loser, ``u`` itself, or -1."""
    v, weight, places, bars = rows.indices[e], rows.weights[e * rows.stride], kept.places, kept.bars
    if weight < bars[v]:
        return u
    mine, low, high = (u << _HALF) | (e - rows.indptr[u]), kept.starts[v], kept.starts[v + 1]
    if kept.taken[v] < high - low:
        free = low + atomic.add(kept.taken, v, 1)
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
            other = rows.weights[(rows.indptr[w] + (held & _LOWER)) * rows.stride]
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
