"""Messages of ranking algorithms, and the total weight that leaves each vertex."""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.weighting import edge_weights
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, compute, reduce_neighbors

__all__ = ["outflow", "plain"]


def outflow(graph: AnyGraph, weights: Any, name: str) -> tuple[Any, Any]:
    """Return the message (`plain` without weights) and the total weight that leaves each vertex."""
    lengths = edge_weights(graph, weights)
    if lengths is None:
        strength = graph.xp.empty(graph.num_vertices)
        compute(graph, None, _count, (strength, graph.indptr))
        return plain, strength
    # NaN fails both; masks over arcs would take memory.
    if graph.num_arcs and not (lengths.min() >= 0 and lengths.max() < float("inf")):
        raise ValueError(f"weights must be non-negative and finite for {name}")
    strength = reduce_neighbors(
        graph, None, _weight, graph.full(0.0), reduce=ADD, mode="out", weights=weights
    )
    if not (((strength == 0) | (strength > 1e-290)) & (strength < 1e290)).all():
        raise ValueError("weights must add up to between 1e-290 and 1e290 at every vertex")
    return _weighted, strength


def plain(value):
    """Return the sender's value unchanged."""
    return value


def _weighted(value, weight):
    return value * weight


def _weight(weight):
    return weight


def _count(v, strength, starts):
    strength[v] = starts[v + 1] - starts[v]
