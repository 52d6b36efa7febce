"""b-edge cover of small weight: every vertex v has at least b(v) of the chosen edges.

There are four methods, all deterministic. Redundant edges are removed at the end of each, so that
the cover is minimal. The number is the approximation ratio.

* lazy: greedy by effective weights, 3/2 (`lazy_cover`);
* primal_dual: prices at the vertices, the same edges in parallel, 3/2 (`primal_dual_cover`);
* nearest: every vertex takes its b(v) lightest edges, 2 [1];
* complement: all edges except a 1/2-approximate b'-matching, b'(v) = deg(v) - b(v), 2 [2].

The redundant edges are a b-matching, too. A vertex with c(v) edges can lose c(v) - b(v) of them,
and `b_suitor` removes the heaviest. So the last two methods give the same edges: an edge that is
among the lightest of neither end is always in the b'-matching.

[1] S M Ferdous, A. Pothen, A. Khan. New approximation algorithms for minimum weighted edge cover.
    SIAM Workshop on Combinatorial Scientific Computing, 2018.
[2] A. Khan, A. Pothen, S M Ferdous. Parallel algorithms through approximation: b-edge cover.
    IPDPS 2018.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.b_suitor import proposals
from edgewise.algorithms.matching.b_values import (
    edge_counts,
    ends,
    selected,
    vertex_counts,
)
from edgewise.algorithms.matching.lazy_cover import lazy_greedy
from edgewise.algorithms.matching.long_rows import fill_hubs
from edgewise.algorithms.matching.primal_dual_cover import primal_dual
from edgewise.algorithms.matching.result import Selection, finite_weights
from edgewise.algorithms.matching.shortlist import fill, shortlists
from edgewise.algorithms.weighted_rows import weighted_rows
from edgewise.algorithms.weighting import check_lengths
from edgewise.base.checks import check_choice, check_one_device
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators import advance, compute, frontier
from edgewise.operators.helpers import find_edge

__all__ = ["b_edge_cover", "proper_degrees"]


@takes_graph
def b_edge_cover(
    graph: LocalGraphLike, b: Any = 1, *, method: str = "lazy", weights: Any = "weight"
) -> Selection:
    """Return an approximate minimum weight b-edge cover.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops cover nothing and are never chosen.
    b : int, or array of int over vertices
        The number of chosen edges that each vertex needs, at most its degree. With isolated
        vertices, give ``np.minimum(b, graph.without_self_loops().degrees())``.
    method : {"lazy", "primal_dual", "nearest", "complement"}
        The algorithm. ``"lazy"`` and ``"primal_dual"`` return the same edges, of at most 3/2 times
        the minimum weight. ``"lazy"`` runs on one CPU thread, the others on every engine.
        ``"nearest"`` and ``"complement"`` return the same edges, of at most twice the minimum
        weight. ``"nearest"`` is the fastest.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.

    Returns
    -------
    Selection
        The indices of the chosen edges in ``graph.edges()``, their total weight and their number.
        None of them is redundant.

    Raises
    ------
    ValueError
        If the graph is directed, or a weight is negative or not finite. Also if a vertex has fewer
        than b(v) edges; the message names it.

    See Also
    --------
    verify_edge_cover : Checks a cover and its minimality.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[1.0, 2.0, 1.0])
    >>> b_edge_cover(path)
    Selection(weight=2.0, cardinality=2)
    [0 2]
    >>> b_edge_cover(path, [1, 2, 1, 1]).weight
    4.0
    """
    check_choice(method, "method", ("lazy", "primal_dual", "nearest", "complement"))
    check_one_device(graph, "b_edge_cover")
    found = finite_weights(graph, weights, "b_edge_cover")
    check_lengths(graph, found, weights)
    b, degrees = vertex_counts(graph, b), proper_degrees(graph)
    short = graph.xp.flatnonzero(degrees < b)
    if len(short):
        v = int(short[0])
        raise ValueError(
            f"vertex {v} has {int(degrees[v])} edges and needs {int(b[v])}; "
            "b=np.minimum(b, degrees) limits b to the degrees"
        )
    if method == "complement":
        return selected(graph, _complement(graph, degrees - b, found), found)
    if method == "lazy":
        edges = lazy_greedy(graph, b, found)
    elif method == "nearest":
        edges = _once_each(graph, _nearest(graph, b, found))
    else:
        edges = _once_each(graph, primal_dual(graph, b, found))
    return selected(graph, _without_redundant(graph, edges, b, found), found)


def proper_degrees(graph: Graph) -> Any:
    """How many edges every vertex has, loops aside."""
    degrees = graph.xp.diff(graph.indptr)
    compute(graph, None, _leave_loop, (graph.indptr, graph.indices, degrees))
    return degrees


def _complement(graph: Graph, spare: Any, weights: Any) -> Any:
    """All edges but those of a b-matching of ``spare``, where weight zero counts as well."""
    xp = graph.xp
    rest = xp.zeros(graph.num_arcs, np.bool_)
    advance(graph, None, _mark_upper, rest, output=None)
    rest[proposals(graph, spare, weights, -1)] = False
    return xp.flatnonzero(rest)


def _nearest(graph: Graph, b: Any, weights: Any) -> Any:
    """The arcs along which every vertex has its b(v) lightest edges."""
    rows, lists = weighted_rows(graph, weights), shortlists(graph, b, -1, -1)
    bars = graph.full(0, rows.weights.dtype)  # of no effect: no weight is less
    fill_hubs(graph, rows, bars, lists)
    compute(graph, None, _lightest, (rows, bars, lists))
    return lists.edges


def _once_each(graph: Graph, arcs: Any) -> Any:
    """The ids of the edges that the given arcs belong to, each once, ascending."""
    marks = graph.xp.zeros(graph.num_arcs, np.bool_)
    members = frontier(graph, edges=arcs)
    compute(graph, members, _mark_edge, (graph.indptr, graph.indices, marks))
    return graph.xp.flatnonzero(marks)


def _without_redundant(graph: Graph, edges: Any, b: Any, weights: Any) -> Any:
    """The edges without those that both ends can spare, the heaviest of which go first."""
    xp, n = graph.xp, graph.num_vertices
    spare = xp.maximum(edge_counts(graph, edges) - b, 0)
    sources, targets = ends(graph, edges)
    loose = xp.flatnonzero((spare[sources] > 0) & (spare[targets] > 0))
    if len(loose) == 0:
        return edges
    worth = None if weights is None else weights[edges[loose]]
    part = Graph.from_edges(sources[loose], targets[loose], worth, num_vertices=n)
    gone = proposals(part, spare, part.weights, -1)
    # The loose edges are in the order of their ids, as the part's arcs from smaller ends are.
    upper = xp.zeros(part.num_arcs, np.bool_)
    advance(part, None, _mark_upper, upper, output=None)
    place = xp.cumsum(upper) - 1
    keep = xp.ones(len(edges), np.bool_)
    keep[loose[place[gone]]] = False
    return edges[keep]


def _leave_loop(v, indptr, indices, degrees):
    if find_edge(indptr, indices, v, v) >= 0:
        degrees[v] -= 1


def _mark_edge(source, target, edge, indptr, indices, marks):
    """Mark the arc from the smaller end, which is looked up in that end's row."""
    marks[edge if source < target else find_edge(indptr, indices, target, source)] = True


def _mark_upper(source, target, edge, upper):
    upper[edge] = target > source


def _lightest(v, rows, bars, lists):
    first = lists.starts[v]
    if lists.starts[v + 1] > first and lists.stop[v] == first and lists.whole[v] == 0:
        fill(v, rows, bars, lists)
