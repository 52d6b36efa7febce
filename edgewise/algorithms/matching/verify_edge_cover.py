"""Verification of a b-edge cover: is it valid and minimal?

An edge is redundant if both its ends have more edges than they need. A cover without redundant
edges is minimal. Linear work, on all threads or on a device.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.matching.b_values import edge_counts, ends, vertex_counts
from edgewise.algorithms.matching.result import finite_weights
from edgewise.algorithms.weighting import total
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph

__all__ = ["CoverVerdict", "verify_edge_cover"]


class CoverVerdict(NamedTuple):
    """The properties of an edge cover, and the reason why the first failing one does not hold.

    Attributes
    ----------
    valid : bool
        The edges are distinct indices into ``graph.edges()`` without self-loops. Every vertex has
        as many of them as it needs, and the stated weight and cardinality are correct.
    minimal : bool
        Every edge is needed by at least one of its ends.
    reason : str or None
        Why the first failing property does not hold; None if both hold.
    """

    valid: bool
    minimal: bool
    reason: str | None


@takes_graph
def verify_edge_cover(
    graph: LocalGraphLike, result: Any, b: Any = 1, *, weights: Any = "weight"
) -> CoverVerdict:
    """Return whether a b-edge cover is valid and minimal.

    Parameters
    ----------
    graph : Graph
        Undirected.
    result : Selection, or array of int
        The cover, or the indices of its edges in ``graph.edges()``. A `Selection` is also checked
        for its weight (up to rounding) and its cardinality.
    b : int, or array of int over vertices
        The number of edges that each vertex needs.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        The weights that the cover was computed for.

    Returns
    -------
    CoverVerdict
        An invalid cover does not count as minimal.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> verify_edge_cover(path, [0, 2])
    CoverVerdict(valid=True, minimal=True, reason=None)
    >>> verify_edge_cover(path, [0, 1, 2]).reason
    'edge 1 (1 - 2) is redundant'
    >>> verify_edge_cover(path, [0, 1]).reason
    'vertex 3 has 0 edges and needs 1'
    """
    found = finite_weights(graph, weights, "verify_edge_cover")
    b, xp = vertex_counts(graph, b), graph.xp
    edges = xp.asarray(getattr(result, "edges", result))
    reason = _wrong_ids(graph, edges)
    arcs = None if reason else graph.edge_to_arc[edges.astype(np.int64)].astype(np.int64)
    reason = reason or _wrong_sums(arcs, found, result)
    if reason is not None:
        return CoverVerdict(False, False, reason)
    have = edge_counts(graph, arcs)
    sources, targets = ends(graph, arcs)
    short = xp.flatnonzero(have < b)
    if len(short):
        v = int(short[0])
        reason = f"vertex {v} has {int(have[v])} edges and needs {int(b[v])}"
        return CoverVerdict(False, False, reason)
    spare = have > b
    loose = xp.flatnonzero(spare[sources] & spare[targets])
    if len(loose):
        i = int(loose[0])
        told = f"edge {int(edges[i])} ({int(sources[i])} - {int(targets[i])})"
        return CoverVerdict(True, False, f"{told} is redundant")
    return CoverVerdict(True, True, None)


def _wrong_ids(graph: Graph, edges: Any) -> str | None:
    xp = graph.xp
    if edges.ndim != 1 or (edges.size and edges.dtype.kind not in "iu"):
        return f"edges must be whole numbers, got {edges.dtype} of shape {edges.shape}"
    wrong = xp.flatnonzero((edges < 0) | (edges >= graph.num_edges))
    if len(wrong):
        return f"there is no edge {int(edges[wrong[0]])}"
    sources, targets = ends(graph, graph.edge_to_arc[edges.astype(np.int64)])
    wrong = xp.flatnonzero(sources == targets)
    if len(wrong):
        i = int(wrong[0])
        return f"edge {int(edges[i])} ({int(sources[i])} - {int(targets[i])}) is a self-loop"
    distinct, times = xp.unique(edges, return_counts=True)
    twice = xp.flatnonzero(times > 1)
    return f"edge {int(distinct[twice[0]])} is there twice" if len(twice) else None


def _wrong_sums(arcs: Any, weights: Any, result: Any) -> str | None:
    if not hasattr(result, "edges"):
        return None
    if result.cardinality != len(arcs):
        return f"the cardinality is {len(arcs)}, not {result.cardinality}"
    weight = len(arcs) if weights is None else total(weights[arcs])
    if not np.isclose(result.weight, weight, rtol=1e-9, atol=0):
        return f"the weight is {weight}, not {result.weight}"
    return None
