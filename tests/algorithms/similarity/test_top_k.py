"""The most similar vertices: all similarities, sorted."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, similarity, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape
from tests.algorithms.similarity.oracle import MEASURES, dense, similarities


def check(graph, matrix, measure, k, **options):
    """Scores are the greatest of each row, ties by the least vertex."""
    known = similarities(matrix, measure)
    np.fill_diagonal(known, 0)
    found = similarity.top_k(graph, k=k, metric=measure, **options)
    columns = min(k, max(graph.num_vertices - 1, 0))
    assert found.vertices.shape == found.scores.shape == (graph.num_vertices, columns)
    rounded = known.round(9)
    for v in range(graph.num_vertices):
        order = np.lexsort((np.arange(len(known)), -rounded[v]))[:columns]
        order = order[rounded[v, order] > 0]
        there = found.vertices[v] >= 0
        assert there.sum() == len(order) and not found.scores[v, ~there].any()
        np.testing.assert_allclose(found.scores[v, there], known[v, order], atol=1e-12)
        if measure != "adamic_adar" and not options:  # sums of others are rounded in any order
            assert found.vertices[v, there].tolist() == order.tolist()


@pytest.mark.slow
@given(graphs(), st.sampled_from(TEAMS), st.integers(1, 5), st.sampled_from(MEASURES))
def test_any_graph(graph, team, k, measure):
    with threads(team):
        check(graph, dense(graph), measure, k)


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    for measure in MEASURES:
        check(graph, dense(graph), measure, 3)


@pytest.mark.slow
@given(graphs(lengths=st.sampled_from([0.0, 0.5, 1.0, 3.0])), st.sampled_from(MEASURES[:3]))
def test_weights(graph, measure):
    check(graph, dense(graph, weights=graph.weights), measure, 4, weights="weight")


def test_long_rows(monkeypatch):
    """Rows are taken in pieces of 8 or 24, and what these keep again in such pieces."""
    monkeypatch.setattr(import_module("edgewise.algorithms.similarity.top_k"), "_PIECE", 1)
    graph = random_graph(150, 700, seed=2)
    for k in (1, 3):
        check(graph, dense(graph), "jaccard", k)


def test_candidates_without_a_chance(monkeypatch):
    """They are sorted out before anything is kept; what is kept is the same."""
    monkeypatch.setattr(import_module("edgewise.algorithms.similarity.top_k"), "_MANY", 0)
    for graph in (random_graph(150, 700, seed=2), shape("star")):
        for k in (1, 3, 40):
            check(graph, dense(graph), "jaccard", k)


@pytest.mark.parametrize("buffer", [1, 500])
def test_parts(monkeypatch, buffer):
    graph = random_graph(150, 700, seed=2)
    whole = similarity.top_k(graph, k=4)
    monkeypatch.setattr("edgewise.algorithms.two_steps.BUFFER", buffer)
    for some, other in zip(whole, similarity.top_k(graph, k=4), strict=True):
        np.testing.assert_array_equal(some, other)


def test_vertices_as_given():
    graph = Graph.from_edges(["a", "a", "b", "c"], ["b", "c", "c", "d"])
    whole = similarity.top_k(graph, k=2)
    found = similarity.top_k(graph, vertices=["d", "a", "d"], k=2)
    assert found.vertices.tolist() == whole.vertices[[3, 0, 3]].tolist()
    assert similarity.top_k(graph, vertices=[], k=2).vertices.shape == (0, 2)


def test_odd_arguments():
    graph = shape("clique")
    with pytest.raises(ValueError, match="metric must be one of 'jaccard'"):
        similarity.top_k(graph, metric="hamming")
    with pytest.raises(ValueError, match="k must be at least 1"):
        similarity.top_k(graph, k=0)
    assert similarity.top_k(graph, k=10**9).vertices.shape == (12, 11)
