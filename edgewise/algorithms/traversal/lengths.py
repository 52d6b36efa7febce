"""Weighted distances from one source by delta-stepping: the first part of `sssp`.

Integer lengths whose sums fit are added in int32, which takes half the memory. Larger ones are
added in int64, and others in float64. Sums beyond the range of the type raise an error.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.weighting import check_lengths, edge_weights
from edgewise.base.checks import check_number
from edgewise.base.ranges import check_whole
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host
from edgewise.operators import MAX, MIN, frontier, propagate, reduce_neighbors

__all__ = ["Metric", "lengths_from", "metric_of"]


class Metric(NamedTuple):
    """How distances are stored: the type, the value for no path, delta and the smallest length.

    ``endless`` is True if sums of lengths might exceed the type's range.
    """

    dtype: Any
    far: Any
    delta: float
    least: float
    endless: bool = False


def metric_of(graph: AnyGraph, weights: Any, delta: float | None = None) -> Metric:
    """Return how distances under these weights are stored; an error names an invalid length."""
    lengths = edge_weights(graph, weights)
    least, largest, mean = check_lengths(graph, lengths, weights)
    if delta is None:
        delta = _step(graph, largest, mean)
    else:
        delta = check_number(delta, "delta", positive=True)
    xp, longest = graph.xp, min(largest * graph.num_vertices, mean * graph.num_arcs)
    if lengths is not None and lengths.dtype.kind != "i":
        return Metric(xp.float64, xp.inf, delta, least, longest > 1e308)
    check_whole(longest * (1 + 2.0**-30), "distances")  # its rounding included
    dtype = xp.int32 if longest < 2**31 - 1 else xp.int64
    return Metric(dtype, xp.iinfo(dtype).max, delta, least)


def lengths_from(
    graph: AnyGraph, source: Any, weights: Any, metric: Metric, *, mode: str = "out"
) -> Any:
    """Return the distance of every vertex from ``source``; ``mode="in"`` follows edges backward.

    It is one vertex, or an array of them: then the distance is that from the nearest.
    """
    distance = graph.full(metric.far, metric.dtype)
    distance[source] = 0
    step = _through_32_bits if metric.dtype is graph.xp.int32 else _through
    propagate(
        graph, frontier(graph, source), step, distance, reduce=MIN, weights=weights,
        mode=mode, priority=metric.delta,
    )  # fmt: skip
    if metric.endless:
        _check_finite(graph, distance, weights, mode)
    return distance


def _check_finite(graph: AnyGraph, distance: Any, weights: Any, mode: str) -> None:
    """An error that names an edge by which a distance is infinite although all lengths are not."""
    entering = "in" if mode == "out" else "out"
    before = reduce_neighbors(
        graph, None, _overflows, distance, reduce=MAX, weights=weights, mode=entering,
        dtype=np.int64, out=graph.full(-1, np.int64),
    )  # fmt: skip
    if before.max() < 0:
        return
    before = np.asarray(host(before))
    target = int((before >= 0).argmax())
    ends = [graph.label(one) for one in (int(before[target]), target)]
    source, target = ends if mode == "out" else ends[::-1]
    raise ValueError(
        f"weights must keep distances within float64, but a path along the edge {source} -> "
        f"{target} exceeds its range"
    )


def _step(graph: AnyGraph, largest: float, mean: float) -> float:
    """Delta: wide enough to keep the threads busy, narrow enough to repeat little work.

    The best one found by trial falls steeply with the mean degree: several mean weights on road
    networks, a hundredth of one where everything is near.
    """
    degree = graph.num_arcs / max(graph.num_vertices, 1)
    share = min(max(64 / max(degree, 1) ** 2.5, 1 / 64), 4)
    return max(mean * share, largest * 1e-9, 1e-300)


def _through(value, weight):
    return value + weight


def _through_32_bits(value, weight):
    return np.int32(value + weight)  # all sums fit


def _overflows(value, weight, source, own):
    over = value < np.inf and weight < np.inf and own == np.inf and value + weight == np.inf
    return np.int64(source) if over else np.int64(-1)
