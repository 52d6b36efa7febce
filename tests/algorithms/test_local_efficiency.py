"""`local_efficiency`: NetworkX's numbers, without loops."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, generators, local_efficiency, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def check(graph):
    other = to_networkx(graph)
    other.remove_edges_from([*nx.selfloop_edges(other)])
    known = nx.local_efficiency(other) if len(other) else 0.0
    assert local_efficiency(graph) == pytest.approx(known)


@given(graphs(directed=False), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        check(graph)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name))


def test_larger_graphs():
    check(generators.gnm_random(120, 1500, seed=1))
    check(random_graph(300, 1200))


def test_long_rows_among_the_neighbors():
    """A hub has a row many times as long as those of the vertices beside it."""
    ring = np.arange(1, 200)
    graph = Graph.from_edges(np.r_[np.zeros(199, int), ring], np.r_[ring, ring % 199 + 1])
    check(graph)


def test_errors():
    with pytest.raises(ValueError, match="undirected"):
        local_efficiency(shape("path", directed=True))
