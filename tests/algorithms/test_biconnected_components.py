"""`biconnected_components` and `articulation_points`: NetworkX's, by both methods."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import articulation_points, biconnected_components, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def check(graph, method, team=2):
    with threads(team):
        points = articulation_points(graph, method=method)
        label = biconnected_components(graph, method=method)
    theirs = to_networkx(graph)
    theirs.remove_edges_from(list(nx.selfloop_edges(theirs)))
    assert points.dtype == bool
    assert set(np.flatnonzero(points).tolist()) == set(nx.articulation_points(theirs))
    u, v, _ = graph.edges()
    first = {pair: e for e, pair in enumerate(zip(u.tolist(), v.tolist(), strict=True))}
    expected = np.full(graph.num_edges, -1)
    for component in nx.biconnected_component_edges(theirs):
        ids = [first[min(pair), max(pair)] for pair in component]
        expected[ids] = min(ids)
    assert label.dtype == np.int64 and label.tolist() == expected.tolist()


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


def test_directed_graphs_are_turned_away():
    for function in (biconnected_components, articulation_points):
        with pytest.raises(ValueError, match=f"{function.__name__} needs an undirected graph"):
            function(shape("path", directed=True))
