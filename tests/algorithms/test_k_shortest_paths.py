"""`k_shortest_paths`: as long as the first of NetworkX's shortest simple paths."""

from __future__ import annotations

from itertools import islice

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, k_shortest_paths
from edgewise.generators import road
from tests.algorithms.samples import SHAPES, graphs, shape, to_networkx


def check(graph, source, target, k, weights=None):
    theirs = to_networkx(graph)

    def length(path):
        steps = zip(path, path[1:], strict=False)
        return sum(theirs.edges[step].get(weights, 1) for step in steps)

    try:
        known = list(
            islice(nx.shortest_simple_paths(theirs, source, target, weight=weights), k + 1)
        )
    except nx.NetworkXNoPath:
        known = []
    found = k_shortest_paths(graph, source, target, k=k, weights=weights)
    paths = found.lists()
    assert [length(path) for path in paths] == [length(path) for path in known[:k]]
    assert len({*map(tuple, paths)}) == len(paths) and found.complete is (len(known) <= k)
    for path in paths:
        assert path[0] == source and path[-1] == target and len({*path}) == len(path)


@given(graphs(most=7, lengths=st.sampled_from([0.0, 0.5, 1.0, 4.0])), st.data())
def test_any_graph(graph, data):
    vertex = st.integers(0, graph.num_vertices - 1)
    source, target, k = data.draw(vertex), data.draw(vertex), data.draw(st.sampled_from([1, 3, 99]))
    if source != target:
        check(graph, source, target, k)
        check(graph, source, target, k, "weight")
    else:
        assert k_shortest_paths(graph, source, target).lists() == [[source]]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name in SHAPES if SHAPES[name][0] > 1])
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    check(graph, 0, graph.num_vertices - 1, 5)


def test_larger_graphs():
    graph = road(12, 12, seed=3)
    graph = graph.with_weights(np.random.default_rng(1).integers(1, 9, graph.num_edges))
    check(graph, 0, 143, 20, "weight")


def test_lengths_and_arguments():
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2], [1.0, np.inf, 2.0])
    assert k_shortest_paths(graph, 0, 2, weights="weight").lists() == [[0, 2]]
    with pytest.raises(ValueError, match="weights must keep distances within float64"):
        k_shortest_paths(graph, 0, 2, weights=[1e308, 1e308, 1.0])
    with pytest.raises(ValueError, match="k must be at least 1"):
        k_shortest_paths(graph, 0, 2, k=0)
