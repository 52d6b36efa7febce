"""`k_core`: NetworkX's subgraph, whoever its vertices are called."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, k_core, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def edges_of(part):
    u, v, _ = part.edges()
    return {frozenset(pair) for pair in zip(part.label(u).tolist(), part.label(v).tolist(),
                                            strict=True)}  # fmt: skip


def check(graph, k):
    plain = to_networkx(graph)
    plain.remove_edges_from(list(nx.selfloop_edges(plain)))
    known = nx.k_core(plain, k) if len(plain) else plain
    found = k_core(graph, k=k)
    found.validate()
    assert sorted(found.label(np.arange(found.num_vertices)).tolist()) == sorted(known)
    proper = {pair for pair in edges_of(found) if len(pair) == 2}
    assert proper == {frozenset(pair) for pair in known.edges}


@given(graphs(directed=False), st.sampled_from([None, 0, 1, 2, 3, 9]), st.sampled_from(TEAMS))
def test_any_graph(graph, k, team):
    with threads(team):
        check(graph, k)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    for k in (None, 1, 2):
        check(shape(name), k)


def test_a_skewed_graph():
    for team in TEAMS:
        with threads(team):
            check(random_graph(3000, 20_000), None)


def test_weights_labels_and_loops_are_kept():
    graph = Graph.from_edges(list("abcad"), list("bcadd"), [1.0, 2.0, 3.0, 4.0, 5.0])
    core = k_core(graph)
    assert core.labels.values.tolist() == ["a", "b", "c"]
    assert core.edges()[2].tolist() == [1.0, 3.0, 2.0]
    assert k_core(graph, k=1).num_self_loops == 1
    again = k_core(core, k=2)
    assert again == core and again.edge_weight("c", "a") == 3.0


def test_errors():
    with pytest.raises(ValueError, match="k_core needs an undirected graph"):
        k_core(shape("path", directed=True))
    with pytest.raises(ValueError, match="k must be at least 0, got -1"):
        k_core(shape("path"), k=-1)
