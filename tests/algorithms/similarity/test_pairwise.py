"""Similarity of pairs: the definitions over dense rows, and NetworkX where it has them."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

import edgewise as ew
from edgewise import Graph, similarity, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx
from tests.algorithms.similarity.oracle import MEASURES, dense, similarities


def all_pairs(graph):
    n = graph.num_vertices
    return np.repeat(np.arange(n), n), np.tile(np.arange(n), n)


@given(graphs(), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    us, vs = all_pairs(graph)
    a, b, _ = graph.edges()
    with threads(team):
        for measure in MEASURES:
            known = similarities(dense(graph), measure)
            function = getattr(similarity, measure)
            np.testing.assert_allclose(function(graph, pairs=(us, vs)), known.ravel(), atol=1e-12)
            np.testing.assert_allclose(function(graph), known[a, b], atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    a, b, _ = graph.edges()
    for measure in MEASURES:
        known = similarities(dense(graph), measure)
        np.testing.assert_allclose(getattr(similarity, measure)(graph), known[a, b], atol=1e-12)


@pytest.mark.slow
@given(graphs(lengths=st.sampled_from([0.0, 0.5, 1.0, 3.0])))
def test_weights(graph):
    us, vs = all_pairs(graph)
    for measure in MEASURES[:3]:
        known = similarities(dense(graph, weights=graph.weights), measure).ravel()
        function = getattr(similarity, measure)
        for weights in ("weight", graph.edges()[2]):
            found = function(graph, pairs=(us, vs), weights=weights)
            np.testing.assert_allclose(found, known, atol=1e-12)
        plain = function(graph.with_weights(None), pairs=(us, vs))
        np.testing.assert_array_equal(function(graph, pairs=(us, vs)), plain)


@pytest.mark.parametrize("team", TEAMS)
def test_as_networkx(team):
    graph = random_graph(200, 900).without_self_loops()
    us, vs = np.random.default_rng(0).integers(0, 200, (2, 3000))
    us, vs = us[us != vs], vs[us != vs]
    pairs = list(zip(us.tolist(), vs.tolist(), strict=True))
    other = to_networkx(graph)
    with threads(team):
        known = [score for *_, score in nx.jaccard_coefficient(other, pairs)]
        np.testing.assert_allclose(similarity.jaccard(graph, pairs=(us, vs)), known, atol=1e-12)
        known = [score for *_, score in nx.adamic_adar_index(other, pairs)]
        np.testing.assert_allclose(similarity.adamic_adar(graph, pairs=(us, vs)), known, atol=1e-12)


def test_hubs():
    """All edges of a graph whose rows are marked, searched and merged."""
    graph = random_graph(3000, 30_000, seed=4)
    matrix = graph.without_self_loops().to_scipy().astype(np.float64)
    both, degree = (matrix @ matrix).tocsr(), np.asarray(matrix.sum(axis=1)).ravel()
    a, b, _ = graph.edges()
    common, fewer = np.asarray(both[a, b]).ravel(), np.minimum(degree[a], degree[b])
    np.testing.assert_allclose(similarity.overlap(graph), common / np.maximum(fewer, 1))


def test_an_edge_frontier():
    graph = shape("edge and loops")
    some = ew.frontier(graph, edges=[1, 2])
    edges = graph.arc_to_edge[[1, 2]]
    assert (
        similarity.jaccard(graph, pairs=some).tolist() == similarity.jaccard(graph)[edges].tolist()
    )


def test_a_list_of_pairs_as_networkx_takes_it():
    graph = random_graph(30, 80)
    for count in (0, 1, 2, 3):
        listed = [(i, i + 5) for i in range(count)]
        two = ([u for u, _ in listed], [v for _, v in listed])
        found = similarity.jaccard(graph, pairs=listed)
        assert found.tolist() == similarity.jaccard(graph, pairs=two).tolist()
        assert len(found) == count


def test_an_array_of_pairs():
    graph = random_graph(30, 80)
    for count in (0, 1, 2, 5):
        us, vs = np.arange(count), np.arange(count) + 5
        found = similarity.jaccard(graph, pairs=np.c_[us, vs])
        assert found.tolist() == similarity.jaccard(graph, pairs=(us, vs)).tolist()
    with pytest.raises(ValueError, match=r"two columns as one array, got shape \(2, 3\)"):
        similarity.jaccard(graph, pairs=np.zeros((2, 3), int))


def test_odd_arguments():
    graph = Graph.from_edges([0, 1], [1, 2], [1.0, -2.0])
    with pytest.raises(ValueError, match="pairs must hold ids from 0 to 2, got 3"):
        similarity.jaccard(graph, pairs=([0], [3]))
    with pytest.raises(ValueError, match="weights must not be negative"):
        similarity.cosine(graph, weights="weight")
    assert similarity.jaccard(graph, pairs=([], [])).tolist() == []
