"""Shared parts of b-matchings and edge covers: the numbers b(v), the weights, the chosen edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.result import Selection
from edgewise.algorithms.weighting import total
from edgewise.base import atomic
from edgewise.base.checks import check_count
from edgewise.graph import Graph
from edgewise.graph.edges import edges_of
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import compute, frontier

__all__ = ["edge_counts", "ends", "selected", "vertex_counts"]


def vertex_counts(graph: AnyGraph, b: Any, name: str = "b") -> Any:
    """``b`` as an int64 per vertex: one number for all, or an array."""
    xp = graph.xp
    if isinstance(b, (bool, np.bool_, int, float, np.number)):
        return graph.full(check_count(b, name, most=2**63 - 1), np.int64)
    counts = xp.asarray(b)
    if counts.shape != (graph.num_vertices,):
        raise ValueError(
            f"{name} must be a number or have one entry per vertex ({graph.num_vertices}), "
            f"got shape {counts.shape}"
        )
    if counts.size and counts.dtype.kind not in "iu":
        raise TypeError(f"{name} must be whole numbers, got dtype {counts.dtype}")
    wrong = xp.flatnonzero((counts < 0) | (counts > np.iinfo(np.int64).max))
    if len(wrong):
        raise ValueError(
            f"{name} must be at least 0 and fit int64, got {counts[wrong[0]]} for vertex {wrong[0]}"
        )
    return counts.astype(np.int64)


def ends(graph: AnyGraph, edges: Any) -> tuple[Any, Any]:
    """The two ends of the given arcs."""
    sources = graph.xp.searchsorted(graph.indptr, edges, side="right") - 1
    return sources.astype(graph.id_dtype), graph.indices[edges]


def edge_counts(graph: AnyGraph, edges: Any) -> Any:
    """How many of the given edges every vertex has."""
    counts = graph.full(0, np.int64)
    compute(graph, frontier(graph, edges=edges), _count, counts)
    return counts


def selected(graph: Graph, arcs: Any, weights: Any) -> Selection:
    """The result for these arcs from smaller ends, ascending; ``weights`` None if all are one."""
    count = len(arcs)
    weight = float(count) if weights is None else total(weights[arcs])
    return Selection(edges_of(graph, arcs), weight, count)


def _count(source, target, edge, counts):
    atomic.add(counts, source, 1)
    atomic.add(counts, target, 1)
