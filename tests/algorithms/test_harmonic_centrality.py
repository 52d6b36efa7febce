"""`harmonic_centrality`: NetworkX's numbers, of all and of some, by hops and by length."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import generators, harmonic_centrality, threads
from edgewise.algorithms.distances import all_depths as home
from tests.algorithms.samples import SHAPES, TEAMS, graphs, shape, small_and_large, to_networkx
from tests.algorithms.test_closeness_centrality import check

way = small_and_large(home, "_STEPS")


@given(graphs(), st.data(), st.sampled_from(TEAMS))
@settings(max_examples=30)
def test_as_networkx(graph, data, team):
    known = nx.harmonic_centrality(to_networkx(graph))
    some = data.draw(st.lists(st.integers(0, graph.num_vertices - 1), max_size=5))
    with threads(team):
        check(graph, known, harmonic_centrality(graph))
        check(graph, known, harmonic_centrality(graph, vertices=some), some)


@pytest.mark.slow
@given(graphs(lengths=st.integers(0, 5)), st.sampled_from(TEAMS))
@settings(max_examples=30)
def test_by_length_as_networkx(graph, team):
    known = nx.harmonic_centrality(to_networkx(graph), distance="weight")
    with threads(team):
        check(graph, known, harmonic_centrality(graph, weights="weight"))
        check(graph, known, harmonic_centrality(graph, weights="weight", vertices=[0]), [0])


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    check(graph, nx.harmonic_centrality(to_networkx(graph)), harmonic_centrality(graph))


def test_samples_keep_their_bound():
    graph = generators.grid_2d(12, 15)
    exact, n, k = harmonic_centrality(graph), 180, 60
    for seed in range(3):
        found = harmonic_centrality(graph, k=k, seed=seed)
        assert 0 < np.abs(found - exact).max() < n * np.sqrt(np.log(2 * n / 0.01) / (2 * k))
    np.testing.assert_allclose(harmonic_centrality(graph, k=n), exact)
