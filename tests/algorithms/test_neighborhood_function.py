"""`neighborhood_function`: beside the numbers of pairs that all searches find."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import Graph, generators, multi_source_bfs, neighborhood_function, threads
from tests.algorithms.samples import SHAPES, TEAMS, random_graph, shape


def pairs_within(graph):
    distance = multi_source_bfs(graph, np.arange(graph.num_vertices))
    return np.cumsum(np.bincount(distance[distance < np.iinfo(np.int32).max], minlength=1))


@pytest.mark.parametrize("directed", [False, True])
def test_within_its_error(directed):
    graph = random_graph(600, 2400, directed=directed)
    known, runs = pairs_within(graph), 9
    for seed in (0, 1):
        found = neighborhood_function(graph, runs=runs, seed=seed)
        assert found[0] == 600 and len(found) <= len(known)
        assert (np.diff(found) >= 0).all()
        apart = found / known[: len(found)] - 1
        assert np.abs(apart).max() < 4 * 0.13 / runs**0.5
        for team in TEAMS:
            with threads(team):
                again = neighborhood_function(graph, runs=runs, seed=seed)
                np.testing.assert_array_equal(again, found)


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    known, found = pairs_within(graph), neighborhood_function(graph, runs=25)
    assert found[0] == graph.num_vertices and len(found) <= len(known)
    np.testing.assert_allclose(found, known[: len(found)], rtol=0.12)


@pytest.mark.slow
def test_more_runs_are_nearer():
    graph = generators.grid_2d(20, 25)
    known = pairs_within(graph)[-1]
    far = [
        np.std([neighborhood_function(graph, runs=r, seed=s)[-1] / known for s in range(12)])
        for r in (1, 16)
    ]
    assert far[1] < 0.6 * far[0] and far[0] < 0.3


def test_misuse():
    with pytest.raises(ValueError, match="runs must be at least 1, got 0"):
        neighborhood_function(Graph.from_edges([0], [1]), runs=0)
