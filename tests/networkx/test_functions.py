"""Every function of the backend gives what NetworkX gives, on graphs of all kinds."""

from __future__ import annotations

import inspect
import json
import math
import random
import sys
import warnings
from collections import Counter
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse

from _edgewise_networkx.names import FUNCTIONS as NAMES, GRAPH_TO_GRAPH
from edgewise.networkx.dispatch import backend
from edgewise.networkx.function_table import FUNCTIONS
from edgewise.networkx.recent_calls import CALLS
from tests.networkx.signatures import RECORD, worded

WHERE = ("edgewise", "networkx")
REGISTERED = nx.utils.backends._registered_algorithms
#: Functions whose dicts have another order: NetworkX's is that of a set, or of a search.
UNORDERED = {"harmonic_centrality", "color", "current_flow_closeness_centrality",
             "current_flow_betweenness_centrality", "node_clique_number"}  # fmt: skip
#: Graphs on which several answers are right: their greatest singular value is not single.
AMBIGUOUS = {"hits": {"grid", "tree", "acyclic", "parallel arcs"}}
SPECTRA = {"algebraic_connectivity", "fiedler_vector", "spectral_ordering", "spectral_bisection"}
#: Functions with several right answers; `test_other_answers` holds what they promise, and
#: test_covers_and_trees.py.
OTHER = {
    *("find_cliques", "maximal_independent_set", "dominating_set", "hopcroft_karp_matching"),
    *("louvain_partitions", "louvain_communities", "leiden_partitions", "leiden_communities"),
    *("asyn_lpa_communities", "fast_label_propagation_communities", "biconnected_components"),
    *("articulation_points", "maximum_flow", "girvan_newman", "k_clique_communities"),
    *("simple_cycles", "fiedler_vector", "stoer_wagner", "minimum_edge_cut"),
    *("minimum_node_cut", "minimum_st_node_cut"),
    *("edge_disjoint_paths", "node_disjoint_paths", "network_simplex"),
    *("min_cost_flow", "max_flow_min_cost", "max_weight_matching"),
    *("biconnected_component_edges", "max_weight_clique"),
    *("find_cliques_recursive", "greedy_modularity_communities"),
    *("vf2pp_isomorphism", "min_edge_cover", "min_weight_matching", "capacity_scaling"),
    *("all_triangles", "generalized_degree", "minimum_weight_full_matching"),
    "find_negative_cycle",  # an error on most of these graphs
    *("spectral_ordering", "spectral_bisection"),
}  # fmt: skip


#: Arguments without which functions refuse, or never end.
SHORT: dict[str, dict[str, Any]] = {
    "rich_club_coefficient": {"normalized": False},
    "all_simple_paths": {"cutoff": 3},
    "all_simple_edge_paths": {"cutoff": 3},
    "shortest_simple_paths": {"source": 0, "target": 0},
}


def weighted(graph: Any, seed: int) -> Any:
    draw = random.Random(seed)
    for *_, data in graph.edges(data=True):
        data |= {"weight": draw.choice([1, 2, 3, 0.5]), "capacity": draw.randint(1, 9)}
    nx.set_node_attributes(graph, {node: i % 3 for i, node in enumerate(graph)}, "kind")
    return graph


def graphs() -> dict[str, Any]:
    plain = weighted(nx.gnp_random_graph(30, 0.12, seed=3), 1)
    named = nx.relabel_nodes(plain, {i: f"n{i * 7 % 30}" for i in plain})
    named.add_node("alone", kind=0)
    mixed = nx.relabel_nodes(plain, {i: 29 - i for i in plain})
    acyclic = nx.DiGraph(edge for edge in nx.gnp_random_graph(25, 0.1, seed=6).edges)
    parallel = nx.MultiGraph(plain)
    parallel.add_weighted_edges_from([(0, 1, 2), (0, 1, 1), (3, 3, 1), (5, 9, 4)], kind=1)
    parallel_arcs = weighted(nx.MultiDiGraph(acyclic), 4)
    parallel_arcs.add_edge(0, 9, weight=2)
    looped = nx.Graph(plain)
    looped.add_edge(2, 2, weight=4, capacity=2)
    return {
        "plain": plain,
        "named": named,
        "mixed": mixed,
        "directed": weighted(nx.gnp_random_graph(25, 0.1, seed=5, directed=True), 2),
        "strong": weighted(nx.gnp_random_graph(20, 0.4, seed=5, directed=True), 2),
        "acyclic": weighted(acyclic, 3),
        "connected": weighted(nx.connected_watts_strogatz_graph(20, 4, 0.3, seed=1), 3),
        "grid": weighted(nx.grid_2d_graph(4, 5), 3),
        "tree": weighted(nx.balanced_tree(2, 3), 3),
        "parallel": parallel,
        "parallel arcs": parallel_arcs,
        "looped": looped,
        "one": nx.path_graph(1),
        "none": nx.Graph(),
        "no arcs": nx.empty_graph(3, nx.DiGraph),
    }


