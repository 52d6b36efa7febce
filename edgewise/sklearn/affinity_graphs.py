"""The graph of a table: nearest neighbors of its rows, or the affinities that it holds.

Every estimator has the parameters ``affinity``, ``n_neighbors`` and ``metric``, and keeps the graph
as ``affinity_matrix_``, a SciPy CSR array.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from edgewise.apps.cluster_points import shared_neighbor_graph
from edgewise.apps.nearest_neighbors import nearest_neighbors
from edgewise.apps.whole_weights import whole_weights
from edgewise.base.checks import check_choice, check_count, check_one_device
from edgewise.graph import Graph
from edgewise.graph.edges import Arcs
from edgewise.graph.foreign import as_graph

try:
    from sklearn.base import BaseEstimator
    from sklearn.utils import check_random_state
    from sklearn.utils.validation import validate_data
except ImportError as error:
    raise ImportError(
        "edgewise.sklearn needs scikit-learn 1.6 or newer: pip install 'edgewise[sklearn]'"
    ) from error

__all__ = ["GraphEstimator"]

#: What counts the vertices of a graph of Edgewise, NetworkX or igraph.
_COUNTS = ("num_vertices", "number_of_nodes", "vcount")
_AFFINITIES = ("nearest_neighbors", "precomputed")


class GraphEstimator(BaseEstimator):
    """What the estimators share: from points or affinities to a graph."""

    affinity: str
    n_neighbors: int
    metric: str
    random_state: Any

    def _graph(self, X: Any) -> Graph:
        """Check the input and the parameters of the graph, and make it.

        Weights are whole multiples of one step, so that sums do not depend on their order. A graph
        stays as it is.
        """
        check_choice(self.affinity, "affinity", _AFFINITIES)
        if any(hasattr(X, word) for word in _COUNTS):
            graph = as_graph(X)
            check_one_device(graph, type(self).__name__)
            self.affinity_matrix_, self.n_features_in_ = graph.to_scipy(), graph.num_vertices
            return graph
        given = self.affinity == "precomputed"
        X = validate_data(
            self, X, accept_sparse="csr", dtype=[np.float64, np.float32], ensure_min_samples=2
        )
        graph = _affinities(X) if given else self._neighbors(X)
        self.affinity_matrix_ = graph.to_scipy()
        if graph.weights is None:
            return graph
        return graph.with_weights(Arcs(whole_weights(graph.weights)))

    def _neighbors(self, X: Any) -> Graph:
        k = min(check_count(self.n_neighbors, "n_neighbors", least=1), X.shape[0] - 1)
        near = nearest_neighbors(X, k, metric=self.metric, seed=self._seed())
        return shared_neighbor_graph(near.indices)

    def _seed(self) -> int:
        """The seed that scikit-learn's ``random_state`` stands for."""
        if isinstance(self.random_state, (int, np.integer)):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = tags.input_tags.positive_only = self.affinity == "precomputed"
        return tags


def _affinities(X: Any) -> Graph:
    """The graph of a square matrix; one that is not symmetric is averaged with its transpose."""
    if X.shape[0] != X.shape[1]:
        raise ValueError(f"X must be square if affinity is 'precomputed', got shape {X.shape}")
    matrix = sparse.csr_array(X)
    if matrix.nnz and matrix.data.min() < 0:
        raise ValueError(
            "Negative values in data passed to X: affinities must be nonnegative, "
            f"got {matrix.data.min()!r}"
        )
    matrix.sum_duplicates()
    if (matrix != matrix.T).nnz:
        matrix = sparse.csr_array((matrix + matrix.T) / 2)
    if matrix.nnz and not matrix.data.all():
        matrix = matrix.copy()
        matrix.eliminate_zeros()
    return Graph.from_scipy(matrix)
