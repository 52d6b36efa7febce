"""Flows and cuts of the backend where several answers are right: they keep what they promise."""

from __future__ import annotations

import networkx as nx
import pytest

from edgewise.networkx import backend
from tests.networkx.test_functions import GRAPHS, WHERE, called

UNDIRECTED = ("plain", "named", "mixed", "connected", "grid", "tree", "looped", "one", "none")
ARCS = ("directed", "strong", "acyclic")


@pytest.mark.parametrize("kind", UNDIRECTED)
def test_global_cuts(kind):
    graph = GRAPHS[kind]
    ours, theirs = (called("stoer_wagner", graph, where) for where in WHERE)
    if isinstance(theirs, type):
        assert ours is theirs
        return
    assert ours[0] == pytest.approx(theirs[0]) and {*map(type, ours[1])} == {list}
    assert sorted(map(str, [*ours[1][0], *ours[1][1]])) == sorted(map(str, graph))
    assert nx.cut_size(graph, *ours[1], weight="weight") == pytest.approx(ours[0])
    ours, theirs = (called("minimum_edge_cut", graph, where) for where in WHERE)
    if ours is not NotImplementedError:
        assert len(ours) == len(theirs)
        rest = graph.copy()
        rest.remove_edges_from(ours)
        assert not nx.is_connected(rest)


@pytest.mark.parametrize("name", ["edge_disjoint_paths", "node_disjoint_paths"])
@pytest.mark.parametrize("kind", ["plain", "named", "connected", "parallel", *ARCS])
def test_disjoint_paths(kind, name):
    graph = GRAPHS[kind]
    ours, theirs = (called(name, graph, where) for where in WHERE)
    if isinstance(theirs, type):
        assert ours is theirs
        return
    assert len(ours) == len(theirs)
    assert all(nx.is_path(graph, path) for path in ours)
    one = called(name, graph, "edgewise", cutoff=1)
    assert len(one) == 1
    for wrong in ({"s": "nowhere"}, {"t": "nowhere"}):
        assert called(name, graph, "edgewise", **wrong) is nx.NetworkXError


def demanding(kind):
    graph = GRAPHS[kind].copy()
    nodes = [*graph]
    for i, node in enumerate(nodes):
        graph.nodes[node]["demand"] = (i % 3) - 1
    graph.nodes[nodes[0]]["demand"] -= sum(d for _, d in graph.nodes(data="demand"))
    return graph


@pytest.mark.parametrize("kind", ARCS)
@pytest.mark.parametrize("demand", ["demand", "none"])
def test_flows_of_minimum_cost(kind, demand):
    graph = demanding(kind)
    ours, theirs = (called("network_simplex", graph, where, demand=demand) for where in WHERE)
    if isinstance(theirs, type):
        assert ours is theirs
        return
    assert ours[0] == pytest.approx(theirs[0])
    assert nx.cost_of_flow(graph, ours[1]) == pytest.approx(ours[0])
    assert [*ours[1]] == [*theirs[1]]
    for u in graph:
        assert [*ours[1][u]] == [*theirs[1][u]]
        into = sum(ours[1][v].get(u, 0) for v in graph) - sum(ours[1][u].values())
        assert into == graph.nodes[u].get(demand, 0)
    assert all(0 <= x <= graph[u][v]["capacity"] for u in graph for v, x in ours[1][u].items())
    assert called("min_cost_flow", graph, "edgewise", demand=demand) == ours[1]


@pytest.mark.parametrize("kind", ARCS)
def test_cheapest_maximum_flows(kind):
    graph = GRAPHS[kind]
    ours, theirs = (called("max_flow_min_cost", graph, where) for where in WHERE)
    costs = [nx.cost_of_flow(graph, flow) for flow in (ours, theirs)]
    assert costs[0] == pytest.approx(costs[1])


