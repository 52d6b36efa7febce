"""METIS, KaMinPar and KaHIP, where they are installed; and the door to all methods."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from edgewise import Graph, partitioning as pt
from edgewise.generators import grid_2d
from tests.algorithms.samples import SHAPES, random_graph, shape

PACKAGES = {"metis": "pymetis", "kaminpar": "kaminpar", "kahip": "kahip"}
every = pytest.mark.parametrize("method", PACKAGES)


@pytest.fixture
def call(method):
    pytest.importorskip(PACKAGES[method])
    return getattr(pt, method)


@every
def test_a_mesh(call):
    graph = grid_2d(30, 40)
    for k in (2, 7, 16):
        parts = call(graph, k)
        assert parts.k == k and pt.imbalance(graph, parts) <= 0.04
        assert pt.edge_cut(graph, parts) <= {2: 40, 7: 160, 16: 270}[k]
        np.testing.assert_array_equal(parts, call(graph, k))


@every
def test_shapes(call):
    for name in SHAPES:
        graph = shape(name)
        for k in (1, 2, 3):
            sizes = call(graph, k, imbalance=0.1).sizes()
            assert len(sizes) == k and sizes.sum() == graph.num_vertices
            assert sizes.max() <= 1.1 * np.ceil(graph.num_vertices / k)


@every
def test_weights(call):
    graph = random_graph(400, 2000).without_self_loops()
    rng = np.random.default_rng(0)
    masses = rng.random(400)
    weighted = graph.with_weights(rng.random(graph.num_edges) * (rng.random(graph.num_edges) < 0.9))
    parts = call(weighted, 4, vertex_weights=masses, imbalance=0.05)
    assert pt.imbalance(graph, parts, vertex_weights=masses) <= 0.05
    assert pt.edge_cut(weighted, parts) < 0.7 * weighted.weights.sum() / 2
    np.testing.assert_array_equal(call(weighted, 4, weights=None), call(graph, 4))
    with pytest.raises(ValueError, match="imbalance must be larger: vertex 0 weighs 1001"):
        call(graph, 4, vertex_weights=1 + 1000 * (np.arange(400) == 0))


@every
def test_without_the_package(method, monkeypatch):
    monkeypatch.setitem(sys.modules, PACKAGES[method], None)
    with pytest.raises(ImportError, match=rf"pip install {PACKAGES[method]}, or 'edgewise\[part"):
        pt.partition(grid_2d(4, 4), 2, method=method)


def test_the_door(monkeypatch):
    graph = grid_2d(6, 8)
    found = pt.partition(graph, 3, method="spectral", seed=2, options={"cuts": "multi_jagged"})
    np.testing.assert_array_equal(found, pt.spectral(graph, 3, seed=2, cuts="multi_jagged"))
    masses = np.r_[np.full(4, 9.0), np.full(44, 0.1)]
    with pytest.raises(ValueError, match=r"spectral found no partition within|must allow for"):
        pt.partition(graph, 3, method="spectral", vertex_weights=masses, imbalance=0.0)
    with pytest.raises(ValueError, match="method must be one of 'multilevel', 'spectral'"):
        pt.partition(graph, 3, method="scotch")
    with pytest.raises(ValueError, match="imbalance must be a finite number, at least 0"):
        pt.partition(graph, 3, method="metis", imbalance=-0.1)
    with pytest.raises(ValueError, match="metis needs an undirected graph"):
        pt.partition(Graph.from_edges([0], [1], directed=True), 2, method="metis")
    with pytest.raises(TypeError, match="speed"):
        pt.partition(graph, 3, method="spectral", options={"speed": 3})


def test_a_package_that_breaks_the_balance(monkeypatch):
    """It is asked again, more strictly; and is refused if it does not listen."""
    from edgewise.algorithms.partitioning.hand_over import partition_by

    graph, asked = grid_2d(4, 5), []

    def stubborn(plain, slack, seed):
        asked.append(slack)
        return np.zeros(20, int)

    given = ("metis", graph, 2, 0.04, None, None, 0)
    with pytest.raises(ValueError, match="metis found no partition within .* weighs 20, .* is 10;"):
        partition_by(*given, stubborn)
    assert asked == pytest.approx([0.04, 0.03, 0.02, 0.01])
