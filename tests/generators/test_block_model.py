"""Block models: exact where the probabilities are 0 or 1, binomial between."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from edgewise.base.threads import threads
from edgewise.generators import planted_coloring, planted_partition, stochastic_block_model


def block_counts(graph, labels, blocks):
    """Arcs between each pair of blocks."""
    sources, targets, _ = graph.arcs()
    flat = labels[sources] * blocks + labels[targets]
    return np.bincount(flat, minlength=blocks**2).reshape(blocks, blocks)


@pytest.mark.parametrize("directed", [False, True])
def test_sure_and_impossible_edges(directed, edge_set):
    sizes = [4, 0, 3, 5]
    p = np.array([[1, 1, 0, 1], [1, 1, 1, 1], [0, 1, 0, 1], [1, 1, 1, 0]])
    graph, labels = stochastic_block_model(sizes, p, directed=directed)
    assert labels.tolist() == [0] * 4 + [2] * 3 + [3] * 5
    allowed = p[labels][:, labels].astype(bool) & ~np.eye(12, dtype=bool)
    u, v = np.nonzero(allowed if directed else np.triu(allowed))
    assert edge_set(graph) == set(zip(u.tolist(), v.tolist(), strict=True))


@pytest.mark.parametrize("directed", [False, True])
def test_densities_of_all_pairs_of_blocks(directed):
    sizes = np.array([300, 500, 200])
    p = np.array([[0.1, 0.02, 0.3], [0.02, 0.05, 0.0], [0.3, 0.0, 0.6]])
    if directed:
        p[0, 1], p[2, 1] = 0.25, 0.01
    graph, labels = stochastic_block_model(sizes, p, directed=directed, seed=2)
    counts = block_counts(graph, labels, 3)
    cells = np.outer(sizes, sizes) - np.diag(sizes)
    deviations = np.sqrt(cells * p * (1 - p) * (1 if directed else 2))
    assert (np.abs(counts - cells * p) <= 4 * deviations).all()


def test_number_of_edges_varies_as_it_should():
    counts = np.array(
        [stochastic_block_model([40], [[0.3]], seed=seed).graph.num_edges for seed in range(400)]
    )
    mean, variance = 780 * 0.3, 780 * 0.3 * 0.7
    assert abs(counts.mean() - mean) < 4 * np.sqrt(variance / 400)
    assert 0.75 < counts.var() / variance < 1.3


def test_edges_inside_a_block_are_equally_likely(edge_set, chi_square):
    seen = Counter(
        edge
        for seed in range(2000)
        for edge in edge_set(stochastic_block_model([5], [[0.4]], seed=seed).graph)
    )
    counts = np.array([seen[edge] for edge in combinations(range(5), 2)])
    assert chi_square(counts, np.full(10, 800), lost=0) > 1e-4


def test_planted_partition_is_the_model_with_two_probabilities():
    p = np.full((3, 3), 0.02)
    np.fill_diagonal(p, 0.4)
    one = planted_partition(3, 50, p_in=0.4, p_out=0.02, seed=9)
    other = stochastic_block_model([50] * 3, p, seed=9)
    assert one.graph == other.graph
    assert (one.communities == other.communities).all()
    inside = np.trace(block_counts(*one, 3)) / one.graph.num_arcs
    assert inside > 0.85


def test_empty_models():
    assert stochastic_block_model([], np.empty((0, 0))).graph.num_vertices == 0
    assert stochastic_block_model([3], [[0]]).graph.num_edges == 0
    assert stochastic_block_model([1, 1], [[1, 1], [1, 1]]).graph.num_edges == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: stochastic_block_model([2, 2], [[1]]), "p must be 2 x 2, one row per block, got"),
        (lambda: stochastic_block_model([2], [[1.2]]), "p must hold numbers from 0 to 1"),
        (lambda: stochastic_block_model([2], [[np.nan]]), "p must hold numbers from 0 to 1"),
        (lambda: stochastic_block_model([2, 2], [[1, 0], [1, 1]]), "p must be symmetric"),
        (lambda: stochastic_block_model([-2], [[1]]), "sizes must be at least 0"),
        (lambda: planted_partition(0, 3, p_in=1, p_out=0), "blocks must be at least 1"),
        (lambda: planted_partition(2, -3, p_in=1, p_out=0), "size must be at least 0"),
        (lambda: planted_partition(2, 3, p_in=2, p_out=0), "p_in must be a number from 0 to 1"),
        (lambda: planted_partition(2, 3, p_in=1, p_out=-1), "p_out must be a number from 0 to 1"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("n", "k", "degree"), [(1, 1, 0), (2, 2, 1), (7, 7, 0), (50, 1, 0), (103, 5, 20), (3000, 40, 9)]
)
def test_planted_colors_are_proper_and_needed(n, k, degree, as_networkx):
    graph, colors = planted_coloring(n, k, average_degree=degree, seed=2)
    sources, targets, _ = graph.edges()
    assert graph.num_vertices == len(colors) == n
    assert (colors[sources] != colors[targets]).all()
    assert set(np.bincount(colors, minlength=k).tolist()) <= {n // k, -(-n // k)}
    assert max(map(len, nx.find_cliques(as_networkx(graph)))) == k


def test_planted_colors_are_in_random_places(chi_square):
    graph, colors = planted_coloring(40000, 4, average_degree=10, seed=3)
    sources, targets, _ = graph.edges()
    assert abs(graph.degrees().mean() - 10) < 0.1
    thirds = colors[:30000].reshape(3, 10000)
    counts = np.array([np.bincount(part) for part in thirds])
    assert chi_square(counts, np.full((3, 4), 2500), lost=3) > 1e-4
    pairs = np.bincount(colors[sources] * 4 + colors[targets], minlength=16).reshape(4, 4)
    pairs = (pairs + pairs.T)[np.triu_indices(4, 1)]
    assert chi_square(pairs, np.full(6, graph.num_edges / 6)) > 1e-4


def test_planted_coloring_names_bad_arguments():
    with pytest.raises(ValueError, match="k must be at least 1, got 0"):
        planted_coloring(5, 0, average_degree=1)
    with pytest.raises(ValueError, match="n must be at least 6, got 5"):
        planted_coloring(5, 6, average_degree=1)
    with pytest.raises(ValueError, match="average_degree must be at most 5, got 6"):
        planted_coloring(10, 2, average_degree=6)


@pytest.mark.parametrize("directed", [False, True])
def test_degree_correction_gives_every_pair_its_probability(directed):
    sizes, propensities, runs = [3, 4], np.array([1, 2, 3, 0, 1, 1, 6.0]), 2000
    p = np.array([[0.3, 0.1], [0.1, 0.4]])
    if directed:
        p[1, 0] = 0.25
    counts = np.zeros((7, 7))
    for seed in range(runs):
        graph, labels = stochastic_block_model(
            sizes, p, propensities=propensities, directed=directed, seed=seed
        )
        sources, targets, _ = graph.arcs()
        counts[sources, targets] += 1
    assert labels.tolist() == [0, 0, 0, 1, 1, 1, 1]
    relative = propensities / np.array([2.0, 2, 2, 2, 2, 2, 2])
    exact = np.minimum(p[labels][:, labels] * np.outer(relative, relative), 1)
    np.fill_diagonal(exact, 0)
    spread = np.sqrt(exact * (1 - exact) * runs)
    assert (np.abs(counts - runs * exact) <= 4.5 * spread + 1e-9).all()


def test_degree_correction_same_for_any_number_of_threads():
    propensities, made = np.arange(6000) % 17 + 0.5, []
    for team in (1, 2, 3):
        with threads(team):
            made.append(
                stochastic_block_model(
                    [2000] * 3, np.full((3, 3), 0.003), propensities=propensities, seed=1
                ).graph
            )
    assert made[0] == made[1] == made[2]
    means = [made[0].degrees()[np.arange(6000) % 17 == k].mean() for k in (0, 8, 16)]
    assert means[0] < means[1] < means[2]
    assert means[1] == pytest.approx(18, rel=0.1)


@pytest.mark.parametrize(
    ("propensities", "message"),
    [([1.0, 2.0], "one entry for each of 3 vertices"), ([1, -1, 0], "not negative")],
)
def test_bad_propensities_are_named(propensities, message):
    with pytest.raises(ValueError, match=message):
        stochastic_block_model([2, 1], np.eye(2), propensities=propensities)
