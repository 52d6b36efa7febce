"""Triangles and clustering, exact where that is affordable, else from sampled wedges.

A wedge is a pair of neighbors of one vertex; it is closed if the two are neighbors too. A random
wedge out of all is closed with probability *transitivity*; a random wedge at a random vertex (of
degree two or more) gives the *average clustering* [1]. Each estimate comes with its 95% interval.

[1] C. Seshadhri, A. Pinar, T. Kolda. Triadic measures on graphs: the power of wedge sampling.
    SDM 2013.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.cli.profile.random_words import words
from edgewise.graph.lookup import are_joined

if TYPE_CHECKING:
    from edgewise.graph import Graph

__all__ = ["triangles"]

#: Comparisons above which triangles are estimated: about a minute's work on two cores.
EXACT_WORK = 3e10
WEDGES = 1 << 18


def triangles(simple: Graph, *, seed: int, exact_work: float | None = None) -> dict[str, Any]:
    """Triangles, transitivity and average clustering of an undirected graph without loops."""
    limit = EXACT_WORK if exact_work is None else exact_work
    degree = np.diff(simple.indptr)
    wedges = float((degree * (degree - 1.0) / 2).sum())
    if _work(simple, degree, seed) <= limit:
        return _exact(simple, degree, wedges)
    return _sampled(simple, degree, wedges, seed)


def _exact(simple: Graph, degree: np.ndarray, wedges: float) -> dict[str, Any]:
    from edgewise.algorithms.triangles.triangle_count import triangles as per_vertex

    count = np.asarray(per_vertex(simple))
    pairs = degree * (degree - 1.0) / 2
    local = np.divide(count, pairs, out=np.zeros(len(degree)), where=pairs > 0)
    total = int(count.sum(dtype=np.int64)) // 3
    return {
        "exact": True,
        "total": total,
        "total_interval": None,
        "transitivity": 3 * total / wedges if wedges else None,
        "transitivity_interval": None,
        "average_clustering": float(local.mean()) if len(local) else None,
        "average_clustering_interval": None,
        "wedges": None,
    }


def _sampled(simple: Graph, degree, wedges: float, seed: int) -> dict[str, Any]:
    upto = np.cumsum(degree * (degree - 1) // 2)
    drawn = words(seed, WEDGES, 2) % np.uint64(upto[-1])
    by_wedge = np.searchsorted(upto, drawn, side="right")
    able = np.flatnonzero(degree > 1)
    by_vertex = able[words(seed, WEDGES, 3) % np.uint64(len(able))]
    closed, low, high = _share(_closed(simple, degree, by_wedge, seed, 4))
    local, low_local, high_local = _share(_closed(simple, degree, by_vertex, seed, 6))
    scale, part = wedges / 3, len(able) / len(degree)
    return {
        "exact": False,
        "total": round(closed * scale),
        "total_interval": [low * scale, high * scale],
        "transitivity": closed,
        "transitivity_interval": [low, high],
        "average_clustering": local * part,
        "average_clustering_interval": [low_local * part, high_local * part],
        "wedges": WEDGES,
    }


def _work(simple: Graph, degree: np.ndarray, seed: int) -> float:
    """About how many comparisons an exact count takes: the shorter list of each edge.

    The mean of a sample of the arcs is near enough to decide by.
    """
    if not simple.num_arcs:
        return 0.0
    arc = words(seed, 1 << 14, 8) % np.uint64(simple.num_arcs)
    source = np.searchsorted(simple.indptr, arc.astype(np.int64), side="right") - 1
    shorter = np.minimum(degree[source], degree[simple.indices[arc]])
    return float(shorter.mean()) * simple.num_arcs / 2


def _closed(simple: Graph, degree, centers, seed: int, turn: int) -> np.ndarray:
    """For each center: are two random different neighbors of it neighbors of one another?"""
    size = degree[centers].astype(np.uint64)
    first = words(seed, len(centers), turn) % size
    second = words(seed, len(centers), turn + 1) % (size - np.uint64(1))
    second += second >= first  # skips the first, so the two differ
    start = simple.indptr[centers]
    a = simple.indices[start + first.astype(np.int64)]
    b = simple.indices[start + second.astype(np.int64)]
    return are_joined(simple, a, b)


def _share(hits: np.ndarray) -> tuple[float, float, float]:
    """The share of hits with its 95% Wilson interval."""
    n, p, z = len(hits), float(hits.mean()), 1.96
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return p, float(max(0.0, middle - half)), float(min(1.0, middle + half))
