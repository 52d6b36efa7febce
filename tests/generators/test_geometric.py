"""Random geometric graphs against all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from edgewise.generators import geometric_coordinates, random_geometric


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("radius", [0.01, 0.05, 0.11, 0.25, 0.5, 0.9, 2.0])
def test_joins_exactly_the_close_pairs(radius, dimension, edge_set):
    n = 400
    points = geometric_coordinates(n, dimension=dimension, seed=3)
    graph = random_geometric(n, radius=radius, dimension=dimension, seed=3)
    u, v = np.nonzero(np.triu(squareform(pdist(points)) <= radius, 1))
    assert edge_set(graph) == set(zip(u.tolist(), v.tolist(), strict=True))


def test_lengths_are_weights():
    graph = random_geometric(500, radius=0.1, weights="length", seed=2)
    points = geometric_coordinates(500, seed=2)
    sources, targets, weights = graph.arcs()
    assert np.allclose(weights, np.linalg.norm(points[sources] - points[targets], axis=1))
    assert random_geometric(500, radius=0.1, seed=2).weights is None


@pytest.mark.parametrize(("dimension", "inside"), [(2, 0.1), (3, 0.2)])
def test_degree_is_the_mean_away_from_the_border(dimension, inside):
    n = 20000
    graph = random_geometric(n, average_degree=20, dimension=dimension, seed=4)
    points = geometric_coordinates(n, dimension=dimension, seed=4)
    away = ((points > inside) & (points < 1 - inside)).all(axis=1)
    assert abs(graph.degrees()[away].mean() - 20) < 0.5


def test_points_fill_the_square(chi_square):
    points = geometric_coordinates(20000, seed=7)
    cells = (points * 10).astype(int)
    counts = np.bincount(cells[:, 0] * 10 + cells[:, 1], minlength=100)
    assert chi_square(counts, np.full(100, 200)) > 1e-4


def test_small_sizes():
    assert random_geometric(0, radius=0.1).num_vertices == 0
    assert random_geometric(1, average_degree=5).num_edges == 0
    assert random_geometric(2, radius=2).num_edges == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give either radius or average_degree, got None and None"),
        ({"radius": 0.1, "average_degree": 3}, "give either radius or average_degree"),
        ({"radius": 0}, "radius must be greater than 0, got 0"),
        ({"radius": float("nan")}, "radius must be finite"),
        ({"average_degree": -1}, "average_degree must be greater than 0"),
        ({"radius": 0.1, "dimension": 4}, "dimension must be 2 or 3, got 4"),
        ({"radius": 0.1, "weights": "far"}, "weights must be one of 'length'"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        random_geometric(10, **arguments)
