"""`transitivity` and `average_clustering`: NetworkX's numbers."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, strategies as st

from edgewise import average_clustering, threads, transitivity
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def check(graph):
    theirs = to_networkx(graph)
    known = nx.average_clustering(theirs) if graph.num_vertices else 0.0
    assert average_clustering(graph) == pytest.approx(known, rel=1e-12)
    if not graph.directed:
        assert transitivity(graph) == pytest.approx(nx.transitivity(theirs), rel=1e-12)


@given(graphs(), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        check(graph)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    check(shape(name, directed=directed))


def test_larger_graphs():
    check(random_graph(1000, 9000))
    with pytest.raises(ValueError, match="transitivity needs an undirected graph"):
        transitivity(shape("path", directed=True))
