"""Degrees: a summary, counts in logarithmic bins, and the shape of the tail.

``points`` are rows (degree, vertices of that degree, vertices of at least that degree).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.cli.describe import degree_arrays
from edgewise.cli.profile.tail import tail

if TYPE_CHECKING:
    from edgewise.graph import Graph

__all__ = ["degrees", "log_bins", "thin"]


def degrees(graph: Graph, *, seed: int = 0) -> dict[str, Any]:
    """Out and in degrees of a directed graph, or the degrees of an undirected one.

    As in NetworkX, an undirected loop adds two to its vertex's degree.
    """
    return {side: _summary(array, seed) for side, array in degree_arrays(graph).items()}


def log_bins(values: np.ndarray, counts: np.ndarray) -> list[dict[str, int]]:
    """Positive whole numbers counted in bins 1, 2, 3-4, 5-8, ...: each up to twice the last.

    >>> log_bins(np.array([1, 2, 3, 4, 9]), np.array([5, 1, 1, 1, 2]))[-1]
    {'low': 9, 'high': 16, 'count': 2}
    """
    keep = values > 0
    values, counts = values[keep], counts[keep]
    if not len(values):
        return []
    which = np.ceil(np.log2(values)).astype(np.int64)
    totals = np.bincount(which, weights=counts)
    return [
        {"low": (1 << i - 1) + 1 if i else 1, "high": 1 << i, "count": int(totals[i])}
        for i in range(len(totals))
    ]


def thin(positions: np.ndarray, most: int = 300) -> np.ndarray:
    """At most ``most`` indices of a sorted positive array, evenly spread in its logarithm."""
    if len(positions) <= most:
        return np.arange(len(positions))
    wanted = np.geomspace(positions[0], positions[-1], most)
    return np.unique(np.searchsorted(positions, wanted).clip(0, len(positions) - 1))


def _summary(degree: np.ndarray, seed: int) -> dict[str, Any]:
    n = len(degree)
    if not n:
        empty = dict.fromkeys(("min", "median", "mean", "p90", "p99", "max", "top_share"))
        return {**empty, "isolated": 0, "tail": None, "bins": [], "points": []}
    values, counts = np.unique(degree, return_counts=True)
    middle, p90, p99 = (_quantile(values, counts, q) for q in (0.5, 0.9, 0.99))
    total = int(values @ counts)
    positive = values > 0
    few = thin(values[positive])
    above = np.cumsum(counts[::-1])[::-1]
    points = np.column_stack([part[positive][few] for part in (values, counts, above)])
    return {
        "min": int(values[0]),
        "median": middle,
        "mean": total / n,
        "p90": p90,
        "p99": p99,
        "max": int(values[-1]),
        "isolated": int(counts[0]) if values[0] == 0 else 0,
        "top_share": _top_share(values, counts, total),
        "tail": tail(values[positive], counts[positive], seed=seed),
        "bins": log_bins(values, counts),
        "points": points.tolist(),
    }


def _quantile(values: np.ndarray, counts: np.ndarray, q: float) -> int:
    """The smallest value that at least a share ``q`` of all do not exceed."""
    upto = np.cumsum(counts)
    return int(values[np.searchsorted(upto, q * upto[-1])])


def _top_share(values: np.ndarray, counts: np.ndarray, total: int) -> float | None:
    """The share of all edge ends at the one percent of vertices with the highest degrees."""
    if not total:
        return None
    left = max(1, int(counts.sum()) // 100)
    share = 0
    for value, count in zip(values[::-1].tolist(), counts[::-1].tolist(), strict=True):
        taken = min(count, left)
        share, left = share + value * taken, left - taken
        if not left:
            break
    return share / total
