"""`edge_betweenness_centrality` of whole graphs; see also test_betweenness_centrality.py."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from edgewise import edge_betweenness_centrality, generators, threads
from tests.algorithms.samples import random_graph, to_networkx


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("team", [1, 3])
def test_as_networkx_in_the_order_of_edges(directed, team):
    graph = random_graph(60, 150, directed=directed)
    known = nx.edge_betweenness_centrality(to_networkx(graph))
    with threads(team):
        found = edge_betweenness_centrality(graph)
    sources, targets, _ = graph.edges()
    wanted = [
        known[u, v] if (u, v) in known else known[v, u]
        for u, v in zip(sources.tolist(), targets.tolist(), strict=True)
    ]
    np.testing.assert_allclose(found, wanted)


def test_beside_one_another_as_one_after_the_other(monkeypatch):
    """Both ways of searching, on a grid with very many paths."""
    graph = generators.grid_2d(6, 9)
    beside = edge_betweenness_centrality(graph)
    name = "edgewise.algorithms.centrality.edge_betweenness_centrality.beside"
    monkeypatch.setattr(name, lambda graph, count: False)
    np.testing.assert_allclose(edge_betweenness_centrality(graph), beside)
