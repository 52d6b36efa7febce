"""Embeddings of graphs as estimators of scikit-learn: `SpectralEmbedding`."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.structure.spectral_embedding import spectral_embedding
from edgewise.base.checks import check_count
from edgewise.graph.transfer import host
from edgewise.sklearn.affinity_graphs import GraphEstimator

__all__ = ["SpectralEmbedding"]


class SpectralEmbedding(GraphEstimator):
    """Return an estimator of coordinates by eigenvectors of the graph Laplacian.

    Like scikit-learn's estimator of this name, it has ``fit_transform`` but no ``transform``: new
    points have no coordinates.

    Parameters
    ----------
    n_components : int
        The number of coordinates, less than the number of samples.
    affinity, n_neighbors, metric, random_state
        As in `Leiden`.
    tol : float
        The largest residual of an eigenvector, relative to the smallest eigenvalue.
    max_iter : int
        The largest number of iterations of the eigensolver.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The coordinates.
    affinity_matrix_ : CSR array of shape (n_samples, n_samples)
        The weighted graph.
    n_features_in_ : int
        The number of columns of ``X``.

    See Also
    --------
    edgewise.spectral_embedding : The function for graphs.

    Examples
    --------
    >>> import numpy as np
    >>> from edgewise.sklearn import SpectralEmbedding
    >>> path = np.eye(4, k=1) + np.eye(4, k=-1)
    >>> SpectralEmbedding(1, affinity="precomputed").fit_transform(path).round(3).ravel().tolist()
    [0.577, 0.289, -0.289, -0.577]
    """

    def __init__(
        self, n_components: int = 2, *, affinity: str = "nearest_neighbors",
        n_neighbors: int = 15, metric: str = "euclidean", tol: float = 1e-4, max_iter: int = 500,
        random_state: Any = 0,
    ):  # fmt: skip
        self.n_components = n_components
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Any:
        """Compute the coordinates of the rows of ``X``.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
            Points, or the affinities of all pairs if ``affinity`` is "precomputed".
        y : ignored
            Accepted by convention.

        Returns
        -------
        self
            The fitted estimator.
        """
        graph = self._graph(X)
        count = check_count(self.n_components, "n_components", least=1)
        if count >= max(graph.num_vertices, 3):
            raise ValueError(
                f"n_components must be less than the number of samples, got {count} and "
                f"{graph.num_vertices} samples"
            )
        found = spectral_embedding(
            graph, dim=count, tol=self.tol, max_iter=self.max_iter, seed=self._seed()
        )
        self.embedding_ = np.asarray(host(found))
        return self

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Compute and return the coordinates of the rows of ``X``; see `fit`."""
        return self.fit(X).embedding_
