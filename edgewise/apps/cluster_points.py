"""Clustering of points by communities of their nearest-neighbor graph (PhenoGraph [1], FastPG [2]).

Each point is joined to its k nearest neighbors. The weight of an edge is the Jaccard similarity of
the two neighbor lists, and the communities of that graph are the clusters. The method was made for
single-cell data. It suits all points whose clusters have no simple shape.

[1] J. Levine et al. Data-driven phenotypic dissection of AML reveals progenitor-like cells that
    correlate with prognosis. Cell 162, 2015.
[2] T. Bodenheimer, M. Halappanavar, S. Jefferys, R. Gibson, S. Liu, P. Mucha, N. Stanley,
    J. Parker, S. Selitsky. FastPG: fast clustering of millions of single cells. bioRxiv, 2020.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms import ALGORITHMS
from edgewise.apps.nearest_neighbors import nearest_neighbors
from edgewise.base.checks import check_choice, check_count
from edgewise.graph import Graph
from edgewise.graph.result_html import result_html
from edgewise.graph.transfer import on_gpu
from edgewise.operators import intersect

__all__ = ["PointClusters", "cluster_points", "shared_neighbor_graph", "by_size"]

_METHODS = ("leiden", "louvain")


class PointClusters(NamedTuple):
    """The cluster of each point, and the shared-neighbor graph that was clustered.

    Attributes
    ----------
    clusters : array of int over points
        The number of each point's cluster. Cluster 0 is the largest; -1 marks points of small
        clusters.
    graph : Graph
        The weighted graph of shared neighbors, one vertex per point.
    """

    clusters: Any
    graph: Graph

    def _repr_html_(self) -> str:
        return result_html(self)


def cluster_points(
    points: Any, *, k: int = 30, method: str = "leiden", resolution: float = 1.0,
    min_size: int = 1, neighbor_method: str = "auto", metric: str = "euclidean",
    device: str = "cpu", seed: int = 0,
) -> PointClusters:  # fmt: skip
    """Return clusters of points found on their nearest-neighbor graph.

    Parameters
    ----------
    points : array, sparse matrix or AnnData
        An n x d table of finite numbers, one row per point. An AnnData object gives
        ``obsm["X_pca"]`` if present, else ``X``.
    k : int
        The number of neighbors of each point. Larger values give fewer and larger clusters.
    method : {"leiden", "louvain"}
        The community detection method.
    resolution : float
        Larger values give more and smaller clusters.
    min_size : int
        Points of clusters smaller than this are labeled -1.
    neighbor_method : {"auto", "exact", "descent"}
        The ``method`` of `nearest_neighbors`.
    metric : {"euclidean", "cosine"}
        The distance, as for `nearest_neighbors`.
    device : str
        The device to use, "cpu" or "cuda", as for `nearest_neighbors`.
    seed : int
        The seed of "descent" and of "leiden".

    Returns
    -------
    PointClusters
        The cluster of each point, numbered by size from the largest, and the graph.

    See Also
    --------
    nearest_neighbors : The first step.
    shared_neighbor_graph : The second step.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.random.default_rng(1).normal(size=(300, 5))
    >>> table[:200] += 10
    >>> labels, graph = cluster_points(table, resolution=0.1)
    >>> labels[:200].tolist() == [0] * 200, labels[200:].tolist() == [1] * 100
    (True, True)
    """
    check_choice(method, "method", _METHODS)
    min_size = check_count(min_size, "min_size", least=1)
    near = nearest_neighbors(
        points, k, method=neighbor_method, metric=metric, device=device, seed=seed
    )
    graph = shared_neighbor_graph(near.indices)
    row = ALGORITHMS[f"communities.{method}"]
    drawn = {"seed": seed} if "seed" in row.needs else {}
    found = row.load()(graph, resolution=resolution, **drawn)
    return PointClusters(by_size(found, min_size, graph.xp), graph)


def shared_neighbor_graph(ids: Any) -> Graph:
    """Return the shared-neighbor graph of points, weighted by Jaccard similarity.

    Each point is joined to its nearest neighbors. The weight is the number of common neighbors over
    the number of all neighbors of the two points. An edge in one direction only has half that
    weight. Edges without common neighbors are left out.

    Parameters
    ----------
    ids : array
        An n x k array with the neighbors of each point, as `nearest_neighbors` returns them.

    Returns
    -------
    Graph
        An undirected, weighted graph with one vertex per point.

    Examples
    --------
    >>> graph = shared_neighbor_graph([[1, 2], [0, 2], [0, 1], [1, 2]])
    >>> [part.round(2).tolist() for part in graph.edges()]
    [[0, 0, 1, 1, 2], [1, 2, 2, 3, 3], [0.33, 0.33, 0.33, 0.17, 0.17]]
    """
    if not on_gpu(ids):
        ids = np.asarray(ids)
    if ids.ndim != 2 or ids.dtype.kind not in "iu":
        raise TypeError(f"ids must be a table of whole numbers, got {ids.dtype} of {ids.shape}")
    n, k = ids.shape
    sources = (ids * 0 + 1).cumsum(axis=0).ravel() - 1
    rows = Graph.from_edges(sources, ids.ravel(), directed=True, num_vertices=n)
    if rows.num_arcs != n * k or rows.num_self_loops:
        raise ValueError("ids must hold distinct points in every row, without the point itself")
    common = intersect(rows).counts
    share, shared = common / (4.0 * k - 2.0 * common), common > 0  # half of each direction
    sources, targets, _ = rows.arcs()
    return Graph.from_edges(sources[shared], targets[shared], share[shared], num_vertices=n)


def by_size(found: Any, min_size: int, xp: Any) -> Any:
    """Communities numbered by their size, equal ones by their first member; -1 for small ones."""
    _, first, which, sizes = xp.unique(
        found, return_index=True, return_inverse=True, return_counts=True
    )
    order = xp.lexsort(xp.stack([first, -sizes]))
    number = xp.empty(len(sizes), np.int64)
    number[order] = xp.where(sizes[order] >= min_size, xp.arange(len(sizes)), -1)
    return number[which]
