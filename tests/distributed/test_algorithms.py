"""Algorithms on a grid: what they give on one device, whatever the shape of the grid."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, NamedTuple

import numpy as np
import pytest

import edgewise
from edgewise import communities, generators, influence, matching, ordering, similarity
from edgewise.algorithms import ALGORITHMS, Algorithm
from edgewise.base.errors import ConvergenceError
from edgewise.cli.sample import without_cycles
from edgewise.distributed import Grid, distribute, tuned
from edgewise.distributed.launcher import launch
from edgewise.graph import Graph
from edgewise.graph.edges import arc_ends
from edgewise.graph.subgraphs import only_edges
from tests.algorithms.samples import shape as sample
from tests.algorithms.verify import check_paths
from tests.distributed.grids import DISTRIBUTIONS, SHAPES, assert_close, on_ranks, whole
from tests.tiers import later


def _path(n: int, *, directed: bool) -> Graph:
    return Graph.from_edges(np.arange(n - 1), np.arange(1, n), directed=directed)


PLAIN = {
    f"{name}{', directed' * directed}": graph
    for directed in (False, True)
    for name, graph in {
        "empty": sample("empty", directed=directed),
        "one vertex": sample("one vertex", directed=directed),
        "one loop": sample("one loop", directed=directed),
        "edge and loops": sample("edge and loops", directed=directed),
        "disconnected": sample("disconnected", directed=directed),
        "star": sample("star", directed=directed),
        "path": _path(14, directed=directed),
        "clique": sample("clique", directed=directed),
        "rmat": generators.rmat(6, edge_factor=4, seed=3, directed=directed),
    }.items()
}


def weigh(graph: Graph, kind: str) -> Graph:
    """The graph with weights that are alike in both directions of an edge."""
    u, v, _ = graph.arcs()
    u, v = u.astype(np.int64), v.astype(np.int64)
    number = (7 * (u + v) + 3 * u * v) % 8
    weights = {
        "int": number + 1,
        "float": (number + 1) / 7,
        "zero": number // 3,
        "float zero": (number // 3) / 7,
        "quarters": (number + 1) / 4,
    }[kind]
    return Graph(graph.indptr, graph.indices, weights, directed=graph.directed)


class Case(NamedTuple):
    """A way to call an algorithm, and the weights of the graphs that it is called with."""

    name: str
    call: Callable[[Any], Any]
    weights: str | None = None
    directed: bool = False  # only directed graphs
    undirected: bool = False  # only others
    paths: bool = False
    acyclic: bool = False  # only their edges that close no cycle


def _last(graph: Any) -> int:
    return graph.num_vertices - 1


def _own(graph: Any) -> Any:
    """The weights, over edges; on a grid, over its arcs."""
    return graph.edges()[2] if graph.one_device else graph.weights


def _some(graph: Any) -> dict[int, float]:
    return {0: 1.0, _last(graph) // 2: 2.0}


def _numbers(graph: Any) -> np.ndarray:
    return np.arange(graph.num_vertices) % 3 + 1.0


def _halved(graph: Any) -> np.ndarray:
    """A forest that has nothing to do with the edges."""
    return np.arange(graph.num_vertices) // 2


def _part(graph: Any, number: int) -> Any:
    """The edges whose ends do not add up to a multiple of a number."""
    sources, targets = arc_ends(graph)
    return only_edges(graph, (sources + targets) % number != 0)


def _no_last_digit(graph: Any) -> list[int]:
    return sorted({0, _last(graph) // 2, _last(graph)})


def _odd_or_sides(found: Any) -> Any:
    """Which of several odd cycles is given is left open."""
    return len(found.cycle) % 2 if found.sides is None else found.sides


_CC, _WCC = edgewise.connected_components, edgewise.weakly_connected_components

CASES = {
    "distance_2": Case(
        "coloring.distance_2",
        lambda g: edgewise.coloring.distance_2(g, method="speculative"),
        undirected=True,
    ),
    "bfs": Case("bfs", lambda g: edgewise.bfs(g, 0), paths=True),
    "bfs from the last": Case("bfs", lambda g: edgewise.bfs(g, _last(g), max_depth=2)),
    "path": Case("shortest_path", lambda g: len(edgewise.shortest_path(g, 0, _last(g)))),
    "has_path": Case("has_path", lambda g: edgewise.has_path(g, 0, _last(g))),
    "path, float": Case("shortest_path", lambda g: len(
        edgewise.shortest_path(g, 0, _last(g), weights="weight")), "float"),
    "sssp": Case("sssp", lambda g: edgewise.sssp(g, 0), paths=True),
    "sssp, int": Case("sssp", lambda g: edgewise.sssp(g, 0), "int", paths=True),
    "sssp, float": Case("sssp", lambda g: edgewise.sssp(g, 0), "float", paths=True),
    "sssp, zeros": Case("sssp", lambda g: edgewise.sssp(g, 0), "zero", paths=True),
    "sssp, float zeros": Case("sssp", lambda g: edgewise.sssp(g, 0), "float zero", paths=True),
    "sssp, delta": Case("sssp", lambda g: edgewise.sssp(g, 0, delta=0.5), "float", paths=True),
    "sssp, unit": Case("sssp", lambda g: edgewise.sssp(g, 0, weights=None).distance, "int"),
    "sssp, array": Case("sssp", lambda g: edgewise.sssp(g, 0, weights=_own(g) * 2).distance,
                        "int"),
    "pagerank": Case("pagerank", lambda g: edgewise.pagerank(g)),
    "pagerank, weights": Case("pagerank", lambda g: edgewise.pagerank(g), "float"),
    "pagerank, unit": Case("pagerank", lambda g: edgewise.pagerank(g, weights=None), "float"),
    "pagerank, array": Case("pagerank", lambda g: edgewise.pagerank(g, weights=_own(g) + 1),
                            "float"),
    "pagerank, dict": Case("pagerank", lambda g: edgewise.pagerank(g, personalization=_some(g))),
    "pagerank, numbers": Case("pagerank", lambda g: edgewise.pagerank(
        g, personalization=_numbers(g), dangling=_some(g), max_iter=200)),
    "personal": Case("personalized_pagerank", lambda g: edgewise.personalized_pagerank(
        g, [0, _last(g)])),
    "personal, elsewhere": Case("personalized_pagerank", lambda g: edgewise.personalized_pagerank(
        g, [{0: 1.0}, _last(g) // 2], dangling=_some(g)), "float"),
    "hits": Case("hits", lambda g: edgewise.hits(g, tol=1e-4)),
    "hits, weights": Case("hits", lambda g: edgewise.hits(g, tol=1e-4, normalized=False), "float"),
    "salsa": Case("salsa", lambda g: edgewise.salsa(g)),
    "salsa, circle": Case("salsa", lambda g: edgewise.salsa(
        g, circle=range(0, g.num_vertices, 3)), "float"),
    "money": Case("money", lambda g: edgewise.money(g, 0)),
    "money, circle": Case("money", lambda g: edgewise.money(g, 0, circle=[_last(g)])),
    "katz": Case("katz_centrality", lambda g: edgewise.katz_centrality(g, alpha=0.02)),
    "katz, weights": Case("katz_centrality", lambda g: edgewise.katz_centrality(
        g, alpha=None, beta=_some(g), normalized=False, weights="weight"), "float"),
    "eigenvector": Case("eigenvector_centrality", lambda g: edgewise.eigenvector_centrality(
        g, tol=1e-2), undirected=True),
    "components": Case("connected_components", lambda g: _CC(g)),
    "components, hooking": Case("connected_components", lambda g: _CC(g, method="hooking")),
    "components, propagation": Case("connected_components", lambda g: _CC(
        g, method="propagation")),
    "components, push": Case("connected_components", lambda g: _CC(
        g, method="propagation", direction="push")),
    "components, pull": Case("connected_components", lambda g: _CC(
        g, method="propagation", direction="pull")),
    "components, multistep": Case("connected_components", lambda g: _CC(g, method="multistep")),
    "weak": Case("weakly_connected_components", lambda g: _WCC(g), directed=True),
    "weak, push": Case("weakly_connected_components", lambda g: _WCC(
        g, method="propagation", direction="push"), directed=True),
    "weak, pull": Case("weakly_connected_components", lambda g: _WCC(
        g, method="propagation", direction="pull"), directed=True),
    "condensation": Case("condensation", lambda g: edgewise.condensation(g).mapping,
                         directed=True),
    "sides": Case("bipartition", lambda g: _odd_or_sides(edgewise.bipartition(g))),
    "labels": Case("communities.label_propagation", lambda g: communities.label_propagation(g)),
    "labels, int": Case("communities.label_propagation", lambda g: communities.label_propagation(
        g, seed=7, weights="weight"), "int"),
    "labels, all": Case("communities.label_propagation", lambda g: communities.label_propagation(
        g, max_iter=3, schedule="all", weights="weight"), "int"),
    "labels, float": Case("communities.label_propagation", lambda g: communities.label_propagation(
        g, weights="weight"), "quarters"),
    "louvain": Case("communities.louvain", lambda g: communities.louvain(g, deterministic=True),
                    undirected=True),
    "louvain, int": Case("communities.louvain", lambda g: communities.louvain(
        g, deterministic=True, seed=3, vertex_following=True, minimum_label=True), "int",
        undirected=True),
    "leiden": Case("communities.leiden", lambda g: communities.leiden(g, deterministic=True)),
    "leiden, int": Case("communities.leiden", lambda g: communities.leiden(
        g, deterministic=True, objective="constant_potts", resolution=0.2, seed=3), "int",
        undirected=True),
    "leiden levels": Case("communities.leiden_partitions", lambda g: (
        communities.leiden_partitions(g, deterministic=True)), undirected=True),
    "ensemble": Case("communities.ecg", lambda g: communities.ecg(
        g, deterministic=True, runs=2), undirected=True),
    "louvain levels": Case("communities.louvain_partitions", lambda g: (
        communities.louvain_partitions(g, deterministic=True)), undirected=True),
    "modularity": Case("communities.modularity", lambda g: communities.modularity(
        g, _halved(g), resolution=0.7), "float"),
    "potts": Case("communities.constant_potts", lambda g: communities.constant_potts(
        g, _halved(g), resolution=0.7), "float"),
    "coverage": Case("communities.coverage", lambda g: communities.coverage(g, _halved(g)), "int"),
    "conductance": Case("communities.conductance", lambda g: communities.conductance(
        g, _halved(g) < 3, weights="weight"), "float"),
    "community_conductance": Case(
        "communities.community_conductance",
        lambda g: communities.community_conductance(g, _halved(g), weights="weight"), "float"),
    # Where vertices are alike, as in a clique, rounding decides which of them are taken.
    "local community": Case("communities.local_community", lambda g: communities.conductance(
        g, communities.local_community(g, 0), weights="weight"), "float"),
    "local community of some": Case("communities.local_community", lambda g: (
        communities.conductance(g, communities.local_community(
            g, [0, _last(g)], alpha=0.5, tol=0.01), weights="weight")), "int"),
    "codelength": Case("communities.codelength", lambda g: communities.codelength(
        g, _halved(g)), "float"),
    "codelength of far labels": Case("communities.codelength", lambda g: communities.codelength(
        g, _halved(g) * 1000 - 5, alpha=0.5)),
    "louvain, directed": Case("communities.louvain", lambda g: communities.louvain(
        g, deterministic=True, weights=_own(g) * 2), "int", directed=True),
    "matching": Case("matching.locally_dominant", lambda g: matching.locally_dominant(g)),
    "matching, int": Case("matching.locally_dominant", lambda g: matching.locally_dominant(g),
                          "int"),
    "matching, float": Case("matching.locally_dominant", lambda g: matching.locally_dominant(g),
                            "quarters"),
    "matching, zeros": Case("matching.locally_dominant", lambda g: matching.locally_dominant(g),
                            "zero"),
    "matching, unit": Case("matching.locally_dominant", lambda g: matching.locally_dominant(
        g, weights=None), "int"),
    "matching, array": Case("matching.locally_dominant", lambda g: matching.locally_dominant(
        g, weights=_own(g) * 2), "int"),
    "tree, int": Case("minimum_spanning_tree", lambda g: edgewise.minimum_spanning_tree(g), "int"),
    "tree, float": Case("minimum_spanning_tree", lambda g: edgewise.minimum_spanning_tree(g),
                        "quarters"),
    "walks": Case("random_walk", lambda g: edgewise.random_walk(g, length=5, num_walks=2)),
    "walks, weights": Case("random_walk", lambda g: edgewise.random_walk(
        g, _no_last_digit(g) if g.num_vertices else [], length=4, num_walks=3, seed=7), "zero"),
    "biased walks": Case("node2vec_walk", lambda g: edgewise.node2vec_walk(
        g, length=5, p=0.2, q=3.0)),
    "biased walks, weights": Case("node2vec_walk", lambda g: edgewise.node2vec_walk(
        g, length=5, p=50.0, q=0.2, seed=3), "zero"),
    "walks that try in vain": Case("node2vec_walk", lambda g: edgewise.node2vec_walk(
        g, length=3, p=1e6, q=1e6), "float"),
    "batches of walks": Case("random_walk", lambda g: list(edgewise.walk_batches(
        g, length=2, num_walks=2, batch_size=50))),
    "suitors": Case("matching.suitor", lambda g: matching.suitor(g), "quarters"),
    "suitors, unit": Case("matching.suitor", lambda g: matching.suitor(g, weights=None), "int"),
    "truss of 4": Case("k_truss", lambda g: edgewise.k_truss(g, k=4), "int"),
    "union": Case("union", lambda g: edgewise.union(g, _part(g, 3).with_weights(None)), "int"),
    "compose": Case("compose", lambda g: edgewise.compose(_part(g, 2), _part(g, 3)), "int"),
    "compose, sum": Case("compose", lambda g: edgewise.compose(
        _part(g, 2), _part(g, 3).with_weights(None), combine="sum"), "float"),
    "intersection": Case("intersection", lambda g: edgewise.intersection(_part(g, 2), _part(g, 3)),
                         "int"),
    "difference": Case("difference", lambda g: edgewise.difference(g, _part(g, 3)), "float"),
    "symmetric difference": Case("symmetric_difference", lambda g: (
        edgewise.symmetric_difference(_part(g, 2), _part(g, 3))), "int"),
    "pointers": Case("forest_roots", lambda g: edgewise.forest_roots(g)),
    "pointers, given": Case("forest_roots", lambda g: edgewise.forest_roots(
        g, parents=_halved(g))),
    "betweenness": Case("betweenness_centrality", lambda g: edgewise.betweenness_centrality(
        g, sources=_no_last_digit(g))),
    "betweenness, ends": Case("betweenness_centrality", lambda g: edgewise.betweenness_centrality(
        g, k=min(2, g.num_vertices), seed=4, endpoints=True, normalized=False)),
    "betweenness, int": Case("betweenness_centrality", lambda g: edgewise.betweenness_centrality(
        g, sources=_no_last_digit(g), weights="weight"), "int"),
    "edge betweenness": Case("edge_betweenness_centrality", lambda g: (
        edgewise.edge_betweenness_centrality(g, sources=_no_last_digit(g)))),
    "edge betweenness, int": Case("edge_betweenness_centrality", lambda g: (
        edgewise.edge_betweenness_centrality(
            g, k=min(2, g.num_vertices), seed=1, weights="weight")), "int"),
    "jaccard, float": Case("similarity.jaccard", lambda g: similarity.jaccard(g, weights="weight"),
                           "float"),
    "cosine, array": Case("similarity.cosine", lambda g: similarity.cosine(
        g, weights=_own(g) + 1), "int"),
    "all pairs, float": Case("all_pairs_shortest_paths", lambda g: (
        edgewise.all_pairs_shortest_paths(g)), "float"),
    "all pairs, int": Case("all_pairs_shortest_paths", lambda g: (
        edgewise.all_pairs_shortest_paths(g)), "int"),
    "within two hops": Case("k_hop_neighborhood", lambda g: edgewise.k_hop_neighborhood(
        g, _no_last_digit(g) if g.num_vertices else [], k=2)),
    "core of some": Case("k_core", lambda g: edgewise.k_core(g, k=2), "int"),
    "by directions": Case("clustering", lambda g: edgewise.clustering(
        g, definition="ldbc"), directed=True),
    "smallest first": Case("ordering.degree_order", lambda g: ordering.degree_order(
        g, descending=False)),
    "five shingles": Case("ordering.shingle", lambda g: ordering.shingle(g, shingles=5, seed=4)),
    "closeness": Case("closeness_centrality", lambda g: edgewise.closeness_centrality(g)),
    "closeness of some": Case("closeness_centrality", lambda g: edgewise.closeness_centrality(
        g, vertices=_no_last_digit(g))),
    "harmonic": Case("harmonic_centrality", lambda g: edgewise.harmonic_centrality(
        g, k=min(3, g.num_vertices))),
    "harmonic, int": Case("harmonic_centrality", lambda g: edgewise.harmonic_centrality(
        g, vertices=_no_last_digit(g), weights="weight"), "int"),
    "balls": Case("neighborhood_function", lambda g: edgewise.neighborhood_function(g, runs=2)),
    # Edges that are always live: whatever draws them, samples are the same.
    "seeds": Case("influence.maximize", lambda g: list(
        influence.maximize(
            g, min(2, g.num_vertices), method="opim", probability=1.0, epsilon=0.6))),
    "runs": Case("influence.simulate", lambda g: list(influence.simulate(
        g, sorted({0, _last(g)} & {*range(g.num_vertices)}) or None, runs=70))),
    "effective": Case("effective_diameter", lambda g: edgewise.effective_diameter(g, runs=1)),
}  # fmt: skip


def graphs_of(case: Case) -> dict[str, Graph]:
    """The graphs that an algorithm can take."""
    needs = ALGORITHMS[case.name].needs
    found = {}
    for name, graph in PLAIN.items():
        if ("undirected" in needs or case.undirected) and graph.directed:
            continue
        if case.directed and not graph.directed:
            continue
        graph = without_cycles(graph) if case.acyclic else graph
        begins = {"source", "sources"} & {*needs} or "centrality" in case.name
        if graph.num_vertices == 0 and begins:
            continue
        found[name] = graph if case.weights is None else weigh(graph, case.weights)
    return found


def compare(case: Case, graph: Graph, found: Any, wanted: Any) -> None:
    if case.paths:
        assert_close(found.distance, wanted.distance)
        check_paths(graph, 0, found, graph.weights)
    elif isinstance(wanted, tuple) and hasattr(wanted, "parent"):  # which parent is left open
        assert_close(found.distance, wanted.distance)
    else:
        assert_close(found, wanted)


@pytest.fixture(scope="module")
def one_device() -> Callable[[str], list[tuple[str, Graph, Any]]]:
    """The graphs of a case with what one device gives, worked out once."""
    known: dict[str, list] = {}

    def find(name: str) -> list[tuple[str, Graph, Any]]:
        if name not in known:
            case = CASES[name]
            known[name] = [(g, graph, case.call(graph)) for g, graph in graphs_of(case).items()]
        return known[name]

    return find


#: What an algorithm may need, of any graph.
NEEDED = {
    "source": lambda g: 0,
    "sources": lambda g: np.arange(g.num_vertices) // 2 * 2,
    "k": lambda g: min(2, g.num_vertices),
    "vertex_weights": _numbers,
    "attribute": _halved,
    "communities": _halved,
    "vertices": lambda g: _halved(g) < 3,
    "parts": _halved,
}


def plain(row: Algorithm) -> Case:
    """An algorithm that is given what it needs, and nothing else."""
    function, needs = row.load(), row.needs
    options = (
        {"on_disconnected": "ignore"} if "on_disconnected" in signature(function).parameters else {}
    )

    def call(graph):
        given = {need: make(graph) for need, make in NEEDED.items() if need in needs}
        return function(graph, **given, **options)

    return Case(row.name, call, directed="directed" in needs, acyclic="acyclic" in needs)


GRID_ROWS = [row.name for row in ALGORITHMS.values() if "grid" in row.engines]
OTHER_ROWS = [row.name for row in ALGORITHMS.values() if "grid" not in row.engines]
#: Algorithms whose cases above are for other options than the default ones.
DEFAULTS = {"similarity.jaccard", "similarity.cosine", "all_pairs_shortest_paths", "k_core",
            "k_hop_neighborhood", "k_truss", "clustering", "ordering.degree_order",
            "ordering.shingle"}  # fmt: skip
#: Algorithms that are called without options, too.
OTHERS = DEFAULTS | {*GRID_ROWS} - {case.name for case in CASES.values()}
CASES |= {name: plain(ALGORITHMS[name]) for name in GRID_ROWS if name in OTHERS}

#: These on all shapes; what differs from them little on a few.
MAIN = OTHERS | {"bfs", "path", "has_path", "distance_2", "sssp, int", "sssp, float zeros",
                 "pagerank",
                 "pagerank, weights", "components", "components, pull", "weak", "modularity",
                 "potts", "coverage",
                 "conductance", "community_conductance", "louvain", "labels, int", "matching, int",
                 "matching, float", "pointers", "condensation", "sides", "betweenness",
                 "closeness", "harmonic", "personal", "hits", "salsa", "money", "katz",
                 "eigenvector", "balls", "effective", "runs", "seeds", "local community",
                 "codelength", "edge betweenness", "louvain levels", "leiden", "leiden levels",
                 "ensemble", "tree, int", "walks", "biased walks", "suitors", "union", "compose",
                 "intersection", "difference", "symmetric difference"}  # fmt: skip
FEW = [(1, 1), (2, 3), (5, 1)]
#: In the first tier each algorithm runs on one shape, and these on some.
LARGE = {"bfs", "sssp, int", "pagerank", "components", "matching, int", "triangle_count"}
FIRST, SOME = (2, 3), [(1, 1), (1, 2), (2, 2), (2, 3)]
#: But for those whose messages are of kinds that others have too: in the second.
LATER = {"sides", "path", "has_path", "descendants", "ancestors", "ego_graph", "is_dag",
         "is_connected",
         "is_weakly_connected", "is_strongly_connected", "density", "reciprocity", "transitivity",
         "fit_kronecker",
         "degree_histogram", "average_clustering", "average_shortest_path_length",
         "global_efficiency",
         "dominating_set", "degree_assortativity_coefficient", "eccentricity",
         "personal", "salsa", "money", "katz", "eigenvector", "balls", "seeds", "is_bipartite",
         "numeric_assortativity_coefficient", "attribute_assortativity_coefficient",
         "condensation", "leiden", "leiden levels", "ensemble", "two_edge_connected_components",
         "potts", "coverage", "communities.performance", "conductance",
         "community_conductance", "louvain", "louvain levels", "effective", "diameter", "radius",
         "harmonic",
         "runs", "local community", "codelength", "all_pairs_shortest_paths",
         "clustering", "ordering.degree_order", "ordering.hub_sort",
         "ordering.hub_cluster", "ordering.shingle", "similarity.overlap", "similarity.cosine",
         "similarity.adamic_adar", "similarity.common_neighbors", "similarity.resource_allocation",
         "similarity.preferential_attachment"}  # fmt: skip


def runs():
    """Every case on its shapes; most in the second tier."""
    for name in CASES:
        for shape in SHAPES if name in MAIN else FEW:
            first = shape == FIRST and name in MAIN - LATER or shape in SOME and name in LARGE
            marks = [] if first else [pytest.mark.slow]
            yield pytest.param(name, shape, marks=marks, id="{} {}x{}".format(name, *shape))


@pytest.mark.parametrize(("name", "shape"), list(runs()))
def test_equal_to_one_device(name, shape, one_device):
    case, known = CASES[name], one_device(name)
    distribution = DISTRIBUTIONS[(len(name) + sum(shape)) % 3]

    def work(*graphs):
        return [case.call(graph) for graph in graphs]

    graphs = [graph for _, graph, _ in known]
    found = on_ranks(work, shape, *graphs, distribution=distribution)
    for (label, graph, wanted), one in zip(known, found, strict=True):
        try:
            compare(case, graph, one, wanted)
        except AssertionError as error:
            error.add_note(f"{name} on {label}, {distribution}")
            raise


TUNED = {"bfs", "pagerank", "labels, int", "pointers"}


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=[pytest.mark.slow] * (one not in TUNED)) for one in sorted(MAIN)],
)
def test_equal_whatever_is_tuned(name):
    case = CASES[name]
    graph = graphs_of(case)["rmat, directed" if case.directed else "rmat"]
    wanted = case.call(graph)
    for choice in (
        {"pattern": "dense", "direction": "pull"},
        {"pattern": "sparse", "queues": False},
        {"pattern": "dense", "queues": False, "direction": "push"},
    ):
        with tuned(**choice):
            compare(case, graph, on_ranks(case.call, (2, 3), graph), wanted)


def test_every_algorithm_of_the_grid_is_compared():
    assert {CASES[name].name for name in MAIN} == set(GRID_ROWS)


@pytest.mark.parametrize("name", OTHER_ROWS)
def test_others_say_that_they_do_not_run_on_a_grid(name):
    row = ALGORITHMS[name]
    graph = weigh(PLAIN["path"], "int")
    n = graph.num_vertices
    needed = {"vertex_weights": np.arange(1.0, n + 1), "b": 1, "source": 0, "sources": [0],
              "communities": np.zeros(n, int), "parts": np.zeros(n, int),
              "pattern": PLAIN["path"], "other": PLAIN["path"],
              "vertices": np.zeros(n, bool), "k": 2}  # fmt: skip
    given = [needed[name] for name in row.needs if name in needed]
    more = {"target": 1} if "target" in row.needs else {}
    with pytest.raises((ValueError, TypeError, AttributeError), match=r"(on|of) a grid|a grid's"):
        on_ranks(lambda graph: row.load()(graph, *given, **more), (2, 2), graph)


def raised(work, graph, shape=(2, 2)) -> str:
    """The error that all ranks raise, alike, which is that of one of them here."""
    with pytest.raises((ValueError, TypeError)) as caught:
        on_ranks(work, shape, graph)
    return str(caught.value)


@pytest.mark.parametrize("shape", [(1, 1), (2, 3)])
def test_wrong_weights_name_the_edge(shape):
    graph = weigh(PLAIN["path, directed"], "float")
    weights = graph.weights.copy()
    weights[[5, 9, 12]] = -1.5, np.nan, -2
    bad = Graph(graph.indptr, graph.indices, weights, directed=True)
    text = raised(lambda graph: edgewise.sssp(graph, 0), bad, shape)
    assert text == "weights must not be negative or NaN, got -1.5 on the edge 5 -> 6"
    weights[[5, 12]] = 1
    bad = Graph(graph.indptr, graph.indices, weights, directed=True)
    text = raised(lambda graph: edgewise.sssp(graph, 0), bad, shape)
    assert text == "weights must not be negative or NaN, got nan on the edge 9 -> 10"
    with pytest.raises(ValueError, match="weights must be non-negative and finite for pagerank"):
        on_ranks(edgewise.pagerank, shape, bad)
    inf = weigh(PLAIN["path"], "float")
    weights = np.where(np.arange(inf.num_arcs) < 2, np.inf, inf.weights)
    text = raised(matching.locally_dominant, Graph(inf.indptr, inf.indices, weights), shape)
    assert text.startswith("weights must be finite, got inf on the edge 0 - 1")


def test_wrong_arguments():
    graph = PLAIN["rmat"]
    n = graph.num_vertices
    for source, text in ((n, f"from 0 to {n - 1}, got {n}"), (-1, "got -1"), (True, "got True")):
        assert text in raised(lambda graph, at=source: edgewise.bfs(graph, at), graph)
    assert "the graph has none" in raised(lambda graph: edgewise.sssp(graph, 0), PLAIN["empty"])
    assert "delta" in raised(lambda graph: edgewise.sssp(graph, 0, delta=0), graph)
    assert "undirected" in raised(edgewise.triangle_count, PLAIN["rmat, directed"])
    assert "undirected" in raised(edgewise.core_number, PLAIN["rmat, directed"])
    assert "undirected" in raised(matching.locally_dominant, PLAIN["rmat, directed"])
    for given in ({n: 1.0}, {0: -1.0}, np.zeros(n), np.ones(n + 1)):
        text = raised(lambda graph, at=given: edgewise.pagerank(graph, personalization=at), graph)
        assert "personalization" in text
    circle = np.roll(np.arange(n), 1)
    assert "cycle" in raised(lambda g: edgewise.forest_roots(g, parents=circle), graph)
    assert "parents" in raised(lambda g: edgewise.forest_roots(g, parents=circle + 1), graph)
    text = raised(lambda graph: edgewise.sssp(graph, 0, weights=np.ones(graph.num_arcs)), graph)
    assert "an array over its arcs" in text
    assert "edge form" in raised(lambda graph: _CC(graph, method="sampling"), graph)


@pytest.mark.parametrize("shape", [later((1, 1)), (2, 2)])
def test_more_paths_than_a_float_can_count(shape):
    """Levels of 24 vertices, each joined to all of the next: 24**450 paths from end to end."""
    ids = np.arange(450 * 24 * 24)
    u = ids // 24
    graph = Graph.from_edges(u, (u // 24 + 1) * 24 + ids % 24)

    def scores(graph):
        return edgewise.betweenness_centrality(graph, sources=[5], normalized=False)

    found, wanted = on_ranks(scores, shape, graph), scores(graph)
    np.testing.assert_allclose(found, wanted, rtol=1e-9)
    level = wanted.reshape(-1, 24)[2:-1] * 2  # the first leads back to the source's own level too
    np.testing.assert_allclose(level, np.arange(448, 0, -1)[:, None] * np.ones(24), rtol=1e-8)


def test_unfinished_ranks_are_kept():
    graph = PLAIN["rmat"]

    def unfinished(graph):
        with pytest.raises(ConvergenceError) as caught:
            edgewise.pagerank(graph, max_iter=3, tol=0)
        return caught.value.best

    assert_close(on_ranks(unfinished, (2, 3), graph), unfinished(graph))


def test_a_path_is_read_vertex_by_vertex():
    found = on_ranks(lambda graph: edgewise.bfs(graph, 0).path_to(5), (2, 2), PLAIN["path"])
    assert found == [0, 1, 2, 3, 4, 5]


def every_algorithm(comm, shape, names) -> list[str]:
    """A program for ranks that are processes: each compares what it gets with one device."""
    grid = Grid(comm, shape)
    for name in names:
        case = CASES[name]
        graph = graphs_of(case)["rmat, directed" if case.directed else "rmat"]
        found = whole(case.call(distribute(graph, distribution="random", seed=2, grid=grid)))
        try:
            compare(case, graph, found, case.call(graph))
        except BaseException as error:
            error.add_note(f"in {name}")
            raise
    bad = weigh(PLAIN["path, directed"], "float")
    weights = np.where(np.arange(bad.num_arcs) == 7, np.nan, bad.weights)
    spread = distribute(Graph(bad.indptr, bad.indices, weights, directed=True), grid=grid)
    with pytest.raises(ValueError, match="got nan on the edge 7 -> 8"):
        edgewise.sssp(spread, 0)
    return names


@pytest.mark.parametrize(
    ("shape", "names"),
    [((2, 2), {"bfs", "pagerank"}), later((2, 2), MAIN - {"bfs", "pagerank"}), later((2, 3), MAIN)],
    ids=["2x2", "2x2 later", "2x3"],
)
def test_mpi(shape, names):
    pytest.importorskip("mpi4py")
    ranks, names = shape[0] * shape[1], sorted(names)
    assert launch(every_algorithm, shape, names, ranks=ranks, timeout=600) == [names] * ranks
