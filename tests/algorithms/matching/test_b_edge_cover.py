"""`b_edge_cover`: valid, minimal, within its bound of the optimum; two methods agree exactly."""

from __future__ import annotations

import heapq

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import edgewise as ew
from edgewise.algorithms.matching import b_edge_cover, verify_edge_cover
from edgewise.algorithms.matching.lazy_cover import lazy_greedy
from edgewise.graph import Graph
from edgewise.operators.edge_order import ties
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape
from tests.tiers import later

BOUND = {"lazy": 1.5, "primal_dual": 1.5, "nearest": 2, "complement": 2}
WEIGHTS = st.sampled_from([0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 4.0, 7.25])


def proper(graph: Graph) -> np.ndarray:
    """Degrees without loops."""
    u, v, _ = graph.arcs()
    return np.bincount(u[u != v], minlength=graph.num_vertices)


def lightest(graph: Graph, b: np.ndarray) -> float:
    """The weight of a lightest b-edge cover, by integer programming."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    u, v, weights = graph.edges()
    weights = np.ones(len(u)) if weights is None else weights.astype(np.float64)
    if len(u) == 0:
        return 0.0
    meets, edge = np.zeros((graph.num_vertices, len(u))), np.arange(len(u))
    meets[u, edge] = meets[v, edge] = 1
    meets[:, u == v] = 0
    need = LinearConstraint(meets, b, np.inf)
    return milp(weights, constraints=need, integrality=1, bounds=Bounds(0, 1)).fun


def greedy(graph: Graph, b: np.ndarray) -> list[int]:
    """Always the edge of least effective weight, from a heap: the ids, redundant ones included."""
    u, v, weights = graph.arcs()
    weights = np.ones(len(u)) if weights is None else weights.astype(np.float64)
    with np.errstate(over="ignore"):
        rank = ties(u, v)
    heap = [(weights[e] / 2, int(rank[e]), -u[e], -v[e], e) for e in np.flatnonzero(u < v)]
    heapq.heapify(heap)
    need, chosen = b.tolist(), []
    while heap:
        price, *order, e = heapq.heappop(heap)
        ends = (need[u[e]] > 0) + (need[v[e]] > 0)
        if ends and price < weights[e] / ends:
            heapq.heappush(heap, (weights[e] / ends, *order, e))
        elif ends:
            chosen.append(int(e))
            for end in (u[e], v[e]):
                need[end] -= need[end] > 0
    return sorted(chosen)


def check(graph: Graph, b, method: str):
    found = b_edge_cover(graph, b, method=method)
    verdict = verify_edge_cover(graph, found, b)
    assert verdict == (True, True, None)
    return found


@pytest.mark.parametrize("method", BOUND)
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, method):
    graph = shape(name)
    for most in (1, 3):
        b = np.minimum(most, proper(graph))
        found = check(graph, b, method)
        assert found.weight <= BOUND[method] * lightest(graph, b)


@pytest.mark.parametrize("method", BOUND)
@given(graphs(directed=False, lengths=WEIGHTS), st.sampled_from(TEAMS), st.data())
@settings(max_examples=40)
def test_small_graphs(method, graph, team, data):
    n = graph.num_vertices
    most = np.array(data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)), np.int64)
    b = np.minimum(most, proper(graph))
    with ew.threads(team):
        found = check(graph, b, method)
    assert found.weight <= BOUND[method] * lightest(graph, b) + 1e-9


@given(graphs(directed=False, lengths=WEIGHTS), st.integers(0, 4))
def test_lazy_takes_what_the_heap_takes(graph, most):
    b = np.minimum(most, proper(graph))
    assert lazy_greedy(graph, b, graph.weights).tolist() == greedy(graph, b)
    unit = Graph(graph.indptr, graph.indices)
    assert lazy_greedy(unit, b, None).tolist() == greedy(unit, b)


@pytest.mark.parametrize("distinct", [1, 2, 20, 1 << 40])
@pytest.mark.parametrize("team", TEAMS)
def test_methods_agree_in_pairs(team, distinct):
    graph = random_graph(2000, 12_000, seed=team)
    rng = np.random.default_rng(distinct)
    graph = graph.with_weights(rng.integers(0, distinct, graph.num_edges).astype(np.float64))
    for most in (1, 4, rng.integers(0, 9, graph.num_vertices)):
        b = np.minimum(most, proper(graph))
        with ew.threads(team):
            lazy, dual = (check(graph, b, method) for method in ("lazy", "primal_dual"))
            near, rest = (check(graph, b, method) for method in ("nearest", "complement"))
        assert lazy.edges.tolist() == dual.edges.tolist()
        assert near.edges.tolist() == rest.edges.tolist()
        assert near.weight <= 2 * lazy.weight


def test_a_star_needs_all_its_edges():
    graph = shape("star")
    for method in BOUND:
        assert b_edge_cover(graph, method=method).cardinality == 39


def test_better_than_nearest():
    """Everybody's nearest neighbor is the hub; pairs of leaves are hardly farther apart."""
    leaves = np.arange(1, 21)
    u = np.r_[np.zeros(20, int), leaves[::2]]
    v = np.r_[leaves, leaves[1::2]]
    graph = Graph.from_edges(u, v, np.r_[np.full(20, 2.0), np.full(10, 2.5)])
    assert b_edge_cover(graph, method="nearest").weight == 40
    assert b_edge_cover(graph).weight == lightest(graph, np.ones(21, int)) == 26.5


