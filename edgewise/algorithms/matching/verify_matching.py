"""Verification of a matching: is it valid, maximal and locally dominant?

A matching is dominant if every edge of positive weight is, or is adjacent to, a matched edge that
is no lighter. Then it is maximal and has at least half the maximum weight: charge each edge of a
heaviest matching to that matched edge, which is charged at most twice. Two passes over the edges,
on all threads or on a device.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.matching.result import finite_weights
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, MAX, MIN, filter, reduce_all, reduce_neighbors

__all__ = ["MatchingVerdict", "verify_matching"]

_NONE = (1 << 63) - 1


class MatchingVerdict(NamedTuple):
    """The properties of a matching, and the reason why the first failing one does not hold.

    Attributes
    ----------
    valid : bool
        Mates are mutual and adjacent, and the stated weight and cardinality are correct.
    maximal : bool
        No edge of positive weight joins two unmatched vertices.
    dominant : bool
        Every edge of positive weight has a matched edge at one of its ends that is no lighter.
    reason : str or None
        Why the first failing property does not hold; None if all hold.
    """

    valid: bool
    maximal: bool
    dominant: bool
    reason: str | None


@takes_graph
def verify_matching(
    graph: LocalGraphLike, result: Any, *, weights: Any = "weight"
) -> MatchingVerdict:
    """Return whether a matching is valid, maximal and locally dominant.

    Parameters
    ----------
    graph : Graph
        Undirected.
    result : Matching, or array over vertices
        The matching, or the mate of each vertex with -1 for none. A `Matching` is also checked for
        its weight (up to rounding) and its cardinality.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        The weights that the matching was computed for.

    Returns
    -------
    MatchingVerdict
        An invalid matching counts as neither maximal nor dominant.

    Raises
    ------
    ValueError
        If the graph is directed, or a weight is not finite; the message names the edge.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[2.0, 3.0, 2.0])
    >>> verify_matching(path, [-1, 2, 1, -1])
    MatchingVerdict(valid=True, maximal=True, dominant=True, reason=None)
    >>> verify_matching(path, [1, 0, 3, 2]).reason
    'edge 1 (1 - 2) of weight 3.0 is heavier than the matched edges at its ends'
    >>> verify_matching(path, [1, 0, -1, 2]).reason
    'vertex 3 has the mate 2, whose mate is -1'
    """
    found = finite_weights(graph, weights, "verify_matching")
    mate, reason = _mates(graph, result)
    if reason is None:
        arc = reduce_neighbors(graph, None, _to_mate, mate, reduce=MAX, mode="out", dtype=np.int64)
        worth = _worth(graph, arc, found)
        reason = _not_joined(graph, mate, arc) or _wrong_sums(graph, mate, worth, result)
    if reason is not None:
        return MatchingVerdict(False, False, False, reason)
    heavier = _first_edge(graph, _heavier, worth, weights)
    if heavier is None:
        return MatchingVerdict(True, True, True, None)
    loose = _first_edge(graph, _loose, mate, weights)
    if loose is not None:
        told = _named(graph, loose, found)
        return MatchingVerdict(True, False, False, f"{told} joins two free vertices")
    told = _named(graph, heavier, found)
    return MatchingVerdict(
        True, True, False, f"{told} is heavier than the matched edges at its ends"
    )


def _mates(graph: AnyGraph, result: Any) -> tuple[Any, str | None]:
    """The array of mates, and what is wrong with it by itself."""
    n, xp = graph.num_vertices, graph.xp
    mate = xp.asarray(getattr(result, "mate", result))
    if mate.shape != (n,) or (mate.dtype.kind not in "iu" and n > 0):
        return mate, f"mate must be {n} vertex ids, got {mate.dtype} of shape {mate.shape}"
    mate = xp.ascontiguousarray(mate.astype(np.int64, copy=False))
    wrong = filter(graph, None, _out_of_range, (mate, n))
    if not wrong.empty():
        v = int(wrong.ids.min())
        return mate, f"vertex {v} has the mate {int(mate[v])}, which is no other vertex"
    wrong = filter(graph, None, _one_sided, mate)
    if not wrong.empty():
        v = int(wrong.ids.min())
        u = int(mate[v])
        return mate, f"vertex {v} has the mate {u}, whose mate is {int(mate[u])}"
    return mate, None


def _not_joined(graph: AnyGraph, mate: Any, arc: Any) -> str | None:
    wrong = filter(graph, None, _without_arc, (mate, arc))
    if wrong.empty():
        return None
    v = int(wrong.ids.min())
    return f"vertex {v} has the mate {int(mate[v])}, but no edge joins them"


def _worth(graph: AnyGraph, arc: Any, weights: Any) -> Any:
    """The weight of the edge to every vertex's mate, 0 without one."""
    joined = arc >= 0
    if weights is None or len(weights) == 0:
        return joined.astype(np.int64)
    return graph.xp.where(joined, weights[graph.xp.maximum(arc, 0)], weights.dtype.type(0))


def _wrong_sums(graph: AnyGraph, mate: Any, worth: Any, result: Any) -> str | None:
    if not hasattr(result, "mate"):
        return None
    cardinality = int((mate >= 0).sum()) // 2
    if result.cardinality != cardinality:
        return f"the cardinality is {cardinality}, not {result.cardinality}"
    weight = reduce_all(graph, (worth, mate), reduce=ADD, function=_once)
    if not np.isclose(result.weight, weight, rtol=1e-9, atol=0):
        return f"the weight is {weight}, not {result.weight}"
    return None


def _first_edge(graph: AnyGraph, message: Any, state: Any, weights: Any) -> int | None:
    """The first edge for which the message is its id, not `_NONE`."""
    own = (state, graph.vertex_ids())
    first = reduce_neighbors(
        graph, None, message, state, reduce=MIN, own=own, mode="out", weights=weights,
        dtype=np.int64,
    )  # fmt: skip
    found = int(reduce_all(graph, first, reduce=MIN))
    return None if found == _NONE else found


def _named(graph: Graph, arc: int, weights: Any) -> str:
    xp = graph.xp
    u = int(xp.searchsorted(graph.indptr, xp.asarray([arc]), side="right")[0]) - 1
    weight = 1 if weights is None else weights[arc]
    return f"edge {graph.arc_to_edge[arc]} ({u} - {graph.indices[arc]}) of weight {weight}"


def _out_of_range(v, mate, n):
    return mate[v] < -1 or mate[v] >= n or mate[v] == v


def _one_sided(v, mate):
    return mate[v] >= 0 and mate[mate[v]] != v


def _without_arc(v, mate, arc):
    return mate[v] >= 0 and arc[v] < 0


def _to_mate(source, edge, own):
    return edge if source == own else -1


def _once(v, worth, mate):
    return worth[v] if mate[v] > v else 0


def _heavier(value, weight, source, edge, own):
    beaten = weight > 0 and weight > value and weight > own[0] and source != own[1]
    return edge if beaten else _NONE


def _loose(value, weight, source, edge, own):
    loose = weight > 0 and value < 0 and own[0] < 0 and source != own[1]
    return edge if loose else _NONE
