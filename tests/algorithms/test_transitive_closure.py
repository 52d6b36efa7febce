"""`transitive_closure` and `transitive_reduction`: NetworkX's edges."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, threads, transitive_closure, transitive_reduction
from edgewise.cli.sample import without_cycles
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def pairs(graph):
    graph.validate()
    return sorted(zip(*(ends.tolist() for ends in graph.edges()[:2]), strict=True))


def check(graph):
    assert pairs(transitive_closure(graph)) == sorted(
        nx.transitive_closure(to_networkx(graph)).edges()
    )
    plain = without_cycles(graph)
    assert pairs(transitive_reduction(plain)) == sorted(
        nx.transitive_reduction(to_networkx(plain)).edges()
    )


@given(graphs(directed=True), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        check(graph)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name, directed=True))


def test_larger_graphs():
    check(random_graph(300, 600, directed=True))


def test_labels_weights_and_cycles():
    graph = Graph.from_edges(["a", "a", "b"], ["b", "c", "c"], [1.0, 2.0, 3.0], directed=True)
    less, more = transitive_reduction(graph), transitive_closure(graph)
    assert less.has_edge("b", "c") and less.weights.tolist() == [1.0, 3.0]
    assert more.has_edge("a", "c") and more.weights is None
    with pytest.raises(ValueError, match="graph must have no cycle"):
        transitive_reduction(shape("cycle", directed=True))
    for ask in (transitive_closure, transitive_reduction):
        with pytest.raises(ValueError, match=f"{ask.__name__} needs a directed graph"):
            ask(shape("path"))
