"""`degree_centrality`: NetworkX's numbers, loops included."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from edgewise import degree_centrality, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def check(graph):
    found, known = degree_centrality(graph), nx.degree_centrality(to_networkx(graph))
    assert found.dtype == np.float64 and found.shape == (graph.num_vertices,)
    np.testing.assert_allclose(found, [known[v] for v in range(graph.num_vertices)], rtol=1e-15)


@given(graphs())
def test_any_graph(graph):
    check(graph)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    check(shape(name, directed=directed))


@pytest.mark.parametrize("directed", [False, True])
def test_skewed_graphs(directed):
    graph = random_graph(3000, 20_000, directed=directed)
    for team in TEAMS:
        with threads(team):
            check(graph)
