"""Laplacian matrices [1]: D - A, and the same scaled by the degrees.

A is the adjacency matrix and D the diagonal matrix of its row sums. Linear work.

[1] F. Chung. Spectral graph theory. American Mathematical Society, 1997.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.weighting import finite_amounts
from edgewise.base.checks import check_one_device
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.sparse import sparse_tools

__all__ = ["laplacian_matrix", "normalized_laplacian_matrix"]


@takes_graph
def laplacian_matrix(graph: LocalGraphLike, *, weights: Any = "weight") -> Any:
    """Return the Laplacian matrix D - A as a sparse matrix.

    Parameters
    ----------
    graph : Graph
        On CPU or GPU. In a directed graph, D has the out-degrees.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.

    Returns
    -------
    scipy.sparse.csr_array or cupyx.scipy.sparse.csr_matrix
        On the device of the graph; int64 if all weights are integers, else float64. On a GPU always
        float64, since CuPy has no sparse matrices of integers.
        A self-loop adds its weight to D and to A.

    See Also
    --------
    normalized_laplacian_matrix : Scaled by the degrees.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> laplacian_matrix(path(3)).toarray().tolist()
    [[1, -1, 0], [-1, 2, -1], [0, -1, 1]]
    """
    return _laplacian(graph, weights, "laplacian_matrix", normalized=False)


@takes_graph
def normalized_laplacian_matrix(graph: LocalGraphLike, *, weights: Any = "weight") -> Any:
    """Return the normalized Laplacian matrix, D^-1/2 (D - A) D^-1/2, as a sparse matrix.

    Parameters
    ----------
    graph, weights
        As for `laplacian_matrix`.

    Returns
    -------
    scipy.sparse.csr_array or cupyx.scipy.sparse.csr_matrix
        On the device of the graph, of float64. Rows of vertices of degree 0 are 0.

    See Also
    --------
    spectral_embedding : Coordinates by its eigenvectors.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> normalized_laplacian_matrix(path(3)).toarray().round(3).tolist()
    [[1.0, -0.707, 0.0], [-0.707, 1.0, -0.707], [0.0, -0.707, 1.0]]
    """
    return _laplacian(graph, weights, "normalized_laplacian_matrix", normalized=True)


def _laplacian(graph: Graph, weights: Any, name: str, *, normalized: bool) -> Any:
    check_one_device(graph, name)
    found, xp, tools = finite_amounts(graph, weights), graph.xp, sparse_tools(graph)
    amounts = xp.ones(graph.num_arcs, np.int64) if found is None else found
    whole = amounts.dtype.kind == "i" and not normalized and xp is np  # CuPy has no integers
    adjacency = tools.matrix(graph, amounts.astype(np.int64 if whole else np.float64))
    degrees = adjacency @ xp.ones(graph.num_vertices, adjacency.dtype)
    matrix = tools.laplacian(adjacency, degrees, normalized=normalized)
    return tools.sparse.csr_array(matrix) if hasattr(tools.sparse, "csr_array") else matrix
