"""Covers, matchings, spanning trees, cycles, cuts and triangles: options, ties and errors."""

from __future__ import annotations

import random
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from edgewise.networkx.dispatch import backend
from edgewise.networkx.recent_calls import CALLS
from tests.networkx.test_functions import GRAPHS, WHERE, called, equal

UNDIRECTED = ("plain", "named", "mixed", "connected", "grid", "tree", "looped", "one", "none")


def both(name, graph, **options):
    return [called(name, graph, where, **options) for where in WHERE]


@pytest.mark.parametrize("minimum", [True, False])
@pytest.mark.parametrize("name", ["kruskal_mst_edges", "prim_mst_edges"])
def test_spanning_trees_end_ties_as_networkx_does(name, minimum):
    for kind in UNDIRECTED:
        for options in ({}, {"weight": None}, {"data": False}, {"weight": "nothing"}):
            before = CALLS[name]
            ours, theirs = both(name, GRAPHS[kind], minimum=minimum, **options)
            assert ours == theirs and CALLS[name] == before + 1
    for method in ("prim", "kruskal", "boruvka", "?"):
        edges = f"{'minimum' if minimum else 'maximum'}_spanning_edges"
        for which in (edges, edges.replace("edges", "tree")):
            graph = GRAPHS["connected"]
            answer = backend.can_run(which, (graph,), {"algorithm": method})
            assert (answer is True) == (method in ("prim", "kruskal"))
            if answer is True:
                assert equal(*both(which, graph, algorithm=method))


def test_prim_on_nodes_in_the_order_of_a_set():
    draw = random.Random(4)
    graph = nx.Graph()
    graph.add_nodes_from(f"node {draw.random()}" for _ in range(40))
    for u, v in combinations([*graph], 2):
        if draw.random() < 0.1:
            graph.add_edge(u, v, weight=draw.randint(1, 3))
    ours, theirs = both("prim_mst_edges", graph, minimum=True)
    assert ours == theirs and len(ours) > 20
    graph.add_edge(*[*graph][:2], weight=float("nan"))
    assert called("prim_mst_edges", graph, "edgewise", minimum=True) is NotImplementedError


def test_negative_cycles():
    draw, ran = random.Random(2), 0
    for seed in range(40):
        graph = nx.gnp_random_graph(12, 0.2, seed=seed, directed=seed % 4 > 0)
        for *_, data in graph.edges(data=True):
            data["weight"] = draw.choice([-1, 2, 3, 0.5] if seed % 2 else [1, 2, -3, 5, 7])
        ours, theirs = both("find_negative_cycle", graph, source=0)
        assert ours == theirs
        ran += isinstance(theirs, list)
    assert 10 < ran < 40
    loop = nx.DiGraph([(0, 0, {"weight": -1})])
    assert called("find_negative_cycle", loop, "edgewise", source=0) is NotImplementedError
    for source in (0, 9):
        ours, theirs = both("find_negative_cycle", nx.path_graph(4), source=source)
        assert ours is theirs and issubclass(ours, nx.NetworkXException)


def test_edge_covers_and_matchings_are_smallest():
    for kind in ("connected", "grid", "tree"):
        graph = nx.Graph(GRAPHS[kind].edges)
        for options in ({}, {"weight": None}):
            ours, theirs = both("min_weight_matching", graph, **options)
            assert nx.is_matching(graph, ours) and len(ours) == len(theirs)
        ours, theirs = both("min_edge_cover", graph)
        assert nx.algorithms.covering.is_edge_cover(graph, ours) and len(ours) == len(theirs)
        nx.set_edge_attributes(graph, -4, "cost")
        assert len(called("min_weight_matching", graph, "edgewise", weight="cost")) == len(
            called("min_weight_matching", graph, "networkx", weight="cost")
        )
    weighted = GRAPHS["connected"]
    assert called("min_weight_matching", weighted, "edgewise") is NotImplementedError
    for kind in ("one", "none"):
        ours, theirs = both("min_edge_cover", GRAPHS[kind])
        assert ours == theirs
    assert "matching_algorithm" in backend.can_run("min_edge_cover", (weighted, len), {})


