"""`triangle_count` and `triangles`: NetworkX's counts, SciPy's matrix product, known shapes."""

from __future__ import annotations

from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, threads, triangle_count, triangles
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


@given(graphs(directed=False), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    known = nx.triangles(to_networkx(graph))
    with threads(team):
        found = triangles(graph)
        assert found.tolist() == [known[v] for v in range(graph.num_vertices)]
        assert triangle_count(graph) == sum(known.values()) // 3


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    known = nx.triangles(to_networkx(graph))
    for team in TEAMS:
        with threads(team):
            assert triangles(graph).tolist() == [known[v] for v in range(graph.num_vertices)]
            assert triangle_count(graph) == sum(known.values()) // 3


@pytest.mark.parametrize("team", TEAMS)
def test_agrees_with_a_matrix_product(team):
    graph = random_graph(3000, 40_000)
    matrix = graph.without_self_loops().to_scipy().astype(np.int64)
    closed = matrix.multiply(matrix @ matrix)
    with threads(team):
        np.testing.assert_array_equal(2 * triangles(graph), np.asarray(closed.sum(axis=1)).ravel())
        assert 6 * triangle_count(graph) == closed.sum()


@pytest.mark.parametrize("team", TEAMS)
def test_hubs_and_equal_degrees(team):
    """A wheel of many spokes, and a clique where all degrees are equal."""
    n = 2000
    rim = np.arange(1, n + 1)
    wheel = Graph.from_edges(np.r_[np.zeros(n, int), rim], np.r_[rim, rim % n + 1])
    u, v = np.triu_indices(150, 1)
    clique = Graph.from_edges(u, v)
    with threads(team):
        assert triangle_count(wheel) == n and triangles(wheel).tolist() == [n] + [2] * n
        assert triangle_count(clique) == comb(150, 3)
        assert set(triangles(clique).tolist()) == {comb(149, 2)}


def test_result_types():
    assert type(triangle_count(shape("clique"))) is int
    assert triangles(shape("clique")).dtype == np.int64


def test_nothing_is_changed():
    graph = Graph.from_edges([0, 1, 2, 1], [1, 2, 0, 1], [1.0, 2.0, -3.0, 0.0])
    before = graph.copy()
    assert triangles(graph).tolist() == [1, 1, 1] and triangle_count(graph) == 1
    assert graph == before


@pytest.mark.parametrize("function", [triangle_count, triangles])
def test_directed_graphs_are_turned_away(function):
    with pytest.raises(ValueError, match=f"{function.__name__} needs an undirected graph"):
        function(shape("cycle", directed=True))
