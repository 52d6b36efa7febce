"""Numbers of weighted shortest paths from a source to every vertex, and their dependencies.

An edge u -> v is tight if distance[u] + length is distance[v]; shortest paths consist of tight
edges. Lengths are positive, so tight edges form no cycle, and counts follow them in topological
order. A vertex sends its count once all of its tight in-edges have delivered theirs (`propagate`
with `wake`). It sends its dependency back once all of its tight out-edges have delivered theirs.
Only quotients of counts matter. Counts therefore start from a tiny number, so that up to 2**1990
paths can be counted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.traversal.lengths import Metric, lengths_from, metric_of
from edgewise.algorithms.weighting import edge_weights, refuse
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, filter, frontier, propagate, reduce_neighbors
from edgewise.operators.helpers import inner
from edgewise.operators.monoids import add_each

__all__ = ["LengthCounts", "is_tight", "length_counts", "metric_for"]


class LengthCounts(NamedTuple):
    """Path counts (up to a factor), distances, and weighted sums of 1 / paths over later vertices.

    ``behind[u]`` is the sum of behind[v] + 1 / paths[v] over the tight edges u -> v. The dependency
    of u is paths[u] * behind[u].
    """

    paths: Any
    distance: Any
    behind: Any


def metric_for(graph: AnyGraph, weights: Any) -> Metric | None:
    """Return how distances are stored, None if unweighted; an error names a non-positive length."""
    lengths = edge_weights(graph, weights)
    if lengths is None:
        return None
    metric = metric_of(graph, weights)
    if metric.least == 0:
        refuse(graph, lengths, lengths <= 0, "be positive: shortest paths are counted", "->")
    return metric


def length_counts(graph: AnyGraph, source: int, weights: Any, metric: Metric) -> LengthCounts:
    """Return the numbers of weighted shortest paths from a source, and their dependencies."""
    distance = lengths_from(graph, source, weights, metric)
    paths = graph.full(0.0)
    paths[source] = 2.0 ** (graph.num_vertices.bit_length() - 1022)
    options = {"reduce": ADD, "weights": weights, "dtype": np.int32}
    left = reduce_neighbors(graph, None, _enters, distance, **options)
    propagate(graph, frontier(graph, source), _forward, (paths, left, distance),
              reduce=add_each(3), wake=_complete, weights=weights)  # fmt: skip
    if paths.max() == np.inf:
        raise ValueError(f"weights must give fewer than 2**1990 shortest paths from {source}")
    behind = graph.full(0.0)
    left = reduce_neighbors(graph, None, _leaves, distance, mode="out", **options)
    last = filter(graph, None, _is_last, (left, paths))
    propagate(graph, last, _backward, (behind, left, distance, paths), reduce=add_each(4),
              wake=_complete, mode="in", weights=weights)  # fmt: skip
    return LengthCounts(paths, distance, behind)


@inner
def is_tight(near, length, far):
    """Return whether an edge of this length leads from one distance to a larger one."""
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
