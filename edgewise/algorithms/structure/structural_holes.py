"""Burt's measures of structural holes: constraint [1] and effective size [2].

The tie a(u, v) is the weight of the edge between two vertices, or the sum of both directions. Let
s(u) be the sum and t(u) the maximum of the ties of u. Then

    constraint(u) = sum over v of (a(u, v) + sum over w of a(u, w) a(w, v) / s(w))² / s(u)²
    effective size(u) = sum over v of (1 - sum over w of a(u, w) a(v, w) / (s(u) t(v)))

where v is a neighbor of u, and w a common neighbor of both. This takes a search for triangles:
O(m sqrt(m)) work at most. Self-loops and edges of weight 0 are no ties.

[1] R. Burt. Structural holes and good ideas. American J. Sociology 110, 2004.
[2] R. Burt. Structural holes: the social structure of competition. Harvard University Press, 1992.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.weighting import balanced
from edgewise.base.checks import check_one_device
from edgewise.graph import Graph
from edgewise.graph.edges import Arcs
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.subgraphs import only_edges
from edgewise.operators import ADD, MAX, intersect, reduce_neighbors

__all__ = ["constraint", "effective_size"]


@takes_graph
def constraint(graph: LocalGraphLike, *, weights: Any = None) -> Any:
    """Return Burt's constraint of each vertex: how much its neighbors depend on one another.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Two opposite edges are one tie, and their weights are added.
        Self-loops and edges of weight 0 are ignored.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        They must be finite and not negative.

    Returns
    -------
    array of float64 over vertices
        Low values belong to vertices between groups. NaN for vertices without neighbors.

    See Also
    --------
    effective_size : The number of neighbors, less their redundancy.

    Notes
    -----
    O(m √m) time in the worst case.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> constraint(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).round(3).tolist()
    [1.007, 1.007, 0.611, 1.0]
    """
    check_one_device(graph, "constraint")
    ties = _ties(graph, weights)
    own, total = ties.weights, _over(ties, ties.weights, ADD)
    part = 1 / ties.xp.where(total > 0, total, 1.0)
    around = intersect(ties, message=_through, reduce=ADD, params={"part": part}, each=False).totals
    found = _over(ties, (own + around) ** 2, ADD)
    return ties.xp.where(total > 0, found * part**2, np.nan)


@takes_graph
def effective_size(graph: LocalGraphLike, *, weights: Any = None) -> Any:
    """Return the effective size of each vertex's neighborhood: its degree, less redundant ties.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Two opposite edges are one tie, and their weights are added.
        Self-loops and edges of weight 0 are ignored.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        They must be finite and not negative.

    Returns
    -------
    array of float64 over vertices
        In an unweighted, undirected graph it is the degree of the vertex, less the mean degree
        within its neighborhood. NaN for vertices without neighbors.

    See Also
    --------
    constraint : The dependence of the neighbors on one another.

    Notes
    -----
    O(m √m) time in the worst case.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> effective_size(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).round(3).tolist()
    [1.0, 1.0, 2.333, 1.0]
    """
    check_one_device(graph, "effective_size")
    ties = _ties(graph, weights)
    xp, total = ties.xp, _over(ties, ties.weights, ADD)
    most = xp.maximum(_over(ties, ties.weights, MAX), 0)
    shared = intersect(ties, message=_product, reduce=ADD, each=False).totals
    redundant = _over(ties, shared / most[ties.indices], ADD)
    found = ties.row_lengths() - redundant / xp.where(total > 0, total, 1.0)
    return xp.where(total > 0, found, np.nan)


def _ties(graph: Graph, weights: Any) -> Any:
    """The graph of the ties, with float64 weights."""
    _, amounts, _ = balanced(graph, weights)
    values = graph.full_arcs(1.0) if amounts is None else amounts.astype(np.float64)
    ties: Any = graph.with_weights(Arcs(values)).without_self_loops()
    if amounts is not None and bool((ties.weights == 0).any()):
        ties = only_edges(ties, ties.weights > 0)
    return ties.to_undirected()


def _over(ties: Any, values: Any, reduce: Any) -> Any:
    """The values of the arcs of each vertex, combined."""
    nothing = ties.full(0.0)
    return reduce_neighbors(ties, None, _weight, nothing, reduce=reduce, mode="out", weights=values)


def _through(weight_u, weight_v, source, part):
    return weight_u * weight_v * part[source]


def _product(weight_u, weight_v):
    return weight_u * weight_v


def _weight(weight):
    return weight