GRAPHS = graphs()


def side(graph: Any) -> list[Any]:
    """One side of a bipartite graph, or some nodes."""
    known = nx.is_bipartite(graph)
    return [v for v, one in nx.bipartite.color(graph).items() if one] if known else [*graph][:5]


def arguments(name: str, graph: Any) -> dict[str, Any]:
    nodes = [*graph] or [0]
    half = len(graph) // 2
    known = {
        **dict.fromkeys(("source", "n", "_s", "s"), nodes[0]),
        **dict.fromkeys(("target", "_t", "t"), nodes[-1]),
        "matching": {},
        "sources": nodes[:2],
        "k": 2,
        "distance": 2,
        "attribute": "kind",
        "communities": [{*nodes[:half]}, {*[*graph][half:]}],
        "partition": [{*nodes[:half]}, {*[*graph][half:]}],
        "minimum": True,
        "mapping": {nodes[0]: "first"},
        "nbunch1": nodes[:5],
        "nodes": side(graph),
        "S": nodes[:3],
        "C": nodes[:2],
        "center_nodes": {*nodes[:1], *nodes[-1:]},
    }
    function = REGISTERED[name]
    found = {one: graph for one in function.graphs if one not in function.optional_graphs}
    for one in inspect.signature(function.orig_func).parameters.values():
        if one.name in known and one.default is inspect.Parameter.empty:
            found[one.name] = known[one.name]
        if one.name == "seed":
            found["seed"] = 7 if name in SPECTRA else random.Random(7)
    return found | SHORT.get(name, {})


def public(name: str) -> Any:
    """The function as users call it, with the decorators around its dispatch."""
    function = REGISTERED[name].orig_func
    return getattr(sys.modules[function.__module__], function.__name__)


