"""Colorings by strategies, label propagation, weighted clustering, cuts and weighted matchings."""

from __future__ import annotations

import random

import networkx as nx
import pytest
from networkx.algorithms import bipartite

from edgewise.networkx.dispatch import backend
from edgewise.networkx.function_table import STRATEGIES
from edgewise.networkx.recent_calls import CALLS
from tests.networkx.test_functions import WHERE, called, equal


def samples():
    draw = random.Random(2)
    yield nx.gnp_random_graph(60, 0.08, seed=4)
    names = {i: f"n{i * 7 % 40}" for i in range(40)}
    yield nx.relabel_nodes(nx.gnp_random_graph(40, 0.05, seed=1), names)
    yield nx.MultiGraph([(draw.randrange(12), draw.randrange(12)) for _ in range(60)])
    yield nx.gnp_random_graph(30, 0.1, seed=1, directed=True)
    yield nx.barabasi_albert_graph(200, 3, seed=1)
    yield nx.empty_graph(0)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_strategies_color_as_networkx_does(strategy):
    before = CALLS["greedy_color"]
    for graph in samples():
        found = []
        for where in WHERE:
            random.seed(5)
            found.append(called("greedy_color", graph, where, strategy=strategy))
        assert equal(*found) or found[0] is found[1], f"{found!r:.300}"
    assert CALLS["greedy_color"] > before + 3
    function = getattr(nx.coloring, f"strategy_{strategy}", None)
    assert backend.can_run("greedy_color", (graph,), {"strategy": function or strategy}) is True


@pytest.mark.parametrize("strategy", ["smallest_last", "independent_set", lambda G, colors: [*G]])
def test_other_strategies_are_left_to_networkx(strategy):
    assert backend.can_run("greedy_color", (nx.path_graph(3),), {"strategy": strategy}) is not True


def test_label_propagation_is_networkxs():
    for graph in samples():
        ours, theirs = (called("label_propagation_communities", graph, where) for where in WHERE)
        if isinstance(theirs, type):
            assert ours is theirs
        else:
            assert type(ours) is type(theirs) and [*ours] == [*theirs]


def test_clustering_by_weights():
    draw = random.Random(3)
    for graph in (*samples(), nx.Graph([(0, 1), (1, 2), (2, 0), (2, 2)])):
        for *_, data in graph.edges(data=True):
            if draw.random() < 0.9:
                data["weight"] = draw.choice([1, 3, 0.5, -1])
        if backend.can_run("clustering", (graph,), {"weight": "weight"}) is not True:
            assert graph.is_directed()
            continue
        for more in ({}, {"nodes": [*graph][:4]}):
            more["weight"] = "weight"
            ours, theirs = (called("clustering", graph, where, **more) for where in WHERE)
            assert equal(ours, theirs) or ours is theirs
        found = (called("average_clustering", graph, where, weight="weight") for where in WHERE)
        assert equal(*found)


def test_cuts():
    for graph in samples():
        nodes = [*graph]
        for *_, data in graph.edges(data=True):
            data["weight"] = 3
        for T in (None, nodes[8:15], nodes[3:9]):
            for weight in (None, "weight"):
                ours, theirs = (
                    called("cut_size", graph, where, S=nodes[:6], T=T, weight=weight)
                    for where in WHERE
                )
                assert ours == theirs or (ours is NotImplementedError and T is None)


def test_matchings_of_bipartite_graphs_are_heaviest():
    for seed in range(12):
        draw = random.Random(seed)
        graph = bipartite.random_graph(7, 9, 0.5, seed=seed)
        for *_, data in graph.edges(data=True):
            data["weight"] = draw.choice([1, 2, 5, -1] if seed % 2 else [0.5, 1.25, 3.0])
        ours, theirs = (called("max_weight_matching", graph, where) for where in WHERE)
        assert nx.is_matching(graph, ours)
        assert total(graph, ours) == total(graph, theirs)
        ours, theirs = (
            called("minimum_weight_full_matching", graph, where, top_nodes=range(7))
            for where in WHERE
        )
        if isinstance(theirs, type):
            assert ours is NotImplementedError
            continue
        assert len(ours) == len(theirs) == 14 and all(ours[ours[v]] == v for v in ours)
        assert total(graph, ours.items()) == pytest.approx(total(graph, theirs.items()))


def total(graph, pairs):
    return sum(graph[u][v]["weight"] for u, v in pairs)
