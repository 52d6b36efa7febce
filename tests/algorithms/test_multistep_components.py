"""`multistep_components` equals `connected_components`, whatever is in the giant component."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, connected_components, multistep_components, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape


@given(graphs(), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    graph = graph.symmetrize()
    with threads(team):
        label = multistep_components(graph)
    assert label.dtype == graph.indices.dtype
    np.testing.assert_array_equal(label, connected_components(graph))


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    np.testing.assert_array_equal(multistep_components(graph), connected_components(graph))


@pytest.mark.parametrize("edges", [0, 1000, 3000, 20_000])
def test_many_components_and_few(edges):
    graph = random_graph(4000, edges)
    np.testing.assert_array_equal(multistep_components(graph), connected_components(graph))


def test_the_hub_may_be_in_a_small_component():
    """A star of 20 beside a cycle of 500."""
    star = np.zeros(20, int), np.arange(1, 21)
    cycle = np.arange(500) + 30, np.roll(np.arange(500) + 30, 1)
    graph = Graph.from_edges(np.r_[star[0], cycle[0]], np.r_[star[1], cycle[1]])
    np.testing.assert_array_equal(multistep_components(graph), connected_components(graph))


def test_directed_graphs_are_refused():
    with pytest.raises(ValueError, match="multistep_components needs an undirected graph"):
        multistep_components(Graph.from_edges([0], [1], directed=True))
