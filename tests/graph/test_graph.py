"""The Graph contract: counts, transpose and reverse edges, labels, equality, pickles, repr."""

from __future__ import annotations

import copy
import pickle
import weakref
from typing import NamedTuple

import networkx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.base.threads import threads
from edgewise.graph import Graph, Labels


@st.composite
def graphs(draw, directed=None):
    n = draw(st.integers(1, 15))
    pairs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=50))
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    weights = np.arange(len(pairs)) if draw(st.booleans()) else None
    directed = draw(st.booleans()) if directed is None else directed
    return Graph.from_edges(ends[:, 0], ends[:, 1], weights, directed=directed, num_vertices=n)


@given(graphs())
def test_counts_agree_with_networkx(graph):
    twin = graph.to_networkx()
    assert graph.num_vertices == twin.number_of_nodes()
    assert graph.num_edges == twin.number_of_edges()
    assert graph.num_self_loops == networkx.number_of_selfloops(twin)
    assert Graph(graph.indptr, graph.indices).num_self_loops == graph.num_self_loops
    degree = dict(twin.out_degree() if graph.directed else twin.degree())
    assert graph.degrees().tolist() == list(degree.values())
    assert [graph.degree(v) for v in twin] == list(degree.values())
    assert graph.max_degree == max(degree.values(), default=0)
    assert graph.row_lengths().tolist() == np.diff(graph.indptr).tolist()
    assert (
        graph.column_lengths().tolist() == np.bincount(graph.indices, minlength=len(twin)).tolist()
    )
    into = dict(twin.in_degree()) if graph.directed else degree
    assert graph.in_degrees().tolist() == list(into.values())
    for v in twin:
        assert graph.neighbors(v).tolist() == sorted(twin.adj[v])


@given(graphs(), st.sampled_from([1, 2, 3]))
def test_arcs_and_edges(graph, team):
    with threads(team):
        sources, targets, weights = graph.edges()
    assert len(sources) == graph.num_edges
    twin = graph.to_networkx()
    if graph.directed:
        assert set(zip(sources.tolist(), targets.tolist(), strict=True)) == set(twin.edges)
    else:
        assert (sources <= targets).all()
    for i, (u, v) in enumerate(zip(sources.tolist(), targets.tolist(), strict=True)):
        assert twin.has_edge(u, v)
        assert weights is None or twin.edges[u, v]["weight"] == weights[i]
    again = Graph.from_edges(
        sources, targets, weights, directed=graph.directed, num_vertices=graph.num_vertices
    )
    assert again == graph
    sources, targets, weights = graph.arcs()
    assert weights is graph.weights
    np.testing.assert_array_equal(np.bincount(sources, minlength=len(twin)), graph.row_lengths())


@given(graphs(directed=False), st.sampled_from([1, 2, 3]))
def test_reverse_edges(graph, team):
    with threads(team):
        reverse = graph.reverse_arc
    sources, targets, _ = graph.arcs()
    np.testing.assert_array_equal(sources[reverse], targets)
    np.testing.assert_array_equal(targets[reverse], sources)
    assert graph.transposed is graph
    assert graph.arc_ids is reverse
    assert graph.reverse_arc is reverse
    assert not reverse.flags.writeable


@given(graphs(directed=True))
def test_transpose_carries_ids_weights_and_labels(graph):
    graph = graph.with_labels([f"v{i}" for i in range(graph.num_vertices)])
    turned = graph.transposed
    assert isinstance(turned, Graph)
    assert turned.directed
    assert turned.labels is graph.labels
    assert graph.arc_ids is None
    sources, targets, weights = graph.arcs()
    back_sources, back_targets, back_weights = turned.arcs()
    np.testing.assert_array_equal(sources[turned.arc_ids], back_targets)
    np.testing.assert_array_equal(targets[turned.arc_ids], back_sources)
    if weights is not None:
        np.testing.assert_array_equal(weights[turned.arc_ids], back_weights)
    np.testing.assert_array_equal(graph.in_degrees(), turned.degrees())
    assert turned.transposed == graph


def test_reverse_edge_needs_an_undirected_graph():
    with pytest.raises(ValueError, match="reverse_arc needs an undirected graph"):
        _ = Graph.from_edges([0], [1], directed=True).reverse_arc


def test_frozen_and_without_copies():
    indptr, indices, weights = np.array([0, 1, 2]), np.array([1, 0], np.int32), np.array([3, 3])
    graph = Graph(indptr, indices, weights)
    assert np.shares_memory(graph.indptr, indptr)
    assert np.shares_memory(graph.indices, indices)
    assert np.shares_memory(graph.weights, weights)
    with pytest.raises(AttributeError, match="a Graph is frozen: cannot set 'directed'"):
        graph.directed = True
    with pytest.raises(AttributeError, match="frozen"):
        graph.device = "cuda"
    with pytest.raises(ValueError, match="read-only"):
        graph.weights[0] = 1


def test_device_engine_and_full():
    graph = Graph.from_edges([0], [2])
    assert (graph.device, graph.engine, graph.xp) == ("cpu", "local", np)
    assert graph.full(np.inf).tolist() == [np.inf] * 3
    assert graph.full(0).dtype == np.int64
    assert graph.full(False).dtype == bool
    assert graph.full(1, np.float32).dtype == np.float32


