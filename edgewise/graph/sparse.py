"""Sparse matrices of a graph and their solvers, where the graph is: SciPy's, or CuPy's on a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["SparseTools", "sparse_tools"]


class SparseTools(NamedTuple):
    """The module of sparse matrices, and that of their solvers."""

    sparse: Any
    linalg: Any

    def matrix(self, graph: Graph, data: Any) -> Any:
        """Return the CSR matrix with these entries at the arcs of a graph."""
        n = graph.num_vertices
        small = graph.num_arcs < 2**31 and graph.id_dtype == np.int32
        indptr = graph.indptr.astype(np.int32 if small else np.int64)
        indices = graph.indices.astype(indptr.dtype, copy=False)
        return self.sparse.csr_matrix((data, indices, indptr), shape=(n, n))

    def laplacian(self, adjacency: Any, degrees: Any, *, normalized: bool = False) -> Any:
        """Return the CSR matrix D - A, or D^-1/2 (D - A) D^-1/2 with 0 for vertices of degree 0."""
        found = self.sparse.diags(degrees, dtype=adjacency.dtype) - adjacency
        if normalized:
            root = degrees**0.5
            scale = self.sparse.diags((root > 0) / (root + (root == 0)))
            found = scale @ found @ scale
        return found.tocsr()


def sparse_tools(graph: Graph) -> SparseTools:
    """Return the modules for matrices on the device of a graph.

    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1], [1, 2])
    >>> sparse_tools(path).matrix(path, np.arange(4.0)).toarray().tolist()
    [[0.0, 0.0, 0.0], [1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]
    """
    if graph.xp is np:  # also in the simulator
        import scipy.sparse as sparse
        import scipy.sparse.linalg as linalg
    else:
        import cupyx.scipy.sparse as sparse
        import cupyx.scipy.sparse.linalg as linalg
    return SparseTools(sparse, linalg)
