"""Locally dominant matching [1], [2]: a 1/2-approximate maximum weight matching.

An edge that outranks all adjacent edges is matched, and its ends are removed. This repeats until no
edge of positive weight is left. The order of edges is strict (`edgewise.operators.edge_order`), so
this matching is unique: `greedy` and `suitor` find the same.

In each round, every free vertex points at its best free neighbor. Two vertices that point at each
other become mates. Vertices that point at a matched vertex point anew. CPU threads and CUDA have
one kernel for all rounds, in folders beside this file.

Every edge is adjacent to a matched edge that is no lighter, so the matching has at least half the
maximum weight. Close to linear work on common graphs; O(m d) at worst, d being the largest degree.

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
from edgewise.graph.foreign import GraphLike, streams, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, compute, filter, look_up, reduce_all, reduce_neighbors
from edgewise.operators.engines import fused

__all__ = ["locally_dominant", "match_free"]


@takes_graph
@streams(64)
def locally_dominant(
    graph: GraphLike, *, weights: Any = "weight", num_batches: Any = None, device: Any = None
) -> Matching:
    """Return a locally dominant matching, of at least half the maximum weight, on every engine.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and edges of weight zero or less are never matched.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Finite, and the same in both directions of an edge.
    num_batches : int or "auto", optional
        The number of batches in which the edges of a graph in host memory are copied to the GPU.
        Arrays over vertices stay on the GPU. More batches need less GPU memory. ``"auto"`` chooses
        by the free memory.
    device : name or list of names, optional
        The devices that share the vertices, such as ``["cuda:0", "cuda:1"]``. A name may occur
        twice, and ``"cpu"`` is allowed. ``"cuda"`` by default, if ``num_batches`` is given.

    Returns
    -------
    Matching
        The same for any number of threads, batches and devices.

    Raises
    ------
    ValueError
        If the graph is directed, or a weight is not finite; the message names the edge.

    See Also
    --------
    greedy : The same matching by sorting, on one thread.
    suitor : The same matching by proposals.
    two_thirds : A heavier matching at a higher cost.

    Notes
    -----
    O(m log d) time on common graphs and O(m d) at most, where d is the largest degree.

    Observers receive the ``committed`` edges and the ``visited`` arcs of every round. With
    ``num_batches`` they also receive the seconds of ``transfer``, ``pointing``, ``matching`` and
    ``synchronization``. A fused kernel reports its rounds after it has finished.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[2.0, 3.0, 2.0])
    >>> found = locally_dominant(path)
    >>> found.mate.tolist(), found.weight, found.cardinality
    ([-1, 2, 1, -1], 3.0, 1)
    """
    finite_weights(graph, weights, "locally_dominant")
    mate = graph.full(-1, graph.id_dtype)
    if num_batches is None and device is None:
        match_free(graph, mate, weights)
    else:
        from edgewise.algorithms.matching.out_of_core import match_in_batches

        match_in_batches(graph, mate, weights, num_batches, device)
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
    degrees = graph.row_lengths() if observed() else None
    while not looking.empty():
        best = reduce_neighbors(
            graph, looking, offer, mate, reduce=BEST, own=ids, mode="out", weights=weights,
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