@pytest.mark.parametrize("method", ["primal_dual", *map(later, ("lazy", "nearest", "complement"))])
def test_integers_and_weights_given_apart(method):
    graph = random_graph(150, 900, seed=1)
    b = np.minimum(2, proper(graph))
    u, v, _ = graph.edges()
    weights = (u.astype(np.int64) * v) % 11
    found = b_edge_cover(graph, b, method=method, weights=weights)
    assert verify_edge_cover(graph, found, b, weights=weights).minimal
    assert (
        found.edges.tolist()
        == b_edge_cover(graph.with_weights(weights), b, method=method).edges.tolist()
    )
    unit = b_edge_cover(graph.with_weights(weights), b, method=method, weights=None)
    assert unit.edges.tolist() == b_edge_cover(graph, b, method=method).edges.tolist()


def test_a_vertex_without_enough_edges_is_named():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 2], num_vertices=4)
    with pytest.raises(ValueError, match="vertex 3 has 0 edges and needs 1"):
        b_edge_cover(graph)
    with pytest.raises(ValueError, match="vertex 2 has 1 edges and needs 2; b=np.minimum"):
        b_edge_cover(graph, [1, 2, 2, 0])


def test_other_errors():
    graph = Graph.from_edges([0, 1], [1, 2], [1.0, -2.0])
    with pytest.raises(ValueError, match="must not be negative or NaN, got -2.0 on edge 1"):
        b_edge_cover(graph)
    with pytest.raises(ValueError, match="finite, got inf on edge 0"):
        b_edge_cover(Graph.from_edges([0], [1], [np.inf]))
    with pytest.raises(ValueError, match="undirected"):
        b_edge_cover(Graph.from_edges([0], [1], directed=True))
    with pytest.raises(ValueError, match="method must be one of 'lazy'"):
        b_edge_cover(graph, method="best")


def test_rounds_are_told():
    with ew.observe(ew.Trace()) as trace:
        b_edge_cover(shape("path"), method="primal_dual")
    assert trace.rows[0]["frontier"] == 150


@pytest.mark.gpu
@pytest.mark.parametrize("method", ["primal_dual", "nearest", "complement"])
def test_on_a_gpu(method):
    from tests.operators.engines import no_gpu

    if reason := no_gpu():
        pytest.skip(reason)
    graph = random_graph(2000, 12_000, seed=1)
    rng = np.random.default_rng(2)
    graph = graph.with_weights(rng.integers(0, 50, graph.num_edges).astype(np.float64))
    b = np.minimum(3, proper(graph))
    there = b_edge_cover(graph.to("cuda"), b, method=method)
    assert verify_edge_cover(graph.to("cuda"), there, b) == (True, True, None)
    edges = there.edges.get() if hasattr(there.edges, "get") else there.edges
    assert edges.tolist() == b_edge_cover(graph, b, method=method).edges.tolist()


def test_hubs_are_every_threads_work(monkeypatch):
    graph = random_graph(400, 4000, seed=3)
    rng = np.random.default_rng(1)
    graph = graph.with_weights(rng.integers(0, 20, graph.num_edges).astype(np.float64))
    b = np.minimum(3, proper(graph))
    wanted = check(graph, b, "complement")
    monkeypatch.setattr("edgewise.algorithms.matching.long_rows._LONG", 12)
    assert check(graph, b, "nearest").edges.tolist() == wanted.edges.tolist()
