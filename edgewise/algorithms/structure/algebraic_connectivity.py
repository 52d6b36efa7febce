"""Algebraic connectivity and the Fiedler vector [1]: the second smallest eigenvalue and its vector.

Both are those of the Laplacian matrix, or of the normalized one. The eigenvalue is 0 if and only if
the graph is disconnected. LOBPCG with a multigrid or polynomial preconditioner finds them
(`edgewise.algorithms.partitioning.embedding`). Small graphs are solved directly.

[1] M. Fiedler. Algebraic connectivity of graphs. Czechoslovak Mathematical Journal 23, 1973.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.partitioning.embedding import Eigenvectors
from edgewise.algorithms.structure.spectral_embedding import smallest_eigenvectors
from edgewise.base.checks import check_flag
from edgewise.base.errors import ConvergenceError
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph

__all__ = ["algebraic_connectivity", "fiedler_vector"]


@takes_graph
def algebraic_connectivity(
    graph: LocalGraphLike,
    *,
    normalized: bool = False,
    weights: Any = "weight",
    tol: float = 1e-4,
    max_iter: int = 1000,
    seed: int = 0,
) -> float:
    """Return the algebraic connectivity: the second smallest eigenvalue of the Laplacian matrix.

    Parameters
    ----------
    graph : Graph
        Undirected, on CPU or GPU. Self-loops are ignored.
    normalized : bool
        Whether to use the normalized Laplacian matrix.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.
    tol : float
        The largest residual of the eigenvector, relative to the eigenvalue. The relative error of
        the eigenvalue is about its square. Graphs of up to 500 vertices are solved directly.
    max_iter : int
        The maximum number of iterations of the eigensolver.
    seed : int
        The seed of the eigensolver's initial vectors.

    Returns
    -------
    float
        0 if the graph is disconnected or has fewer than two vertices.

    Raises
    ------
    ConvergenceError
        If the residual is larger than ``tol`` after ``max_iter`` iterations.

    See Also
    --------
    fiedler_vector : The eigenvector.

    Notes
    -----
    O(n + m) time per iteration: 10 to 40 iterations on meshes, more on irregular graphs.

    Examples
    --------
    >>> from edgewise.generators import complete, path
    >>> round(algebraic_connectivity(complete(5)), 6), round(algebraic_connectivity(path(3)), 6)
    (5.0, 1.0)
    """
    found = _second(graph, "algebraic_connectivity", normalized, weights, tol, max_iter, seed)
    return float(found.values[0]) if len(found.values) else 0.0


@takes_graph
def fiedler_vector(
    graph: LocalGraphLike,
    *,
    normalized: bool = False,
    weights: Any = "weight",
    tol: float = 1e-4,
    max_iter: int = 1000,
    seed: int = 0,
) -> Any:
    """Return the Fiedler vector: the eigenvector of the algebraic connectivity.

    Parameters
    ----------
    graph, normalized, weights, tol, max_iter, seed
        As for `algebraic_connectivity`.

    Returns
    -------
    array of float64 over vertices
        Of length 1; the first of its largest entries is positive. In a disconnected graph, it has
        one sign on the largest component and the other on the rest.

    Raises
    ------
    ConvergenceError
        If the residual is larger than ``tol`` after ``max_iter`` iterations.

    See Also
    --------
    spectral_embedding : Several eigenvectors.
    partitioning.spectral : Parts of equal size.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> fiedler_vector(path(4)).round(3).tolist()
    [0.653, 0.271, -0.271, -0.653]
    """
    found = _second(graph, "fiedler_vector", normalized, weights, tol, max_iter, seed)
    return found.vectors[:, 0] if len(found.values) else graph.full(0.0)


def _second(
    graph: Graph, name: str, normalized: Any, weights: Any, tol: Any, max_iter: Any, seed: Any
) -> Eigenvectors:
    laplacian = "normalized" if check_flag(normalized, "normalized") else "combinatorial"
    found = smallest_eigenvectors(graph, name, 1, laplacian, weights, tol, max_iter, seed)
    if found.error > tol:
        best = found.vectors[:, 0]
        raise ConvergenceError(name, max_iter, found.error, best=best)
    return found
