"""The community around a vertex, by personalized PageRank and a sweep cut [1].

A random walk starts at the source. It follows an edge with probability alpha and restarts
otherwise. rank[v] is the part of its PageRank that is known at v, and left[v] is the residual at v.
While some residual exceeds ``tol`` per unit of degree, its vertex keeps 1 - alpha of it and pushes
the rest to its neighbors. A sweep then sorts the vertices by rank over degree. The prefix of least
conductance is the community.

The push explores at most 1 / (tol * (1 - alpha)) edges, whatever the size of the graph. Arrays over
vertices, the check of given weights, and the removal of self-loops take linear time.

[1] R. Andersen, F. Chung, K. Lang. Local graph partitioning using PageRank vectors. FOCS 2006.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.weighting import balanced, total
from edgewise.base.checks import check_fraction, check_number, check_undirected, check_vertex
from edgewise.base.observe import notify
from edgewise.graph.anywhere import index_of, put, whole_xp
from edgewise.graph.edges import Arcs
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, advance, compute, filter, frontier, reduce_neighbors

__all__ = ["local_community"]

_LEAST, _MOST = 1e-12, 0.999  # of tol, and of alpha


@takes_graph
def local_community(
    graph: GraphLike,
    sources: Any,
    *,
    alpha: float = 0.85,
    tol: float = 1e-5,
    weights: Any = "weight",
) -> Any:
    """Return a mask of the community around given vertices, without exploring the whole graph.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops are ignored.
    sources : int, str or list of them
        One or more vertices of the community, by id or label.
    alpha : float
        The probability of following an edge, at most 0.999. Larger values explore farther.
    tol : float
        The largest residual per unit of degree, at least 1e-12. Weighted degrees are measured in
        mean edge weights. For a community of volume V, use about 0.1 / V. Smaller values explore
        more.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.

    Returns
    -------
    array of bool over vertices
        A boolean mask over vertices, as `conductance` takes it.

    Raises
    ------
    ValueError
        If the graph is directed, ``sources`` is empty, or ``alpha`` or ``tol`` is out of range.

    Notes
    -----
    Explores at most 1 / (tol (1 - alpha)) edges. The arrays over vertices take O(n) memory.

    Examples
    --------
    Two cliques joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> local_community(graph, 4).tolist()
    [False, False, False, True, True, True]
    """
    check_undirected(graph, "local_community")
    alpha, tol = check_fraction(alpha, "alpha"), check_number(tol, "tol", positive=True)
    if alpha > _MOST:
        raise ValueError(f"alpha must be at most {_MOST} for local_community, got {alpha!r}")
    if tol < _LEAST:
        raise ValueError(f"tol must be at least {_LEAST}, got {tol!r}")
    sources = _sources(graph, sources)
    graph = graph.with_weights(Arcs(balanced(graph, weights)[1]))
    if graph.num_self_loops:
        graph = graph.without_self_loops()
    whole = graph.num_arcs if graph.weights is None else total(graph.weights)
    member = graph.full(False)
    member[sources] = True
    if whole > 0:
        floor = tol * graph.num_arcs / whole
        rank, degree, touched = _pushed(graph, sources, alpha, floor)
        _sweep(graph, rank, degree, touched, whole, member)
    return member


def _sources(graph: AnyGraph, source: Any) -> Any:
    several = source if isinstance(source, (list, tuple, np.ndarray)) else [source]
    found = sorted({check_vertex(graph, one, "sources") for one in several})
    if not found:
        raise ValueError("sources must name at least one vertex, got none")
    return index_of(graph, found)


def _pushed(graph: AnyGraph, sources: Any, alpha: float, floor: float) -> tuple[Any, Any, Any]:
    """The ranks, the degrees of those that were touched, and their ids."""
    rank, left, sent = graph.full(0.0), graph.full(0.0), graph.full(0.0)
    degree, nothing = graph.full(0.0), graph.full(0.0)
    left[sources] = 1.0 / len(sources)
    reached, touched, turn = frontier(graph, sources), [], 0
    while True:
        new = filter(graph, reached, _unknown, degree)
        reduce_neighbors(graph, new, _weight, nothing, reduce=ADD, out=degree)
        touched.append(new.ids)
        full = filter(graph, reached, _is_full, (left, degree, floor))
        if full.empty():
            xp = whole_xp(graph)
            return rank, degree, xp.unique(xp.concatenate(touched))
        compute(graph, full, _push, (rank, left, sent, degree, alpha))
        reached = advance(graph, full, _share, left, reduce=ADD, source_values=sent)
        notify(turn, phase="push", frontier=len(full))
        turn += 1


def _sweep(
    graph: AnyGraph, rank: Any, degree: Any, touched: Any, whole: float, member: Any
) -> None:
    """Make members of those before the best cut: the greatest rank by degree first."""
    xp = whole_xp(graph)
    touched = touched[(rank[touched] > 0) & (degree[touched] > 0)]
    if len(touched) == 0:
        return
    order = touched[xp.argsort(-rank[touched] / degree[touched], kind="stable")]
    place, before = graph.full(len(order)), graph.full(0.0)
    put(graph, place, order, xp.arange(len(order)))
    few = frontier(graph, order)
    reduce_neighbors(graph, few, _to_earlier, place, reduce=ADD, out=before)
    volume = xp.cumsum(degree[order])
    cut = xp.cumsum(degree[order] - 2 * before[order])
    smaller = xp.minimum(volume, whole - volume)
    # all of the graph is no community: rounding may leave a little of it outside
    proper = smaller > 1e-9 * whole / graph.num_vertices
    conductance = xp.where(proper, cut / xp.where(proper, smaller, 1.0), xp.inf)
    best = int(xp.argmin(conductance))
    member[touched] = False
    member[order[: best + 1] if bool(proper.any()) else order] = True


def _unknown(v, degree):
    return degree[v] == 0


def _is_full(v, left, degree, floor):
    return left[v] >= floor * degree[v] and degree[v] > 0


def _push(v, rank, left, sent, degree, alpha):
    rank[v] += (1 - alpha) * left[v]
    sent[v] = alpha * left[v] / degree[v]
    left[v] = 0.0


def _share(value, weight):
    return value * weight


def _weight(weight):
    return weight


def _to_earlier(value, own, weight):
    return weight if value < own else 0.0
