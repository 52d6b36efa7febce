"""`two_thirds`: no augmentation with up to two new edges is left, and nothing is ever lost."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import edgewise as ew
from edgewise.algorithms.matching import locally_dominant, two_thirds
from edgewise.graph import Graph
from edgewise.graph.csr import frozen
from tests.algorithms.matching.optimum import check_matching, edge_list, greatest_weight, worth
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape
from tests.operators.engines import no_gpu

WEIGHTS = st.sampled_from([-1.0, 0.0, 0.1, 0.2, 0.3, 0.7, 1.0, 1.0, 2.0, 3.0, 1e16, 5e-324])


def most_to_gain(graph: Graph, mate, weights="weight") -> float:
    """The best ratio of gain to weight given up, over all pairs of edges that could come in."""
    edges = [(u, v, Fraction(w)) for u, v, w in edge_list(graph, weights)]
    held = {}
    for u, v, w in edges:
        if mate[u] == v:
            held[u] = held[v] = (u, w)
    new = [(u, v, w) for u, v, w in edges if mate[u] != v and w > 0]
    best = Fraction(-1)
    for some in [*((e,) for e in new), *combinations(new, 2)]:
        ends = [end for u, v, _ in some for end in (u, v)]
        if len(set(ends)) == len(ends):
            given_up = sum(w for _, w in {held[end] for end in ends if end in held})
            gain = sum(w for _, _, w in some) - given_up
            best = max(best, gain / (given_up or 1))
    return float(best)


def check(graph: Graph, **options) -> None:
    weights = options.get("weights", "weight")
    found = two_thirds(graph, max_iter=None, **options)
    check_matching(graph, found, weights)
    assert most_to_gain(graph, found.mate, weights) <= 1e-14
    assert found.weight >= 2 / 3 * greatest_weight(graph, weights) * (1 - 1e-12)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    if graph.num_edges <= 100:
        check(graph)
    found = two_thirds(graph)
    check_matching(graph, found)
    assert found.cardinality >= 2 / 3 * greatest_weight(graph)


@given(graphs(directed=False, lengths=WEIGHTS, most=9), st.sampled_from(TEAMS))
def test_small_graphs(graph, team):
    with ew.threads(team):
        check(graph)


@given(graphs(directed=False, lengths=WEIGHTS), st.integers(0, 3), st.data())
def test_nothing_is_lost(graph, rounds, data):
    """From any matching, also one with edges that weigh nothing; sums without rounding."""
    start = np.full(graph.num_vertices, -1)
    for u, v, _ in data.draw(st.permutations(edge_list(graph))):
        if start[u] < 0 and start[v] < 0 and data.draw(st.booleans()):
            start[u], start[v] = v, u
    given = start.copy()
    found = two_thirds(graph, start=start, max_iter=rounds)
    check_matching(graph, found)
    assert worth(graph, found.mate) >= worth(graph, start)
    assert start.tolist() == given.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_larger_graphs(seed):
    """Rounds look only at what has changed; in the end nothing may have been missed."""
    rng = np.random.default_rng(seed)
    graph = random_graph(60, 250, seed=seed)
    kinds = [rng.random(graph.num_edges), rng.integers(1, 5, graph.num_edges) * 1.0, None]
    graph = graph.with_weights(kinds[seed])
    for start in (None, np.full(60, -1)):
        check(graph, start=start, seed=seed)


def test_exchange_of_partners():
    """A square: two light edges for two heavier ones, though no arm alone gains."""
    graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], weights=[5.0, 6.0, 5.0, 3.0])
    assert two_thirds(graph, start=[3, 2, 1, 0]).mate.tolist() == [1, 0, 3, 2]


def test_two_arms_that_want_the_same_vertex():
    """Both ends of 0 - 1 would best go to 2; one has to take the next best."""
    graph = Graph.from_edges([0, 0, 1, 0], [1, 2, 2, 3], weights=[10.0, 9.0, 9.0, 4.0])
    found = two_thirds(graph, start=[1, 0, -1, -1])
    assert found.mate.tolist() == [3, 2, 1, 0] and found.weight == 13


def test_threads_and_seeds():
    graph = random_graph(3000, 20_000, seed=1)
    weights = np.random.default_rng(0).integers(1, 9, graph.num_edges)
    weighted = graph.with_weights(weights * 1.0)
    for one in (graph, weighted):
        kept = []
        for team in (1, 2, 5):
            with ew.threads(team):
                kept.append(two_thirds(one, seed=7))
        assert all(np.array_equal(kept[0].mate, other.mate) for other in kept)
        assert kept[0].weight > locally_dominant(one).weight
        assert not np.array_equal(kept[0].mate, two_thirds(one, seed=8).mate)


def test_rounds():
    graph = random_graph(2000, 9000, seed=2)
    graph = graph.with_weights(np.random.default_rng(1).random(graph.num_edges))
    half = locally_dominant(graph)
    none = two_thirds(graph, max_iter=0)
    assert np.array_equal(none.mate, half.mate)
    with ew.observe(ew.Trace()) as trace:
        whole = two_thirds(graph, start=half)
    rows = [row for row in trace.rows if "exchanges" in row]
    assert rows[-1]["wanted"] == 0 < rows[0]["exchanges"] <= rows[0]["wanted"]
    cut = two_thirds(graph, max_iter=len(rows) - 1)
    assert np.array_equal(cut.mate, whole.mate) and whole.weight > half.weight
    assert half.weight < two_thirds(graph, max_iter=1).weight < whole.weight


def test_long_chains(monkeypatch):
    """Gains that grow along a path wait for each other only so long."""
    module, calls = sys.modules["edgewise.algorithms.matching.two_thirds"], []

    def counting(graph, members, function, *args, **options):
        calls.append(function.__name__)
        return ew.filter(graph, members, function, *args, **options)

    monkeypatch.setattr(module, "filter", counting)
    n = 4000
    v = np.arange(n)
    path = Graph.from_edges(v[:-1], v[1:], np.where(v[:-1] % 2, 3 + v[:-1] / n, 1))
    found = two_thirds(path, start=v ^ 1)
    assert found.weight > 2.9 * n / 2
    assert 1 < calls.count("settle") < 60


def test_weights():
    graph = random_graph(40, 150, seed=3)
    u, v, _ = graph.edges()
    weights = ((u + v) * 7 % 11 - 2).astype(np.float64)
    check(graph, weights=weights)
    unit = two_thirds(graph.with_weights(weights), weights=None)
    assert unit.mate.tolist() == two_thirds(graph).mate.tolist()
    assert two_thirds(graph.with_weights(-np.abs(weights))).cardinality == 0
    for bad in (np.nan, np.inf):
        weights[3] = bad
        with pytest.raises(ValueError, match="finite"):
            two_thirds(graph, weights=weights)


@pytest.mark.slow
def test_wide_ids_and_integers():
    """The same mates as with 32-bit ids and floats that hold the same numbers."""
    narrow = random_graph(500, 3000, seed=4)
    weights = np.random.default_rng(3).integers(1, 50, narrow.num_edges)
    wide = narrow.with_weights(weights)
    wide._keep(indices=frozen(narrow.indices.astype(np.int64)))
    found, same = two_thirds(wide), two_thirds(narrow.with_weights(weights * 1.0))
    assert found.mate.dtype == np.int64 and wide.weights.dtype == np.int64
    assert found.mate.tolist() == same.mate.tolist() and found.weight == same.weight


def test_errors():
    path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    for start in ([1, 0, 3], [1, 0, 3, 1], [0, -1, -1, -1], [3, -1, -1, 0], [4, -1, -1, -1]):
        with pytest.raises(ValueError, match="start must be a matching"):
            two_thirds(path, start=start)
    with pytest.raises(ValueError, match="undirected"):
        two_thirds(Graph.from_edges([0], [1], directed=True))
    with pytest.raises(ValueError, match="max_iter"):
        two_thirds(path, max_iter=-1)
    with pytest.raises(TypeError, match="seed"):
        two_thirds(path, seed=0.5)


@pytest.mark.gpu
@pytest.mark.parametrize("kind", ["none", "float64", "float32", "int64"])
def test_same_on_a_gpu(kind):
    if reason := no_gpu():
        pytest.skip(reason)
    graphs = [shape(name) for name in SHAPES] + [random_graph(2000, 20_000, seed=5)]
    for graph in graphs:
        if kind != "none":
            weights = np.random.default_rng(6).random(graph.num_edges) * 100
            graph = graph.with_weights(weights.astype(kind))
        here, there = two_thirds(graph), two_thirds(graph.to("cuda"))
        assert here.mate.tolist() == there.mate.get().tolist()
        assert there.weight == pytest.approx(here.weight, rel=1e-12)
