"""Group degree and closeness: NetworkX's numbers, on all sets of small graphs."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, group_closeness_centrality, group_degree_centrality
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx


def check(graph, group, **weight):
    other = to_networkx(graph)
    if len(group) < graph.num_vertices:
        known = nx.group_degree_centrality(other, group)
        assert group_degree_centrality(graph, group) == pytest.approx(known)
    if group:
        known = nx.group_closeness_centrality(other, group, **weight)
        found = group_closeness_centrality(graph, group, weights=weight.get("weight"))
        assert found == pytest.approx(known)


@given(graphs(most=7), st.data())
def test_any_graph(graph, data):
    check(graph, data.draw(st.lists(st.integers(0, graph.num_vertices - 1), unique=True)))


@given(graphs(most=7, lengths=st.sampled_from([0.5, 1.0, 2.0, 7.0])), st.data())
def test_weights(graph, data):
    group = data.draw(st.lists(st.integers(0, graph.num_vertices - 1), unique=True))
    check(graph, group, weight="weight")


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("directed", [False, True])
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    for group in combinations(range(min(graph.num_vertices, 4)), 2):
        check(graph, [*group])


def test_larger_graph():
    graph = random_graph(300, 800)
    check(graph, [*range(0, 300, 7)])


def test_masks_labels_and_empty_sets():
    graph = Graph.from_edges(["a", "b", "c"], ["b", "c", "d"])
    mask = np.array([False, True, False, False])
    for group in (["b"], {"b"}, [1], mask, [1, 1], mask.tolist()):
        assert group_degree_centrality(graph, group) == pytest.approx(2 / 3)
        assert group_closeness_centrality(graph, group) == pytest.approx(3 / 4)
    for ask in (group_degree_centrality, group_closeness_centrality):
        assert ask(graph, []) == 0.0 and ask(graph, [0, 1, 2, 3]) == 0.0
        with pytest.raises(ValueError, match="vertices"):
            ask(graph, [7])
        with pytest.raises(ValueError, match="one entry per vertex"):
            ask(graph, [True, False])
