"""Connected components by subgraph sampling (Afforest [1]).

label[v] is the smallest vertex known to share v's component; at the end, the smallest there is.
Each edge links the trees of its ends. After two edges per vertex most vertices share one giant
component, whose own remaining edges need not be looked at. Almost linear work.

[1] M. Sutton, T. Ben-Nun, A. Barak. Optimizing parallel graph connectivity computation via
    subgraph sampling. IPDPS 2018.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from edgewise.base import atomic
from edgewise.base.observe import notify
from edgewise.base.random import hashed
from edgewise.operators import advance, compute, filter

__all__ = ["connected_components", "weakly_connected_components"]

_SAMPLED_EDGES, _SAMPLED_VERTICES = 2, 1024


def connected_components(graph: Any) -> Any:
    """Label every vertex with the smallest vertex of its component.

    Parameters
    ----------
    graph : Graph
        Undirected; `weakly_connected_components` takes directed ones too.

    Returns
    -------
    array of vertex ids
        Two vertices are connected if and only if their labels are equal.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> connected_components(Graph.from_edges([0, 3], [2, 4])).tolist()
    [0, 1, 0, 3, 3]
    """
    if graph.directed:
        raise ValueError(
            "connected_components needs an undirected graph; "
            "weakly_connected_components ignores directions"
        )
    return weakly_connected_components(graph)


def weakly_connected_components(graph: Any) -> Any:
    """Label every vertex with the smallest vertex it is connected to, whatever the directions.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> weakly_connected_components(Graph.from_edges([2, 2], [0, 1], directed=True)).tolist()
    [0, 0, 0]
    """
    n, xp = graph.num_vertices, graph.xp
    label = xp.arange(n, dtype=graph.indices.dtype)
    if graph.num_arcs == 0:
        return label
    advance(graph, None, _link, label, neighbors=slice(_SAMPLED_EDGES), output=None)
    compute(graph, None, _shorten, label)
    notify(0, phase="sample")
    giant = _most_frequent(label, xp)
    rest = filter(graph, None, _outside, (label, giant))
    advance(graph, rest, _link, label, neighbors=slice(_SAMPLED_EDGES, None), output=None)
    if graph.directed:
        advance(graph, rest, _link, label, edges="in", output=None)
    compute(graph, None, _shorten, label)
    notify(1, phase="link")
    return label


def _most_frequent(label: Any, xp: Any) -> int:
    """The label that most of a sample of vertices have."""
    drawn = hashed(0, range(_SAMPLED_VERTICES)) % np.uint64(len(label))
    sample = label[xp.asarray(drawn.astype(np.int64))].tolist()
    return Counter(sample).most_common(1)[0][0]


def _link(source, target, edge, label):
    a, b = label[source], label[target]
    while a != b:
        low, high = min(a, b), max(a, b)
        above = label[high]
        if above == low or (above == high and atomic.cas(label, high, high, low) == high):
            break
        a, b = label[above], label[low]
        if a < above:  # another step nearer the root, for those who come after
            label[high] = a
    return False


def _shorten(v, label):
    while label[v] != label[label[v]]:
        label[v] = label[label[v]]


def _outside(v, label, giant):
    return label[v] != giant
