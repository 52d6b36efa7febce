"""`truss_number`: of every edge the last truss of NetworkX's that has it."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, threads, truss_number
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def known(graph):
    """By taking trusses out of one another, edge by edge; loops have 0."""
    plain = to_networkx(graph)
    plain.remove_edges_from(list(nx.selfloop_edges(plain)))
    number, k = {}, 2
    while plain.number_of_edges():
        number |= {frozenset(edge): k for edge in plain.edges}
        k += 1
        plain = nx.k_truss(plain, k)
    u, v, _ = graph.edges()
    return [number.get(frozenset(pair), 0) for pair in zip(u.tolist(), v.tolist(), strict=True)]


@given(graphs(directed=False), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        assert truss_number(graph).tolist() == known(graph)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    found = truss_number(shape(name))
    assert found.dtype == np.int64 and found.tolist() == known(shape(name))


@pytest.mark.parametrize("edges", [3000, 20_000])
def test_skewed_graphs(edges):
    graph = random_graph(1000, edges)
    wanted = known(graph)
    for team in TEAMS:
        with threads(team):
            assert truss_number(graph).tolist() == wanted


def test_cliques_inside_one_another():
    """Cut rows again and again: everybody knows those before, with a ring around the last."""
    n = 60
    u, v = np.triu_indices(n, 1)
    chosen = u < 40
    ring = np.arange(n, 400)
    graph = Graph.from_edges(np.r_[u[chosen], ring, n - 1], np.r_[v[chosen], ring + 1, n])
    assert truss_number(graph).tolist() == known(graph)


def test_directed_graphs_are_turned_away():
    with pytest.raises(ValueError, match="truss_number needs an undirected graph"):
        truss_number(shape("path", directed=True))