def test_equality():
    graph = Graph.from_edges([0, 1], [1, 2], [1.0, 2.0])
    same = Graph.from_edges([2, 0], [1, 1], [2.0, 1.0])
    assert graph == same
    assert hash(graph) == hash(same)
    assert {graph: 1}[same] == 1
    assert graph != Graph.from_edges([0, 1], [1, 2])
    assert graph != Graph(graph.indptr, graph.indices, graph.weights, directed=True)
    assert graph != graph.with_labels(["a", "b", "c"])
    assert graph != graph.to_scipy


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g)), Graph.copy]
)
def test_copies(again):
    graph = Graph.from_edges(["b", "a"], ["a", "c"], [1.0, 2.0], directed=True)
    other = again(graph)
    assert other == graph
    assert other.label(0) == "a"
    assert not other.indices.flags.writeable
    assert again(graph.transposed).arc_ids.tolist() == graph.transposed.arc_ids.tolist()


def test_pickles_leave_out_what_can_be_rebuilt():
    graph = Graph.from_edges(np.arange(1000), np.arange(1, 1001))
    before = len(pickle.dumps(graph))
    assert graph.reverse_arc is not None
    assert len(pickle.dumps(graph)) == before


def test_weak_references():
    graph = Graph.from_edges([0], [1])
    keep = weakref.WeakKeyDictionary({graph: 1})
    assert keep[graph] == 1
    del graph
    assert len(keep) == 0


def test_vertex_label_and_table():
    graph = Graph.from_edges(["b", "c"], ["a", "b"])
    assert graph.vertex("c") == 2
    assert graph.vertex(["c", "a"]).tolist() == [2, 0]
    assert graph.label(1) == "b"
    assert graph.label(np.array([1, 0])).tolist() == ["b", "a"]
    table = graph.table(graph.degrees())
    assert table["value"].to_dict() == {"a": 1, "b": 2, "c": 1}

    class Paths(NamedTuple):
        distance: np.ndarray
        parent: np.ndarray

    table = graph.table(Paths(np.arange(3.0), np.array([-1, 0, 1])))
    assert table.columns.tolist() == ["distance", "parent"]
    assert table.loc["c"].tolist() == [2.0, 1.0]  # it does not say that parents are vertices
    assert graph.table({"x": np.zeros(3)}).columns.tolist() == ["x"]
    with pytest.raises(ValueError, match=r"one entry per vertex \(3\), but value has shape \(4,\)"):
        graph.table(np.zeros(4))


def test_without_labels_ids_are_the_names():
    graph = Graph.from_edges([0], [3])
    assert graph.vertex(3) == 3
    assert graph.vertex([3, 0]).tolist() == [3, 0]
    assert graph.label(2) == 2
    assert graph.table(graph.degrees()).index.tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="label must be a vertex id from 0 to 3, got 4"):
        graph.vertex(4)
    with pytest.raises(ValueError, match=r"label\[1\] must be a vertex id from 0 to 3, got 9"):
        graph.vertex([0, 9])
    with pytest.raises(ValueError, match="vertex must be a vertex id from 0 to 3, got -1"):
        graph.neighbors(-1)


def test_labels_must_name_every_vertex():
    with pytest.raises(ValueError, match=r"labels must name every vertex \(2\), got 1 labels"):
        Graph([0, 1, 2], [1, 0], labels=Labels(["a"]))


def test_repr():
    assert repr(Graph.from_edges([], [])) == "Graph(undirected, 0 vertices, 0 edges, 8 B)"
    big = Graph.from_edges(np.arange(4000), np.arange(1, 4001), np.ones(4000), directed=True)
    assert repr(big) == "Graph(directed, 4,001 vertices, 4,000 edges, weights float64, 80 kB)"
    named = Graph.from_edges(["a"], ["b"])
    assert repr(named) == "Graph(undirected, 2 vertices, 1 edge, labeled 'a', 'b', 32 B)"
    three = Graph.from_edges(["Ann", "Bob"], ["Bob", "Cat"])
    said = "Graph(undirected, 3 vertices, 2 edges, labeled 'Ann', 'Bob', ..., 48 B)"
    assert repr(three) == said
    one = Graph.from_edges(["x" * 99], ["x" * 99])
    assert f"1 edge, labeled '{'x' * 19}...', 20 B" in repr(one)
    assert "labeled" not in repr(Graph.from_edges([], [], labels=True))
    sparse = Graph.from_edges([1], [2**40], labels=True)
    assert f"labeled 1, {2**40}, " in repr(sparse)


def test_vertices_as_of_a_container():
    graph = Graph.from_edges(["ann", "bob"], ["bob", "eve"])
    assert len(graph) == 3 and graph
    assert "ann" in graph and "dan" not in graph
    assert 0 in graph and np.int32(2) in graph
    assert all(one not in graph for one in (3, -1, 1.0, None, True, [0]))
    assert len(Graph.from_edges([], [])) == 0
