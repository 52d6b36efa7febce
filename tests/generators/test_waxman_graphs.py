"""Waxman graphs: each pair of points is joined with the probability of its distance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from edgewise.generators import geometric_coordinates, waxman


def probabilities(n, seed, beta, alpha):
    points = geometric_coordinates(n, seed=seed)
    p = beta * np.exp(-cdist(points, points) / (alpha * math.sqrt(2)))
    return np.triu(p, 1)


@pytest.mark.parametrize(
    ("n", "beta", "alpha"),
    [(600, 0.4, 0.1), (600, 1.0, 0.02), (2000, 0.9, 0.005), (300, 0.7, 3.0), (500, 0.01, 0.3)],
)
def test_edges_by_distance(n, beta, alpha):
    """Sums over classes of distances, over several graphs, against their expectations."""
    found, expected, spread = np.zeros(6), np.zeros(6), np.zeros(6)
    for seed in range(6):
        p = probabilities(n, seed, beta, alpha)
        points = geometric_coordinates(n, seed=seed)
        reach = alpha * math.sqrt(2)
        sources, targets, _ = waxman(n, beta=beta, alpha=alpha, seed=seed).edges()
        apart = np.hypot(*(points[sources] - points[targets]).T) / reach
        found += np.bincount(np.minimum(apart, 5).astype(int), minlength=6)
        u, v = np.nonzero(p)
        classes = np.minimum(np.hypot(*(points[u] - points[v]).T) / reach, 5).astype(int)
        expected += np.bincount(classes, p[u, v], 6)
        spread += np.bincount(classes, p[u, v] * (1 - p[u, v]), 6)
    assert (np.abs(found - expected) <= 4.5 * np.sqrt(spread) + 1e-9).all()


def test_points_are_those_of_geometric_graphs():
    n = 400
    p = probabilities(n, 3, 1.0, 0.001)
    sources, targets, _ = waxman(n, beta=1, alpha=0.001, seed=3).edges()
    # Almost all possible edges have no probability; none of them is drawn.
    assert (p + p.T)[sources, targets].min(initial=1) > 1e-4


def test_extremes():
    assert waxman(0).num_vertices == 0
    assert waxman(1).num_edges == 0
    assert waxman(50, beta=0).num_edges == 0
    assert waxman(50, beta=1, alpha=1e9).num_edges == 50 * 49 // 2
    assert waxman(50, alpha=1e-300).num_edges == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"beta": 1.5}, "beta must be at most 1"),
        ({"beta": -0.1}, "beta must be at least 0"),
        ({"alpha": 0}, "alpha must be greater than 0"),
        ({"alpha": math.nan}, "alpha must be finite"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        waxman(10, **arguments)
