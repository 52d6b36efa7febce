"""`is_connected` and its kin: NetworkX's answers."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, strategies as st

from edgewise import is_connected, is_strongly_connected, is_weakly_connected, threads
from edgewise.generators import grid_2d
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def check(graph):
    theirs, null = to_networkx(graph), graph.num_vertices == 0
    if graph.directed:
        assert is_weakly_connected(graph) is (not null and nx.is_weakly_connected(theirs))
        assert is_strongly_connected(graph) is (not null and nx.is_strongly_connected(theirs))
    else:
        assert is_connected(graph) is (not null and nx.is_connected(theirs))


@given(graphs(most=6), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        check(graph)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    check(shape(name, directed=directed))


def test_larger_graphs():
    check(grid_2d(50, 60))
    check(random_graph(3000, 30_000, directed=True))


def test_the_kind_of_graph():
    with pytest.raises(ValueError, match="is_connected needs an undirected graph; .* call is_weak"):
        is_connected(shape("path", directed=True))
    for ask in (is_weakly_connected, is_strongly_connected):
        with pytest.raises(ValueError, match=f"{ask.__name__} needs a directed graph"):
            ask(shape("path"))
