"""`k_truss`: NetworkX's subgraph, whoever its vertices are called."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, k_truss, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx
from tests.algorithms.test_k_core import edges_of


def check(graph, k):
    plain = to_networkx(graph)
    plain.remove_edges_from(list(nx.selfloop_edges(plain)))
    known, found = nx.k_truss(plain, k), k_truss(graph, k=k)
    found.validate()
    assert sorted(found.label(np.arange(found.num_vertices)).tolist()) == sorted(known)
    assert edges_of(found) == {frozenset(pair) for pair in known.edges}


@given(graphs(directed=False), st.sampled_from([0, 2, 3, 4, 5, 9]), st.sampled_from(TEAMS))
def test_any_graph(graph, k, team):
    with threads(team):
        check(graph, k)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    for k in (2, 3, 12, 13):
        check(shape(name), k)


def test_a_skewed_graph():
    for team in TEAMS:
        with threads(team):
            check(random_graph(1000, 10_000), 6)


def test_weights_and_labels_are_kept():
    graph = Graph.from_edges(list("abcad"), list("bcadd"), [1.0, 2.0, 3.0, 4.0, 5.0])
    truss = k_truss(graph)
    assert truss.labels.values.tolist() == ["a", "b", "c"]
    assert truss.edges()[2].tolist() == [1.0, 3.0, 2.0]


def test_errors():
    with pytest.raises(ValueError, match="k_truss needs an undirected graph"):
        k_truss(shape("path", directed=True))
    with pytest.raises(ValueError, match="k must be at least 0, got -1"):
        k_truss(shape("path"), k=-1)
