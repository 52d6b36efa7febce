"""Stochastic Kronecker graphs: every edge has the probability of its entry."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.threads import threads
from edgewise.generators import stochastic_kronecker
from edgewise.graph import Graph

FITTED = np.array([[0.99, 0.54], [0.54, 0.13]])
THREE = np.array([[0.9, 0.3, 0.0], [0.1, 0.8, 0.5], [1.0, 0.2, 0.4]])


def power_of(matrix, power):
    result = np.ones((1, 1))
    for _ in range(power):
        result = np.kron(result, matrix)
    return result


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("matrix", [FITTED, THREE])
def test_every_edge_has_its_probability(matrix, directed):
    if not directed:
        matrix = (matrix + matrix.T) / 2
    p, runs = power_of(matrix, 3), 800
    counts = np.zeros(p.shape)
    for seed in range(runs):
        drawn = stochastic_kronecker(matrix, 3, directed=directed, self_loops="keep", seed=seed)
        sources, targets, _ = drawn.edges()
        counts[sources, targets] += 1
    if not directed:
        counts = np.triu(counts + np.tril(counts, -1).T)
        p = np.triu(p)
    spread = np.sqrt(p * (1 - p) * runs)
    assert (counts[p == 0] == 0).all()
    assert (counts[p == 1] == runs).all()
    off = np.abs(counts - p * runs)[spread > 0] / spread[spread > 0]
    assert off.max() < 4.8
    assert np.mean(off**2) == pytest.approx(1, abs=0.35)


def test_both_directions_are_independent():
    p, runs = 0.6, 1000
    matrix = [[0.0, p], [p, 0.0]]
    both = one = 0
    for seed in range(runs):
        graph = stochastic_kronecker(matrix, 1, directed=True, seed=seed)
        both += graph.num_edges == 2
        one += graph.num_edges == 1
    assert abs(both / runs - p * p) < 0.06
    assert abs(one / runs - 2 * p * (1 - p)) < 0.06


def test_zeros_and_ones_are_exact():
    matrix = np.array([[1, 1, 0], [0, 1, 0], [1, 0, 1]])
    expected = power_of(matrix, 4)
    sources, targets = np.nonzero(expected)
    graph = stochastic_kronecker(matrix, 4, directed=True, self_loops="keep", seed=9)
    assert graph == Graph.from_edges(
        sources.astype(np.int32), targets.astype(np.int32), directed=True, num_vertices=81
    )
    assert stochastic_kronecker(np.zeros((2, 2)), 5).num_edges == 0


def test_number_of_edges():
    power = 14
    graph = stochastic_kronecker(FITTED, power, seed=2)
    expected = (FITTED.sum() ** power - np.trace(FITTED) ** power) / 2
    assert abs(graph.num_edges - expected) < 5 * np.sqrt(expected)


def test_same_graph_for_any_number_of_threads():
    made = []
    for team in (1, 2, 3):
        with threads(team):
            made.append(stochastic_kronecker(FITTED, 13, seed=1))
    assert made[0] == made[1] == made[2]
    assert made[0] != stochastic_kronecker(FITTED, 13, seed=2)


@pytest.mark.parametrize(
    ("matrix", "power", "error", "message"),
    [
        ([[0.5, 0.2], [0.1, 0.5]], 3, ValueError, "symmetric"),
        ([[0.5, 1.2], [1.2, 0.5]], 3, ValueError, "numbers from 0 to 1"),
        ([[0.5, np.nan], [np.nan, 0.5]], 3, ValueError, "numbers from 0 to 1"),
        ([0.5, 0.5], 3, ValueError, "square matrix"),
        ([[0.5]], 3, ValueError, "at least 2 rows"),
        ("abc", 3, TypeError, "matrix of numbers"),
        (FITTED, 0, ValueError, "power must be at least 1"),
        (FITTED, 32, ValueError, "at most 2\\*\\*31 vertices"),
        (np.ones((2, 2)), 25, ValueError, "2\\*\\*40 expected edges"),
    ],
)
def test_bad_arguments_are_named(matrix, power, error, message):
    with pytest.raises(error, match=message):
        stochastic_kronecker(matrix, power)
