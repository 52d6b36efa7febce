"""Matching by locally dominant edges [1], [2]: half-approximate.

An edge that outranks all its neighbors is matched, both ends leave, and so on until no edge of
positive weight is left. The order of edges is strict (`edgewise.operators.edge_order`), so there is
one such matching, whatever looks for it: `greedy` and `suitor` find the same.

Round by round, every free vertex points at the free neighbor to which its highest ranking edge
leads, and two that point at each other become mates; who points at one that is taken now points
anew. CPU threads and CUDA have one kernel for all of it, in folders beside this file.

Its weight is at least half the maximum, because every edge meets a matched one that is no lighter.
A few times linear work on common graphs; quadratic in the degrees at worst.

[1] R. Preis. Linear time 1/2-approximation algorithm for maximum weighted matching. STACS 1999.
[2] F. Manne, R. Bisseling. A parallel approximation algorithm for the weighted maximum matching
    problem. PPAM 2007.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.order import BEST, rank
from edgewise.algorithms.matching.result import Matching, finite_weights, matched
from edgewise.algorithms.weighting import edge_weights
from edgewise.base.observe import notify, observed
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, compute, filter, look_up, reduce_all, reduce_neighbors
from edgewise.operators.engines import fused

__all__ = ["locally_dominant", "match_free"]


@takes_graph
def locally_dominant(
    graph: GraphLike, *, weights: Any = None, batches: Any = None, devices: Any = None
) -> Matching:
    """A matching in which every edge meets a matched one that is no lighter.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and edges of weight zero or less are never matched.
    weights : None, "unit" or array over edges
        Finite, and the same in both directions of an edge.
    batches : int or "auto", optional
        For a graph in host memory: bring its edges to the GPU in so many parts, while the arrays
        over vertices stay there. ``"auto"`` chooses by the memory that is free.
    devices : name or list of names, optional
        The devices that share the vertices, such as ``["cuda:0", "cuda:1"]``; a name may be there
        twice, and ``"cpu"`` is one. ``"cuda"`` by default, if ``batches`` is given.

    Returns
    -------
    Matching
        The same for any number of threads, of batches and of devices, and on every device.

    Raises
    ------
    ValueError
        If the graph is directed, or a weight is not finite; names the edge.

    Notes
    -----
    An observer is told of every round of pointing: ``committed`` edges, and arcs ``visited``; with
    ``batches`` also the seconds of ``transfer``, ``pointing``, ``matching``, ``synchronization``. A
    kernel has no rounds of its own: when it is done, they are gone through for the observer.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[2.0, 3.0, 2.0])
    >>> found = locally_dominant(path)
    >>> found.mate.tolist(), found.weight, found.cardinality
    ([-1, 2, 1, -1], 3.0, 1)
    """
    finite_weights(graph, weights, "locally_dominant")
    mate = graph.full(-1, graph.indices.dtype)
    if batches is None and devices is None:
        match_free(graph, mate, weights)
    else:
        from edgewise.algorithms.matching.out_of_core import match_in_batches

        match_in_batches(graph, mate, weights, batches, devices)
    return matched(graph, mate, weights)


def match_free(graph: AnyGraph, mate: Any, weights: Any) -> None:
    """Match those who have no mate (-1) with each other, until no edge joins two of them.

    Whoever has a mate keeps it. ``weights`` as the caller was given them, found to be finite.
    """
    before = mate.copy() if observed() else None
    if not fused(graph, __package__, "locally_dominant", mate, weights):
        _rounds(graph, mate, weights)
    elif before is not None:  # the kernel has told nothing
        _rounds(graph, before, weights)


def _rounds(graph: AnyGraph, mate: Any, weights: Any) -> None:
    """The same by operators, round by round. Who points at nobody points at itself."""
    found, ids = edge_weights(graph, weights), graph.xp.arange(len(mate), dtype=mate.dtype)
    offer, kind = (_unit_offer, np.int64) if found is None else (_offer, found.dtype)
    pointer, looking, turn = ids.copy(), filter(graph, None, _is_free, mate), 0
    degrees = graph.degrees() if observed() else None
    while not looking.empty():
        best = reduce_neighbors(
            graph, looking, offer, mate, reduce=BEST, own=ids, edges="out", weights=weights,
            dtype=(kind, np.int64, np.int64),
        )  # fmt: skip
        compute(graph, looking, _point, (pointer, ids, best[2]))
        back = look_up(graph, pointer, pointer)
        agreed = filter(graph, None, _agree, (mate, ids, pointer, back))
        compute(graph, agreed, _join, (mate, pointer))
        if degrees is not None:
            visited = int(reduce_all(graph, degrees, reduce=ADD, frontier=looking))
            notify(turn, committed=len(agreed) // 2, visited=visited)
        held = look_up(graph, mate, pointer)
        looking, turn = filter(graph, None, _must_look, (mate, ids, pointer, held)), turn + 1


def _is_free(v, mate):
    return mate[v] < 0


def _offer(value, weight, source, own):
    """The edge to a free neighbor; none, if it may not be chosen."""
    if value >= 0 or not weight > 0 or source == own:
        return weight * 0, np.int64(-1), np.int64(-1)
    return weight, np.int64(own), source


def _unit_offer(value, source, own):
    if value >= 0 or source == own:
        return np.int64(0), np.int64(-1), np.int64(-1)
    return rank(own, source), np.int64(own), source


def _point(v, pointer, ids, best):
    pointer[v] = ids[v] if best[v] < 0 else best[v]


def _agree(v, mate, ids, pointer, back):
    return mate[v] < 0 and pointer[v] != ids[v] and back[v] == ids[v]


def _join(v, mate, pointer):
    mate[v] = pointer[v]


def _must_look(v, mate, ids, pointer, held):
    return mate[v] < 0 and pointer[v] != ids[v] and held[v] >= 0