def called(name: str, graph: Any, where: str, **more: Any) -> Any:
    """What a call returns, or the type of its error; iterators as lists."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            options = arguments(name, graph) | more
            found = public(name)(**options, backend=where)
            return [*found] if hasattr(found, "__next__") else found
    except Exception as error:
        return type(error)


def equal(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, float) or isinstance(theirs, float):
        return math.isclose(ours, theirs, rel_tol=1e-4, abs_tol=1e-5) or (
            math.isnan(ours) and math.isnan(theirs)
        )
    if isinstance(theirs, dict):
        return [*ours] == [*theirs] and all(equal(ours[key], theirs[key]) for key in theirs)
    if isinstance(theirs, type({}.values())):
        return type(ours) is type(theirs) and [*ours] == [*theirs]
    if isinstance(theirs, (list, tuple)):
        return len(ours) == len(theirs) and all(map(equal, ours, theirs))
    if hasattr(theirs, "toarray"):
        return ours.dtype == theirs.dtype and (ours.toarray() == theirs.toarray()).all()
    if isinstance(theirs, nx.Graph):
        return type(ours) is type(theirs) and all(
            getattr(ours, one) == getattr(theirs, one) for one in ("graph", "_node", "_adj")
        )
    if hasattr(theirs, "shape"):  # an array or a frame
        return type(ours) is type(theirs) and np.array_equal(ours, theirs)
    return ours == theirs and type(ours) is type(theirs)


ON_GRAPHS = [name for name in FUNCTIONS if REGISTERED[name].graphs]


@pytest.mark.parametrize("name", [name for name in ON_GRAPHS if name not in OTHER])
def test_gives_what_networkx_gives(name):
    ran, before = 0, CALLS[name]
    for kind, graph in GRAPHS.items():
        if kind in AMBIGUOUS.get(name, ()):
            continue
        if backend.can_run(name, (), arguments(name, graph)) is not True:
            continue
        ours = called(name, graph, "edgewise")
        if ours is NotImplementedError:  # NetworkX will have to do it
            continue
        theirs = called(name, graph, "networkx")
        if name in UNORDERED and isinstance(theirs, dict):
            theirs = {key: theirs[key] for key in ours}
        assert equal(ours, theirs), f"{kind}: {ours!r:.300} and {theirs!r:.300}"
        ran += 1
    assert CALLS[name] > before or FUNCTIONS[name].module == "as_is"
    assert ran >= 3 or FUNCTIONS[name].module == "as_is"


def test_other_answers():
    graph = GRAPHS["connected"]
    cliques = called("find_cliques", graph, "edgewise")
    assert Counter(map(frozenset, cliques)) == Counter(map(frozenset, nx.find_cliques(graph)))
    chosen = {*called("maximal_independent_set", graph, "edgewise")}
    assert not any(u in chosen and v in chosen for u, v in graph.edges)
    assert all(v in chosen or chosen & {*graph[v]} for v in graph)
    assert nx.is_dominating_set(graph, called("dominating_set", graph, "edgewise"))
    again = called("find_cliques_recursive", graph, "edgewise")
    assert Counter(map(frozenset, again)) == Counter(map(frozenset, cliques))
    clique, weight = called("max_weight_clique", graph, "edgewise", weight=None)
    assert weight == len(clique) == max(map(len, cliques))
    assert all(graph.has_edge(u, v) for u in clique for v in clique if u != v)
    for name in ("biconnected_components", "articulation_points", "biconnected_component_edges"):
        for one in ("plain", "tree", "looped", "grid", "one", "none"):
            ours, theirs = (called(name, GRAPHS[one], where) for where in WHERE)
            if name.endswith("edges"):
                if one == "looped":
                    assert ours is NotImplementedError
                    continue
                ours, theirs = ([[*map(frozenset, y)] for y in x] for x in (ours, theirs))
            unordered = (lambda x: {*map(frozenset, x)}) if name[0] == "b" else set
            assert unordered(ours) == unordered(theirs)
    for one in ("grid", "looped", "acyclic", "tree", "none", "directed"):
        for bound in (None, 0, 3, 4) if one in ("grid", "acyclic", "tree", "none") else (1, 4):
            ours, theirs = (called("simple_cycles", GRAPHS[one], where, length_bound=bound)
                            for where in WHERE)  # fmt: skip
            assert Counter(map(frozenset, ours)) == Counter(map(frozenset, theirs))
    assert called("simple_cycles", graph, "edgewise", length_bound=-1) is ValueError
    for normalized in (False, True):
        found, wanted = (
            called("fiedler_vector", graph, where, normalized=normalized) for where in WHERE
        )
        assert abs(abs(found @ wanted) - 1) < 1e-6
    vector = nx.fiedler_vector(graph, seed=1)  # any sign is right
    ours = vector[[*map([*graph].index, called("spectral_ordering", graph, "edgewise"))]]
    assert (np.diff(ours) > -1e-6).all() or (np.diff(ours) < 1e-6).all()
    parts = [called("spectral_bisection", graph, where) for where in WHERE]
    assert {*map(frozenset, parts[0])} == {*map(frozenset, parts[1])} and len(parts[0]) == 2
    apart = nx.Graph([(0, 1), (5, 6), (6, 7), (7, 8)])
    ours, theirs = (called("spectral_ordering", apart, where) for where in WHERE)
    assert ours[:2] == theirs[:2] == [0, 1] and {*ours[2:3], *ours[-1:]} == {5, 8}
    assert called("spectral_ordering", GRAPHS["none"], "edgewise") is nx.NetworkXError
    grid = GRAPHS["grid"]
    for one in GRAPHS.values():
        if backend.can_run("k_clique_communities", (one, 3), {}) is True:
            ours, theirs = (called("k_clique_communities", one, b, k=3) for b in WHERE)
            assert {*ours} == {*theirs} and len(ours) == len(theirs)
    assert called("k_clique_communities", grid, "edgewise", k=1) is nx.NetworkXError
    found, wanted = (called("hopcroft_karp_matching", grid, where) for where in WHERE)
    assert len(found) == len(wanted) == 20
    assert all(found[found[v]] == v and grid.has_edge(v, found[v]) for v in found)


def test_graphs_of_the_backend_combine():
    """NetworkX's code runs on them, and gives graphs of the backend."""
    left, right = nx.gnp_random_graph(9, 0.4, seed=1), nx.gnp_random_graph(9, 0.4, seed=2)
    pair = [nx.Graph(one, backend="edgewise") for one in (left, right)]
    for name in ("compose", "intersection", "difference", "symmetric_difference", "union"):
        if name == "union":  # of different nodes
            right = nx.relabel_nodes(right, {v: v + 9 for v in right})
            pair[1] = nx.Graph(right, backend="edgewise")
        ours, theirs = getattr(nx, name)(*pair), getattr(nx, name)(left, right)
        assert ours.__networkx_backend__ == "edgewise"
        assert [*ours] == [*theirs] and ours._adj == theirs._adj
        if not name.endswith("difference"):
            every = getattr(nx, f"{name}_all")
            ours, theirs = every(pair), every([left, right])
            assert ours.__networkx_backend__ == "edgewise" and ours._adj == theirs._adj
    for weight in ("weight", lambda u, v, data: 1 + (u + v) % 3):
        ours, theirs = (nx.astar_path(one, 0, 8, weight=weight) for one in (pair[0], left))
        assert ours == theirs


