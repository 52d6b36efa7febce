"""`k_hop_neighborhood`: whom a search of that depth reaches, for each source."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import Graph, bfs, k_hop_neighborhood, threads
from tests.algorithms.samples import TEAMS, graphs, random_graph


def check(graph, sources, k, found):
    assert found.sources.tolist() == list(sources) and len(found.indptr) == len(sources) + 1
    for i, source in enumerate(sources):
        distance = bfs(graph, int(source)).distance
        np.testing.assert_array_equal(found.row(i), np.flatnonzero(distance <= k))
        part = slice(found.indptr[i], found.indptr[i + 1])
        np.testing.assert_array_equal(found.distance[part], distance[distance <= k])


@given(graphs(), st.data(), st.sampled_from(TEAMS))
@settings(max_examples=30)
def test_any_graph(graph, data, team):
    sources = data.draw(st.lists(st.integers(0, graph.num_vertices - 1), max_size=6))
    k = data.draw(st.integers(0, 4))
    with threads(team):
        check(graph, sources, k, k_hop_neighborhood(graph, sources, k=k))


@pytest.mark.parametrize("directed", [False, True])
def test_more_sources_than_a_sweep_takes(directed):
    graph = random_graph(600, 1500, directed=directed)
    sources = np.arange(0, 600)[::-1]
    check(graph, sources, 2, k_hop_neighborhood(graph, sources, k=2))


def test_misuse():
    with pytest.raises(ValueError, match="k must be at least 0, got -1"):
        k_hop_neighborhood(Graph.from_edges([0], [1]), [0], k=-1)
