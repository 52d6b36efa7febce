"""`gomory_hu_tree`: its edges are minimum cuts of all pairs of vertices."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, gomory_hu_tree, minimum_cut
from edgewise.generators import karate_club
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx


def check(graph, pairs=None):
    """The smallest edge between two vertices is a cut, of the value of a minimum cut."""
    n, tree = graph.num_vertices, gomory_hu_tree(graph)
    assert tree.num_vertices == n and tree.num_edges == max(n - 1, 0)
    theirs, (u, v, capacity) = to_networkx(tree), graph.edges()
    assert n == 0 or nx.is_tree(theirs)
    capacity = np.ones(len(u), np.int64) if capacity is None else capacity
    for a, b, value in [*theirs.edges(data="weight")]:
        theirs.remove_edge(a, b)
        side = np.isin(np.arange(n), [*nx.node_connected_component(theirs, a)])
        assert capacity[side[u] != side[v]].sum() == pytest.approx(value)
        theirs.add_edge(a, b, weight=value)
    for a, b in combinations(range(n), 2) if pairs is None else pairs:
        path = nx.shortest_path(theirs, a, b)
        least = min(theirs[x][y]["weight"] for x, y in zip(path, path[1:], strict=False))
        assert least == pytest.approx(minimum_cut(graph, a, b).value, rel=1e-9)


@given(graphs(directed=False, lengths=st.integers(0, 5)))
def test_any_graph(graph):
    check(graph)


@pytest.mark.slow
@given(graphs(directed=False, lengths=st.sampled_from([0.1, 0.2, 0.3, 1e-6])))
def test_weights_that_are_no_whole_numbers(graph):
    check(graph)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    n = SHAPES[name][0]
    check(shape(name), None if n < 20 else [(0, n - 1), (n // 2, 3)])


def test_larger_graphs():
    check(karate_club())
    graph = random_graph(300, 2000, seed=2)
    graph = graph.with_weights(np.random.default_rng(1).integers(1, 9, graph.num_edges))
    check(graph, [(0, 1), (3, 200), (17, 45), (250, 12), (120, 121)])


def test_labels_and_wrong_arguments():
    tree = gomory_hu_tree(Graph.from_edges(["a", "b"], ["b", "c"], [2.5, 1.5]))
    assert tree.label([0, 1, 2]).tolist() == ["a", "b", "c"]
    assert sorted(tree.edges()[2].tolist()) == [1.5, 2.5]
    with pytest.raises(ValueError, match="needs an undirected graph"):
        gomory_hu_tree(shape("path", directed=True))
    with pytest.raises(ValueError, match="weights must keep sums within int64"):
        gomory_hu_tree(shape("path"), weights=np.full(149, 2**62))
