"""`locally_dominant`, `greedy`, `suitor`: one matching, at least half as heavy as the best."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import edgewise as ew
from edgewise import matching
from edgewise.graph import Graph
from edgewise.graph.csr import frozen
from edgewise.graph.edges import arcs_of
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx
from tests.operators import oracles

METHODS = (matching.locally_dominant, matching.greedy, matching.suitor)
EVERY_METHOD = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)


def check(graph, *, weights="weight", methods=METHODS, team=2):
    """Every method finds the mates of the oracle, and says rightly what they are worth."""
    along = arcs_of(graph, weights, "weights")
    mates = oracles.dominant(graph, along)
    u, v, _ = graph.arcs()
    listed = dict(zip(zip(u, v, strict=True), oracles.weight_list(graph, along), strict=True))
    worth = sum(listed[a, b] for a, b in enumerate(mates) if b > a)
    for method in methods:
        with ew.threads(team):
            found = method(graph, weights=weights)
        assert found.mate.tolist() == mates
        assert found.mate.dtype == graph.indices.dtype
        assert found.weight == pytest.approx(worth, rel=1e-12)
        assert found.cardinality == sum(mate >= 0 for mate in mates) // 2
        assert isinstance(found, matching.Matching)


@settings(max_examples=60)
@given(
    graphs(directed=False, lengths=st.integers(-2, 3).map(float), most=14), st.sampled_from(TEAMS)
)
def test_any_graph_with_ties(graph, team):
    check(graph, team=team)


@settings(max_examples=60)
@given(graphs(directed=False, lengths=st.floats(0, 1, width=32), most=9))
def test_at_least_half_of_the_optimum(graph):
    known = to_networkx(graph)
    known.remove_edges_from(nx.selfloop_edges(known))
    best = nx.max_weight_matching(known)
    optimum = sum(known[u][v]["weight"] for u, v in best)
    found = matching.locally_dominant(graph)
    assert optimum / 2 <= found.weight * (1 + 1e-12) <= optimum * (1 + 1e-9)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    for team in TEAMS:
        check(graph, team=team)
    u, v, _ = graph.edges()
    check(graph, weights=((u + v) % 3).astype(np.float64))
    check(graph, weights=np.minimum(u, v) + 1.0)


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("most", [3, 1 << 30])
def test_larger_graphs(most, team):
    """Few distinct weights, and nearly all distinct."""
    for seed in range(3):
        graph = random_graph(1500, 9000, seed=seed)
        drawn = np.random.default_rng(seed).integers(0, most, graph.num_edges)
        check(graph.with_weights(drawn.astype(np.float64)), team=team)
    check(graph, team=team)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.int64, np.float32])
def test_other_types_of_weights(dtype):
    graph = random_graph(300, 1500, seed=5)
    drawn = np.random.default_rng(6).integers(-2, 6, graph.num_edges)
    check(graph.with_weights(drawn.astype(dtype)))


def test_wide_integers_are_compared_exactly():
    for best in range(3):
        weights = np.full(3, 1 << 60) + (np.arange(3) == best)
        graph = Graph.from_edges([0, 0, 0], [1, 2, 3], weights)
        assert [int(method(graph).mate[0]) for method in METHODS] == [best + 1] * 3


@pytest.mark.slow
def test_wide_ids():
    narrow = random_graph(400, 2000, seed=7)
    wide = Graph(narrow.indptr, narrow.indices)
    wide._keep(indices=frozen(narrow.indices.astype(np.int64)))
    check(wide)


def test_weights_chosen_by_the_call():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], [1.0, 3.0, 1.0])
    check(graph)
    check(graph, weights=None)
    weights = np.array([9.0, 1.0, 9.0])
    check(graph, weights=weights)
    assert matching.locally_dominant(graph, weights=weights).weight == 18.0


@EVERY_METHOD
def test_worthless_edges_stay_free(method):
    graph = Graph.from_edges([0, 2, 4], [1, 3, 5], [0.0, -1.0, 5e-324])
    assert method(graph).mate.tolist() == [-1, -1, -1, -1, 5, 4]


@EVERY_METHOD
def test_nothing_is_changed(method):
    graph = random_graph(100, 400, seed=1).with_weights(None)
    before = graph.copy()
    method(graph)
    assert graph == before


@EVERY_METHOD
class TestErrors:
    def test_directed(self, method):
        with pytest.raises(ValueError, match=f"{method.__name__} needs an undirected graph"):
            method(shape("path", directed=True))

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
    def test_weights_that_are_not_finite(self, method, bad):
        graph = Graph.from_edges([0, 1], [1, 2], [1.0, bad])
        with pytest.raises(ValueError, match=r"weights must be finite, got .* on edge 1 \(1 - 2\)"):
            method(graph)

    def test_weights_over_arcs(self, method):
        with pytest.raises(ValueError, match="one entry per edge .1., .* got 2, one per arc"):
            method(shape("one edge"), weights=np.array([1.0, 2.0]))


def test_names_are_functions_however_they_are_imported():
    """The modules are called like the functions in them."""
    import importlib

    for name in ("locally_dominant", "greedy", "suitor"):
        module = importlib.import_module(f"edgewise.algorithms.matching.{name}")
        assert getattr(matching, name) is getattr(module, name)


def test_rounds_are_told():
    graph = random_graph(2000, 9000, seed=2)
    with ew.observe(ew.Trace()) as trace:
        found = matching.locally_dominant(graph)
    assert sum(row["committed"] for row in trace.rows) == found.cardinality
    assert trace.rows[0]["visited"] == graph.num_arcs


@pytest.mark.gpu
@pytest.mark.parametrize("method", [matching.locally_dominant, matching.suitor])
def test_on_a_device(method):
    from tests.operators.engines import no_gpu

    if reason := no_gpu():
        pytest.skip(reason)
    for most in (3, 1 << 30):
        graph = random_graph(3000, 20_000, seed=most % 7)
        drawn = np.random.default_rng(1).integers(-1, most, graph.num_edges)
        for one in (graph, graph.with_weights(drawn.astype(np.float64))):
            here, there = matching.greedy(one), method(one.to("cuda"))
            assert there.mate.get().tolist() == here.mate.tolist()
            assert there.weight == pytest.approx(here.weight, rel=1e-12)
