"""Coordinates by eigenvectors of the Laplacian matrix (Laplacian eigenmaps [1]).

The eigenvectors of the smallest eigenvalues place adjacent vertices near one another. The constant
vector is left out. LOBPCG finds the others (`edgewise.algorithms.partitioning.embedding`). A graph
of c components has c - 1 more eigenvectors of the eigenvalue 0. Each of them tells one component
from all smaller ones; they come first. Others are those of single components.

[1] M. Belkin, P. Niyogi. Laplacian eigenmaps for dimensionality reduction and data representation.
    Neural Computation 15(6), 2003.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.connected_components import component_labels
from edgewise.algorithms.partitioning.embedding import (
    Eigenvectors,
    is_irregular,
    laplacian_eigenvectors,
    oriented,
    positive_edges,
)
from edgewise.base.checks import (
    check_count,
    check_flag,
    check_number,
    check_one_device,
    check_undirected,
)
from edgewise.base.random import check_seed
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.sparse import sparse_tools
from edgewise.graph.transfer import host

__all__ = ["smallest_eigenvectors", "spectral_embedding"]


@takes_graph
def spectral_embedding(
    graph: LocalGraphLike,
    *,
    dim: int = 2,
    normalized: bool = True,
    weights: Any = "weight",
    tol: float = 1e-4,
    max_iter: int = 500,
    seed: int = 0,
) -> Any:
    """Return coordinates of each vertex by eigenvectors of the Laplacian matrix.

    Parameters
    ----------
    graph : Graph
        Undirected, on CPU or GPU. Self-loops are ignored.
    dim : int
        The number of coordinates.
    normalized : bool
        Whether to solve L x = l D x, as scikit-learn does by default. Without it, L x = l x, as
        NetworkX's ``spectral_layout``, which scales the result.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.
    tol : float
        The largest residual of an eigenvector, relative to the smallest eigenvalue.
    max_iter : int
        The maximum number of iterations of the eigensolver. If it has not converged by then, its
        current vectors are used.
    seed : int
        The seed of the eigensolver's initial vectors.

    Returns
    -------
    n x dim array of float64
        A row per vertex. Column j is the eigenvector of the (j + 2)-th smallest eigenvalue. The
        first of its largest entries is positive. If there are fewer eigenvectors, the last columns
        are 0. Weights are divided by the largest first, so a common factor changes nothing.

    See Also
    --------
    fiedler_vector : The first column without normalization.

    Notes
    -----
    O(dim m) time per iteration of the eigensolver. In a disconnected graph, the first columns tell
    components apart; embed ``largest_component(graph)`` for other coordinates.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> spectral_embedding(path(4), dim=1).round(3).tolist()
    [[0.577], [0.289], [-0.289], [-0.577]]
    """
    dim = check_count(dim, "dim", 1)
    if dim > max(graph.num_vertices, 3):
        raise ValueError(f"dim must be at most the number of vertices, got {dim}")
    laplacian = "generalized" if check_flag(normalized, "normalized") else "combinatorial"
    found = smallest_eigenvectors(
        graph, "spectral_embedding", dim, laplacian, weights, tol, max_iter, seed
    )
    missing = dim - found.vectors.shape[1]
    return graph.xp.pad(found.vectors, ((0, 0), (0, missing))) if missing else found.vectors


def smallest_eigenvectors(
    graph: Graph, name: str, count: int, laplacian: str, weights: Any, tol: Any, max_iter: Any,
    seed: Any,
) -> Eigenvectors:  # fmt: skip
    """Return eigenvectors of the smallest eigenvalues but the first, of any graph.

    There are fewer if the graph has fewer than ``count + 1`` vertices.
    """
    check_one_device(graph, name)
    check_undirected(graph, name)
    tol, max_iter = check_number(tol, "tol", positive=True), check_count(max_iter, "max_iter", 1)
    proper, unit = positive_edges(graph, weights)
    options: Any = {"laplacian": laplacian, "tol": tol, "max_iter": max_iter}
    options |= {"preconditioner": "polynomial" if is_irregular(proper) else "multigrid"}
    options["seed"] = int(check_seed(seed))
    unit = unit if laplacian == "combinatorial" else 1.0
    xp, n = graph.xp, graph.num_vertices
    _, label, sizes = np.unique(
        host(component_labels(proper)), return_inverse=True, return_counts=True
    )
    if len(sizes) == 1 and n > 1:
        found = laplacian_eigenvectors(proper, proper.weights, count, **options)
        return found._replace(values=found.values * unit)
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    weight = np.ones(n)
    if laplacian != "combinatorial":
        weight = host(sparse_tools(graph).matrix(proper, proper.weights) @ xp.ones(n))
        weight[weight == 0] = 1.0
    parts = [_contrasts(rank[label], weight, max(min(count, len(order) - 1), 0))]
    values, errors = [np.zeros(parts[0].shape[1])], [0.0]
    if laplacian == "normalized":
        parts[0] *= np.sqrt(weight)[:, None]
    for number in order.tolist() if len(order) <= count else ():
        members = np.flatnonzero(label == number)
        if len(members) > 1:
            piece = proper.subgraph(members)
            found = laplacian_eigenvectors(piece, piece.weights, count, **options)
            whole = np.zeros((n, len(found.values)))
            whole[members] = host(found.vectors)
            parts.append(whole)
            values.append(host(found.values) * unit)
            errors.append(found.error)
    joined, vectors = np.concatenate(values), np.hstack(parts)
    first = np.argsort(joined, kind="stable")[:count]
    chosen = Eigenvectors(xp.asarray(joined[first]), xp.asarray(vectors[:, first]), max(errors))
    return oriented(chosen, xp) if n and len(first) else chosen


def _contrasts(rank: np.ndarray, weight: np.ndarray, count: int) -> np.ndarray:
    """Vectors of eigenvalue 0: each is constant on one component, and on all of higher rank."""
    found = np.zeros((len(rank), count))
    for j in range(count):
        here, later = rank == j, rank > j
        masses = weight[here].sum(), weight[later].sum()
        found[here, j], found[later, j] = 1 / masses[0], -1 / masses[1]
        found[:, j] /= np.sqrt(1 / masses[0] + 1 / masses[1])
    return found
