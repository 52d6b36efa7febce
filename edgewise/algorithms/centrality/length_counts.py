"""How many shortest paths by length lead from a source to every vertex, and what they carry back.

An edge u -> v is tight if distance[u] + length is distance[v]; shortest paths are made of tight
edges. As lengths are positive these have no cycle, so counts go along them as in a topological
order: a vertex sends its count when the last of its tight in-edges has brought one (`propagate`
with `wake`), and what lies behind it when the last of its tight out-edges has. Counts start from a
tiny number, since only their quotients matter: there is space for 2**1990 paths.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.traversal.lengths import Metric, lengths_from, metric_of
from edgewise.algorithms.weighting import edge_weights, refuse
from edgewise.base.checks import check_choice
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, filter, frontier, propagate, reduce_neighbors
from edgewise.operators.helpers import inner
from edgewise.operators.monoids import add_each

__all__ = ["LengthCounts", "is_tight", "length_counts", "metric_for"]


class LengthCounts(NamedTuple):
    """Path counts (up to a factor), distances, and the sum of 1 / paths, weighed by what follows.

    ``behind[u]`` is the sum of behind[v] + 1 / paths[v] over the tight edges u -> v, so that u's
    dependency is paths[u] * behind[u].
    """

    paths: Any
    distance: Any
    behind: Any


def metric_for(graph: AnyGraph, weights: Any) -> Metric | None:
    """How distances are kept; None by hops. An error names a length that is not positive."""
    if isinstance(weights, str):
        check_choice(weights, "weights", ("unit",))
        return None
    lengths = edge_weights(graph, weights)
    if lengths is None:
        return None
    metric = metric_of(graph, weights)
    if metric.least == 0:
        refuse(graph, lengths, lengths <= 0, "be positive: paths are counted", "->")
    return metric


def length_counts(graph: AnyGraph, source: int, weights: Any, metric: Metric) -> LengthCounts:
    """Count the shortest paths by length from a source, and share out what they carry."""
    distance = lengths_from(graph, source, weights, metric)
    paths = graph.full(0.0)
    paths[source] = 2.0 ** (graph.num_vertices.bit_length() - 1022)
    options = {"reduce": ADD, "weights": weights, "dtype": np.int32}
    left = reduce_neighbors(graph, None, _enters, distance, **options)
    propagate(graph, frontier(graph, source), _forward, (paths, left, distance),
              reduce=add_each(3), wake=_complete, weights=weights)  # fmt: skip
    if paths.max() == np.inf:
        raise ValueError(f"weights must leave fewer shortest paths than 2**1990 from {source}")
    behind = graph.full(0.0)
    left = reduce_neighbors(graph, None, _leaves, distance, edges="out", **options)
    last = filter(graph, None, _is_last, (left, paths))
    propagate(graph, last, _backward, (behind, left, distance, paths), reduce=add_each(4),
              wake=_complete, edges="in", weights=weights)  # fmt: skip
    return LengthCounts(paths, distance, behind)


@inner
def is_tight(near, length, far):
    """Does an edge of this length lead from a distance to a greater one?"""
    return near < far and near + length == far < np.inf


def _enters(value, weight, own):
    return 1 if is_tight(value, weight, own) else 0


def _leaves(value, weight, own):
    return 1 if is_tight(own, weight, value) else 0


def _forward(value, weight, own):
    if is_tight(value[2], weight, own[2]):
        return value[0], -1, 0
    return 0.0, 0, 0


def _backward(value, weight, own):
    if is_tight(own[2], weight, value[2]):
        return value[0] + 1.0 / value[3], -1, 0, 0.0
    return 0.0, 0, 0, 0.0


def _complete(value):
    return value[1] == 0


def _is_last(v, left, paths):
    return left[v] == 0 and paths[v] > 0.0
