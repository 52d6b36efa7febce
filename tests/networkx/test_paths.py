"""Paths, tours and closures of the backend are NetworkX's, with ties, orders and errors."""

from __future__ import annotations

from itertools import islice, pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.networkx.test_functions import called, equal, public

KINDS = [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]


@st.composite
def graphs(draw, kinds=tuple(KINDS), least=0, most=4, nodes=7, edges=18):
    """Graphs with small weights, so that many paths have equal lengths."""
    kind, node = draw(st.sampled_from(kinds)), st.integers(0, nodes - 1)
    weights = st.integers(least, most) if draw(st.booleans()) else st.sampled_from(
        [one / 2 for one in range(2 * least, 2 * most + 1)]
    )  # fmt: skip
    listed = draw(st.lists(st.tuples(node, node, weights), max_size=edges))
    graph = kind()
    if draw(st.booleans()):
        graph.add_nodes_from(draw(st.permutations(range(nodes))))
    graph.add_weighted_edges_from(listed)
    graph.add_nodes_from(range(2))
    return graph


def agree(name, graph, **options):
    ours, theirs = (called(name, graph, where, **options) for where in ("edgewise", "networkx"))
    assert ours is NotImplementedError or equal(ours, theirs), (name, options, ours, theirs)
    return ours is not NotImplementedError


@given(graphs())
def test_predecessors(graph):
    assert agree("predecessor", graph)
    agree("predecessor", graph, cutoff=1, return_seen=True)
    agree("predecessor", graph, target=1, return_seen=True)
    for cutoff in (None, 2):
        assert agree("dijkstra_predecessor_and_distance", graph, source=0, cutoff=cutoff)
    assert agree("all_shortest_paths", graph, source=0, target=1, weight="weight")
    assert agree("single_source_all_shortest_paths", graph, source=0)


@given(graphs(least=-1), st.booleans())
def test_negative_lengths(graph, guess):
    options = {"source": 0, "heuristic": guess}
    agree("bellman_ford_predecessor_and_distance", graph, **options)
    agree("single_source_bellman_ford", graph, source=0)
    agree("single_source_bellman_ford", graph, source=0, target=1)
    agree("single_source_bellman_ford_path_length", graph, source=0)
    agree("bellman_ford_path_length", graph, source=0, target=1)
    agree("bellman_ford_path", graph, source=0, target=1)
    agree("negative_edge_cycle", graph)


def acyclic(graph):
    """A directed graph without cycles: edges from smaller to larger nodes."""
    made = nx.MultiDiGraph() if graph.is_multigraph() else nx.DiGraph()
    made.add_nodes_from(graph)
    made.add_weighted_edges_from((min(u, v), max(u, v), w)
                                 for u, v, w in graph.edges(data="weight") if u != v)  # fmt: skip
    return made


@given(graphs(least=-2))
def test_acyclic_graphs(graph):
    arcs = acyclic(graph)
    for name in ("dag_longest_path", "dag_longest_path_length", "transitive_reduction",
                 "lexicographical_topological_sort", "transitive_closure_dag"):  # fmt: skip
        assert agree(name, arcs), name
    assert agree("dag_longest_path", arcs, weight="cost", default_weight=2)
    assert agree("lexicographical_topological_sort", arcs, key=lambda node: -node)
    assert agree("single_source_bellman_ford", arcs, source=0)
    assert agree("johnson", arcs)
    for reflexive in (None, True, False):
        assert agree("transitive_closure", graph, reflexive=reflexive)
    ours, theirs = (called("transitive_closure", arcs, where) for where in ("edgewise", "networkx"))
    assert [*ours.edges] == [*theirs.edges]


@given(graphs(nodes=5, edges=12), st.integers(0, 5))
def test_simple_paths(graph, cutoff):
    for target in (1, [0, 1, 3], [7]):
        for name in ("all_simple_paths", "all_simple_edge_paths"):
            options = {"source": 0, "target": target, "cutoff": cutoff}
            agree(name, graph, **options)
            agree(name, graph, **options | {"cutoff": None})


def test_simple_paths_come_as_they_are_found():
    graph = nx.complete_graph(30)
    paths = nx.all_simple_paths(graph, 0, 29, backend="edgewise")
    theirs = nx.all_simple_paths(graph, 0, 29, backend="networkx")
    assert [*islice(paths, 50)] == [*islice(theirs, 50)]


@given(graphs())
def test_tours(graph):
    for name in ("is_eulerian", "has_eulerian_path", "is_semieulerian", "eulerian_circuit",
                 "eulerian_path"):  # fmt: skip
        assert agree(name, graph), name
    agree("eulerian_path", graph, keys=True)


@pytest.mark.parametrize("kind", KINDS)
def test_tours_of_eulerian_graphs(kind):
    ring = [0, 3, 1, 4, 2, 5, 0, 1, 2, 0, 4, 5, 3, 0, 0, 2, 1, 0]
    graph = kind(pairwise(ring))
    for name in ("eulerian_circuit", "eulerian_path"):
        for source in (None, 4, 0):
            for keys in (False, True):
                assert agree(name, graph, source=source, keys=keys)
    path = kind(pairwise(ring[:-1]))
    for keys in (False, True):
        assert agree("eulerian_path", path, keys=keys)
        assert agree("eulerian_path", path, source=0, keys=keys)


@given(graphs(least=-1, kinds=(nx.Graph, nx.DiGraph, nx.MultiGraph)))
def test_all_pairs(graph):
    assert agree("floyd_warshall", graph)
    assert agree("floyd_warshall_predecessor_and_distance", graph)
    assert agree("floyd_warshall", graph, weight="no such attribute")
    assert agree("to_numpy_array", graph, multigraph_weight=min, nonedge=-7, dtype=np.float32)


@given(graphs(kinds=(nx.Graph, nx.DiGraph)))
def test_derived_graphs(graph):
    assert agree("complement", graph) and agree("square_clustering", nx.Graph(graph))
    looped = any(u == v for u, v in graph.edges)
    if graph.is_directed() or not looped:
        assert agree("line_graph", graph)


def test_results_of_the_backends_graphs_are_the_backends():
    graph = nx.path_graph(4, backend="edgewise")
    for name in ("complement", "line_graph", "transitive_closure"):
        assert public(name)(graph).__networkx_backend__ == "edgewise"
    assert nx.dag_longest_path(nx.DiGraph([(0, 1), (1, 2)], backend="edgewise")) == [0, 1, 2]


def test_unusual_arguments():
    graph = nx.path_graph(4)
    for name, options in (
        ("predecessor", {"source": 9}),
        ("dijkstra_predecessor_and_distance", {"source": 9}),
        ("bellman_ford_predecessor_and_distance", {"source": 9}),
        ("bellman_ford_path_length", {"source": 0, "target": 9}),
        ("single_source_bellman_ford", {"source": 0, "target": 9}),
        ("all_simple_paths", {"source": 9, "target": 0}),
        ("all_simple_paths", {"source": 0, "target": 9}),
        ("transitive_closure", {"reflexive": "yes"}),
        ("dag_longest_path", {}),
        ("wiener_index", {}),
    ):
        assert agree(name, graph, **options), name
    arcs = nx.DiGraph([(0, 1), (1, 0)])
    for name in ("dag_longest_path", "transitive_reduction", "transitive_closure_dag"):
        assert agree(name, arcs)
