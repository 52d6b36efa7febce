"""Multigraphs and directed graphs in functions that fold parallel edges or ignore directions."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

from edgewise.networkx.dispatch import backend
from edgewise.networkx.recent_calls import CALLS
from tests.networkx.test_functions import UNORDERED, WHERE, called, equal

SUMMED = {
    *("betweenness_centrality", "constraint", "algebraic_connectivity", "fiedler_vector"),
    "current_flow_closeness_centrality",
}


def parallel(kind):
    draw = random.Random(5)
    graph = kind(nx.connected_watts_strogatz_graph(16, 4, 0.3, seed=2))
    for u, v in [*graph.edges()][::3]:
        for _ in range(draw.randint(1, 3)):
            graph.add_edge(u, v)
    for *_, data in graph.edges(data=True):
        data["weight"] = draw.choice([1, 2, 0.5, 3])
    return graph


@pytest.mark.parametrize("name", sorted(SUMMED))
@pytest.mark.parametrize("weight", [None, "weight"])
def test_parallel_edges_count_as_in_networkx(name, weight):
    directed = name in ("betweenness_centrality", "constraint")
    for kind in (nx.MultiGraph, nx.MultiDiGraph) if directed else (nx.MultiGraph,):
        graph, before = parallel(kind), CALLS[name]
        ours, theirs = (called(name, graph, where, weight=weight) for where in WHERE)
        if name in UNORDERED:
            theirs = {key: theirs[key] for key in ours}
        if name == "fiedler_vector":
            assert abs(abs(ours @ theirs) / (np.linalg.norm(ours) * np.linalg.norm(theirs))) > 0.999
        else:
            assert equal(ours, theirs)
        assert CALLS[name] == before + 1
        simple = called(name, nx.Graph(graph), "networkx", weight=weight)
        if name in ("constraint", "algebraic_connectivity"):
            assert not equal(ours, simple)  # the parallel edges matter


def test_some_nodes_of_multigraphs_are_left_to_networkx():
    graph = parallel(nx.MultiGraph)
    assert called("constraint", graph, "edgewise", nodes=[0]) is NotImplementedError
    assert "multigraph" in backend.can_run("effective_size", (graph,), {})


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_colors_of_directed_graphs(kind):
    draw, ran = random.Random(1), 0
    for seed in range(30):
        edges = nx.bipartite.random_graph(6, 7, 0.15, seed=seed).edges
        graph = kind([(u, v) if draw.random() < 0.5 else (v, u) for u, v in edges])
        graph.add_node("alone")
        ours, theirs = (called("color", graph, where) for where in WHERE)
        assert ours == theirs
        ours, theirs = (called("sets", graph, where) for where in WHERE)
        assert ours == theirs
        graph.remove_node("alone")
        ours, theirs = (called("sets", graph, where) for where in WHERE)
        assert ours == theirs
        ran += isinstance(ours, tuple)
        colors = [called("greedy_color", graph, where) for where in WHERE]
        assert equal(*colors)
    assert ran > 1
    graph = kind([(0, 1), (1, 2), (2, 0)])
    assert [called("color", graph, where) for where in WHERE] == [nx.NetworkXError] * 2
    graph = nx.gnp_random_graph(40, 0.15, seed=3, directed=True)
    assert equal(*(called("greedy_color", kind(graph), where) for where in WHERE))
