"""`core_number`: NetworkX's numbers, and what defines a core."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, core_number, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def known(graph):
    plain = to_networkx(graph)
    plain.remove_edges_from(list(nx.selfloop_edges(plain)))
    numbers = nx.core_number(plain)
    return [numbers[v] for v in range(graph.num_vertices)]


def check(graph):
    for team in TEAMS:
        with threads(team):
            found = core_number(graph)
        assert found.dtype == np.int64 and found.tolist() == known(graph)


@given(graphs(directed=False), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        assert core_number(graph).tolist() == known(graph)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name))


@pytest.mark.parametrize("edges", [2000, 8000, 30_000])
def test_skewed_graphs(edges):
    check(random_graph(3000, edges))


def test_removals_one_after_another():
    """A long path hangs on a clique: one vertex goes in each round."""
    clique = [(i, j) for i in range(6) for j in range(i)]
    path = [(i, i + 1) for i in range(5, 3000)]
    sources, targets = np.array(clique + path).T
    assert core_number(Graph.from_edges(sources, targets)).tolist() == [5] * 6 + [1] * 2995


def test_loops_and_weights_do_not_count():
    graph = Graph.from_edges([0, 0, 1, 2], [0, 1, 1, 2], [1.0, 0.0, -1.0, 5.0])
    before = graph.copy()
    assert core_number(graph).tolist() == [1, 1, 0] and graph == before


def test_directed_graphs_are_turned_away():
    with pytest.raises(ValueError, match="core_number needs an undirected graph"):
        core_number(shape("path", directed=True))
