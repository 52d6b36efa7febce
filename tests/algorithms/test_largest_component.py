"""`largest_component`: the vertices of NetworkX's largest component, all edges among them."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, largest_component, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def check(graph):
    theirs = to_networkx(graph)
    ways = {"weak": nx.connected_components(theirs.to_undirected())}
    if graph.directed:
        ways["strong"] = nx.strongly_connected_components(theirs)
    for connection, groups in ways.items():
        part = largest_component(graph, connection=connection)
        giant = max(groups, key=lambda group: (len(group), -min(group)), default=set())
        assert [part.label(v) for v in range(part.num_vertices)] == sorted(giant)
        edges = {(part.label(u), part.label(v)) for u, v in zip(*part.edges()[:2], strict=True)}
        assert edges == {*theirs.subgraph(giant).edges()} or not graph.directed
        assert len(edges) == theirs.subgraph(giant).number_of_edges()
        part.validate()


@given(graphs(), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        check(graph)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    check(shape(name, directed=directed))


def test_larger_graphs():
    check(random_graph(3000, 3000, directed=True))
    check(random_graph(3000, 3000))


def test_labels_weights_and_arguments():
    graph = Graph.from_edges(["a", "c", "d"], ["b", "d", "e"], [1.0, 2.0, 3.0])
    part = largest_component(graph)
    assert list(part.label([0, 1, 2])) == ["c", "d", "e"] and part.edge_weight("d", "e") == 3.0
    with pytest.raises(ValueError, match="needs a directed graph"):
        largest_component(graph, connection="strong")
    with pytest.raises(ValueError, match="connection must be one of"):
        largest_component(graph, connection="both")
