"""Similarity of pairs of vertices by their common neighbors: Jaccard [1], overlap [2], cosine [3],
and the index of Adamic and Adar [4].

Each is one `intersect` over the pairs (`edgewise.algorithms.similarity.measures` has the formulas).
All edges of an undirected graph are measured once, from the end of higher degree, whose neighbors
are marked for all its edges together: O(sum over edges of the smaller degree).

[1] P. Jaccard. The distribution of the flora in the alpine zone. New Phytologist 11, 1912.
[2] D. Szymkiewicz. Une contribution statistique a la geographie floristique. 1934.
[3] G. Salton, M. McGill. Introduction to modern information retrieval. 1983.
[4] L. Adamic, E. Adar. Friends and neighbors on the web. Social Networks 25, 2003.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.similarity.measures import Ground, grounds, score, worth_of
from edgewise.graph.edges import edge_ends
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, intersect
from edgewise.operators.engines import by_rows_or
from edgewise.operators.intersection import pair_ends

__all__ = ["adamic_adar", "cosine", "jaccard", "overlap"]


@takes_graph
def jaccard(graph: GraphLike, *, pairs: Any = None, weights: Any = "unit") -> Any:
    """The share of the common ones among all neighbors that two vertices have.

    Parameters
    ----------
    graph : Graph
        Directed or not; neighbors are those that a vertex's edges lead to, other than itself.
    pairs : pair of arrays, m x 2 array, list of pairs, or Frontier of edges, optional
        What to compare: ``(us, vs)``, or a pair per row; the two ends of every edge if not given.
        On one device.
    weights : array, "unit" or None
        Weights make it the sum of the lesser ones over that of the greater ones; None stands for
        the graph's own. They must be finite and not negative.

    Returns
    -------
    array of float64
        From 0 to 1, in the order of the pairs, or of ``graph.edges()``; 0 without neighbors.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> jaccard(graph, pairs=([0, 0], [1, 3])).round(3).tolist()
    [0.333, 0.5]
    """
    return _similarity(graph, "jaccard", pairs, weights)


@takes_graph
def overlap(graph: GraphLike, *, pairs: Any = None, weights: Any = "unit") -> Any:
    """The share of the common ones among the neighbors of the vertex that has fewer.

    Parameters
    ----------
    graph, pairs, weights
        As for `jaccard`; with weights, the sum of the lesser ones over the smaller of two sums.

    Returns
    -------
    array of float64
        From 0 to 1, in the order of the pairs, or of ``graph.edges()``. It is 0 where one vertex
        has no neighbors.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> overlap(graph, pairs=([0, 0], [1, 3])).tolist()
    [0.5, 1.0]
    """
    return _similarity(graph, "overlap", pairs, weights)


@takes_graph
def cosine(graph: GraphLike, *, pairs: Any = None, weights: Any = "unit") -> Any:
    """The cosine of the angle between two vertices' rows of the matrix of weights.

    Without weights it is the number of common neighbors over the geometric mean of the degrees.

    Parameters
    ----------
    graph, pairs, weights
        As for `jaccard`.

    Returns
    -------
    array of float64
        From 0 to 1, in the order of the pairs, or of ``graph.edges()``. It is 0 where one vertex
        has no neighbors.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> cosine(graph, pairs=([0, 0], [1, 3])).round(3).tolist()
    [0.5, 0.707]
    """
    return _similarity(graph, "cosine", pairs, weights)


@takes_graph
def adamic_adar(graph: GraphLike, *, pairs: Any = None) -> Any:
    """The sum of 1 / log(degree) over the common neighbors: rare acquaintances count for more.

    In a directed graph the degree is that of the edges that lead to the common neighbor. One of
    degree 1, which only a vertex shares with itself, adds nothing.

    Parameters
    ----------
    graph, pairs
        As for `jaccard`; weights do not matter.

    Returns
    -------
    array of float64
        In the order of the pairs, or of ``graph.edges()``.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> adamic_adar(graph, pairs=([0, 1], [1, 2])).round(3).tolist()
    [0.91, 1.443]
    """
    return _similarity(graph, "adamic_adar", pairs, "unit")


def _similarity(graph: AnyGraph, measure: str, pairs: Any, weights: Any) -> Any:
    """Similarities of pairs, or of the ends of all edges."""
    ground = grounds(graph, measure, weights)
    if pairs is not None:
        return _of_pairs(ground, measure, *pair_ends(graph, pairs))
    ends = edge_ends(graph)
    return ends.in_order(_of_pairs(ground, measure, ends.us, ends.vs))


def _of_pairs(ground: Ground, measure: str, us: Any, vs: Any) -> Any:
    rows, size = ground.rows, ground.size
    if measure == "adamic_adar":
        worth = by_rows_or(rows, _worth_by_vertex, _worth_by_arc)(rows)
        both = intersect(rows, (us, vs), reduce=ADD, **worth).totals
    elif ground.weighted:
        message: Any = _product if measure == "cosine" else _lesser
        both = intersect(rows, (us, vs), message=message, reduce=ADD).totals
    else:
        both = intersect(rows, (us, vs)).counts
    return score(rows.xp, measure, both, size[us], size[vs])


def _worth_by_vertex(rows: Any) -> dict[str, Any]:
    """What common neighbors add, as `intersect` looks it up."""
    return {"message": _worth, "params": {"worth": worth_of(rows)}}


def _worth_by_arc(rows: Any) -> dict[str, Any]:
    """The same where no rank has the numbers of all vertices."""
    return {"message": _second, "weights": worth_of(rows)[rows.indices]}


def _worth(source, worth):
    return worth[source]


def _second(weight_v):
    return weight_v


def _lesser(weight_u, weight_v):
    return min(weight_u, weight_v)


def _product(weight_u, weight_v):
    return weight_u * 1.0 * weight_v
