"""Isomorphism of two graphs: color refinement [1], then a search that pairs vertices [2].

Both graphs are refined as one, so that equal colors mean the same in both. A vertex of the first
graph in a cell of several is paired with each vertex of the other one in that cell, until the
refinement agrees to the end. Independent components are paired one after the other. One CPU thread;
O(m log n) time where refinement decides, and exponential at worst.

[1] A. Cardon, M. Crochemore. Partitioning a graph in O(|A| log2 |V|). Theoretical Computer Science
    19, 1982.
[2] B. McKay, A. Piperno. Practical graph isomorphism, II. J. Symbolic Computation 60, 2014.
"""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np

from edgewise.algorithms.other_graph import as_other
from edgewise.algorithms.patterns.both_graphs import agrees, numbered, prepared
from edgewise.algorithms.patterns.pairing import paired
from edgewise.base.checks import check_flag
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host

__all__ = ["is_isomorphic", "isomorphism"]


@takes_graph
def is_isomorphic(
    graph: LocalGraphLike,
    other: Any,
    *,
    vertex_labels: Any = None,
    other_labels: Any = None,
    match_weights: bool = False,
) -> bool:
    """Return True if two graphs are isomorphic: equal up to the numbering of their vertices.

    Parameters
    ----------
    graph, other, vertex_labels, other_labels, match_weights
        As for `isomorphism`.

    Returns
    -------
    bool

    See Also
    --------
    isomorphism : The mapping of the vertices.
    subgraph_matches : Small graphs inside a large one.

    Notes
    -----
    O(m log n) time on most graphs; exponential in the worst case.

    Examples
    --------
    >>> from edgewise.generators import cycle
    >>> from edgewise.graph import Graph
    >>> hexagon, triangles = cycle(6), Graph.from_edges([0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3])
    >>> is_isomorphic(hexagon, hexagon.permute([3, 1, 5, 0, 2, 4]))
    True
    >>> is_isomorphic(hexagon, triangles)
    False
    """
    check_host(graph, "is_isomorphic")
    other = as_other(graph, other, "is_isomorphic")
    return _mapping(graph, other, vertex_labels, other_labels, match_weights) is not None


@takes_graph
def isomorphism(
    graph: LocalGraphLike,
    other: Any,
    *,
    vertex_labels: Any = None,
    other_labels: Any = None,
    match_weights: bool = False,
) -> Any:
    """Return an isomorphism of two graphs: for each vertex its vertex in the other graph, or None.

    Parameters
    ----------
    graph, other : Graph
        In host memory; both directed or both undirected. Names of vertices do not matter.
    vertex_labels, other_labels : arrays over the vertices of each graph, optional
        A vertex is mapped only to a vertex with an equal label.
    match_weights : bool
        Whether edges are mapped only to edges of equal weight. An unweighted graph has unit
        weights.

    Returns
    -------
    array of int64 over vertices, or None
        ``(mapping[u], mapping[v])`` is an edge of ``other`` if and only if (u, v) is an edge of
        ``graph``. None if the graphs are not isomorphic.

    See Also
    --------
    is_isomorphic : Whether there is one.

    Notes
    -----
    O(m log n) time on most graphs; exponential in the worst case.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> star, other = Graph.from_edges([0, 0, 0], [1, 2, 3]), Graph.from_edges([2, 2, 2], [0, 1, 3])
    >>> int(isomorphism(star, other)[0])
    2
    >>> isomorphism(star, Graph.from_edges([0, 1, 2], [1, 2, 3])) is None
    True
    """
    check_host(graph, "isomorphism")
    other = as_other(graph, other, "isomorphism")
    return _mapping(graph, other, vertex_labels, other_labels, match_weights)


def _mapping(graph: Graph, other: Any, labels: Any, others: Any, match_weights: Any) -> Any:
    weighted = check_flag(match_weights, "match_weights")
    kinds = _vertex_kinds(graph, other, labels, others)
    if (graph.num_vertices, graph.num_arcs) != (other.num_vertices, other.num_arcs):
        return None
    weights = [None, None]
    if weighted and (graph.weights is not None or other.weights is not None):
        weights = numbered(*(one.full_arcs(1) if one.weights is None else one.weights
                              for one in (graph, other)))  # fmt: skip
    for seed in count():
        cells = prepared(graph, other, kinds, weights, seed)
        mapping = None if cells is None else paired(cells)
        if mapping is None or weights[0] is None or agrees(graph, other, mapping, weights):
            return mapping  # sums of the numbers of weights were equal by chance otherwise
    return None


def _vertex_kinds(graph: Graph, other: Any, labels: Any, others: Any) -> Any:
    """The labels of the vertices of both graphs as numbers, or zeros."""
    if (labels is None) != (others is None):
        missing, there = ("vertex_labels", "other_labels")[:: 1 if labels is None else -1]
        raise TypeError(f"{missing} is missing: {there} has no meaning without it")
    if labels is None:
        return [np.zeros(one.num_vertices, np.int64) for one in (graph, other)]
    found = []
    for one, given, name in ((graph, labels, "vertex_labels"), (other, others, "other_labels")):
        try:
            values = np.asarray(given)
        except (TypeError, ValueError) as error:
            raise TypeError(f"{name} must be an array over vertices: {error}") from None
        if values.shape != (one.num_vertices,):
            raise ValueError(
                f"{name} must have one entry per vertex ({one.num_vertices}), got {values.shape}"
            )
        if values.dtype.kind not in "biufU":
            raise TypeError(f"{name} must be numbers or strings, got dtype {values.dtype}")
        found.append(values)
    if (found[0].dtype.kind == "U") != (found[1].dtype.kind == "U"):
        raise TypeError("other_labels must be strings or numbers, as vertex_labels are")
    return numbered(*found)
