"""`clustering_coefficient`: NetworkX's numbers."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, clustering_coefficient, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def networkx_clustering(graph: Graph) -> list[float]:
    known = nx.clustering(to_networkx(graph))
    return [known[v] for v in range(graph.num_vertices)]


@given(graphs(directed=False), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        found = clustering_coefficient(graph)
    np.testing.assert_allclose(found, networkx_clustering(graph), rtol=1e-14)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    for team in TEAMS:
        with threads(team):
            found = clustering_coefficient(graph)
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, networkx_clustering(graph), rtol=1e-14)


def test_a_larger_graph():
    graph = random_graph(1000, 8000)
    with threads(2):
        found = clustering_coefficient(graph)
    np.testing.assert_allclose(found, networkx_clustering(graph), rtol=1e-14)


def test_weights_do_not_matter_and_nothing_is_changed():
    graph = Graph.from_edges([0, 1, 2, 1], [1, 2, 0, 1], [1.0, 2.0, -3.0, 0.0])
    before = graph.copy()
    assert clustering_coefficient(graph).tolist() == [1, 1, 1]
    assert graph == before


def test_samples():
    """Exact where all neighbors are drawn; the mean of many draws is right for hubs, too."""
    graph = random_graph(200, 3000)
    exact = clustering_coefficient(graph)
    np.testing.assert_allclose(clustering_coefficient(graph, samples=300), exact, rtol=1e-14)
    found = np.array([clustering_coefficient(graph, samples=4, seed=seed) for seed in range(200)])
    few = graph.degrees() <= 4
    assert (found[:, few] == exact[few]).all() and (found.std(axis=0)[~few] > 0).any()
    error = found.std(axis=0) / np.sqrt(200)
    assert (np.abs(found.mean(axis=0) - exact) <= 4.5 * error + 1e-12).all()
    with threads(1):
        np.testing.assert_array_equal(clustering_coefficient(graph, samples=4, seed=7), found[7])


def test_directed_graphs_are_turned_away():
    with pytest.raises(ValueError, match="clustering_coefficient needs an undirected graph"):
        clustering_coefficient(shape("cycle", directed=True))
