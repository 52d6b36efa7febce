"""What the tests of matchings compare with: the greatest weight there is, and a slow check."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np

from edgewise.graph import Graph
from tests.algorithms.samples import to_networkx

__all__ = ["check_matching", "edge_list", "greatest_weight", "worth"]


def edge_list(graph: Graph, weights: Any = "weight") -> list[tuple[int, int, float]]:
    """Every edge once, without loops: (u, v, weight)."""
    u, v, own = graph.edges()
    weights = own if isinstance(weights, str) else weights
    weights = np.ones(len(u)) if weights is None else np.asarray(weights)
    return [
        (a, b, w) for a, b, w in zip(u.tolist(), v.tolist(), weights.tolist(), strict=True) if a < b
    ]


def greatest_weight(graph: Graph, weights: Any = "weight") -> float:
    """By NetworkX, exact for integers."""
    known = to_networkx(graph, weights)
    known.remove_edges_from(list(nx.selfloop_edges(known)))
    return sum(known[u][v].get("weight", 1) for u, v in nx.max_weight_matching(known))


def worth(graph: Graph, mate: Any, weights: Any = "weight") -> Fraction:
    """The weight of the matched edges, without rounding."""
    return sum((Fraction(w) for u, v, w in edge_list(graph, weights) if mate[u] == v), Fraction(0))


def check_matching(graph: Graph, found: Any, weights: Any = "weight") -> None:
    """Mates are each other's, joined by an edge of positive weight; the sums are right."""
    mate = found.mate.tolist()
    assert len(mate) == graph.num_vertices and found.mate.dtype == graph.indices.dtype
    chosen = [w for u, v, w in edge_list(graph, weights) if mate[u] == v]
    assert all(mate[mate[v]] == v != mate[v] for v in range(len(mate)) if mate[v] >= 0)
    assert len(chosen) == found.cardinality == sum(m >= 0 for m in mate) // 2
    assert all(w > 0 for w in chosen)
    assert np.isclose(found.weight, float(sum(map(Fraction, chosen))), rtol=1e-12, atol=0)
