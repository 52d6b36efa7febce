"""`bridges` and `two_edge_connected_components`: NetworkX's, by both methods."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import bridges, threads, two_edge_connected_components
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def check(graph, method, team=2):
    with threads(team):
        found = bridges(graph, method=method)
        label = two_edge_connected_components(graph, method=method)
    theirs = to_networkx(graph)
    known = {tuple(sorted(edge)) for edge in nx.bridges(theirs)}
    u, v, _ = graph.edges()
    pairs = list(zip(u.tolist(), v.tolist(), strict=True))
    assert found.dtype == bool and len(found) == graph.num_edges
    assert [tuple(sorted(pair)) in known for pair in pairs] == found.tolist()
    theirs.remove_edges_from(known)
    expected = np.empty(graph.num_vertices, np.int64)
    for component in nx.connected_components(theirs):
        expected[list(component)] = min(component)
    assert label.dtype == graph.indices.dtype and label.tolist() == expected.tolist()


@pytest.mark.slow
@given(graphs(directed=False, most=16), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    check(graph, "search", team)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name), "search")


@pytest.mark.slow
@given(graphs(directed=False, most=16), st.sampled_from(TEAMS))
def test_any_graph_by_trees(graph, team):
    check(graph, "trees", team)


@pytest.mark.parametrize("method", ["search", pytest.param("trees", marks=pytest.mark.slow)])
def test_larger_graphs(method):
    for edges in (2000, 5000, 20_000):
        check(random_graph(4000, edges), method)
    for name in SHAPES:
        check(shape(name), method)


def test_wrong_arguments():
    with pytest.raises(ValueError, match="bridges needs an undirected graph"):
        bridges(shape("path", directed=True))
    with pytest.raises(ValueError, match="method must be one of 'auto', 'search', 'trees'"):
        two_edge_connected_components(shape("path"), method="luck")
