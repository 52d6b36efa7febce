"""Conductance: the fraction of a set's volume that leaves the set [1].

    conductance(S) = cut(S) / min(volume(S), volume(rest))

The cut is the weight of the edges between S and the rest, in both directions if the graph is
directed. The volume is the sum of the degrees, or of the out-degrees. A self-loop of an undirected
graph counts twice. NetworkX uses the same definitions. One pass over the edges, or two if the graph
is directed.

[1] R. Kannan, S. Vempala, A. Vetta. On clusterings: good, bad and spectral. J. ACM 51, 2004.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.labelings import as_labels, gathered, shares
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices
from edgewise.operators import ADD, compute, look_up, reduce_all

__all__ = ["community_conductance", "conductance"]


@takes_graph
def conductance(graph: GraphLike, vertices: Any, *, weights: Any = None) -> float:
    """Return the conductance of one set of vertices, a number.

    Parameters
    ----------
    graph : Graph
        Directed or undirected.
    vertices : array of bool over vertices, or array of vertices
        The set: a boolean mask, or ids or labels.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        All weights must be finite and nonnegative.

    Returns
    -------
    float
        From 0 to 1; it can exceed 1 in a directed graph. It is 0 if the cut is empty.

    See Also
    --------
    community_conductance : The conductance of every community of a partition.

    Notes
    -----
    O(n + m) time and O(n) memory.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> round(conductance(graph, [True, True, True, False, False, False]), 4)
    0.1429
    """
    if not hasattr(vertices, "dtype"):
        vertices = np.asarray(vertices)
    if vertices.dtype.kind != "b":
        ids = check_vertices(graph, vertices, "vertices")
        vertices = np.zeros(graph.num_vertices, bool)
        vertices[ids] = True
    key = as_labels(graph, vertices, "vertices")
    found = _conductances(graph, key, weights)
    return float(found.max()) if graph.num_vertices else 0.0


@takes_graph
def community_conductance(graph: GraphLike, communities: Any, *, weights: Any = None) -> Any:
    """Return the conductance of each vertex's community, an array over vertices.

    Parameters
    ----------
    graph : Graph
        Directed or undirected.
    communities : array of int over vertices
        Members of the same community have equal values.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        All weights must be finite and nonnegative.

    Returns
    -------
    array of float64 over vertices
        The conductance of the community that contains the vertex.

    See Also
    --------
    conductance : The conductance of one set of vertices.

    Notes
    -----
    O(n + m) time and O(n) memory.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> community_conductance(graph, [0, 0, 0, 1]).tolist()
    [1.0, 1.0, 1.0, 1.0]
    >>> community_conductance(graph, [0, 0, 1, 1]).tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    return _conductances(graph, as_labels(graph, communities), weights)


def _conductances(graph: AnyGraph, key: Any, weights: Any) -> Any:
    out, apart = shares(graph, key, weights)
    if graph.directed:
        apart += shares(graph, key, weights, mode="in")[1]
    total = reduce_all(graph, out, reduce=ADD)
    share = gathered(graph, key, apart)
    compute(graph, None, _divide, (share, gathered(graph, key, out), total))
    return look_up(graph, share, key)


def _divide(c, cut, volume, total):
    """In place of the cut; a community of all vertices, or of none, has none."""
    if cut[c] > 0:
        smaller = min(volume[c], total - volume[c])
        cut[c] = cut[c] / smaller if smaller > 0 else np.inf
