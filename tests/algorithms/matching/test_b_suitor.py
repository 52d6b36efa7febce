"""`b_suitor`: the edges that the greedy method takes, whatever the threads, ties and shapes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import edgewise as ew
from edgewise.algorithms.matching import b_suitor, locally_dominant
from edgewise.graph import Graph
from edgewise.operators.edge_order import ties
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape

WEIGHTS = st.sampled_from([-1.0, 0.0, 0.5, 1.0, 1.0, 2.0, 3.0, 1e300, 5e-324])


def greedy(graph: Graph, b, weights="weight") -> list[int]:
    """Edges in their order, taken while both ends have capacity: their places in `Graph.edges`."""
    u, v, own = graph.edges()
    weights = own if isinstance(weights, str) else weights
    weights = np.ones(len(u)) if weights is None else weights
    with np.errstate(over="ignore"):
        rank = ties(u, v)
    capacity = np.broadcast_to(b, graph.num_vertices).tolist()
    chosen = []
    for e in np.lexsort((v, u, ~rank, -weights)).tolist():
        if u[e] < v[e] and weights[e] > 0 and capacity[u[e]] > 0 and capacity[v[e]] > 0:
            capacity[u[e]] -= 1
            capacity[v[e]] -= 1
            chosen.append(e)
    return sorted(chosen)


def check(graph: Graph, b, given="weight", weights="weight") -> None:
    found = b_suitor(graph, b, weights=given)
    assert found.edges.tolist() == greedy(graph, b, weights)
    worth = graph.edges()[2] if isinstance(weights, str) else weights
    total = len(found.edges) if worth is None else worth[found.edges].sum(dtype=np.float64)
    assert found.weight == pytest.approx(total) and found.cardinality == len(found.edges)


@pytest.mark.parametrize("b", [0, 1, 2, 7])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, b):
    check(shape(name), b)


@given(graphs(directed=False, lengths=WEIGHTS), st.sampled_from(TEAMS), st.data())
def test_small_graphs(graph, team, data):
    n = graph.num_vertices
    b = np.array(data.draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)), np.int64)
    with ew.threads(team):
        check(graph, b)


@given(graphs(directed=False, lengths=WEIGHTS), st.integers(1, 3))
@settings(max_examples=40)
def test_half_of_the_optimum(graph, b):
    u, v, weights = graph.edges()
    keep = (u != v) & (weights > 0) & (weights < 1e300)
    part = Graph.from_edges(u[keep], v[keep], weights[keep], num_vertices=graph.num_vertices)
    best = heaviest(part, b)
    assert best * (1 - 1e-9) / 2 <= b_suitor(part, b).weight <= best * (1 + 1e-9)


def heaviest(graph: Graph, b: int) -> float:
    """The weight of a heaviest b-matching, by integer programming."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    u, v, weights = graph.edges()
    if len(u) == 0:
        return 0.0
    meets = np.zeros((graph.num_vertices, len(u)))
    meets[u, np.arange(len(u))] = meets[v, np.arange(len(u))] = 1
    limit = LinearConstraint(meets, -np.inf, b)
    return -milp(-weights, constraints=limit, integrality=1, bounds=Bounds(0, 1)).fun


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("distinct", [2, 50, 1 << 40])
def test_skewed_graphs(team, distinct):
    """Long shortlists, hubs that everybody wants, and many who have to ask again."""
    graph = random_graph(2000, 20_000, seed=team)
    rng = np.random.default_rng(distinct)
    graph = graph.with_weights(rng.integers(1, distinct, graph.num_edges).astype(np.float64))
    for b in (1, 3, 10, rng.integers(0, 40, graph.num_vertices)):
        with ew.threads(team):
            check(graph, b)


@pytest.mark.parametrize("team", [2, 8])
def test_everybody_wants_the_same_few(team):
    rng = np.random.default_rng(team)
    few, many = 4, 3000
    u, v = np.repeat(np.arange(few), many), np.tile(np.arange(few, few + many), few)
    for most in (50, 1 << 40):
        graph = Graph.from_edges(u, v, rng.integers(1, most, few * many).astype(np.float64))
        with ew.threads(team):
            check(graph, np.r_[[1, 2, 5, 40], np.full(many, 2)])


@pytest.mark.parametrize("backward", [False, True])
def test_annulments_along_a_path(backward):
    """Each proposal annuls the next, all along the path: one chain, not a round for each."""
    n = 20_000
    weights = np.arange(1.0, n)
    graph = Graph.from_edges(
        np.arange(n - 1), np.arange(1, n), weights[::-1] if backward else weights
    )
    with ew.observe(ew.Trace()) as trace:
        found = b_suitor(graph, 1)
    assert found.cardinality == n // 2 and len(trace.rows) < 10
    assert b_suitor(graph, 2).cardinality == n - 1


