"""Clusters of points: communities of their nearest neighbors (PhenoGraph [1], FastPG [2]).

A point is joined to its k nearest by edges whose weight is the share of neighbors that the two have
in common, and the communities of that graph are the clusters. Made for cells by what is measured in
each, and good for any points whose clusters have no simple shape.

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
from edgewise.graph.transfer import on_gpu
from edgewise.operators import intersect

__all__ = ["CellClusters", "cell_clusters", "neighbor_graph"]

_METHODS = ("leiden", "louvain")


class CellClusters(NamedTuple):
    """``labels[i]`` is the cluster of point i, 0 the largest; ``graph`` has them as communities."""

    labels: Any
    graph: Graph


def cell_clusters(
    points: Any, *, k: int = 30, method: str = "leiden", resolution: float = 1.0,
    min_size: int = 1, neighbors: str = "auto", metric: str = "euclidean", device: str = "cpu",
    seed: int = 0,
) -> CellClusters:  # fmt: skip
    """Cluster the points of a table.

    Parameters
    ----------
    points : array, sparse matrix or AnnData
        n x d finite numbers, a row for each point (cell). Of an AnnData, ``obsm["X_pca"]`` if it is
        there, else ``X``.
    k : int
        Neighbors of each point; more give fewer and larger clusters.
    method : {"leiden", "louvain"}
        How the communities are found.
    resolution : float
        More than one gives more and smaller clusters.
    min_size : int
        Points of smaller clusters have the label -1.
    neighbors : {"auto", "exact", "descent"}
    metric : {"euclidean", "cosine"}
    device : str
        Where, "cpu" or "cuda", and these three as for `nearest_neighbors`.
    seed : int
        For neighbors by descent, and for "leiden".

    Returns
    -------
    CellClusters
        ``(labels, graph)``; clusters are numbered by their size, the largest is 0.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.random.default_rng(1).normal(size=(300, 5))
    >>> table[:200] += 10
    >>> labels, graph = cell_clusters(table, resolution=0.1)
    >>> labels[:200].tolist() == [0] * 200, labels[200:].tolist() == [1] * 100
    (True, True)
    """
    check_choice(method, "method", _METHODS)
    min_size = check_count(min_size, "min_size", least=1)
    near = nearest_neighbors(points, k, method=neighbors, metric=metric, device=device, seed=seed)
    graph = neighbor_graph(near.ids)
    row = ALGORITHMS[f"communities.{method}"]
    drawn = {"seed": seed} if "seed" in row.needs else {}
    found = row.load()(graph, resolution=resolution, **drawn)
    return CellClusters(_by_size(found, min_size, graph.xp), graph)


def neighbor_graph(ids: Any) -> Graph:
    """The graph of points and their nearest, by the neighbors that they share.

    The weight of an edge from u to v is the number of neighbors that both have over the number that
    one of them has (Jaccard), averaged over both directions: one that only u has to v counts
    half, and one without any common neighbor is no edge.

    Parameters
    ----------
    ids : array
        n x k, the neighbors of every point, as `nearest_neighbors` gives them.

    Examples
    --------
    >>> graph = neighbor_graph([[1, 2], [0, 2], [0, 1], [1, 2]])
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
        raise ValueError("ids must hold different points in every row, and not the row itself")
    common = intersect(rows).counts
    share, shared = common / (4.0 * k - 2.0 * common), common > 0  # half of each direction
    sources, targets, _ = rows.arcs()
    return Graph.from_edges(sources[shared], targets[shared], share[shared], num_vertices=n)


def _by_size(found: Any, min_size: int, xp: Any) -> Any:
    """Communities numbered by their size, equal ones by their first member; -1 for small ones."""
    _, first, which, sizes = xp.unique(
        found, return_index=True, return_inverse=True, return_counts=True
    )
    order = xp.lexsort(xp.stack([first, -sizes]))
    number = xp.empty(len(sizes), np.int64)
    number[order] = xp.where(sizes[order] >= min_size, xp.arange(len(sizes)), -1)
    return number[which]
