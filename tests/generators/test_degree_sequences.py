"""Given degrees: exact in the configuration model, on average in Chung-Lu graphs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import connected_components
from edgewise.base.threads import threads
from edgewise.generators import configuration_model, expected_degree, random_regular


def ends_of(graph):
    """The degree of every vertex, where a loop and every repeat count in full."""
    sources, targets, counts = graph.edges()
    n = graph.num_vertices
    return np.bincount(sources, counts, n) + np.bincount(targets, counts, n)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 7), max_size=12), st.integers(0, 2**63))
def test_degrees_are_exact(degrees, seed):
    if sum(degrees) % 2:
        with pytest.raises(ValueError, match="degrees must have an even sum"):
            configuration_model(degrees)
        return
    assert ends_of(configuration_model(degrees, seed=seed)).tolist() == degrees
    if nx.is_graphical(degrees):
        graph = configuration_model(degrees, simple=True, seed=seed)
        sources, targets, _ = graph.edges()
        assert graph.weights is None
        assert (sources != targets).all()
        assert graph.degrees().tolist() == degrees
    else:
        with pytest.raises(ValueError, match="no simple graph has these"):
            configuration_model(degrees, simple=True)


def test_hubs_and_cliques_that_repairs_alone_do_not_reach():
    for degrees in ([19] * 20, [29] + [1] * 29, [18] * 20, [10] * 10 + [1] * 10 + [9] * 2):
        for seed in range(5):
            graph = configuration_model(degrees, simple=True, seed=seed)
            assert graph.degrees().tolist() == degrees


def test_stubs_pair_uniformly(chi_square):
    # Two vertices of degree 2: of the three pairings of four stubs, one makes two loops.
    loops = [configuration_model([2, 2], seed=seed).num_edges == 2 for seed in range(3000)]
    counts = Counter(loops)
    assert chi_square([counts[True], counts[False]], [1000, 2000]) > 1e-4


def test_simple_graphs_are_nearly_uniform(chi_square):
    # The degrees 2, 2, 1, 1 belong to two paths: 2-0-1-3 and 3-0-1-2.
    seen = Counter(
        configuration_model([2, 2, 1, 1], simple=True, seed=seed).has_edge(0, 2)
        for seed in range(2000)
    )
    assert chi_square([seen[True], seen[False]], [1000, 1000]) > 1e-4


def test_exchanges_reach_all_graphs():
    # The complement of a perfect matching of 8 vertices: most pairings fail, exchanges mix.
    seen = set()
    for seed in range(60):
        graph = random_regular(8, 6, seed=seed)
        assert set(graph.degrees().tolist()) == {6}
        missing = [pair for pair in combinations(range(8), 2) if not graph.has_edge(*pair)]
        seen.add(tuple(missing))
    assert len(seen) > 30  # of 105


@pytest.mark.parametrize(("n", "d"), [(0, 0), (1, 0), (2, 1), (6, 5), (50, 3), (50, 40), (3000, 4)])
def test_regular(n, d):
    graph = random_regular(n, d, seed=5)
    assert graph.num_edges == n * d // 2
    assert (graph.degrees() == d).all()
    if d >= 3:
        assert connected_components(graph).num_components == 1


def test_expected_degrees():
    wanted = np.concatenate([np.full(100, 60.0), np.full(3000, 4.0), np.zeros(10)])
    total = wanted.sum()
    made = [expected_degree(wanted, seed=seed).degrees() for seed in range(20)]
    exact = wanted * (total - wanted) / total  # no loops
    mean = np.mean(made, axis=0)
    for part in (slice(0, 100), slice(100, 3100)):
        size, runs = len(wanted[part]), len(made)
        spread = np.sqrt(exact[part].mean() / (size * runs))
        assert abs(mean[part].mean() - exact[part].mean()) < 5 * spread
    assert (mean[-10:] == 0).all()


def test_every_pair_has_its_own_probability(chi_square):
    wanted, runs = np.array([1.0, 3.0, 2.0, 3.0]), 4000
    counts = np.zeros((4, 4))
    for seed in range(runs):
        sources, targets, _ = expected_degree(wanted, self_loops="keep", seed=seed).edges()
        counts[np.minimum(sources, targets), np.maximum(sources, targets)] += 1
    p = np.minimum(np.outer(wanted, wanted) / wanted.sum(), 1)
    for u in range(4):
        for v in range(u, 4):
            if p[u, v] == 1:
                assert counts[u, v] == runs
            else:
                both = [counts[u, v], runs - counts[u, v]]
                assert chi_square(both, [runs * p[u, v], runs * (1 - p[u, v])]) > 1e-5


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: configuration_model(np.arange(5000) % 20 + 1, seed=seed),
        lambda seed: configuration_model(np.arange(5000) % 20 + 1, simple=True, seed=seed),
        lambda seed: expected_degree(np.arange(5000) % 20 + 0.5, seed=seed),
    ],
)
def test_same_graph_for_any_number_of_threads(make):
    made = []
    for team in (1, 2, 3):
        with threads(team):
            made.append(make(3))
    assert made[0] == made[1] == made[2]
    assert made[0] != make(4)


def test_nothing_to_draw():
    for degrees in ([], [0], [0.0, 0.0]):
        for make in (configuration_model, expected_degree):
            assert make(degrees).num_edges == 0
            assert make(degrees).num_vertices == len(degrees)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: configuration_model([1.5, 0.5]), ValueError, "degrees must be whole numbers"),
        (lambda: configuration_model([-1, 1]), ValueError, "finite and not negative"),
        (lambda: configuration_model([1, 1], simple=np.ones(2)), TypeError, "simple"),
        (lambda: expected_degree([1, np.nan]), ValueError, "finite and not negative"),
        (lambda: expected_degree([[1.0]]), ValueError, "one entry per vertex"),
        (lambda: expected_degree("abc"), TypeError, "degrees must be a list of numbers"),
        (lambda: expected_degree([1.0], self_loops="both"), ValueError, "self_loops"),
        (lambda: random_regular(3, 100), ValueError, "d must be less than n = 3"),
        (lambda: random_regular(5, 3), ValueError, "must be even"),
    ],
)
def test_bad_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