def test_divisions():
    """Graphs without ties on the way give NetworkX's divisions; others as many."""
    for kind in ("tree", "looped", "named", "one", "none", "connected"):
        ours, theirs = (called("girvan_newman", GRAPHS[kind], where) for where in WHERE)
        assert [*map(len, ours)] == [*map(len, theirs)]
        assert all(nx.community.is_partition(GRAPHS[kind], one) for one in ours)
    path = nx.path_graph(6)
    assert called("girvan_newman", path, "edgewise") == called("girvan_newman", path, "networkx")
    loops = nx.Graph([(0, 0)])
    assert called("girvan_newman", loops, "edgewise") == []
    club = nx.karate_club_graph()
    ours, theirs = (next(nx.community.girvan_newman(club, backend=where)) for where in WHERE)
    assert ours == theirs and type(ours) is tuple


@pytest.mark.parametrize("kind", ["directed", "connected", "plain"])
def test_flows_are_flows(kind):
    graph = GRAPHS[kind]
    value, flow = called("maximum_flow", graph, "edgewise")
    assert value == called("maximum_flow_value", graph, "networkx")
    nodes = [*graph]
    for node in graph:
        inward = sum(flow[u].get(node, 0) for u in graph)
        excess = sum(flow[node].values()) - inward
        assert excess == (value if node == nodes[0] else -value if node == nodes[-1] else 0)
    assert all(0 <= flow[u][v] <= graph[u][v]["capacity"] for u in graph for v in flow[u])


@pytest.mark.parametrize(
    "name", sorted(name for name in OTHER if "communities" in name and name[0] != "k")
)
def test_communities_are_partitions_of_high_modularity(name):
    graph = nx.planted_partition_graph(4, 16, 0.7, 0.02, seed=2)
    found = called(name, graph, "edgewise")
    assert nx.community.is_partition(graph, found)
    assert nx.community.modularity(graph, found) > 0.6
    again = called(name, graph, "edgewise")
    assert found == again


