"""Labelings for the tests of communities, and the slow, obvious ways to weigh them up."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["dense", "pieces", "striped", "sums"]


def striped(n: int) -> np.ndarray:
    """Some communities of different sizes, by numbers that are no vertices."""
    return np.arange(n) % 7 * (np.arange(n) % 3) - 5


def dense(graph: Any, weights: Any = "weight") -> np.ndarray:
    """The matrix of weights; a loop of an undirected graph counts twice."""
    u, v, own = graph.arcs()
    weights = own if isinstance(weights, str) else weights
    matrix = np.zeros((graph.num_vertices, graph.num_vertices))
    np.add.at(matrix, (u, v), 1.0 if weights is None else weights)
    if not graph.directed:
        matrix += np.diag(matrix.diagonal())
    return matrix


def sums(graph: Any, labels: Any, weights: Any = "weight", resolution: float = 1.0) -> float:
    """Modularity, pair by pair."""
    matrix = dense(graph, weights)
    total = matrix.sum()
    if total == 0:
        return 0.0
    expected = np.outer(matrix.sum(1), matrix.sum(0)) / total
    same = np.equal.outer(np.asarray(labels), np.asarray(labels))
    return float(((matrix - resolution * expected) * same).sum() / total)


def pieces(graph: Any, labels: Any) -> int:
    """How many pieces the communities fall into, by their inner edges alone."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    u, v, _ = graph.arcs()
    inside = np.asarray(labels)[u] == np.asarray(labels)[v]
    n = graph.num_vertices
    matrix = coo_matrix((np.ones(int(inside.sum())), (u[inside], v[inside])), (n, n))
    return int(connected_components(matrix, directed=True, connection="weak")[0])
