"""Distances by length from one source, by delta-stepping: what `sssp` finds before the tree.

Whole lengths whose sums fit are added up in int32, which is half the memory; larger ones in int64,
others in float64.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from edgewise.algorithms.weighting import check_lengths, edge_weights
from edgewise.base.checks import check_number
from edgewise.operators import MIN, frontier, propagate

__all__ = ["Metric", "lengths_from", "metric_of"]


class Metric(NamedTuple):
    """How distances are kept: the type, what stands for none, a step's width, the least length."""

    dtype: Any
    far: Any
    delta: float
    least: float


def metric_of(graph: Any, weights: Any, delta: float | None = None) -> Metric:
    """The way to keep distances under these weights; an error names a length that is wrong."""
    lengths = edge_weights(graph, weights)
    least, largest, mean = check_lengths(graph, lengths, weights)
    if delta is None:
        delta = _step(graph, largest, mean)
    else:
        delta = check_number(delta, "delta", positive=True)
    xp = graph.xp
    if lengths is not None and lengths.dtype.kind != "i":
        return Metric(xp.float64, xp.inf, delta, least)
    longest = min(largest * graph.num_vertices, mean * graph.num_arcs)
    if longest >= 2**63:
        raise ValueError(
            f"weights must keep distances within int64, but a path might be {longest:.3g} long; "
            "give them as float64"
        )
    dtype = xp.int32 if longest < 2**31 - 1 else xp.int64
    return Metric(dtype, xp.iinfo(dtype).max, delta, least)


def lengths_from(
    graph: Any, source: int, weights: Any, metric: Metric, *, edges: str = "out"
) -> Any:
    """The distance of every vertex from ``source``; along edges backwards by ``edges="in"``."""
    distance = graph.full(metric.far, metric.dtype)
    distance[source] = 0
    propagate(
        graph, frontier(graph, source), _through, distance, reduce=MIN, weights=weights,
        edges=edges, priority=metric.delta,
    )  # fmt: skip
    return distance


def _step(graph: Any, largest: float, mean: float) -> float:
    """Delta: wide enough to keep the threads busy, narrow enough to repeat little work.

    The best one found by trial falls steeply with the mean degree: several mean weights on road
    networks, a hundredth of one where everything is near.
    """
    degree = graph.num_arcs / max(graph.num_vertices, 1)
    share = min(max(64 / max(degree, 1) ** 2.5, 1 / 64), 4)
    return max(mean * share, largest * 1e-9, 1e-300)


def _through(value, weight):
    return value + weight