def test_options_of_functions():
    graph, arcs = GRAPHS["connected"], GRAPHS["strong"]
    for where in (graph, arcs):
        for options in (
            {"k": 7},
            {"k": 7, "normalized": False},
            {"endpoints": True},
            {"normalized": False},
            {"k": 5, "endpoints": True},
            {"weight": "capacity"},
        ):
            for name in ("betweenness_centrality", "edge_betweenness_centrality"):
                if name[0] == "e" and "endpoints" in options:
                    continue
                ours, theirs = (called(name, where, b, **options) for b in WHERE)
                assert equal(ours, theirs), (name, options)
        for options in ({"distance": "weight"}, {"u": 3}, {"wf_improved": False}):
            ours, theirs = (called("closeness_centrality", where, b, **options) for b in WHERE)
            assert equal(ours, theirs), options
        for name in ("single_source_shortest_path_length", "single_source_dijkstra_path_length",
                     "single_target_shortest_path", "all_pairs_dijkstra"):  # fmt: skip
            for cutoff in (0, 1, 1.5, 2, -1):
                ours, theirs = (called(name, where, b, cutoff=cutoff) for b in WHERE)  # fmt: skip  # noqa: E501
                assert equal(ours, theirs), (name, cutoff)
        for name in ("bfs_edges", "dfs_edges", "dfs_tree", "dfs_preorder_nodes"):
            for limit in (0, 1, 3):
                if limit == 0 and name.startswith("dfs"):
                    continue
                options = {"depth_limit": limit}
                ours, theirs = (called(name, where, b, **options) for b in WHERE)
                assert equal(ours, theirs), (name, limit)
    personal = {"personalization": {0: 1, 3: 2}, "dangling": {2: 1}}
    ours, theirs = (called("pagerank", arcs, b, **personal) for b in WHERE)
    assert equal(ours, theirs)
    assert called("pagerank", arcs, "edgewise", max_iter=0) is nx.PowerIterationFailedConvergence


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_signatures_are_networkxs(name):
    """Names, order, kinds and defaults of all parameters."""
    function = REGISTERED[name].orig_func
    ours, theirs = (
        inspect.signature(getattr(backend, name).__wrapped__),
        inspect.signature(function),
    )
    seen = [
        [(p.name, p.kind, p.default) for p in one.parameters.values()] for one in (ours, theirs)
    ]
    assert seen[0] == seen[1]


def test_signatures_are_those_of_the_oldest_networkx():
    """The test above compares with the installed version."""
    record = json.loads(RECORD.read_text())
    assert record["networkx"] == "3.6"  # `can_run` refuses older ones
    ours = {name: worded(getattr(backend, name).__wrapped__) for name in FUNCTIONS}
    assert ours == record["signatures"]


GENERATORS = {
    "complete_graph": (5,),
    "path_graph": (6,),
    "cycle_graph": (5,),
    "star_graph": (4,),
    "wheel_graph": (6,),
    "ladder_graph": (4,),
    "circular_ladder_graph": (4,),
    "balanced_tree": (2, 3),
    "barbell_graph": (4, 3),
    "lollipop_graph": (4, 3),
    "grid_2d_graph": (3, 4),
    "petersen_graph": (),
    "complete_bipartite_graph": (3, 4),
    "turan_graph": (8, 3),
    "empty_graph": (4,),
    "hypercube_graph": (3,),
    "mycielski_graph": (4,),
    "kneser_graph": (5, 2),
    "karate_club_graph": (),
}


@pytest.mark.parametrize("name", sorted(GENERATORS))
def test_generators(name):
    made = {*FUNCTIONS} - {*ON_GRAPHS}
    assert {*GENERATORS} == {one for one in made if not one.startswith("from_")}
    least = 2 if name in ("barbell_graph", "lollipop_graph") else 1
    small = tuple(least for _ in GENERATORS[name])
    for numbers in (GENERATORS[name], small):
        ours = getattr(nx, name)(*numbers, backend="edgewise")
        theirs = getattr(nx, name)(*numbers, backend="networkx")
        assert ours.__networkx_backend__ == "edgewise"
        assert len(ours) == len(theirs) and ours.number_of_edges() == theirs.number_of_edges()
        assert [*ours] == [*theirs] and ours.graph == theirs.graph
        assert nx.utils.graphs_equal(nx.Graph(ours, backend="networkx"), theirs)
        plain = backend.convert_to_nx(ours)
        assert plain._adj == theirs._adj
        if name not in ("circular_ladder_graph", "grid_2d_graph"):  # rows in another order
            assert [*plain.edges] == [*theirs.edges]
        assert plain._node == theirs._node


