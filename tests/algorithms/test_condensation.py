"""`condensation`: the same graph as NetworkX's, component for component."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given

from edgewise import condensation, topological_generations
from tests.algorithms.samples import SHAPES, graphs, shape, to_networkx


def check(graph):
    small, vertices = condensation(graph)
    theirs = nx.condensation(to_networkx(graph))
    mapping = theirs.graph["mapping"]
    named = {mapping[v]: int(vertices[v]) for v in range(graph.num_vertices)}
    assert len(named) == theirs.number_of_nodes() == small.num_vertices
    u, v, weight = small.edges()
    expected = {(named[a], named[b]) for a, b in theirs.edges}
    assert set(zip(u.tolist(), v.tolist(), strict=True)) == expected
    between = sum(vertices[a] != vertices[b] for a, b, _ in zip(*to_list(graph), strict=True))
    assert weight.sum() == between
    topological_generations(small)


def to_list(graph):
    u, v, _ = graph.arcs()
    return u.tolist(), v.tolist(), v.tolist()


@pytest.mark.slow
@given(graphs(directed=True))
def test_any_graph(graph):
    check(graph)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name, directed=True))


def test_undirected_graphs_are_turned_away():
    with pytest.raises(ValueError, match="needs a directed graph"):
        condensation(shape("path"))
