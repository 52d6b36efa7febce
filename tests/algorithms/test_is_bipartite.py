"""`is_bipartite` and `bipartition`: NetworkX's answer, and sides or a cycle that prove it."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, bipartition, is_bipartite, threads
from edgewise.generators import grid_2d
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def check(graph, team=2):
    theirs = to_networkx(graph)
    with threads(team):
        answer, (sides, cycle) = is_bipartite(graph), bipartition(graph)
    assert answer is nx.is_bipartite(theirs)
    u, v, _ = graph.arcs()
    if answer:
        assert cycle is None and sides.dtype == bool and (sides[u] != sides[v]).all()
        for component in nx.connected_components(theirs.to_undirected()):
            assert sides[min(component)]
        return
    assert sides is None and len(cycle) % 2 == 1 and len(set(cycle.tolist())) == len(cycle)
    plain = theirs.to_undirected()
    assert all(plain.has_edge(*pair) for pair in zip(cycle, np.roll(cycle, -1), strict=True))


@given(graphs(), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    check(graph, team)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    check(shape(name, directed=directed))


def test_larger_graphs():
    check(grid_2d(50, 60))
    check(random_graph(3000, 9000))
    ring = np.arange(20_001)
    check(Graph.from_edges(ring, np.roll(ring, -1)))
