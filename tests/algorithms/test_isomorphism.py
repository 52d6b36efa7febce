"""`isomorphism` and `is_isomorphic`: every permutation tried; regular graphs that refinement does
not tell apart; mappings are checked edge by edge."""

from __future__ import annotations

from itertools import combinations, permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, generators, is_isomorphic, isomorphism, union
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape


def arcs_of(graph, weighted=False):
    u, v, w = graph.arcs()
    labels = [1] * len(u) if w is None or not weighted else w.tolist()
    return {*zip(u.tolist(), v.tolist(), labels, strict=True)}


def is_mapping(graph, other, mapping, weighted=False):
    ours = {(mapping[u], mapping[v], w) for u, v, w in arcs_of(graph, weighted)}
    return ours == arcs_of(other, weighted) and sorted(mapping) == [*range(len(graph))]


def shuffled(graph, seed=0):
    order = np.random.default_rng(seed).permutation(graph.num_vertices)
    return graph.permute(order), order


def check_equal(graph, seed=0):
    other, _ = shuffled(graph, seed)
    assert is_mapping(graph, other, isomorphism(graph, other).tolist())


@given(st.booleans(), st.data(), st.booleans())
def test_any_small_graphs(directed, data, weighted):
    lengths = st.sampled_from([1.0, 2.0]) if weighted else None
    one, two = (data.draw(graphs(directed=directed, lengths=lengths, most=5)) for _ in range(2))
    found = isomorphism(one, two, match_weights=weighted)
    there = len(one) == len(two) and any(
        is_mapping(one, two, order, weighted) for order in permutations(range(len(one)))
    )
    assert (found is not None) == there == is_isomorphic(one, two, match_weights=weighted)
    assert found is None or is_mapping(one, two, found.tolist(), weighted)


@given(graphs(lengths=st.sampled_from([1, 2])), st.integers(0, 99))
def test_renumbered_graphs(graph, seed):
    other, order = shuffled(graph, seed)
    labels, others = np.arange(len(graph)) % 3, np.empty(len(graph), np.int64)
    others[order] = labels
    found = isomorphism(graph, other, vertex_labels=labels, other_labels=others, match_weights=True)
    assert is_mapping(graph, other, found.tolist(), True)
    assert (others[found] == labels).all()


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    check_equal(shape(name, directed=directed))


def test_one_edge_moved():
    graph = random_graph(200, 900, seed=4)
    check_equal(graph)
    u, v, _ = shuffled(graph)[0].edges()
    v = v.copy()
    free = next(x for x in range(200) if not graph.has_edge(int(u[0]), x) and x not in v[u == u[0]])
    v[0] = free
    assert not is_isomorphic(graph, Graph.from_edges(u, v, num_vertices=200))


def strongly_regular():
    """Shrikhande's graph and the rook's graph: 16 vertices, degree 6, and 2 common neighbors."""
    steps = [(0, 1), (1, 0), (1, 1)]
    cells = [(i, j) for i in range(4) for j in range(4)]
    one = [(4 * i + j, 4 * ((i + a) % 4) + (j + b) % 4) for i, j in cells for a, b in steps]
    two = [(4 * i + j, 4 * k + m) for i, j in cells for k, m in cells
           if (i == k) != (j == m)]  # fmt: skip
    return [Graph.from_edges(*np.array(edges).T) for edges in (one, two)]


def test_strongly_regular_graphs():
    one, two = strongly_regular()
    assert (one.degrees() == 6).all() and (two.degrees() == 6).all()
    assert not is_isomorphic(one, two)
    check_equal(one)
    check_equal(two)
    assert not is_isomorphic(union(one, union(one, two)), union(two, union(two, one)))
    check_equal(union(one, union(two, one)))


@pytest.mark.parametrize("directed", [False, True])
def test_many_equal_components(directed):
    """No search goes back to components that are paired; cycles of other lengths do not fit."""

    def cycles(*lengths):
        ends, low = [], 0
        for length in lengths:
            ends += [(low + i, low + (i + 1) % length) for i in range(length)]
            low += length
        return Graph.from_edges(*np.array(ends).T, directed=directed)

    check_equal(cycles(*[6] * 200))
    assert is_isomorphic(cycles(*[6] * 40, 3, 3), cycles(3, *[6] * 40, 3))
    assert not is_isomorphic(cycles(*[6] * 40, 3, 3), cycles(*[6] * 41))
    assert not is_isomorphic(cycles(*[6] * 40, 4, 8), cycles(*[6] * 42))


def test_components_below_a_hub():
    """The hub joins all components, but trivially."""
    parts = strongly_regular()

    def joined(*chosen):
        whole = chosen[0]
        for one in chosen[1:]:
            whole = union(whole, one)
        u, v, _ = whole.edges()
        n = whole.num_vertices
        return Graph.from_edges(np.append(u, np.full(n, n)), np.append(v, np.arange(n)))

    one, two = parts
    assert is_isomorphic(joined(one, two, one, two), joined(two, two, one, one))
    assert not is_isomorphic(joined(one, two, one, two), joined(two, two, two, one))


@pytest.mark.parametrize("graph", [
    generators.complete(50), generators.hypercube(7), generators.petersen(),
    generators.grid_2d(12, 12), generators.path(3000), Graph.from_edges([], [], num_vertices=5000),
    generators.complete_bipartite(20, 30),
], ids=repr)  # fmt: skip
def test_symmetric_graphs(graph):
    check_equal(graph)


@pytest.mark.slow
def test_all_graphs_of_five_vertices():
    """34 of them, up to isomorphism."""
    pairs, classes = [*combinations(range(5), 2)], []
    for bits in range(1 << len(pairs)):
        ends = [pair for i, pair in enumerate(pairs) if bits >> i & 1]
        sources, targets = np.array(ends, np.int64).reshape(-1, 2).T
        graph = Graph.from_edges(sources, targets, num_vertices=5)
        if not any(is_isomorphic(graph, one) for one in classes):
            classes.append(graph)
    assert len(classes) == 34


@pytest.mark.slow
def test_regular_graphs_as_networkx_says():
    drawn = [nx.random_regular_graph(3, 10, seed=seed) for seed in range(40)]
    ours = [Graph.from_networkx(one) for one in drawn]
    for i, j in combinations(range(40), 2):
        assert is_isomorphic(ours[i], ours[j]) == nx.is_isomorphic(drawn[i], drawn[j])


def test_labels_weights_and_errors():
    path = generators.path(3)
    assert is_isomorphic(path, path, vertex_labels=["a", "b", "c"], other_labels=["c", "b", "a"])
    assert not is_isomorphic(path, path, vertex_labels=[0, 1, 0], other_labels=[1, 0, 0])
    one, two = (Graph.from_edges([0, 1], [1, 2], weights) for weights in ([1, 2], [2, 2]))
    assert is_isomorphic(one, two) and not is_isomorphic(one, two, match_weights=True)
    assert not is_isomorphic(path, two, match_weights=True)
    for ask in (is_isomorphic, isomorphism):
        with pytest.raises(TypeError, match="other_labels is missing"):
            ask(path, path, vertex_labels=[0, 1, 2])
        with pytest.raises(ValueError, match="other_labels must have one entry per vertex"):
            ask(path, path, vertex_labels=[0, 1, 2], other_labels=[0])
        with pytest.raises(ValueError, match="other must be an undirected graph"):
            ask(path, shape("path", directed=True))
        with pytest.raises(TypeError, match="other must be a Graph"):
            ask(path, None)
