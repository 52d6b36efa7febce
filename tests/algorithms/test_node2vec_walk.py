"""`node2vec_walk`: steps have the chances of the paper, whatever p, q and weights are."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import Graph, node2vec_walk, random_walk, threads
from edgewise.graph.edges import arcs_of
from tests.algorithms.samples import SHAPES, random_graph, shape
from tests.algorithms.test_random_walk import keeps_to_edges


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    walks = node2vec_walk(graph, length=7, p=0.5, q=2)
    assert walks.shape == (graph.num_vertices, 8)
    keeps_to_edges(graph, walks)


def test_any_number_of_threads():
    graph = random_graph(300, 1500)
    weights = np.arange(graph.num_edges) % 5 / 2
    for options in ({}, {"weights": weights}):
        found = node2vec_walk(graph, length=20, p=0.25, q=4, seed=5, **options)
        keeps_to_edges(graph, found, arcs_of(graph, options.get("weights", "weight"), "weights"))
        with threads(1):
            alone = node2vec_walk(graph, length=20, p=0.25, q=4, seed=5, **options)
        np.testing.assert_array_equal(alone, found)


def test_without_bias_it_is_a_random_walk():
    graph = random_graph(100, 500)
    np.testing.assert_array_equal(
        node2vec_walk(graph, length=9, seed=2), random_walk(graph, length=9, seed=2)
    )


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("p, q", [(0.25, 4.0), (4.0, 0.25), (3.0, 3.0), (0.1, 0.3), (1.0, 1e9)])
def test_chances(p, q, directed):
    """Second steps from a source: each x has its weight times 1/p, 1 or 1/q."""
    graph = random_graph(12, 60, directed=directed, seed=2)
    weights = np.random.default_rng(4).integers(0, 4, graph.num_edges) / 2.0
    arcs = zip(*graph.arcs()[:2], weights[graph.arc_to_edge], strict=True)
    edge = {(int(u), int(v)): w for u, v, w in arcs}
    for given in (None, weights):
        walks = node2vec_walk(graph, 0, p=p, q=q, length=2, num_walks=60_000, weights=given)
        for v in np.unique(walks[:, 1]):
            if v < 0:
                continue
            followed = walks[walks[:, 1] == v, 2]
            chances = np.zeros(13)
            for x in graph.neighbors(int(v)).tolist():
                factor = 1 / p if x == 0 else 1.0 if (0, x) in edge else 1 / q
                chances[x] = factor * (1.0 if given is None else edge[int(v), x])
            if chances.sum() == 0:
                assert (followed == -1).all()
                continue
            chances /= chances.sum()
            hits, turns = np.bincount(followed, minlength=13), len(followed)
            spread = np.sqrt(turns * chances * (1 - chances))
            assert (np.abs(hits - turns * chances) <= 4.5 * spread + 1e-3).all()


def test_only_ways_that_are_hardly_ever_taken():
    """The end of a path leads back, however unlikely that is made."""
    path = Graph.from_edges([0, 1], [1, 2])
    assert node2vec_walk(path, 0, p=1e300, length=4)[0, ::2].tolist() == [0, 2, 0]
    assert (node2vec_walk(path, 0, p=1e300, q=1e300, length=20) >= 0).all()


def test_errors():
    graph = random_graph(30, 90)
    for name in ("p", "q"):
        with pytest.raises(ValueError, match=f"{name} must be a finite number, positive, got 0"):
            node2vec_walk(graph, **{name: 0})
