"""The weights of a graph's edges as a full matrix: what rankings are checked against."""

from __future__ import annotations

import numpy as np

from edgewise.graph import Graph

__all__ = ["matrix"]


def matrix(graph: Graph, weights: np.ndarray | str | None = "weight") -> np.ndarray:
    """Entry (u, v) is the weight of u -> v, 0 where there is no edge."""
    n = graph.num_vertices
    u, v, own = graph.arcs()
    weights = own if isinstance(weights, str) else weights
    found = np.zeros((n, n))
    found[u, v] = 1.0 if weights is None else weights
    return found
