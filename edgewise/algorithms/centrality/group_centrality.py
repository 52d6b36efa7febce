"""Degree and closeness centralities of a set of vertices [1].

A set of vertices has the neighbors of its members, and the distance of its nearest member. One
pass over the edges, or one search from all members at once.

[1] M. Everett, S. Borgatti. The centrality of groups and classes. J. Math. Sociology 23(3), 1999.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.traversal.lengths import lengths_from, metric_of
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host
from edgewise.operators import ADD, MAX, reduce_all, reduce_neighbors

__all__ = ["check_group", "group_closeness_centrality", "group_degree_centrality"]


@takes_graph
def group_degree_centrality(graph: GraphLike, vertices: Any) -> float:
    """Return the group degree centrality: the fraction of other vertices adjacent to a set.

    Parameters
    ----------
    graph : Graph
        In a directed graph, edges from the set count. For edges to it, pass ``graph.transposed``.
    vertices : array of bool over vertices, or array of vertices
        The set: a boolean mask, or ids or labels.

    Returns
    -------
    float
        From 0 to 1; 0 if the set has all vertices.

    See Also
    --------
    degree_centrality : That of each vertex.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> group_degree_centrality(path(6), [0, 1])
    0.25
    """
    group = check_group(graph, vertices)
    others = graph.num_vertices - len(group)
    if len(group) == 0 or others == 0:
        return 0.0
    member = graph.full(0, np.int64)
    member[group] = 1
    reached = reduce_neighbors(graph, None, _pass_on, member, reduce=MAX)
    state = (member, reached)
    return int(reduce_all(graph, state, reduce=ADD, function=_is_new, dtype=np.int64)) / others


@takes_graph
def group_closeness_centrality(graph: GraphLike, vertices: Any, *, weights: Any = None) -> float:
    """Return the group closeness centrality: the inverse of the mean distance to a set.

    Parameters
    ----------
    graph : Graph
        In a directed graph, distances are those to the set, as in NetworkX.
        For distances from the set, pass ``graph.transposed``.
    vertices : array of bool over vertices, or array of vertices
        The set: a boolean mask, or ids or labels.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights are lengths and must not be negative.

    Returns
    -------
    float
        The number of other vertices over the sum of their distances. As in NetworkX, vertices that
        do not reach the set add 0 to the sum. The result is 0 if the sum is 0.

    See Also
    --------
    closeness_centrality : That of each vertex.

    Notes
    -----
    O(m log n) expected time; O(n + m) without weights.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> round(group_closeness_centrality(path(6), [0, 1]), 3)
    0.4
    """
    group, metric = check_group(graph, vertices), metric_of(graph, weights)
    if len(group) == 0:
        return 0.0
    distance = lengths_from(graph, group, weights, metric, mode="in")
    state = (distance, metric.far)
    total = float(reduce_all(graph, state, reduce=ADD, function=_length, dtype=np.float64))
    return (graph.num_vertices - len(group)) / total if total > 0 else 0.0


def check_group(graph: AnyGraph, vertices: Any) -> np.ndarray:
    """Return a set of vertices, given as a mask or as ids or labels, in ascending order."""
    if isinstance(vertices, (set, frozenset)):
        vertices = [*vertices]
    if isinstance(vertices, (list, tuple)) and any(isinstance(one, bool) for one in vertices):
        vertices = np.asarray(vertices)
    if getattr(getattr(vertices, "dtype", None), "kind", "") == "b":
        mask = np.asarray(host(vertices))
        if mask.shape != (graph.num_vertices,):
            raise ValueError(
                f"vertices must have one entry per vertex ({graph.num_vertices}), got shape "
                f"{mask.shape}"
            )
        return np.flatnonzero(mask)
    return np.unique(check_vertices(graph, vertices, "vertices"))


def _pass_on(value):
    return value


def _is_new(v, member, reached):
    return np.int64(1) if member[v] == 0 and reached[v] > 0 else np.int64(0)


def _length(v, distance, far):
    return np.float64(distance[v]) if distance[v] != far else 0.0