def test_isomorphisms_map_edges_to_edges():
    draw = random.Random(3)
    for kind in ("plain", "directed", "grid", "tree", "parallel arcs"):
        graph = GRAPHS[kind]
        if nx.number_of_selfloops(graph):
            continue
        names = [f"v{i}" for i in range(len(graph))]
        draw.shuffle(names)
        other = nx.relabel_nodes(graph, dict(zip(graph, names, strict=True)))
        found = nx.vf2pp_isomorphism(graph, other, backend="edgewise")
        assert {*found} == {*graph} and {*found.values()} == {*other}
        assert all(
            graph.number_of_edges(u, v) == other.number_of_edges(found[u], found[v])
            for u in graph
            for v in graph
        )
        other.remove_edge(*[*other.edges][0][:2])
        assert nx.vf2pp_isomorphism(graph, other, backend="edgewise") is None
    none = nx.Graph()
    assert nx.vf2pp_isomorphism(none, none, backend="edgewise") is None


def test_degrees_in_triangles():
    for kind in (*UNDIRECTED, "parallel"):
        graph = GRAPHS[kind]
        for nodes in (None, [*graph][:4], [*graph][:1], *[*graph][:2]):
            ours, theirs = both("generalized_degree", graph, nodes=nodes)
            assert ours == theirs, kind
            if isinstance(theirs, type):
                assert kind == "parallel"
            elif nodes is None or isinstance(nodes, list):
                assert [*ours] == [*theirs]
                assert all(type(ours[one]) is type(theirs[one]) for one in theirs)
            elif nodes in graph:
                assert type(ours) is type(theirs)


def test_triangles_are_listed_once():
    for kind in (*UNDIRECTED, "parallel"):
        ours, theirs = both("all_triangles", GRAPHS[kind])
        assert len(ours) == len({*ours}) and {*ours} == {*theirs}
        assert [one[:2] for one in ours] == sorted((one[:2] for one in theirs), key=_at(kind))


def _at(kind):
    places = {node: at for at, node in enumerate(GRAPHS[kind])}
    return lambda pair: tuple(places[one] for one in pair)


