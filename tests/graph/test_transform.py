"""Renumbering, cutting out, symmetrizing and reweighting, against NetworkX."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.graph import Graph
from edgewise.graph.edges import Arcs


@st.composite
def graphs(draw, directed=None):
    n = draw(st.integers(1, 12))
    pairs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=40))
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    weights = np.arange(1.0, len(pairs) + 1) if draw(st.booleans()) else None
    directed = draw(st.booleans()) if directed is None else directed
    graph = Graph.from_edges(ends[:, 0], ends[:, 1], weights, directed=directed, num_vertices=n)
    return graph.with_labels([f"v{i:02}" for i in range(n)]) if draw(st.booleans()) else graph


def same_as(graph, twin):
    """Do the graph and the NetworkX graph have the same nodes, edges and weights?"""
    graph.validate()
    mine = graph.to_networkx()
    return set(mine) == set(twin) and networkx.utils.edges_equal(
        mine.edges(data="weight"), twin.edges(data="weight"), directed=graph.directed
    )


@given(graphs(), st.randoms())
def test_permute_moves_vertices_with_their_names(graph, random):
    order = list(range(graph.num_vertices))
    random.shuffle(order)
    moved = graph.permute(order)
    twin = graph.to_networkx()
    if graph.labels is None:
        twin = networkx.relabel_nodes(twin, dict(enumerate(order)))
    else:
        for v, name in enumerate(graph.labels.values):
            assert moved.vertex(name) == order[v]
    assert same_as(moved, twin)
    back = np.argsort(order)
    assert moved.permute(back) == graph


@pytest.mark.parametrize(
    ("new_ids", "message"),
    [
        ([0, 1], "positions must hold each of 0 to 2 once"),
        ([0, 1, 1], "positions must hold each of 0 to 2 once"),
        ([0, 1, 3], r"positions\[2\] must be a vertex id from 0 to 2, got 3"),
    ],
)
def test_permute_needs_a_permutation(new_ids, message):
    with pytest.raises(ValueError, match=message):
        Graph.from_edges([0, 1], [1, 2]).permute(new_ids)


@given(graphs(), st.randoms())
def test_subgraph_agrees_with_networkx(graph, random):
    chosen = random.sample(range(graph.num_vertices), random.randint(0, graph.num_vertices))
    part = graph.subgraph(chosen)
    twin = graph.to_networkx().subgraph(
        chosen if graph.labels is None else [graph.label(v) for v in chosen]
    )
    if graph.labels is None:
        twin = networkx.relabel_nodes(twin, {v: i for i, v in enumerate(chosen)})
    assert same_as(part, twin)
    mask = np.zeros(graph.num_vertices, bool)
    mask[chosen] = True
    assert graph.subgraph(mask) == graph.subgraph(sorted(chosen))


def test_subgraph_errors():
    graph = Graph.from_edges([0, 1], [1, 2])
    with pytest.raises(ValueError, match="vertices must be distinct"):
        graph.subgraph([0, 0])
    with pytest.raises(
        ValueError, match=r"vertices must have one entry per vertex \(3\) as a mask"
    ):
        graph.subgraph([True, False])
    with pytest.raises(ValueError, match=r"vertices\[0\] must be a vertex id from 0 to .*, got -1"):
        graph.subgraph([-1])
    with pytest.raises(TypeError, match="vertices must be vertex ids"):
        graph.subgraph([0.5])
    with pytest.raises(ValueError, match="one-dimensional"):
        graph.subgraph([[0]])


@given(graphs(directed=True), st.sampled_from(["union", "intersection"]))
def test_symmetrize_agrees_with_networkx(graph, how):
    twin = graph.to_networkx().to_undirected(reciprocal=how == "intersection")
    directed = graph.to_networkx()
    for u, v, data in twin.edges(data=True):
        ways = {(u, v), (v, u)} & set(directed.edges)
        if graph.weights is not None:
            data["weight"] = sum(directed.edges[way]["weight"] for way in ways)
    assert same_as(graph.to_undirected(reciprocal=how == "intersection"), twin)


def test_symmetrize_choices():
    graph = Graph.from_edges([1, 0, 2], [0, 1, 0], [5.0, 3.0, 1.0], directed=True)
    assert graph.to_undirected(duplicates="min").weights.tolist() == [3, 1, 3, 1]
    assert graph.to_undirected(duplicates="max").weights.tolist() == [5, 1, 5, 1]
    assert graph.to_undirected(duplicates="first").weights.tolist() == [3, 1, 3, 1]
    with pytest.raises(ValueError, match=r"edge \(0, 1\) is given more than once"):
        graph.to_undirected(duplicates="raise")
    with pytest.raises(TypeError, match="reciprocal must be True or False"):
        graph.to_undirected(reciprocal=np.zeros(2))
    undirected = graph.to_undirected()
    assert undirected.to_undirected() is undirected


@given(graphs())
def test_without_self_loops(graph):
    twin = graph.to_networkx()
    twin.remove_edges_from(list(networkx.selfloop_edges(twin)))
    cut = graph.without_self_loops()
    assert same_as(cut, twin)
    assert cut.num_self_loops == 0
    assert cut.without_self_loops() is cut


@given(graphs(directed=False))
def test_weights_per_edge_reach_both_arcs(graph):
    weights = np.arange(graph.num_edges) + 10
    heavy = graph.with_weights(weights)
    heavy.validate()
    np.testing.assert_array_equal(heavy.edges()[2], weights)
    assert heavy.with_weights(Arcs(heavy.weights * 2)).weights.tolist() == [
        2 * w for w in heavy.weights
    ]


def test_with_weights():
    graph = Graph.from_edges([0, 1], [1, 2], [1.0, 2.0], directed=True)
    weights = np.array([5, 6], np.int32)
    assert np.shares_memory(graph.with_weights(weights).weights, weights)
    assert graph.with_weights(None).weights is None
    assert graph.weights.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match=r"weights must have one entry per edge \(2\), got 3"):
        graph.with_weights([1, 2, 3])
    undirected = graph.to_undirected()
    for wrong, hint in (([1, 2, 3], ""), ([1, 1, 2, 2], ", one per arc; graph.edge_to_arc picks")):
        with pytest.raises(ValueError, match=r"one entry per edge \(2\), in the order") as caught:
            undirected.with_weights(wrong)
        assert f"got {len(wrong)}{hint}" in str(caught.value)


def test_with_labels():
    graph = Graph.from_edges([0], [1])
    named = graph.with_labels(["x", "y"])
    assert named.vertex("y") == 1
    assert np.shares_memory(named.indices, graph.indices)
    assert named.with_labels(None) == graph
    with pytest.raises(ValueError, match=r"labels must name every vertex \(2\), got 3 labels"):
        graph.with_labels([1, 2, 3])
