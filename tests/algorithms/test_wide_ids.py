"""Graphs of 2**31 vertices and more have 64-bit ids: the same answers as with 32 bits.

Such a graph does not fit a test, so a small one is given the wider ids by hand. Each operator has
its kernels compiled for them once; what takes the same ones again is in the second tier.
"""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise.algorithms import ALGORITHMS
from edgewise.graph.csr import frozen
from tests.algorithms.samples import random_graph
from tests.algorithms.verify import check_components, check_paths
from tests.tiers import later

NARROW = random_graph(2000, 15_000, seed=4)


@pytest.fixture(scope="module")
def wide() -> ew.Graph:
    graph = ew.Graph(NARROW.indptr, NARROW.indices)
    graph._keep(indices=frozen(NARROW.indices.astype(np.int64)))
    return graph


def test_bfs(wide):
    with ew.threads(2):
        paths = ew.bfs(wide, 0)
    assert paths.parent.dtype == np.int64
    check_paths(wide, 0, paths)
    assert paths.distance.tolist() == ew.bfs(NARROW, 0).distance.tolist()


def test_sssp(wide):
    with ew.threads(2):
        paths = ew.sssp(wide, 0)
    assert paths.parent.dtype == np.int64
    check_paths(wide, 0, paths)


def test_connected_components(wide):
    with ew.threads(2):
        label = ew.connected_components(wide)
    assert label.dtype == np.int64
    check_components(wide, label)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["hooking", "propagation"])
def test_methods_of_components(wide, method):
    with ew.threads(2):
        label = ew.connected_components(wide, method=method)
    assert label.dtype == np.int64
    check_components(wide, label)


@pytest.mark.parametrize("name", ["forest_roots", later("communities.label_propagation")])
def test_labels(wide, name):
    function = ALGORITHMS[name].load()
    with ew.threads(2):
        found = function(wide)
    assert found.dtype == np.int64
    assert found.tolist() == function(NARROW).tolist()


def test_triangle_count(wide):
    with ew.threads(2):
        assert ew.triangle_count(wide) == ew.triangle_count(NARROW) > 0


def test_pagerank(wide):
    with ew.threads(2):
        np.testing.assert_array_equal(ew.pagerank(wide), ew.pagerank(NARROW))


@pytest.mark.slow
def test_betweenness(wide):
    with ew.threads(2):
        found = ew.betweenness_centrality(wide, k=3)
    np.testing.assert_allclose(found, ew.betweenness_centrality(NARROW, k=3), rtol=1e-10)
