"""Embeddings: hidden edges score higher than missing ones; FastRP by dense matrices."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import Graph, generators, threads
from edgewise.learning import fast_rp, node2vec, sample_missing_edges
from tests.algorithms.samples import random_graph
from tests.operators.engines import no_gpu


def hidden_edges(graph: Graph, fraction: float, seed: int = 0):
    """The graph without some edges, and those."""
    sources, targets, _ = graph.edges()
    hidden = np.random.default_rng(seed).random(graph.num_edges) < fraction
    rest = Graph.from_edges(sources[~hidden], targets[~hidden], num_vertices=graph.num_vertices)
    return rest, (sources[hidden], targets[hidden])


def auc(vectors, graph, pairs) -> float:
    """How often a hidden edge has a larger cosine than a missing one, by ranks."""
    missing = sample_missing_edges(graph, pairs[0], seed=1)
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    score = [np.einsum("ij,ij->i", unit[u], unit[v]) for u, v in (pairs, missing)]
    both = np.concatenate(score)
    rank = np.empty(len(both))
    rank[np.argsort(both, kind="stable")] = np.arange(len(both))
    hits = len(score[0])
    return float((rank[:hits].sum() - hits * (hits - 1) / 2) / (hits * len(score[1])))


def planted() -> Graph:
    return generators.stochastic_block_model([40] * 8, _rates(8, 0.3, 0.01), seed=3)[0]


def _rates(parts: int, inside: float, between: float) -> np.ndarray:
    return np.full((parts, parts), between) + np.eye(parts) * (inside - between)


def test_the_measure_itself():
    graph = Graph.from_edges([0, 1], [1, 2], num_vertices=4)
    pairs = (np.array([0]), np.array([1]))
    assert auc(np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]]), graph, pairs) == 1.0
    assert auc(np.array([[1.0, 0], [0, 1], [1, 0], [1, 0]]), graph, pairs) == 0.0


def test_hidden_edges_of_a_planted_graph_are_found():
    graph = planted()
    rest, pairs = hidden_edges(graph, 0.15)
    vectors = node2vec(rest, dim=32, num_walks=10, length=40)
    assert auc(vectors, graph, pairs) > 0.85
    assert auc(fast_rp(rest, dim=64), graph, pairs) > 0.85
    noise = np.random.default_rng(1).normal(size=vectors.shape)
    assert 0.4 < auc(noise, graph, pairs) < 0.6


def test_one_thread_gives_one_result():
    graph = random_graph(60, 200)
    given = {"dim": 8, "num_walks": 3, "length": 10, "p": 0.5, "q": 2.0}
    one = node2vec(graph, **given)
    with threads(1):
        assert (node2vec(graph, **given) == one).all()
    assert (node2vec(graph, **given, seed=1) != one).any()
    assert one.shape == (60, 8) and one.dtype == np.float32 and np.isfinite(one).all()


def test_all_threads_find_them_too():
    graph = planted()
    rest, pairs = hidden_edges(graph, 0.15)
    vectors = node2vec(rest, dim=32, num_walks=10, length=40, deterministic=False)
    assert auc(vectors, graph, pairs) > 0.85


@pytest.mark.gpu
def test_a_gpu_finds_them_too():
    if reason := no_gpu():
        pytest.skip(reason)
    graph = planted()
    rest, pairs = hidden_edges(graph, 0.15)
    there = node2vec(rest.to("cuda"), dim=32, num_walks=10, length=40, deterministic=False)
    assert auc(there.get(), graph, pairs) > 0.85


def test_steps_that_are_too_large_are_named():
    graph = generators.karate_club()
    assert np.isfinite(node2vec(graph, dim=16, learning_rate=0.3)).all()
    with pytest.raises(ValueError, match="learning_rate must be smaller than 1: the vectors div"):
        node2vec(graph, dim=16, learning_rate=1)


def test_graphs_without_edges_and_dead_ends():
    empty = node2vec(Graph.from_edges([], [], num_vertices=3), dim=4)
    assert empty.shape == (3, 4) and (abs(empty) <= 0.125).all()
    assert node2vec(Graph.from_edges([], []), dim=4).shape == (0, 4)
    path = Graph.from_edges([0, 1], [1, 2], num_vertices=4, directed=True)
    assert np.isfinite(node2vec(path, dim=4, num_walks=5)).all()
    assert (fast_rp(path, dim=4)[2:] == 0).all()


@pytest.mark.parametrize("directed", [False, True])
def test_fast_rp_is_as_dense_matrices_say(directed):
    graph = random_graph(50, 200, directed=directed)
    graph = graph.with_weights(np.arange(graph.num_edges) % 7)
    dense = graph.to_scipy().toarray().astype(np.float64)
    degrees = dense.sum(axis=1)
    walk = dense / np.maximum(degrees, 1e-30)[:, None]
    found = fast_rp(graph, dim=12, power_weights=[0.5, 0.0, 2.0], degree_power=-0.25, seed=4)
    scale = np.where(degrees > 0, np.maximum(degrees, 1e-30) ** -0.25, 0)
    drawn = start(50, 12, 4) * scale[:, None]
    known = np.zeros((50, 12))
    for share in (0.5, 0.0, 2.0):
        drawn = walk @ drawn
        lengths = np.linalg.norm(drawn, axis=1, keepdims=True)
        known += share * drawn / np.where(lengths > 0, lengths, 1)
    assert np.allclose(found, known, atol=1e-4)


def start(n: int, dim: int, seed: int) -> np.ndarray:
    """The random matrix: one entry in three is 1 or -1."""
    from edgewise import random

    drawn = random.uniform(seed, np.arange(n * dim)).reshape(n, dim)
    signs = np.where(drawn < 1 / 6, 1.0, np.where(drawn >= 5 / 6, -1.0, 0.0))
    assert 0.2 < (signs != 0).mean() < 0.45
    return signs


def test_wrong_arguments_are_named():
    graph = random_graph(20, 50)
    for options in ({"dim": 0}, {"window": 0}, {"negatives": 0}, {"learning_rate": -1},
                    {"deterministic": np.zeros(2)}, {"p": 0}, {"length": -1}):  # fmt: skip
        with pytest.raises((ValueError, TypeError), match=next(iter(options))):
            node2vec(graph, **options)
    for options in ({"dim": 0}, {"power_weights": []}, {"power_weights": ["a"]},
                    {"degree_power": np.nan},
                    {"weights": np.full(graph.num_edges, np.inf)}):  # fmt: skip
        with pytest.raises((ValueError, TypeError), match=next(iter(options))):
            fast_rp(graph, **options)


@pytest.mark.slow
@pytest.mark.data
def test_hidden_edges_of_facebook_are_found(shared_graphs):
    import edgewise as ew

    graph = ew.read(shared_graphs / "facebook_combined.txt.gz")
    rest, pairs = hidden_edges(graph, 0.1)
    assert auc(fast_rp(rest), graph, pairs) > 0.9
    vectors = node2vec(rest, dim=64, num_walks=2, length=40, deterministic=False)
    assert auc(vectors, graph, pairs) > 0.9
