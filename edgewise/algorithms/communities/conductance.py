"""Conductance: how much of a community's weight leads out of it [1].

    conductance(S) = cut(S) / min(volume(S), volume(rest))

where the cut is the weight of the edges between S and the rest, in a directed graph of both
directions, and the volume is the sum of the degrees (out-degrees), in which a self-loop of an
undirected graph counts twice; as NetworkX has it. One pass over the edges, two if directed.

[1] R. Kannan, S. Vempala, A. Vetta. On clusterings: good, bad and spectral. J. ACM 51, 2004.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.labelings import as_labels, gathered, shares
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, compute, look_up, reduce_all

__all__ = ["conductance", "conductances"]


@takes_graph
def conductance(graph: GraphLike, members: Any, *, weights: Any = None) -> float:
    """The conductance of a set of vertices.

    Parameters
    ----------
    graph : Graph
        Directed or not.
    members : array of bool over vertices
        Who belongs to the set.
    weights : None, "unit" or array over edges
        Finite and not negative.

    Returns
    -------
    float
        From 0 to 1, but for directed graphs; 0 where nothing is cut.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> round(conductance(graph, [True, True, True, False, False, False]), 4)
    0.1429
    """
    key = as_labels(graph, members, "members")
    if graph.num_vertices > 1 and key.max() > 1:
        raise ValueError(f"members must be truths, or 0 and 1, got {key.max()}")
    found = _conductances(graph, key, weights)
    return float(found.max()) if graph.num_vertices else 0.0


@takes_graph
def conductances(graph: GraphLike, communities: Any, *, weights: Any = None) -> Any:
    """The conductance of every vertex's community.

    Parameters
    ----------
    graph : Graph
        Directed or not.
    communities : array of int over vertices
        Equal for the members of a community.
    weights : None, "unit" or array over edges
        Finite and not negative.

    Returns
    -------
    array of float64
        One per vertex, alike for the members of a community.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> conductances(graph, [0, 0, 0, 1]).tolist()
    [1.0, 1.0, 1.0, 1.0]
    >>> conductances(graph, [0, 0, 1, 1]).tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    return _conductances(graph, as_labels(graph, communities), weights)


def _conductances(graph: AnyGraph, key: Any, weights: Any) -> Any:
    out, apart = shares(graph, key, weights)
    if graph.directed:
        apart += shares(graph, key, weights, edges="in")[1]
    total = reduce_all(graph, out, reduce=ADD)
    share = gathered(graph, key, apart)
    compute(graph, None, _divide, (share, gathered(graph, key, out), total))
    return look_up(graph, share, key)


def _divide(c, cut, volume, total):
    """In place of the cut; a community of all vertices, or of none, has none."""
    if cut[c] > 0:
        smaller = min(volume[c], total - volume[c])
        cut[c] = cut[c] / smaller if smaller > 0 else np.inf