def test_integers():
    graph = random_graph(200, 900, seed=3)
    rng = np.random.default_rng(1)
    check(graph.with_weights(rng.integers(-2, 5, graph.num_edges)), 2)
    # Numbers that would be the same in float64.
    check(graph.with_weights(2**60 + rng.integers(0, 3, graph.num_edges)), 3)


def test_one_is_a_matching():
    graph = ew.generators.random_weights(ew.generators.rmat(10, seed=5), seed=6)
    mate = locally_dominant(graph).mate
    u, v, _ = graph.edges()
    pairs = np.flatnonzero((mate[u] == v) & (u < v))
    assert b_suitor(graph, 1).edges.tolist() == pairs.tolist()


def test_unlimited_takes_every_edge_of_positive_weight():
    graph = random_graph(300, 2000)
    u, v, _ = graph.edges()
    assert b_suitor(graph, 10**9).edges.tolist() == np.flatnonzero(u < v).tolist()


def test_weights_given_apart():
    graph = random_graph(100, 400, seed=2)
    u, v, _ = graph.edges()
    weights = ((u.astype(np.int64) * v) % 7).astype(np.float64)
    before = weights.copy()
    check(graph, 2, weights, weights)
    assert weights.tolist() == before.tolist()
    check(graph.with_weights(weights), 2, None, np.ones(graph.num_edges))


@pytest.mark.slow
def test_wide_ids():
    narrow = random_graph(200, 900, seed=4)
    wide = Graph(narrow.indptr, narrow.indices)
    wide._keep(indices=wide.indices.astype(np.int64))
    assert b_suitor(wide, 2).edges.tolist() == b_suitor(narrow, 2).edges.tolist()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_bad_weights_are_named(bad):
    graph = Graph.from_edges([0, 1], [1, 2], [1.0, bad])
    with pytest.raises(ValueError, match=r"weights must be finite, got .* on edge 1 \(1 - 2\)"):
        b_suitor(graph, 1)


def test_other_errors():
    graph = Graph.from_edges([0, 1], [1, 2])
    with pytest.raises(ValueError, match="undirected"):
        b_suitor(Graph.from_edges([0], [1], directed=True), 1)
    with pytest.raises(ValueError, match="b must be at least 0, got -1"):
        b_suitor(graph, -1)
    with pytest.raises(ValueError, match="b must be at least 0 and fit int64, got -2 for vertex 1"):
        b_suitor(graph, [1, -2, 1])
    with pytest.raises(ValueError, match=r"one entry per vertex \(3\), got shape \(2,\)"):
        b_suitor(graph, [1, 1])
    with pytest.raises(TypeError, match="b must be whole numbers, got dtype float64"):
        b_suitor(graph, [1.5, 1.0, 1.0])
    with pytest.raises(TypeError, match="b must be a whole number, got 1.5"):
        b_suitor(graph, 1.5)
    with pytest.raises(TypeError, match="b must be a whole number, got True"):
        b_suitor(graph, True)


@pytest.mark.gpu
def test_on_a_gpu():
    from tests.operators.engines import no_gpu

    if reason := no_gpu():
        pytest.skip(reason)
    for seed, most in ((1, 3), (2, 1 << 40)):
        graph = random_graph(2000, 20_000, seed=seed)
        rng = np.random.default_rng(seed)
        graph = graph.with_weights(rng.integers(0, most, graph.num_edges).astype(np.float64))
        for b in (1, 5, rng.integers(0, 40, graph.num_vertices)):
            there = b_suitor(graph.to("cuda"), b)
            edges = there.edges.get() if hasattr(there.edges, "get") else there.edges
            assert edges.tolist() == b_suitor(graph, b).edges.tolist()


@pytest.mark.parametrize("distinct", [2, 1 << 40])
def test_hubs_are_every_threads_work(distinct, monkeypatch):
    """Lists of long rows are filled place by place, and again when they have come to their ends."""
    monkeypatch.setattr("edgewise.algorithms.matching.long_rows._LONG", 12)
    rng = np.random.default_rng(distinct)
    graph = random_graph(400, 4000, seed=3)
    graph = graph.with_weights(rng.integers(1, distinct, graph.num_edges).astype(np.float64))
    for b in (1, 3, rng.integers(0, 9, graph.num_vertices)):
        check(graph, b)
    check(Graph(graph.indptr, graph.indices), 2)
