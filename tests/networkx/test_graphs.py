"""Graphs of the backend: conversion, the cache, class dispatch, queries, changes."""

from __future__ import annotations

import copy
import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

import edgewise as ew
from edgewise.networkx.compact import Compact, compact
from edgewise.networkx.dispatch import backend
from edgewise.networkx.graph_classes import converted

NODES = [
    st.integers(0, 9),
    st.integers(-(10**12), 10**12),
    st.text(max_size=2),
    st.one_of(st.integers(0, 5), st.text(max_size=1), st.tuples(st.integers(0, 3))),
]


@given(st.data())
def test_rows_are_the_graphs(data):
    kind = data.draw(st.sampled_from([nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]))
    node = data.draw(st.sampled_from(NODES))
    graph = kind(data.draw(st.lists(st.tuples(node, node), max_size=20)))
    graph.add_nodes_from(data.draw(st.lists(node, max_size=3)))
    for number, (*_, values) in enumerate(graph.edges(data=True)):
        values["weight"] = number % 4 + 1
    for reverse in (False, True):
        rows = Compact.of(graph, reverse and graph.is_directed())
        adjacency = graph.pred if reverse and graph.is_directed() else graph.adj
        assert [*rows.nodes] == [*graph]
        for at, one in enumerate(graph):
            assert rows.find(one) == at
            row = rows.targets[rows.indptr[at] : rows.indptr[at + 1]]
            assert rows.names(row) == [*adjacency[one]]
    rows = compact(graph)
    rows.graph.validate()
    assert rows.find("no such node") is None and rows.find(10**15) is None
    assert rows.degrees(graph).tolist() == [degree for _, degree in graph.degree()]
    if graph.is_directed():
        assert rows.degrees(graph, "in").tolist() == [degree for _, degree in graph.in_degree()]
        assert rows.degrees(graph, "out").tolist() == [degree for _, degree in graph.out_degree()]
    sources, targets, places = rows.edges()
    merged = nx.DiGraph(graph) if graph.is_directed() else nx.Graph(graph)
    if graph.is_multigraph():
        wanted = {frozenset(edge) if not graph.is_directed() else edge for edge in merged.edges}
        pairs = zip(rows.names(sources), rows.names(targets), strict=True)
        assert {frozenset(e) if not graph.is_directed() else e for e in pairs} == wanted
    else:
        assert [*zip(rows.names(sources), rows.names(targets), strict=True)] == [*graph.edges]
    if len(graph):
        matrix = nx.to_scipy_sparse_array(graph, backend="networkx").toarray()
        found = rows.weighted(graph, "weight").to_scipy().toarray()
        np.testing.assert_array_equal(found, matrix)


def test_weights_that_are_no_numbers_are_left_to_networkx():
    graph = nx.Graph([(0, 1, {"weight": "heavy"}), (1, 2, {"weight": None})])
    with pytest.raises(NotImplementedError):
        nx.pagerank(graph, backend="edgewise")
    with pytest.raises(NotImplementedError):
        nx.single_source_dijkstra(graph, 0, weight=lambda u, v, d: 1, backend="edgewise")


def test_missing_weights_are_one():
    graph = nx.Graph([(0, 1, {"length": 5}), (1, 2, {}), (0, 2, {"length": 2.5})])
    found = nx.single_source_dijkstra_path_length(graph, 0, weight="length", backend="edgewise")
    assert [*found.items()] == [(0, 0), (2, 2.5), (1, 3.5)]


def test_a_change_drops_the_cache():
    graph = nx.path_graph(4)
    first = nx.degree_centrality(graph, backend="edgewise")
    kept = graph.__networkx_cache__["edgewise"]
    nx.number_of_isolates(graph, backend="edgewise")
    assert graph.__networkx_cache__["edgewise"] is kept
    for change in (
        lambda: graph.add_edge(0, 9),
        lambda: graph.remove_node(9),
        lambda: graph.add_node(7),
        lambda: graph.remove_edge(1, 2),
        lambda: nx.set_edge_attributes(graph, 3, "weight"),
    ):
        change()
        assert "edgewise" not in graph.__networkx_cache__
        found = nx.degree_centrality(graph, backend="edgewise")
        assert found == nx.degree_centrality(graph, backend="networkx")
    assert first == nx.degree_centrality(nx.path_graph(4), backend="networkx")


def test_attributes_have_columns_of_their_own():
    graph = nx.Graph([(0, 1, {"a": 1, "b": 5}), (1, 2, {"a": 2, "b": 1})])
    for name, wanted in (("a", 3), ("b", 6), ("c", 2), (None, 2)):
        found = nx.dijkstra_path_length(graph, 0, 2, weight=name, backend="edgewise")
        assert found == wanted
    graph.add_edge(0, 1, a=9)
    assert nx.dijkstra_path_length(graph, 0, 2, weight="a", backend="edgewise") == 11


def test_no_cache_where_networkx_has_none():
    graph = nx.path_graph(3)
    with nx.config(cache_converted_graphs=False):
        nx.degree_centrality(graph, backend="edgewise")
    assert "edgewise" not in graph.__networkx_cache__
    graph.__networkx_cache__ = None
    assert nx.degree_centrality(graph, backend="edgewise")[1] == 1.0


