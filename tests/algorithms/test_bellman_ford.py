"""`bellman_ford`: NetworkX's distances, a tree that proves them; a negative cycle is named."""

from __future__ import annotations

import re

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, bellman_ford, sssp
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx

LENGTHS = st.sampled_from([-2.0, -0.5, 0.0, 0.25, 1.0, 3.0, 7.0])


def check(graph, source=0):
    theirs = to_networkx(graph)
    weight = None if graph.weights is None else "weight"
    try:
        known = nx.single_source_bellman_ford_path_length(theirs, source, weight=weight or "none")
    except nx.NetworkXUnbounded:
        with pytest.raises(ValueError, match="weights must form no negative cycle, got ") as caught:
            bellman_ford(graph, source)
        named = [int(word) for word in re.findall(r"\d+", str(caught.value))]
        steps = list(zip(named, named[1:], strict=False))
        assert all(theirs.has_edge(*step) for step in steps)
        if "..." not in str(caught.value):
            assert named[0] == named[-1]
            assert sum(theirs.edges[step]["weight"] for step in steps) < 0
        return
    distance, parent = bellman_ford(graph, source)
    far = np.inf if distance.dtype.kind == "f" else np.iinfo(np.int64).max
    assert distance.tolist() == [known.get(v, far) for v in range(graph.num_vertices)]
    for v in known:
        path, u = [v], int(parent[v])
        while u != path[-1]:
            assert distance[path[-1]] == distance[u] + theirs.edges[u, path[-1]].get("weight", 1)
            path.append(u)
            u = int(parent[u])
        assert path[-1] == source and len({*path}) == len(path)


@given(graphs(lengths=LENGTHS), st.data())
def test_any_graph(graph, data):
    check(graph, data.draw(st.integers(0, graph.num_vertices - 1)))


@given(graphs(directed=True, lengths=st.integers(-3, 9)))
def test_whole_lengths(graph):
    check(graph)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name in SHAPES if name != "empty"])
def test_shapes(name, directed):
    check(shape(name, directed=directed))


def test_larger_graphs():
    """Potentials make lengths negative and change no shortest path."""
    graph = random_graph(2000, 9000, directed=True)
    rng = np.random.default_rng(1)
    lengths, height = rng.integers(0, 20, graph.num_edges), rng.integers(0, 50, 2000)
    u, v, _ = graph.edges()
    bent = graph.with_weights(lengths + height[u] - height[v])
    assert bent.weights.min() < 0
    found, known = bellman_ford(bent, 1), sssp(graph, 1, weights=lengths)
    reached = known.parent >= 0
    assert ((found.parent >= 0) == reached).all()
    expected = known.distance + height[1] - height
    assert (found.distance[reached] == expected[reached]).all()
    check(graph.with_weights(rng.integers(-2, 20, graph.num_edges)), 1)


def test_a_long_cycle_is_named_in_part():
    ring = np.arange(3000)
    graph = Graph.from_edges(ring, np.roll(ring, -1), np.where(ring == 7, -3000, 1), directed=True)
    with pytest.raises(ValueError, match=r"cycle, got 0 -> 1 -> 2 -> .* -> 7 -> \.\.\.$"):
        bellman_ford(graph, 5)


def test_lengths_that_cannot_be():
    def path(*lengths):
        return Graph.from_edges([0, 1], [1, 2], lengths, directed=True)

    assert bellman_ford(path(1.0, np.inf), 0).distance.tolist() == [0, 1, np.inf]
    for wrong in (np.nan, -np.inf):
        with pytest.raises(ValueError, match="weights must not be NaN or minus infinity"):
            bellman_ford(path(1.0, wrong), 0)
    with pytest.raises(ValueError, match="weights must keep distances within float64"):
        bellman_ford(path(1e308, -1e308), 0)
    with pytest.raises(ValueError, match="weights must keep distances within int64"):
        bellman_ford(path(2**62, 1), 0)
