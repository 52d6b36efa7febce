"""`clustering`: NetworkX's numbers, and edges among neighbors counted one by one."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import Graph, clustering, threads
from tests.algorithms.dense import matrix
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def networkx_clustering(graph: Graph) -> list[float]:
    known = nx.clustering(to_networkx(graph))
    return [known[v] for v in range(graph.num_vertices)]


@given(graphs(directed=False), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        found = clustering(graph)
    np.testing.assert_allclose(found, networkx_clustering(graph), rtol=1e-14)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    for team in TEAMS:
        with threads(team):
            found = clustering(graph)
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, networkx_clustering(graph), rtol=1e-14)


def test_a_larger_graph():
    graph = random_graph(1000, 8000)
    with threads(2):
        found = clustering(graph)
    np.testing.assert_allclose(found, networkx_clustering(graph), rtol=1e-14)


def test_weights_do_not_matter_and_nothing_is_changed():
    graph = Graph.from_edges([0, 1, 2, 1], [1, 2, 0, 1], [1.0, 2.0, -3.0, 0.0])
    before = graph.copy()
    assert clustering(graph).tolist() == [1, 1, 1]
    assert graph == before


def test_samples():
    """Exact where all neighbors are drawn; the mean of many draws is right for hubs, too."""
    graph = random_graph(200, 3000)
    exact = clustering(graph)
    np.testing.assert_allclose(clustering(graph, samples=300), exact, rtol=1e-14)
    found = np.array([clustering(graph, samples=4, seed=seed) for seed in range(200)])
    few = graph.row_lengths() <= 4
    assert (found[:, few] == exact[few]).all() and (found.std(axis=0)[~few] > 0).any()
    error = found.std(axis=0) / np.sqrt(200)
    assert (np.abs(found.mean(axis=0) - exact) <= 4.5 * error + 1e-12).all()
    with threads(1):
        np.testing.assert_array_equal(clustering(graph, samples=4, seed=7), found[7])


def among_neighbors(graph: Graph) -> np.ndarray:
    """For every vertex the share of the ordered pairs of neighbors that are edges."""
    a = matrix(graph) > 0
    np.fill_diagonal(a, False)
    found = np.zeros(len(a))
    for v in range(len(a)):
        near = np.flatnonzero(a[v] | a[:, v])
        if len(near) > 1:
            found[v] = a[np.ix_(near, near)].sum() / (len(near) * (len(near) - 1))
    return found


def check(graph: Graph) -> None:
    known = nx.clustering(to_networkx(graph))
    found = clustering(graph)
    np.testing.assert_allclose(found, [known[v] for v in range(len(known))], rtol=1e-12)
    found = clustering(graph, definition="ldbc")
    np.testing.assert_allclose(found, among_neighbors(graph), rtol=1e-12)


@given(graphs(directed=True), st.sampled_from(TEAMS))
@settings(max_examples=30)
def test_directed_graphs(graph, team):
    with threads(team):
        check(graph)


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes_by_both_definitions(name, directed):
    check(shape(name, directed=directed))


@pytest.mark.slow
def test_larger_graphs():
    check(random_graph(400, 5000, directed=True))
    graph = random_graph(400, 5000)
    np.testing.assert_array_equal(clustering(graph, definition="ldbc"), clustering(graph))


def test_wrong_definition():
    with pytest.raises(
        ValueError, match="definition must be one of 'fagiolo', 'ldbc', got 'watts'"
    ):
        clustering(shape("star"), definition="watts")


def test_samples_of_a_directed_graph_are_refused():
    with pytest.raises(ValueError, match="clustering with samples needs an undirected graph"):
        clustering(shape("cycle", directed=True), samples=3)