def test_flows_that_do_not_exist():
    pair = nx.DiGraph([(0, 1)])
    pair.add_nodes_from([(0, {"demand": 1}), (1, {"demand": -1})])
    ring = nx.DiGraph()
    ring.add_weighted_edges_from([(0, 1, -2), (1, 0, 1)])
    loop = nx.DiGraph()
    loop.add_edge(0, 0, weight=-1)
    unequal = nx.DiGraph([(0, 1)])
    unequal.add_node(0, demand=1)
    negative = nx.DiGraph()
    negative.add_edge(0, 1, capacity=-1)
    for graph in (pair, ring, loop, unequal, negative, nx.DiGraph()):
        ours, theirs = (called("network_simplex", graph, where) for where in WHERE)
        assert ours is theirs and issubclass(theirs, nx.NetworkXException)


def test_matchings_of_greatest_cardinality():
    for kind in ("plain", "connected", "grid", "tree", "named"):
        graph = nx.Graph(GRAPHS[kind].edges)
        ours = called("max_weight_matching", graph, "edgewise")
        theirs = called("max_weight_matching", graph, "networkx")
        assert nx.is_matching(graph, ours) and len(ours) == len(theirs)
    assert called("max_weight_matching", GRAPHS["plain"], "edgewise") is NotImplementedError
    assert backend.can_run("max_weight_matching", (GRAPHS["parallel"],), {}) is not True


def test_covers_of_bipartite_graphs():
    for kind in ("grid", "tree"):
        graph = GRAPHS[kind]
        matching = nx.bipartite.hopcroft_karp_matching(graph)
        ours, theirs = (called("to_vertex_cover", graph, where, matching=matching)
                        for where in WHERE)  # fmt: skip
        assert ours == theirs and len(ours) == len(matching) // 2


def test_local_connectivity_and_cutoffs():
    for kind in ("plain", "connected", "strong", "parallel"):
        graph = GRAPHS[kind]
        for name in ("local_edge_connectivity", "local_node_connectivity"):
            for options in ({}, {"cutoff": 1}, {"cutoff": 2}, {"s": 3, "t": 7}):
                ours, theirs = (called(name, graph, where, **options) for where in WHERE)
                assert ours == theirs, (kind, name, options)
        names = ("edge_connectivity", "node_connectivity", "minimum_edge_cut")
        for name in names if kind != "parallel" else ():
            for options in ({"s": 0, "t": 7}, {"s": 0}, {"s": 0, "t": "nowhere"}):
                ours, theirs = (called(name, graph, where, **options) for where in WHERE)
                assert ours == theirs, (kind, name, options)


@pytest.mark.parametrize("kind", [*UNDIRECTED, "directed"])
def test_node_cuts(kind):
    graph = GRAPHS[kind]
    ours, theirs = (called("minimum_node_cut", graph, where) for where in WHERE)
    if isinstance(theirs, type) or ours is NotImplementedError:
        assert ours in (theirs, NotImplementedError)
        return
    assert type(ours) is set and len(ours) == len(theirs)
    rest = graph.copy()
    rest.remove_nodes_from(ours)
    assert len(rest) < 2 or not nx.is_connected(rest)


@pytest.mark.parametrize("kind", ["plain", "connected", "strong", "parallel"])
def test_node_cuts_between_two(kind):
    graph = GRAPHS[kind]
    nodes = [*graph]
    for s, t in [(nodes[0], nodes[7]), (nodes[3], nodes[1]), (nodes[0], "nowhere")]:
        options = {"s": s, "t": t}
        ours, theirs = (called("minimum_st_node_cut", graph, where, **options) for where in WHERE)
        if isinstance(theirs, type):
            assert ours is theirs
            continue
        assert len(ours) == len(theirs)
        rest = graph.copy()
        rest.remove_nodes_from(ours)
        assert not theirs or not nx.has_path(rest, s, t)
    for options in ({"s": 0}, {"s": 0, "t": "nowhere"}, {"s": 3, "t": 1}):
        if kind != "parallel":
            ours, theirs = (called("minimum_node_cut", graph, where, **options) for where in WHERE)
            assert ours == theirs or len(ours) == len(theirs)