@pytest.mark.parametrize("name", ["Graph", "DiGraph", "MultiGraph", "MultiDiGraph"])
def test_classes_are_dispatched(name):
    graph = getattr(nx, name)([("a", "b"), ("b", "c")], backend="edgewise", title="t")
    assert type(graph) is getattr(ew.nx, name) and isinstance(graph, getattr(nx, name))
    assert graph.graph == {"title": "t"} and graph.number_of_edges() == 2
    assert nx.degree_centrality(graph)["b"] == 1.0  # no conversion, no backend= either
    graph.add_edge("c", "d")
    assert nx.degree_centrality(graph) == nx.degree_centrality(
        getattr(nx, name)([("a", "b"), ("b", "c"), ("c", "d")])
    )
    for other in (copy.copy(graph), graph.copy(), pickle.loads(pickle.dumps(graph))):
        assert type(other) is type(graph) and other._adj == graph._adj
    assert type(graph.to_undirected()).__name__.endswith("Graph")
    assert graph.to_directed().__networkx_backend__ == "edgewise"

    class Own(getattr(nx, name)):
        pass

    with pytest.raises(NotImplementedError):
        Own(backend="edgewise")
    with nx.config.backend_priority(classes=["edgewise"]):
        assert type(Own()) is Own
        assert type(getattr(nx, name)()) is type(graph)


def test_queries_of_a_graph_from_arrays_make_no_dicts():
    graph = nx.grid_2d_graph(30, 40, backend="edgewise")
    assert len(graph) == graph.number_of_nodes() == graph.order() == 1200
    assert graph.number_of_edges() == graph.size() == 2 * 1200 - 70
    assert (3, 4) in graph and (30, 0) not in graph and [] not in graph and graph.has_node((0, 0))
    assert graph.has_edge((0, 0), (0, 1)) and not graph.has_edge((0, 0), (1, 1))
    assert {*graph.neighbors((0, 0))} == {(0, 1), (1, 0)} and next(iter(graph)) == (0, 0)
    assert nx.is_connected(graph) and not graph.is_directed()
    assert "_adj" not in graph.__dict__
    again = pickle.loads(pickle.dumps(graph))
    assert "_adj" not in again.__dict__ and nx.is_connected(again)
    assert graph.degree[0, 0] == 2 and "_adj" in graph.__dict__
    graph.remove_node((0, 0))
    assert nx.number_of_isolates(graph) == 0 and len(graph) == 1199


def test_functions_that_are_missing_run_in_networkx():
    graph = nx.cycle_graph(5, backend="edgewise")
    with pytest.raises(NotImplementedError):
        nx.is_planar(graph)
    with nx.config(fallback_to_nx=True):
        assert nx.is_planar(graph) == nx.is_planar(nx.cycle_graph(5))
        nx.set_node_attributes(graph, 1, "x")  # which changes its argument
    assert graph.nodes[0] == {"x": 1}


def test_graphs_go_both_ways():
    graph = nx.karate_club_graph()
    ours = converted(graph)
    assert backend.convert_to_nx(ours) is graph
    made = nx.Graph(graph, backend="edgewise")
    assert made is not graph and made._adj == graph._adj
    plain = backend.convert_to_nx(made)
    assert type(plain) is nx.Graph and plain._adj is made._adj and plain.graph == graph.graph
    assert backend.convert_to_nx(5) == 5


def test_in_place_changes_of_attributes_are_seen_by_the_backends_classes():
    graph = nx.Graph([(0, 1), (1, 2)], backend="edgewise")
    graph[0][1]["weight"] = 5
    assert nx.dijkstra_path_length(graph, 0, 2) == 6
    graph[0][1]["weight"] = 7
    assert nx.dijkstra_path_length(graph, 0, 2) == 8


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiDiGraph])
def test_most_in_place_changes_of_many_edges_are_seen(kind):
    graph = kind(nx.cycle_graph(300))
    for weight in (2, 3):
        for *_, data in graph.edges(data=True):
            data["weight"] = weight
        found = nx.single_source_dijkstra_path_length(graph, 0, backend="edgewise")
        assert found[10] == 10 * weight
    for *_, data in graph.edges(data=True):
        del data["weight"]
    assert nx.dijkstra_path_length(graph, 0, 10, backend="edgewise") == 10


def test_views_are_read():
    graph = nx.path_graph(6)
    part = graph.subgraph([1, 2, 3, 5])
    assert nx.number_connected_components(part, backend="edgewise") == 2
    arcs = nx.DiGraph([(0, 1), (1, 2)])
    assert nx.descendants(arcs.reverse(copy=False), 2, backend="edgewise") == {0, 1}


def test_results_for_networkx_graphs_are_networkx_graphs():
    graph = nx.karate_club_graph()
    for name, more in (("k_core", ()), ("k_truss", (4,)), ("minimum_spanning_tree", ())):
        ours = getattr(nx, name)(graph, *more, backend="edgewise")
        theirs = getattr(nx, name)(graph, *more, backend="networkx")
        assert type(ours) is nx.Graph and nx.utils.graphs_equal(ours, theirs)
    made = nx.Graph(graph, backend="edgewise")
    assert type(nx.k_core(made)) is ew.nx.Graph


def test_views_of_edges_are_read():
    graph = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 3), (0, 3)])
    part = graph.edge_subgraph([(0, 1, 1), (2, 3, 0)])
    assert nx.number_connected_components(part, backend="edgewise") == 2
    assert ew.Graph.from_networkx(part).num_edges == 2
