"""Embeddings of graphs as estimators of scikit-learn: `FastRP`, `Node2Vec`, `SpectralEmbedding`.

Like scikit-learn's `SpectralEmbedding`, they have ``fit_transform`` but no ``transform``: new
points have no coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from edgewise.algorithms.structure.spectral_embedding import spectral_embedding
from edgewise.base.checks import check_count
from edgewise.graph import Graph
from edgewise.graph.transfer import host
from edgewise.learning.fast_rp import fast_rp
from edgewise.learning.node2vec import node2vec
from edgewise.sklearn.affinity_graphs import GraphEstimator

__all__ = ["FastRP", "Node2Vec", "SpectralEmbedding"]


class _Embedding(GraphEstimator):
    """``fit`` and ``fit_transform`` of all embeddings."""

    n_components: int

    def fit(self, X: Any, y: Any = None) -> Any:
        """Compute the coordinates of the rows of ``X``.

        Parameters
        ----------
        X : Graph, or array or sparse matrix of shape (n_samples, n_features or n_samples)
            Points, or the affinities of all pairs if ``affinity`` is "precomputed". A graph stays
            as it is, with its weights; its vertices are the samples.
        y : ignored
            Accepted by convention.

        Returns
        -------
        self
            The fitted estimator.
        """
        graph = self._graph(X)
        count = check_count(self.n_components, "n_components", least=1)
        self.embedding_ = np.asarray(host(self._found(graph, count)))
        return self

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Compute and return the coordinates of the rows of ``X``; see `fit`."""
        return self.fit(X).embedding_

    def _found(self, graph: Graph, count: int) -> Any:
        raise NotImplementedError


class SpectralEmbedding(_Embedding):
    """Return an estimator of coordinates by eigenvectors of the graph Laplacian.

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

    def _found(self, graph: Graph, count: int) -> Any:
        if count >= max(graph.num_vertices, 3):
            raise ValueError(
                f"n_components must be less than the number of samples, got {count} and "
                f"{graph.num_vertices} samples"
            )
        return spectral_embedding(
            graph, dim=count, tol=self.tol, max_iter=self.max_iter, seed=self._seed()
        )


class FastRP(_Embedding):
    """Return an estimator of vectors by random projections of powers of the transition matrix.

    Parameters
    ----------
    n_components : int
        The number of entries of a vector.
    affinity, n_neighbors, metric, random_state
        As in `Leiden`.
    power_weights : sequence of float
        Weight k is that of walks of k + 1 steps.
    degree_power : float
        Negative values reduce the influence of hubs.

    Attributes
    ----------
    embedding_, affinity_matrix_, n_features_in_
        As in `SpectralEmbedding`. The embedding is of float32.

    See Also
    --------
    edgewise.learning.fast_rp : The function for graphs.

    Examples
    --------
    >>> import numpy as np
    >>> from edgewise.sklearn import FastRP
    >>> cliques = np.kron(np.eye(2), np.ones((5, 5))) - np.eye(10)
    >>> vectors = FastRP(8, affinity="precomputed").fit_transform(cliques)
    >>> bool(vectors[0] @ vectors[1] > vectors[0] @ vectors[9])
    True
    """

    def __init__(
        self, n_components: int = 128, *, affinity: str = "nearest_neighbors",
        n_neighbors: int = 15, metric: str = "euclidean",
        power_weights: Sequence[float] = (0.0, 1.0, 1.0, 1.0), degree_power: float = -0.5,
        random_state: Any = 0,
    ):  # fmt: skip
        self.n_components = n_components
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.power_weights = power_weights
        self.degree_power = degree_power
        self.random_state = random_state

    def _found(self, graph: Graph, count: int) -> Any:
        return fast_rp(
            graph, dim=count, power_weights=self.power_weights, degree_power=self.degree_power,
            seed=self._seed(),
        )  # fmt: skip


class Node2Vec(_Embedding):
    """Return an estimator of vectors that are trained on random walks; p = q = 1 is DeepWalk.

    Parameters
    ----------
    n_components : int
        The number of entries of a vector.
    affinity, n_neighbors, metric, random_state
        As in `Leiden`.
    p, q, length, num_walks, window, negatives, learning_rate, deterministic
        As in `edgewise.learning.node2vec`.

    Attributes
    ----------
    embedding_, affinity_matrix_, n_features_in_
        As in `SpectralEmbedding`. The embedding is of float32.

    See Also
    --------
    edgewise.learning.node2vec : The function for graphs.

    Examples
    --------
    >>> import numpy as np
    >>> from edgewise.sklearn import Node2Vec
    >>> cliques = np.kron(np.eye(2), np.ones((5, 5))) - np.eye(10)
    >>> model = Node2Vec(8, affinity="precomputed", num_walks=50, length=20)
    >>> vectors = model.fit_transform(cliques)
    >>> bool(vectors[0] @ vectors[1] > vectors[0] @ vectors[9])
    True
    """

    def __init__(
        self, n_components: int = 128, *, affinity: str = "nearest_neighbors",
        n_neighbors: int = 15, metric: str = "euclidean", p: float = 1.0, q: float = 1.0,
        length: int = 80, num_walks: int = 10, window: int = 5, negatives: int = 5,
        learning_rate: float = 0.025, deterministic: bool = True, random_state: Any = 0,
    ):  # fmt: skip
        self.n_components = n_components
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.p = p
        self.q = q
        self.length = length
        self.num_walks = num_walks
        self.window = window
        self.negatives = negatives
        self.learning_rate = learning_rate
        self.deterministic = deterministic
        self.random_state = random_state

    def _found(self, graph: Graph, count: int) -> Any:
        return node2vec(
            graph, dim=count, p=self.p, q=self.q, length=self.length, num_walks=self.num_walks,
            window=self.window, negatives=self.negatives, learning_rate=self.learning_rate,
            deterministic=self.deterministic, seed=self._seed(),
        )  # fmt: skip
