"""Similarity as its definitions say, over dense matrices of weights."""

from __future__ import annotations

import numpy as np

__all__ = ["MEASURES", "dense", "similarities"]

MEASURES = ("jaccard", "overlap", "cosine", "adamic_adar", "resource_allocation",
            "common_neighbors")  # fmt: skip


def dense(graph, *, weights=None):
    """The matrix of weights without its diagonal."""
    u, v, _ = graph.arcs()
    matrix = np.zeros((graph.num_vertices,) * 2)
    matrix[u, v] = 1.0 if weights is None else weights
    np.fill_diagonal(matrix, 0)
    return matrix


def similarities(matrix, measure):
    """The similarity of every pair."""
    n = len(matrix)
    found = np.zeros((n, n))
    into = (matrix > 0).sum(axis=0)
    for u in range(n):
        for v in range(n):
            a, b = matrix[u], matrix[v]
            if measure == "adamic_adar":
                common = (a > 0) & (b > 0) & (into > 1)
                found[u, v] = (1 / np.log(into[common])).sum()
                continue
            if measure == "resource_allocation":
                common = (a > 0) & (b > 0)
                found[u, v] = (1 / into[common]).sum()
                continue
            if measure == "common_neighbors":
                found[u, v] = ((a > 0) & (b > 0)).sum()
                continue
            both = (a * b if measure == "cosine" else np.minimum(a, b)).sum()
            whole = {"jaccard": np.maximum(a, b).sum(), "overlap": min(a.sum(), b.sum()),
                     "cosine": np.sqrt((a * a).sum() * (b * b).sum())}[measure]  # fmt: skip
            found[u, v] = both / whole if whole > 0 else 0
    return found
