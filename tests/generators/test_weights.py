"""Random weights: both directions agree, and each distribution is its own."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from edgewise.generators import gnm_random, integer_weights, karate_club, random_weights, rmat
from edgewise.graph import Graph

SHAPES = {
    "uniform": ({"low": 2, "high": 5}, stats.uniform(2, 3)),
    "exponential": ({"mean": 3.0}, stats.expon(scale=3)),
    "normal": ({"mean": -2, "std": 0.5}, stats.norm(-2, 0.5)),
    "lognormal": ({"mean": 1, "std": 0.3}, stats.lognorm(0.3, scale=np.e)),
}
DEFAULTS = {
    "uniform": stats.uniform(0, 1),
    "exponential": stats.expon(),
    "normal": stats.norm(),
    "lognormal": stats.lognorm(1),
}


@pytest.mark.parametrize("distribution", ["uniform", "integer", "exponential", "normal", "unit"])
def test_both_directions_agree(distribution):
    graph = random_weights(gnm_random(200, 2000), distribution, seed=3)
    sources, targets, weights = graph.arcs()
    matrix = np.full((200, 200), np.nan)
    matrix[sources, targets] = weights
    assert np.array_equal(matrix, matrix.T, equal_nan=True)


@pytest.mark.parametrize("distribution", SHAPES)
def test_distribution_by_kolmogorov_and_smirnov(distribution):
    graph = gnm_random(500, 20000, directed=True)
    parameters, law = SHAPES[distribution]
    weights = random_weights(graph, distribution, seed=1, **parameters).weights
    assert stats.kstest(weights, law.cdf).pvalue > 1e-3
    weights = random_weights(graph, distribution, seed=1).weights
    assert stats.kstest(weights, DEFAULTS[distribution].cdf).pvalue > 1e-3
    assert weights.dtype == np.float64


@pytest.mark.parametrize(
    ("parameters", "low", "high"), [({}, 1, 255), ({"low": -3, "high": 3}, -3, 3)]
)
def test_integers_are_uniform_and_include_both_ends(parameters, low, high, chi_square):
    graph = gnm_random(500, 40000, directed=True)
    weights = random_weights(graph, "integer", seed=2, **parameters).weights
    assert weights.dtype == np.int32
    count = high - low + 1
    assert (
        chi_square(np.bincount(weights - low, minlength=count), np.full(count, 4e4 / count)) > 1e-4
    )


def test_large_integers_get_a_wide_type():
    weights = random_weights(karate_club(), "integer", low=0, high=2**40).weights
    assert weights.dtype == np.int64
    assert weights.max() > 2**35


def test_unit_weights():
    assert set(random_weights(karate_club(), "unit").weights.tolist()) == {1.0}


def test_weights_of_different_edges_do_not_depend_on_the_rest():
    graph = random_weights(karate_club(), seed=4)
    sources, targets, weights = graph.edges()
    alone = Graph.from_edges(sources[:5], targets[:5], num_vertices=34)
    expected = dict(zip(zip(sources, targets, strict=True), weights, strict=True))
    for u, v, weight in zip(*random_weights(alone, seed=4).edges(), strict=True):
        assert expected[u, v] == weight
    assert len(set(weights.tolist())) == len(weights)


def test_directions_of_a_directed_graph_differ():
    graph = Graph.from_edges([0, 1], [1, 0], directed=True)
    first, second = random_weights(graph).weights
    assert first != second


def test_input_is_left_alone_and_seed_decides():
    graph = karate_club()
    weighted = random_weights(graph, seed=1)
    assert graph.weights is None
    assert np.array_equal(weighted.indices, graph.indices)
    assert weighted == random_weights(graph, seed=1)
    assert weighted != random_weights(graph, seed=2)


@pytest.mark.parametrize(
    ("distribution", "arguments", "message"),
    [
        ("gamma", {}, "distribution must be one of 'uniform'"),
        ("uniform", {"mean": 1}, "mean does not belong to the uniform distribution, which has low"),
        ("normal", {"low": 1}, "low does not belong to the normal distribution"),
        ("unit", {"high": 1}, "high does not belong to the unit distribution, which has no param"),
        ("uniform", {"low": 2, "high": 1}, "low must not exceed high, got 2 > 1"),
        ("uniform", {"low": float("nan")}, "low must be finite"),
        ("integer", {"low": 1.5}, "low must be a whole number"),
        ("exponential", {"mean": 0}, "mean must be greater than 0"),
        ("normal", {"std": -1}, "std must be at least 0"),
    ],
)
def test_bad_arguments_are_named(distribution, arguments, message):
    with pytest.raises(ValueError, match=message):
        random_weights(karate_club(), distribution, **arguments)


@pytest.mark.parametrize("directed", [False, True])
def test_integer_weights_are_those_of_random_weights(directed):
    graph = rmat(6, seed=1, directed=directed)
    sources, targets, _ = graph.arcs()
    expected = random_weights(graph, "integer", high=50, seed=9).weights
    found = integer_weights(sources, targets, high=50, directed=directed, seed=9)
    assert found.dtype == expected.dtype and found.tolist() == expected.tolist()
