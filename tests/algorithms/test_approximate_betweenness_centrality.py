"""`approximate_betweenness_centrality`: sampled paths, bounds and ranks against exact values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from edgewise import (
    Graph,
    approximate_betweenness_centrality,
    betweenness_centrality,
    generators,
    threads,
)
from edgewise.algorithms.centrality.path_samples import sample_paths
from edgewise.algorithms.centrality.sampling_plan import errors, is_ranked, plan
from edgewise.algorithms.centrality.search_memory import new_searches
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape


def frequencies(graph, number, seed=0):
    """How often each vertex is inside a sampled path."""
    counts = np.zeros(graph.num_vertices, np.int64)
    sample_paths(graph, range(number), np.uint64(seed), new_searches(graph), counts)
    return counts / number


def check(graph, **options):
    known = betweenness_centrality(graph)
    found = approximate_betweenness_centrality(graph, **options)
    assert (abs(found.scores - known) <= options["epsilon"]).all()
    assert (found.lower_bound <= known + 1e-12).all() and (known <= found.upper_bound + 1e-12).all()
    assert (found.lower_bound <= found.scores).all() and (found.scores <= found.upper_bound).all()
    assert (found.upper_bound - found.scores <= options["epsilon"] * (1 + 1e-9)).all()
    assert found.samples > 0 or graph.num_vertices < 3
    return found


def diamonds(count):
    """A chain of squares: as many paths as two to the power of their number."""
    at = 3 * np.arange(count)
    return Graph.from_edges(np.r_[at, at, at + 1, at + 2], np.r_[at + 1, at + 2, at + 3, at + 3])


@pytest.mark.parametrize("graph", [
    generators.karate_club(), random_graph(60, 150), random_graph(60, 200, directed=True),
    generators.grid_2d(5, 6), diamonds(12),
], ids=["club", "random", "directed", "grid", "diamonds"])  # fmt: skip
def test_paths_are_drawn_evenly(graph):
    n, number = graph.num_vertices, 40_000
    exact = betweenness_centrality(graph) * (n - 2) / n
    found = frequencies(graph, number)
    spread = np.sqrt(exact * (1 - exact) / number)
    assert (abs(found - exact) <= 5 * spread + 1e-12).all()


def test_more_paths_than_floats_hold():
    graph = diamonds(1100)
    n, number = graph.num_vertices, 3000
    exact = betweenness_centrality(graph) * (n - 2) / n
    found = frequencies(graph, number)
    assert abs(found - exact).max() <= 5 * np.sqrt(0.25 / number)


@settings(max_examples=15)
@given(graphs())
def test_any_graph(graph):
    check(graph, epsilon=0.1, delta=1e-6)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("directed", [False, True])
def test_shapes(name, directed):
    check(shape(name, directed=directed), epsilon=0.05, delta=1e-6)


def test_number_of_samples_adapts():
    club = check(generators.karate_club(), epsilon=0.02, delta=0.01)
    even = check(generators.watts_strogatz(500, 8, p=0.5), epsilon=0.02, delta=0.01)
    assert even.samples < club.samples / 3  # its largest centrality is a hundredth of the club's
    assert check(generators.karate_club(), epsilon=0.04, delta=0.01).samples < club.samples / 3


def test_bounds_fail_seldom():
    """Bounds for half of the trials hold in at least half of them, but not by much too wide."""
    graph = generators.karate_club()
    known = betweenness_centrality(graph)
    held = 0
    for seed in range(40):
        found = approximate_betweenness_centrality(graph, epsilon=0.1, delta=0.5, seed=seed)
        held += (abs(found.scores - known) <= 0.1).all()
    assert held >= 20
    assert np.abs(found.scores - known).max() > 1e-4  # it is a sample


def test_threads_and_seeds():
    graph, found = random_graph(300, 900), []
    for team in (1, 2, 3):
        with threads(team):
            found.append(approximate_betweenness_centrality(graph, epsilon=0.03, seed=5))
    for other in found[1:]:
        assert other.samples == found[0].samples
        for one, same in zip(found[0][:3], other[:3], strict=True):
            np.testing.assert_array_equal(one, same)
    again = approximate_betweenness_centrality(graph, epsilon=0.03, seed=6)
    assert (again.scores != found[0].scores).any()


def test_ranks():
    graph = generators.barabasi_albert(300, 2, seed=4)
    known = betweenness_centrality(graph)
    found = approximate_betweenness_centrality(graph, epsilon=0.005, delta=1e-3, k=3)
    whole = approximate_betweenness_centrality(graph, epsilon=0.005, delta=1e-3)
    best = np.argsort(-found.scores, kind="stable")[:3]
    true = np.argsort(-known)[:3]
    assert (abs(known[best] - known[true]) <= 0.01).all()
    assert found.samples < whole.samples
    assert (found.lower_bound <= known).all() and (known <= found.upper_bound).all()


def test_when_ranks_are_certain():
    share = np.array([0.5, 0.3, 0.1, 0.1])
    apart, wide = np.full(4, 0.05), np.full(4, 0.15)
    assert is_ranked(share, apart, apart, 2, 0.01)
    assert not is_ranked(share, wide, wide, 2, 0.01)
    assert is_ranked(share, wide, wide, 2, 0.2)
    assert not is_ranked(share, apart, apart, 3, 0.01)  # two are alike


def test_plan_divides_the_probability():
    counts = np.array([50, 10, 3, 0, 0, 0])
    for k in (None, 2):
        checks, trust = plan(counts, 100, 0.01, 0.1, k)
        assert 2 * len(checks) * np.exp(-trust).sum() <= 0.1 * (1 + 1e-9)
        assert checks == sorted(set(checks))
        last = errors(np.full(6, 0.5), trust / checks[-1])
        assert max(last[0].max(), last[1].max()) <= 0.01


def test_errors():
    graph = shape("path")
    for options, word in (
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": 1.0}, "epsilon"),
        ({"delta": 2}, "delta"),
        ({"k": 0}, "k must"),
        ({"k": 151}, "k must be at most the number of vertices"),
    ):
        with pytest.raises(ValueError, match=word):
            approximate_betweenness_centrality(graph, **options)
    with pytest.raises(TypeError, match="epsilon"):
        approximate_betweenness_centrality(graph, epsilon="small")


def test_few_searches_at_once(monkeypatch):
    graph = random_graph(200, 600)
    known = approximate_betweenness_centrality(graph, epsilon=0.05)
    monkeypatch.setattr("edgewise.algorithms.centrality.search_memory._MOST", 1)
    assert new_searches(graph).mark.shape == (1, 200)
    with threads(3):
        found = approximate_betweenness_centrality(graph, epsilon=0.05)
    np.testing.assert_array_equal(found.scores, known.scores)
