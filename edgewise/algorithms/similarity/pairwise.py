"""Similarity of vertex pairs by common neighbors: Jaccard [1], overlap [2], cosine [3], and the
Adamic-Adar index [4].

Each is one `intersect` over the pairs (`edgewise.algorithms.similarity.measures` has the formulas).
Edges of an undirected graph are measured once, from the end of higher degree. Its neighbors are
marked once for all its edges: O(sum over edges of the smaller degree).

[1] P. Jaccard. The distribution of the flora in the alpine zone. New Phytologist 11, 1912.
[2] D. Szymkiewicz. Une contribution statistique a la geographie floristique. 1934.
[3] G. Salton, M. McGill. Introduction to modern information retrieval. 1983.
[4] L. Adamic, E. Adar. Friends and neighbors on the web. Social Networks 25, 2003.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.similarity.measures import WORTH, Ground, grounds, score, worth_of
from edgewise.graph.edges import edge_ends
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, intersect
from edgewise.operators.engines import by_rows_or
from edgewise.operators.intersection import pair_ends

__all__ = ["adamic_adar", "cosine", "jaccard", "overlap", "similarity_of"]


@takes_graph
def jaccard(graph: GraphLike, *, pairs: Any = None, weights: Any = None) -> Any:
    """Return the Jaccard similarity of vertex pairs: common neighbors over all neighbors.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Neighbors are the targets of a vertex's edges, without itself.
    pairs : pair of arrays, m x 2 array, list of pairs, or Frontier of edges, optional
        The pairs to compare: ``(us, vs)``, or one pair per row. By default the ends of every edge.
        Only on one device.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Finite and nonnegative. Weighted similarity is the sum of minima over the sum of maxima.

    Returns
    -------
    array of float64
        A value from 0 to 1 for each pair, or for each edge of ``graph.edges()``. It is 0 if both
        vertices have no neighbors.

    See Also
    --------
    top_k : The most similar vertices of each vertex.
    common_neighbors : The number of common neighbors.

    Notes
    -----
    O(sum over pairs of the smaller degree) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> jaccard(graph, pairs=([0, 0], [1, 3])).round(3).tolist()
    [0.333, 0.5]
    """
    return similarity_of(graph, "jaccard", pairs, weights)


@takes_graph
def overlap(graph: GraphLike, *, pairs: Any = None, weights: Any = None) -> Any:
    """Return the overlap coefficient of vertex pairs: common neighbors over the smaller degree.

    Parameters
    ----------
    graph, pairs, weights
        As for `jaccard`. With weights, it is the sum of minima over the smaller of the two sums.

    Returns
    -------
    array of float64
        A value from 0 to 1 for each pair, or for each edge of ``graph.edges()``. It is 0 if one
        vertex has no neighbors.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> overlap(graph, pairs=([0, 0], [1, 3])).tolist()
    [0.5, 1.0]
    """
    return similarity_of(graph, "overlap", pairs, weights)


@takes_graph
def cosine(graph: GraphLike, *, pairs: Any = None, weights: Any = None) -> Any:
    """Return the cosine similarity of vertex pairs, that of their rows of the adjacency matrix.

    Without weights it is the number of common neighbors over the geometric mean of the degrees.

    Parameters
    ----------
    graph, pairs, weights
        As for `jaccard`.

    Returns
    -------
    array of float64
        A value from 0 to 1 for each pair, or for each edge of ``graph.edges()``. It is 0 if one
        vertex has no neighbors.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> cosine(graph, pairs=([0, 0], [1, 3])).round(3).tolist()
    [0.5, 0.707]
    """
    return similarity_of(graph, "cosine", pairs, weights)


@takes_graph
def adamic_adar(graph: GraphLike, *, pairs: Any = None) -> Any:
    """Return the Adamic-Adar index of vertex pairs.

    It is the sum of 1 / log(degree) over the common neighbors. A directed graph uses the in-degree
    of the common neighbor. Neighbors of degree 1 add nothing.

    Parameters
    ----------
    graph, pairs
        As for `jaccard`. Weights are ignored.

    Returns
    -------
    array of float64
        A nonnegative value for each pair, or for each edge of ``graph.edges()``.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> adamic_adar(graph, pairs=([0, 1], [1, 2])).round(3).tolist()
    [0.91, 1.443]
    """
    return similarity_of(graph, "adamic_adar", pairs, None)


def similarity_of(graph: AnyGraph, measure: str, pairs: Any, weights: Any) -> Any:
    """Similarities of pairs, or of the ends of all edges."""
    ground = grounds(graph, measure, weights)
    if pairs is not None:
        return _of_pairs(ground, measure, *pair_ends(graph, pairs))
    ends = edge_ends(graph)
    return ends.in_order(_of_pairs(ground, measure, ends.us, ends.vs))


def _of_pairs(ground: Ground, measure: str, us: Any, vs: Any) -> Any:
    rows, size = ground.rows, ground.size
    if measure in WORTH:
        worth = by_rows_or(rows, _worth_by_vertex, _worth_by_arc)(rows, measure)
        both = intersect(rows, (us, vs), reduce=ADD, **worth).totals
    elif ground.weighted:
        message: Any = _product if measure == "cosine" else _lesser
        both = intersect(rows, (us, vs), message=message, reduce=ADD).totals
    else:
        both = intersect(rows, (us, vs)).counts
    return score(rows.xp, measure, both, size[us], size[vs])


def _worth_by_vertex(rows: Any, measure: str) -> dict[str, Any]:
    """What common neighbors add, as `intersect` looks it up."""
    return {"message": _worth, "params": {"worth": worth_of(rows, measure)}}


def _worth_by_arc(rows: Any, measure: str) -> dict[str, Any]:
    """The same where no rank has the numbers of all vertices."""
    return {"message": _second, "weights": worth_of(rows, measure)[rows.indices]}


def _worth(source, worth):
    return worth[source]


def _second(weight_v):
    return weight_v


def _lesser(weight_u, weight_v):
    return min(weight_u, weight_v)


def _product(weight_u, weight_v):
    return weight_u * 1.0 * weight_v
