"""Community detection as estimators of scikit-learn: `Leiden`, `Louvain`, `MarkovClustering`."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.exceptions import ConvergenceWarning

from edgewise.algorithms.communities.leiden import leiden
from edgewise.algorithms.communities.louvain import louvain
from edgewise.algorithms.communities.markov_clustering import markov_clustering
from edgewise.apps.cluster_points import by_size
from edgewise.base.errors import ConvergenceError
from edgewise.base.observe import observe, observer
from edgewise.graph import Graph
from edgewise.sklearn.affinity_graphs import GraphEstimator

__all__ = ["Leiden", "Louvain", "MarkovClustering"]


class _Clusterer(ClusterMixin, GraphEstimator):
    """``fit`` of all clusterers; ``fit_predict`` comes from scikit-learn."""

    def fit(self, X: Any, y: Any = None) -> Any:
        """Cluster the rows of ``X``.

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
        graph, rounds, before = self._graph(X), [0], observer()

        def count(iteration: int, **counts: Any) -> None:
            rounds[0] += "chaos" in counts or counts.get("phase") == "iterate"
            if before is not None:
                before(iteration, **counts)

        with observe(count):
            found = self._found(graph)
        if hasattr(self, "max_iter"):
            self.n_iter_ = max(rounds[0], 1)
        self.labels_ = by_size(np.asarray(found), 1, np)
        self.modularity_ = float(found.modularity)
        return self

    def _found(self, graph: Graph) -> Any:
        raise NotImplementedError


class Leiden(_Clusterer):
    """Return an estimator that clusters points by Leiden communities of their neighbor graph.

    Parameters
    ----------
    resolution : float
        Larger values give more and smaller clusters.
    affinity : {"nearest_neighbors", "precomputed"}
        "nearest_neighbors" joins each point to its nearest ones and weights edges by the neighbors
        that both share (`edgewise.apps.shared_neighbor_graph`). With "precomputed", ``X`` is the
        matrix of affinities, dense or sparse. A matrix that is not symmetric is averaged with its
        transpose.
    n_neighbors : int
        The number of neighbors of each point, at most 96.
    metric : {"euclidean", "cosine"}
        The distance of points.
    max_iter : int
        The largest number of iterations.
    deterministic : bool
        Whether the result must not depend on the number of threads. False is faster.
    random_state : int, RandomState or None
        The seed. None draws one.

    Attributes
    ----------
    labels_ : array of int over samples
        The cluster of each sample, numbered by size; 0 is the largest.
    modularity_ : float
        The modularity of the clusters at resolution 1.
    affinity_matrix_ : CSR array of shape (n_samples, n_samples)
        The weighted graph.
    n_iter_ : int
        The number of iterations.
    n_features_in_ : int
        The number of columns of ``X``.

    See Also
    --------
    edgewise.communities.leiden : The function for graphs.
    edgewise.apps.cluster_points : The same as a function, also on a GPU.

    Examples
    --------
    >>> import numpy as np
    >>> from edgewise.sklearn import Leiden
    >>> points = np.random.default_rng(1).normal(size=(300, 5))
    >>> points[:200] += 10
    >>> np.bincount(Leiden(resolution=0.1, n_neighbors=30).fit_predict(points)).tolist()
    [200, 100]
    """

    def __init__(
        self, resolution: float = 1.0, *, affinity: str = "nearest_neighbors",
        n_neighbors: int = 15, metric: str = "euclidean", max_iter: int = 100,
        deterministic: bool = True, random_state: Any = 0,
    ):  # fmt: skip
        self.resolution = resolution
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.max_iter = max_iter
        self.deterministic = deterministic
        self.random_state = random_state

    def _found(self, graph: Graph) -> Any:
        return leiden(
            graph, resolution=self.resolution, max_iter=self.max_iter, seed=self._seed(),
            deterministic=self.deterministic,
        )  # fmt: skip


class Louvain(_Clusterer):
    """Return an estimator that clusters points by Louvain communities of their neighbor graph.

    Parameters
    ----------
    resolution : float
        Larger values give more and smaller clusters.
    affinity, n_neighbors, metric, deterministic, random_state
        As in `Leiden`.
    max_level : int
        The largest number of levels.

    Attributes
    ----------
    labels_, modularity_, affinity_matrix_, n_features_in_
        As in `Leiden`.

    See Also
    --------
    edgewise.communities.louvain : The function for graphs.

    Examples
    --------
    >>> import numpy as np
    >>> from edgewise.sklearn import Louvain
    >>> affinities = np.kron(np.eye(2), np.ones((4, 4))) + 0.01
    >>> Louvain(affinity="precomputed").fit_predict(affinities).tolist()
    [0, 0, 0, 0, 1, 1, 1, 1]
    """

    def __init__(
        self, resolution: float = 1.0, *, affinity: str = "nearest_neighbors",
        n_neighbors: int = 15, metric: str = "euclidean", max_level: int = 32,
        deterministic: bool = True, random_state: Any = 0,
    ):  # fmt: skip
        self.resolution = resolution
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.max_level = max_level
        self.deterministic = deterministic
        self.random_state = random_state

    def _found(self, graph: Graph) -> Any:
        return louvain(
            graph, resolution=self.resolution, max_level=self.max_level, seed=self._seed(),
            deterministic=self.deterministic,
        )  # fmt: skip


class MarkovClustering(_Clusterer):
    """Return an estimator that clusters points by Markov clustering of their neighbor graph.

    Parameters
    ----------
    inflation : float
        Above 1. Larger values give more and smaller clusters.
    affinity, n_neighbors, metric, random_state
        As in `Leiden`. The seed is used for the neighbors of more than 200,000 points alone.
    max_iter : int
        The largest number of iterations. If they do not suffice, a ``ConvergenceWarning`` says so
        and the clusters found so far are kept.

    Attributes
    ----------
    labels_, modularity_, affinity_matrix_, n_iter_, n_features_in_
        As in `Leiden`.

    See Also
    --------
    edgewise.communities.markov_clustering : The function for graphs.

    Examples
    --------
    >>> import numpy as np
    >>> from edgewise.sklearn import MarkovClustering
    >>> affinities = np.kron(np.eye(2), np.ones((4, 4))) + 0.01
    >>> MarkovClustering(affinity="precomputed").fit_predict(affinities).tolist()
    [0, 0, 0, 0, 1, 1, 1, 1]
    """

    def __init__(
        self, inflation: float = 2.0, *, affinity: str = "nearest_neighbors",
        n_neighbors: int = 15, metric: str = "euclidean", max_iter: int = 100,
        random_state: Any = 0,
    ):  # fmt: skip
        self.inflation = inflation
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.max_iter = max_iter
        self.random_state = random_state

    def _found(self, graph: Graph) -> Any:
        try:
            return markov_clustering(graph, inflation=self.inflation, max_iter=self.max_iter)
        except ConvergenceError as error:
            warnings.warn(str(error), ConvergenceWarning, stacklevel=3)
            return error.best