def test_cuts_and_partitions():
    for kind, graph in GRAPHS.items():
        nodes = [*graph]
        some, rest = nodes[: len(nodes) // 3], {*nodes[len(nodes) // 2 :]}
        for weight in (None, "weight"):
            for options in ({"S": some}, {"S": some, "T": rest}, {"S": {*nodes[:4]}, "T": some},
                            {"S": [*some, "nowhere"]}, {"S": []}):  # fmt: skip
                ours, theirs = both("conductance", graph, weight=weight, **options)
                assert equal(ours, theirs), (kind, options)
        for parts in ([{*some}, {*nodes} - {*some}], [{one} for one in nodes], [{*nodes}]):
            ours, theirs = both("partition_quality", graph, partition=parts)
            assert equal(ours, theirs), kind
    graph = GRAPHS["plain"]
    for wrong in ([0, 0, 1], iter([1]), 3):
        assert called("conductance", graph, "edgewise", S=wrong) is NotImplementedError
    assert both("partition_quality", graph, partition=[{0}]) == [nx.NetworkXError] * 2


def demands(graph, seed):
    draw = random.Random(seed)
    for *_, data in graph.edges(data=True):
        data |= {"weight": draw.randint(-2, 6), "capacity": draw.randint(0, 5)}
        if draw.random() < 0.1:
            del data["capacity"]
    for node in graph:
        graph.nodes[node]["demand"] = 0
    for _ in range(3):
        u, v = draw.sample([*graph], 2)
        graph.nodes[u]["demand"] -= 1
        graph.nodes[v]["demand"] += 1
    return graph


def test_capacity_scaling():
    found = {}
    for seed in range(40):
        graph = demands(nx.gnp_random_graph(9, 0.35, seed=seed, directed=True), seed)
        if seed % 5 == 0:
            graph.add_edge(0, 0, weight=-1, capacity=3)
        ours, theirs = both("capacity_scaling", graph)
        if ours is NotImplementedError:
            continue
        kind = theirs if isinstance(theirs, type) else "flow"
        found[kind] = found.get(kind, 0) + 1
        if kind != "flow":
            assert ours is theirs
            continue
        cost, flow = ours
        assert cost == theirs[0] and type(cost) is type(theirs[0])
        assert [[*row] for row in flow.values()] == [[*row] for row in theirs[1].values()]
        assert sum(flow[u][v] * graph[u][v]["weight"] for u, v in graph.edges) == cost
        for node, data in graph.nodes(data=True):
            inward = sum(row.get(node, 0) for row in flow.values())
            assert inward - sum(flow[node].values()) == data["demand"]
        assert all(
            0 <= flow[u][v] <= data.get("capacity", 99) for u, v, data in graph.edges(data=True)
        )
    assert found["flow"] > 10 and len(found) > 1
    graph.nodes[0]["demand"] += 1
    assert both("capacity_scaling", graph) == [nx.NetworkXUnfeasible] * 2


def test_connectivity_of_pairs_and_orders():
    for kind in ("connected", "strong", "grid", "tree"):
        graph = GRAPHS[kind]
        for nodes in (None, [*graph][:4], []):
            assert equal(*both("all_pairs_node_connectivity", graph, nbunch=nodes))
        assert equal(*both("average_node_connectivity", graph))
        if not graph.is_directed():
            for k in (0, 1, 2, 3, 99):
                assert both("is_k_edge_connected", graph, k=k) in ([True] * 2, [False] * 2,
                                                                  [ValueError] * 2)  # fmt: skip


def test_currents_through_edges():
    for kind in ("connected", "grid", "tree"):
        for options in ({}, {"normalized": False}, {"weight": "weight"}, {"solver": "lu"}):
            assert equal(*both("edge_current_flow_betweenness_centrality", GRAPHS[kind], **options))
    graph = nx.relabel_nodes(GRAPHS["connected"], {v: f"n{v * 7 % 20}" for v in range(20)})
    assert equal(*both("edge_current_flow_betweenness_centrality", graph))
    assert both("edge_current_flow_betweenness_centrality", GRAPHS["named"]) == (
        [nx.NetworkXError] * 2
    )


@pytest.mark.parametrize("kind", ["float64", "float32", "int64", "int8", "uint8", "bool", "U2"])
@pytest.mark.parametrize("create_using", [None, nx.DiGraph, nx.MultiGraph])
def test_graphs_of_dense_matrices(kind, create_using):
    draw = np.random.default_rng(5)
    one = draw.integers(0, 3, (9, 9)) * (draw.random((9, 9)) < 0.4)
    for matrix in (one + one.T, one, np.zeros((0, 0)), np.zeros((2, 3)), np.zeros(3)):
        for more in ({}, {"edge_attr": None}, {"edge_attr": "cost"},
                     {"nodelist": [*"abcdefghi"]}, {"parallel_edges": True}):  # fmt: skip
            found = []
            for where in WHERE:
                try:
                    options = {"create_using": create_using, "backend": where} | more
                    found.append(nx.from_numpy_array(matrix.astype(kind), **options))
                except Exception as error:
                    found.append(type(error))
            ours, theirs = found
            if isinstance(theirs, type):
                assert ours is theirs
                continue
            assert ours.__networkx_backend__ == "edgewise" and [*ours] == [*theirs]
            ours = backend.convert_to_nx(ours)
            assert type(ours) is type(theirs) and ours._adj == theirs._adj
            for seen, wanted in zip(*([*G.edges(data=True)] for G in (ours, theirs)), strict=True):
                assert seen == wanted
                assert [*map(type, seen[2].values())] == [*map(type, wanted[2].values())]


def test_graphs_of_lists_of_edges():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"source": [0, 1, 1], "target": ["a", "b", 0], "cost": [1, 2.5, 3]})
    edges = [(0, 1, {"weight": 3}), (1, 2), ("a", 0)]
    for kind in (None, nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph):
        for name, options in (
            ("from_edgelist", {"edgelist": edges}),
            ("from_pandas_edgelist", {"df": frame}),
            ("from_pandas_edgelist", {"df": frame, "edge_attr": True}),
        ):
            ours, theirs = (
                getattr(nx, name)(**options, create_using=kind, backend=where) for where in WHERE
            )
            assert ours.__networkx_backend__ == "edgewise" and [*ours] == [*theirs]
            assert [*ours.edges(data=True)] == [*theirs.edges(data=True)]
            assert type(backend.convert_to_nx(ours)) is type(theirs)
    with pytest.raises(NotImplementedError):
        nx.from_edgelist(edges, nx.Graph(), backend="edgewise")


def test_disjoint_unions_of_graphs_of_the_backend():
    left, right = nx.karate_club_graph(), nx.path_graph(4)
    pair = [nx.Graph(one, backend="edgewise") for one in (left, right)]
    ours, theirs = nx.disjoint_union(*pair), nx.disjoint_union(left, right)
    assert ours.__networkx_backend__ == "edgewise"
    assert [*ours] == [*theirs] and ours._adj == theirs._adj and ours._node == theirs._node
    renamed = nx.relabel_nodes(pair[1], {0: "a"})
    assert [*renamed] == [*nx.relabel_nodes(right, {0: "a"})]
    assert [*nx.relabel_nodes(pair[1], {1: "b"}, copy=False)] == [0, 2, 3, "b"]
