"""`all_pairs_shortest_paths`: a row for each search from a vertex."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import all_pairs_shortest_paths, bfs, sssp, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape


@pytest.mark.slow
@given(graphs(lengths=st.integers(0, 6)), st.sampled_from(TEAMS))
@settings(max_examples=30)
def test_by_length(graph, team):
    with threads(team):
        found = all_pairs_shortest_paths(graph)
        halves = all_pairs_shortest_paths(graph, weights=graph.edges()[2] / 2)
    for v in range(graph.num_vertices):
        np.testing.assert_array_equal(found[v], sssp(graph, v).distance)
        np.testing.assert_array_equal(
            halves[v], sssp(graph, v, weights=graph.edges()[2] / 2).distance
        )


@pytest.mark.parametrize("directed", [False, True])
def test_by_hops(directed):
    graph = random_graph(600, 1500, directed=directed)
    found = all_pairs_shortest_paths(graph)
    assert found.dtype == np.int32 and found.flags.c_contiguous
    for v in (0, 77, 511, 512, 599):
        np.testing.assert_array_equal(found[v], bfs(graph, v).distance)


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    found = all_pairs_shortest_paths(graph, weights=None)
    assert found.shape == (graph.num_vertices,) * 2
    for v in range(graph.num_vertices):
        np.testing.assert_array_equal(found[v], bfs(graph, v).distance)


def test_too_large_a_table_is_refused():
    with pytest.raises(ValueError, match="memory must be at least 90,000 for a table of 150 x"):
        all_pairs_shortest_paths(shape("path"), memory=80_000)
