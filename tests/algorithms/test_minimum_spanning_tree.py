"""`minimum_spanning_tree`: edge for edge what Kruskal's algorithm finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, minimum_spanning_tree, threads
from edgewise.generators import grid_2d
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape


def kruskal(graph: Graph) -> list[int]:
    """The places of the edges, taken one by one in the order of their weights."""
    sources, targets, weights = graph.edges()
    upper = np.flatnonzero(sources < targets)
    order = upper if weights is None else upper[np.argsort(weights[upper], kind="stable")]
    above, chosen = list(range(graph.num_vertices)), []
    for e in order.tolist():
        ends = []
        for v in (int(sources[e]), int(targets[e])):
            while above[v] != v:
                above[v] = above[above[v]]
                v = above[v]
            ends.append(v)
        if ends[0] != ends[1]:
            above[ends[0]] = ends[1]
            chosen.append(e)
    return sorted(chosen)


def check(graph: Graph, team: int = 2) -> None:
    with threads(team):
        found = minimum_spanning_tree(graph)
    expected = kruskal(graph)
    assert found.edges.tolist() == expected and found.cardinality == len(expected)
    weights = np.ones(graph.num_edges) if graph.weights is None else graph.edges()[2]
    assert found.weight == pytest.approx(weights[expected].sum(), rel=1e-12)


@given(graphs(directed=False, lengths=st.integers(-3, 3).map(float)), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    check(graph, team)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    check(graph.with_weights(np.arange(graph.num_edges)[::-1] % 5 * 1.0))


def test_larger_graphs_and_long_chains():
    """Weights that rise along a path, and fall, make every vertex hook onto the next one."""
    graph = random_graph(4000, 20_000)
    drawn = np.random.default_rng(1).random(graph.num_edges)
    check(graph.with_weights(drawn))
    path = Graph.from_edges(np.arange(20_000), np.arange(1, 20_001))
    for weights in (np.arange(20_000.0), np.arange(20_000.0)[::-1]):
        check(path.with_weights(weights.copy()))


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [None, np.int32, np.int64, np.float32])
def test_weights_of_every_type(dtype):
    graph = grid_2d(30, 40)
    if dtype is not None:
        drawn = np.random.default_rng(2).integers(-100, 100, graph.num_edges)
        graph = graph.with_weights(drawn.astype(dtype))
    for team in TEAMS:
        check(graph, team)
    found = minimum_spanning_tree(graph)
    assert isinstance(found.weight, float if dtype is np.float32 else int)


@pytest.mark.slow
def test_whole_weights_are_added_exactly():
    path = Graph.from_edges([0, 1], [1, 2], np.array([2**60 + 1, 2**60 + 2]))
    assert minimum_spanning_tree(path).weight == 2**61 + 3
    limit = np.iinfo(np.int64).max
    assert minimum_spanning_tree(Graph.from_edges([0], [1], np.array([limit]))).weight == limit


def test_other_weights_and_wrong_ones():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0])
    assert minimum_spanning_tree(graph).weight == 3.0
    assert minimum_spanning_tree(graph, weights=-graph.edges()[2]).weight == -5.0
    with pytest.raises(ValueError, match="weights must be finite, got nan on edge 0 "):
        minimum_spanning_tree(graph.with_weights(np.array([np.nan, 1.0, 2.0])))
    with pytest.raises(ValueError, match="minimum_spanning_tree needs an undirected graph"):
        minimum_spanning_tree(shape("path", directed=True))
