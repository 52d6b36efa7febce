"""Clusters of points: the graph against counting by hand, clusters against a known truth."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse

import edgewise as ew
from edgewise.apps import cluster_points, nearest_neighbors, shared_neighbor_graph
from edgewise.apps.cluster_points import _METHODS
from edgewise.communities import adjusted_rand_score
from tests.apps.test_nearest_neighbors import mixture
from tests.operators.engines import no_gpu

pytestmark = pytest.mark.slow  # many kernels; the doctests are in the first tier


def weights_by_sets(ids):
    """The share of neighbors in common, averaged over both directions."""
    found = {}
    for u, row in enumerate(ids):
        for v in row:
            both, either = set(row) & set(ids[v]), set(row) | set(ids[v])
            key = min(u, v), max(u, v)
            found[key] = found.get(key, 0.0) + len(both) / len(either) / 2
    return {key: weight for key, weight in found.items() if weight > 0}


def test_the_graph_is_that_of_common_neighbors():
    ids = nearest_neighbors(mixture(80, 3)[0], 4).indices
    graph = shared_neighbor_graph(ids)
    u, v, weights = graph.edges()
    found = dict(zip(zip(u.tolist(), v.tolist(), strict=True), weights, strict=True))
    assert found == pytest.approx(weights_by_sets(ids.tolist()))
    assert not graph.directed and graph.num_vertices == 80


@pytest.mark.parametrize("method", _METHODS)
def test_clusters_of_a_mixture(method):
    points, truth = mixture(1500, 10, parts=6)
    labels, graph = cluster_points(points, k=25, method=method)
    assert adjusted_rand_score(labels, truth) > 0.98
    sizes = np.bincount(labels)
    assert (np.diff(sizes) <= 0).all(), "the largest is 0"
    assert graph.num_vertices == 1500


def test_small_clusters_are_nobodys():
    points = np.r_[mixture(300, 4, parts=1)[0], 1000 + mixture(8, 4, parts=1, seed=1)[0]]
    labels, _ = cluster_points(points, k=5, min_size=20)
    assert (labels[300:] == -1).all() and (labels[:300] == 0).sum() >= 20


def test_descent_clusters_alike():
    points, truth = mixture(3000, 12, parts=6)
    labels, _ = cluster_points(points, neighbor_method="descent", seed=4)
    assert adjusted_rand_score(labels, truth) > 0.98


@pytest.mark.parametrize("method", _METHODS)
def test_handwritten_digits(method):
    """PhenoGraph 1.5.7 agrees with the truth to 0.84 to 0.87, by seed and method."""
    datasets = pytest.importorskip(
        "sklearn.datasets", reason="scikit-learn, which brings the digits, is not installed"
    )
    points, truth = datasets.load_digits(return_X_y=True)
    labels, _ = cluster_points(points, method=method)
    assert adjusted_rand_score(labels, truth) > 0.8


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"method": "fast"}, ValueError, "method must be one of"),
        ({"min_size": 0}, ValueError, "min_size must be at least 1"),
        ({"k": 50}, ValueError, "k must be less than the number of points"),
        ({"neighbor_method": "near"}, ValueError, "method must be one of 'auto'"),
        ({"resolution": -1}, ValueError, "resolution must be"),
    ],
)
def test_wrong_calls_say_why(options, error, words):
    with pytest.raises(error, match=words):
        cluster_points(mixture(50, 3)[0], **{"k": 5} | options)


@pytest.mark.parametrize(
    ("ids", "error", "words"),
    [
        ([[0.5], [1.0]], TypeError, "ids must be a table of whole numbers"),
        ([1, 0], TypeError, "ids must be a table of whole numbers"),
        ([[0], [0]], ValueError, "ids must hold distinct points in every row"),
        ([[1, 1], [0, 0]], ValueError, "ids must hold distinct points in every row"),
        ([[7], [0]], ValueError, "7"),
    ],
)
def test_wrong_ids_say_why(ids, error, words):
    with pytest.raises(error, match=words):
        shared_neighbor_graph(ids)


@pytest.mark.gpu
def test_clusters_on_a_gpu():
    if reason := no_gpu():
        pytest.skip(reason)
    points, truth = mixture(1500, 10, parts=6)
    labels, graph = cluster_points(points, device="cuda")
    assert graph.device.startswith("cuda")
    assert adjusted_rand_score(labels.get(), truth) > 0.98


def test_anndata_and_sparse_matrices():
    """What has ``X`` and ``obsm`` is read by its principal components, or else by its matrix."""
    table = np.random.default_rng(1).normal(size=(120, 4))
    table[:80] += 10
    wanted = cluster_points(table, k=10).clusters
    noise = np.random.default_rng(2).normal(size=(120, 4))
    for cells in (
        SimpleNamespace(X=table, obsm={}),
        SimpleNamespace(X=scipy.sparse.csr_matrix(table), obsm={}),
        SimpleNamespace(X=noise, obsm={"X_pca": table}),
        scipy.sparse.csr_matrix(table),
    ):
        assert np.array_equal(cluster_points(cells, k=10).clusters, wanted)


def test_leiden_takes_the_graph_that_scanpy_makes():
    """``leiden(adata.obsp["connectivities"])``, as the page on cells says."""
    table = np.random.default_rng(1).normal(size=(60, 4))
    table[:40] += 10
    graph = cluster_points(table, k=10).graph
    found = ew.communities.leiden(graph.to_scipy())
    assert np.array_equal(found, ew.communities.leiden(graph))