@pytest.mark.parametrize("kind", ["float64", "int32", "float32", "bool", "int64"])
@pytest.mark.parametrize("create_using", [None, nx.DiGraph, nx.MultiGraph])
def test_graphs_of_matrices(kind, create_using):
    draw = np.random.default_rng(3)
    one = scipy.sparse.random_array((30, 30), density=0.1, rng=draw).tocsr() * 9
    for matrix in (one + one.T, one, (one + one.T).tocoo(), scipy.sparse.csr_array((0, 0))):
        matrix = matrix.astype(kind)
        options = {"create_using": create_using, "edge_attribute": "cost"}
        ours, theirs = (nx.from_scipy_sparse_array(matrix, **options, backend=b) for b in WHERE)
        assert ours.__networkx_backend__ == "edgewise"
        assert ours.is_directed() == theirs.is_directed()
        folded = "_folded" in ours.__dict__
        if len(theirs) and kind != "bool" and create_using is not nx.MultiGraph:
            assert folded or (create_using is None and (matrix != matrix.T).nnz)
            for weight in ("cost", "weight", None):
                found, wanted = (
                    nx.single_source_dijkstra_path_length(G, 0, weight=weight)
                    for G in (ours, theirs)
                )
                assert equal(found, wanted)
                found, wanted = (nx.pagerank(G, weight=weight) for G in (ours, theirs))
                assert equal(found, wanted)
            if create_using is None:
                found, wanted = (sorted(nx.minimum_spanning_edges(G, weight="cost", data=False))
                                 for G in (ours, theirs))  # fmt: skip
                assert found == wanted
            assert ("_folded" in ours.__dict__) == folded
        assert [*ours] == [*theirs] and [*ours.edges(data=True)] == [*theirs.edges(data=True)]
        values = {type(data["cost"]) for *_, data in ours.edges(data=True)}
        assert values == {type(data["cost"]) for *_, data in theirs.edges(data=True)}
    with pytest.raises(nx.NetworkXError, match="not square"):
        nx.from_scipy_sparse_array(scipy.sparse.csr_array((2, 3)), backend="edgewise")


def test_metadata_lists_the_functions():
    assert tuple(sorted(FUNCTIONS)) == NAMES
    made = [name for name in ON_GRAPHS if REGISTERED[name]._returns_graph]
    assert tuple(sorted(made)) == GRAPH_TO_GRAPH


def test_options_of_centralities():
    graph, arcs = GRAPHS["connected"], GRAPHS["strong"]
    nodes = [*graph]
    calls = {
        "newman_betweenness_centrality": [{"normalized": False}],
        "group_betweenness_centrality": [
            {"endpoints": True},
            {"normalized": False},
            {"C": [nodes[:2], nodes[3:5]]},
            {"C": ["nowhere"]},
        ],
        "group_closeness_centrality": [{"weight": "weight"}, {"S": []}, {"S": ["nowhere"]}],
        "group_degree_centrality": [{"S": nodes}, {"S": ["nowhere"]}],
        "current_flow_closeness_centrality": [{"weight": "weight"}, {"solver": "full"}],
        "current_flow_betweenness_centrality": [{"weight": "weight"}, {"normalized": False}],
        "voterank": [{"number_of_nodes": 5}, {"number_of_nodes": 0}],
        "average_neighbor_degree": [{"weight": "weight"}],
        "laplacian_matrix": [{"weight": None}],
        "normalized_laplacian_matrix": [{"weight": None}],
        "algebraic_connectivity": [{"normalized": True}, {"weight": None}, {"method": "lobpcg"}],
        "common_neighbor_centrality": [{"alpha": 1}, {"alpha": 0.5}, {"ebunch": [(nodes[0],) * 2]}],
        "cn_soundarajan_hopcroft": [{"community": "kind"}],
        "ra_index_soundarajan_hopcroft": [{"community": "kind"}],
        "within_inter_cluster": [{"community": "kind"}, {"community": "kind", "delta": 0}],
    }
    for name, choices in calls.items():
        for options in choices:
            for where in (graph, arcs):
                ours, theirs = (called(name, where, b, **options) for b in WHERE)
                if name in UNORDERED and isinstance(theirs, dict):
                    theirs = {key: theirs[key] for key in ours}
                assert equal(ours, theirs), (name, options)
