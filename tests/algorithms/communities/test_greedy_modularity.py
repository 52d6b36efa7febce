"""Greedy modularity: the merges of the definition, and NetworkX's quality."""

from __future__ import annotations

import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, communities, generators
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx


def dense(graph, weights):
    """Weights between vertices; a loop counts twice."""
    n = graph.num_vertices
    matrix = np.zeros((n, n))
    u, v, _ = graph.arcs()
    matrix[u, v] = 1.0 if weights is None else weights
    return matrix + np.diag(np.diag(matrix))


def gains(matrix, resolution):
    """What every merge gains, up to a factor; -inf for communities that are not adjacent."""
    mass = matrix.sum(axis=1)
    gain = matrix - resolution * np.outer(mass, mass) / max(mass.sum(), 1e-300)
    gain[matrix == 0] = -np.inf
    np.fill_diagonal(gain, -np.inf)
    return gain


def slow(graph, weights, resolution):
    """The definition: the best merge of all, again and again."""
    matrix, label = dense(graph, weights), np.arange(graph.num_vertices)
    while True:
        gain = gains(matrix, resolution)
        x, y = sorted(np.unravel_index(gain.argmax(), gain.shape))
        if gain[x, y] <= 0:
            return label
        label[label == y] = x
        for axis in (0, 1):
            matrix = matrix.swapaxes(0, axis)
            matrix[x] += matrix[y]
            matrix[y] = 0
            matrix = matrix.swapaxes(0, axis)


def check_final(graph, found, weights, resolution=1.0):
    """No merge of two communities gains, and labels are the smallest members."""
    for label in set(found.tolist()):
        assert np.flatnonzero(found == label)[0] == label
    matrix = dense(graph, weights)
    onto = np.equal.outer(np.unique(found), np.asarray(found)).astype(float)
    assert gains(onto @ matrix @ onto.T, resolution).max(initial=-1) <= 1e-9


@given(graphs(directed=False), st.sampled_from([0.0, 0.5, 1.0, 2.5]))
def test_any_graph(graph, resolution):
    found = communities.greedy_modularity(graph, resolution=resolution)
    check_final(graph, found, None, resolution)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check_final(shape(name), communities.greedy_modularity(shape(name)), None)


@pytest.mark.parametrize("long", [2, 256])
@pytest.mark.parametrize("seed", range(25))
def test_merges_of_the_definition(seed, long, monkeypatch):
    """Random weights have no ties, so there is one answer, also where rows of two are long."""
    monkeypatch.setattr(sys.modules[communities.greedy_modularity.__module__], "_LONG", long)
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 60)), int(rng.integers(1, 200))
    graph = Graph.from_edges(
        *rng.integers(0, n, (2, m)), rng.random(m) + 0.01, num_vertices=n, duplicates="first"
    )
    resolution = float(rng.choice([0.3, 1.0, 1.7]))
    found = communities.greedy_modularity(graph, resolution=resolution)
    assert found.tolist() == slow(graph, graph.weights, resolution).tolist()
    assert len(set(communities.greedy_modularity(graph, weights=None).tolist())) >= 1


@pytest.mark.parametrize(
    "graph",
    [
        generators.karate_club(),
        generators.planted_partition(6, 40, p_in=0.3, p_out=0.01, seed=1).graph,
        generators.barabasi_albert(300, 3, seed=2),
        random_graph(400, 1500).without_self_loops(),
    ],
)
def test_quality_of_networkx(graph):
    other = to_networkx(graph)
    known = nx.community.greedy_modularity_communities(other)
    found = communities.greedy_modularity(graph)
    check_final(graph, found, None)
    assert found.modularity >= 0.97 * nx.community.modularity(other, known)


def test_large_and_small_weights():
    graph = generators.random_weights(generators.karate_club(), seed=3)
    plain = communities.greedy_modularity(graph).tolist()
    for factor in (1e-300, 1e300):
        scaled = graph.with_weights(graph.edges()[2] * factor)
        assert communities.greedy_modularity(scaled).tolist() == plain


def test_errors():
    with pytest.raises(ValueError, match="undirected"):
        communities.greedy_modularity(generators.gnm_random(5, 6, directed=True))
    with pytest.raises(ValueError, match="resolution"):
        communities.greedy_modularity(generators.path(3), resolution=-1)
    with pytest.raises(ValueError, match="negative"):
        communities.greedy_modularity(Graph.from_edges([0], [1], [-1.0]))


@pytest.mark.parametrize("weighted", [False, True])
def test_hubs(weighted, monkeypatch):
    """The best merge is the same whether or not communities have short lists of them."""
    graph = generators.barabasi_albert(3000, 3, seed=5)
    if weighted:
        graph = generators.random_weights(graph, seed=1)
    found = {}
    for long in (4, 10**6):
        monkeypatch.setattr(sys.modules[communities.greedy_modularity.__module__], "_LONG", long)
        found[long] = communities.greedy_modularity(graph)
    gains = [np.diff(one.dendrogram.quality) for one in found.values()]
    assert len(gains[0]) == graph.num_vertices - 1
    if weighted:  # no ties
        assert found[4].tolist() == found[10**6].tolist()
        np.testing.assert_allclose(*gains, atol=1e-12)
    check_final(graph, found[4], graph.weights)
    assert abs(found[4].modularity - found[10**6].modularity) < 0.02
