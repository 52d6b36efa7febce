"""Uniform graphs: exact counts, every set of edges equally likely."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import combinations, permutations, product

import numpy as np
import pytest
from scipy.stats import binom

from edgewise.generators import (
    gnm_random,
    gnm_random_edges,
    gnp_chromatic_number,
    gnp_random,
    random_bipartite,
    urand,
    urand_edges,
)


@pytest.mark.parametrize(
    ("n", "m"), [(0, 0), (1, 0), (2, 1), (5, 10), (7, 3), (100, 4950), (100, 4000), (1000, 5000)]
)
def test_uniform_has_exactly_m_distinct_edges(n, m, edge_set):
    graph = gnm_random(n, m, seed=3)
    assert (graph.num_vertices, graph.num_edges) == (n, m)
    assert all(u < v < n for u, v in edge_set(graph))


@pytest.mark.parametrize(("n", "m"), [(2, 2), (5, 20), (30, 869), (200, 1000)])
def test_directed_uniform_has_exactly_m_distinct_arcs(n, m, edge_set):
    graph = gnm_random(n, m, directed=True, seed=3)
    assert (graph.num_vertices, graph.num_edges, graph.directed) == (n, m, True)
    assert all(u != v for u, v in edge_set(graph))


def test_every_set_of_edges_is_equally_likely(edge_set, chi_square):
    rounds = 6000
    seen = Counter(frozenset(edge_set(gnm_random(5, 2, seed=seed))) for seed in range(rounds))
    possible = [frozenset(two) for two in combinations(combinations(range(5), 2), 2)]
    counts = np.array([seen[edges] for edges in possible])
    assert counts.sum() == rounds
    assert chi_square(counts, np.full(len(counts), rounds / len(counts))) > 1e-4


def test_every_arc_is_equally_likely(edge_set, chi_square):
    rounds = 4000
    seen = Counter(
        arc
        for seed in range(rounds)
        for arc in edge_set(gnm_random(4, 1, directed=True, seed=seed))
    )
    counts = np.array([seen[arc] for arc in permutations(range(4), 2)])
    assert chi_square(counts, np.full(12, rounds / 12)) > 1e-4


def test_degrees_are_binomial(chi_square):
    n, m = 20000, 100000
    counts = np.bincount(gnm_random(n, m, seed=9).degrees(), minlength=31)
    expected = n * binom.pmf(np.arange(31), m, 2 / n)
    counts = np.r_[counts[:4].sum(), counts[4:20], counts[20:].sum()]
    expected = np.r_[expected[:4].sum(), expected[4:20], n - expected[:20].sum()]
    assert chi_square(counts, expected) > 1e-4


def test_urand_ends_are_uniform_and_independent(chi_square):
    sources, targets = urand_edges(4, edge_factor=4096, seed=1)
    counts = np.bincount(sources * 16 + targets, minlength=256)
    assert chi_square(counts, np.full(256, len(sources) / 256)) > 1e-4


def test_urand_graph_is_what_was_drawn(edge_set):
    sources, targets = urand_edges(6, seed=2)
    pairs = list(zip(sources.tolist(), targets.tolist(), strict=True))
    drawn = {(min(pair), max(pair)) for pair in pairs}
    assert edge_set(urand(6, seed=2, self_loops="keep")) == drawn
    assert edge_set(urand(6, seed=2)) == {(u, v) for u, v in drawn if u != v}
    counted = urand(6, seed=2, count_duplicates=True, self_loops="keep", directed=True)
    assert counted.weights.sum() == 16 * 64


@pytest.mark.parametrize(
    ("left", "right", "m"), [(3, 4, 12), (10, 1, 4), (50, 80, 1000), (0, 5, 0)]
)
def test_bipartite_edges_cross(left, right, m, edge_set):
    graph = random_bipartite(left, right, m=m, seed=5)
    assert (graph.num_vertices, graph.num_edges) == (left + right, m)
    assert all(u < left <= v < left + right for u, v in edge_set(graph))


def test_every_bipartite_edge_is_equally_likely(edge_set, chi_square):
    rounds = 1000
    seen = Counter(
        edge for seed in range(rounds) for edge in edge_set(random_bipartite(3, 4, m=2, seed=seed))
    )
    counts = np.array([seen[edge] for edge in product(range(3), range(3, 7))])
    assert chi_square(counts, np.full(12, rounds / 6)) > 1e-4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gnm_random(4, 7), "m must be at most 6, the number of edges of 4 vertices, got 7"),
        (lambda: gnm_random(4, 13, directed=True), "m must be at most 12"),
        (lambda: gnm_random(-1, 0), "n must be at least 0"),
        (lambda: gnm_random(4, -1), "m must be at least 0"),
        (lambda: gnm_random(2**32, 1), r"at most 2\*\*61 can be numbered"),
        (lambda: urand(50), "scale must be at most 40"),
        (lambda: random_bipartite(2, 2, m=5), "m must be at most 4"),
        (lambda: random_bipartite(-2, 2, m=0), "left must be at least 0"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    "draw",
    [
        partial(urand_edges, 6, edge_factor=5, seed=2),
        partial(gnm_random_edges, 40, 320, seed=2),
        partial(gnm_random_edges, 40, 320, directed=True, seed=2),
    ],
)
def test_parts_are_the_edges_of_the_whole(draw):
    cuts = [0, 0, 100, 101, 320]
    parts = [draw(part=part) for part in zip(cuts, cuts[1:], strict=False)]
    for side in range(2):
        together = np.concatenate([part[side] for part in parts])
        assert together.tolist() == draw()[side].tolist()


@pytest.mark.parametrize("directed", [False, True])
def test_gnp_number_of_edges_is_binomial(directed):
    n, p, rounds = 40, 0.3, 200
    possible = n * (n - 1) if directed else n * (n - 1) // 2
    graphs = [gnp_random(n, p, directed=directed, seed=seed) for seed in range(rounds)]
    counts = np.array([graph.num_edges for graph in graphs])
    assert all(graph.directed is directed for graph in graphs)
    variance = possible * p * (1 - p)
    assert abs(counts.mean() - possible * p) < 4 * np.sqrt(variance / rounds)
    assert 0.65 < counts.var() / variance < 1.45


def test_gnp_edges_are_equally_likely(edge_set, chi_square):
    rounds = 1000
    seen = Counter(
        edge for seed in range(rounds) for edge in edge_set(gnp_random(5, 0.4, seed=seed))
    )
    counts = np.array([seen[edge] for edge in combinations(range(5), 2)])
    assert chi_square(counts, np.full(10, 0.4 * rounds), lost=0) > 1e-4


def test_gnp_by_degree():
    n, degree = 20000, 12.5
    graph = gnp_random(n, average_degree=degree, seed=4)
    assert abs(graph.degrees().mean() - degree) < 4 * np.sqrt(2 * degree / n)
    assert gnp_random(6, average_degree=5).num_edges == 15
    assert gnp_random(0, average_degree=0).num_vertices == 0
    assert gnp_random(1, 0.5).num_edges == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give either p or average_degree, got None and None"),
        ({"p": 0.1, "average_degree": 3}, "give either p or average_degree, got 0.1 and 3"),
        ({"p": 1.5}, "p must"),
        ({"average_degree": 10}, "average_degree must be at most 9, got 10"),
        ({"average_degree": -1}, "average_degree must be at least 0, got -1"),
    ],
)
def test_gnp_names_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        gnp_random(10, **arguments)


def test_predicted_colors_of_random_graphs():
    # the smallest k with degree < 2 k log k
    assert [gnp_chromatic_number(d) for d in (0, 0.5, 2.7, 2.8, 6.5, 6.6, 11, 11.1)] == [
        1, 2, 2, 3, 3, 4, 4, 5]  # fmt: skip
    for degree in (20, 77.7, 1000):
        k = gnp_chromatic_number(degree)
        assert 2 * (k - 1) * np.log(k - 1) <= degree < 2 * k * np.log(k)


def test_largest_row_of_a_random_pattern_grows_as_stated():
    n = 100_000
    graph = random_bipartite(n, n, m=2 * n, seed=6)
    assert graph.degrees()[:n].max() >= np.log(n) / np.log(np.log(n))
