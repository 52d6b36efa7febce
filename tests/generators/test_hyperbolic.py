"""Random hyperbolic graphs against all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.generators import hyperbolic_points, random_hyperbolic


def close_pairs(points):
    """All pairs at most the disc's radius apart, by the hyperbolic law of cosines."""
    r, s = points.radius[:, None], points.radius[None]
    turn = points.angle[:, None] - points.angle[None]
    cosh = np.cosh(r) * np.cosh(s) - np.sinh(r) * np.sinh(s) * np.cos(turn)
    u, v = np.nonzero(np.triu(cosh <= np.cosh(points.disc), 1))
    return set(zip(u.tolist(), v.tolist(), strict=True))


@pytest.mark.parametrize("exponent", [2.05, 2.5, 3.0, 6.0])
@pytest.mark.parametrize(("n", "degree"), [(2, 0.5), (30, 15), (300, 1), (400, 12), (400, 220)])
def test_joins_exactly_the_close_pairs(n, degree, exponent, edge_set):
    for seed in (1, 2):
        options = {"average_degree": degree, "exponent": exponent, "seed": seed}
        points = hyperbolic_points(n, **options)
        assert edge_set(random_hyperbolic(n, **options)) == close_pairs(points)


@pytest.mark.parametrize(("exponent", "tolerance"), [(2.5, 0.1), (3.0, 0.04), (5.0, 0.02)])
def test_mean_degree_is_the_expected_one(exponent, tolerance):
    means = [
        random_hyperbolic(20000, average_degree=12, exponent=exponent, seed=seed).degrees().mean()
        for seed in range(5)
    ]
    assert abs(np.mean(means) - 12) < 12 * tolerance


@pytest.mark.parametrize("exponent", [2.3, 2.7])
def test_degrees_follow_the_power_law(exponent):
    degrees = random_hyperbolic(200_000, average_degree=10, exponent=exponent, seed=3).degrees()
    tail = degrees[degrees >= 50]
    # Hill's estimate of the exponent
    found = 1 + len(tail) / np.log(tail / 49.5).sum()
    assert abs(found - exponent) < 0.1


def test_core_is_a_clique_that_grows_as_predicted():
    sizes = []
    for n in (4000, 64000):
        points = hyperbolic_points(n, average_degree=10, exponent=2.2, seed=5)
        clique = points.clique()
        inside = random_hyperbolic(n, average_degree=10, exponent=2.2, seed=5).subgraph(clique)
        assert inside.num_edges == len(clique) * (len(clique) - 1) // 2
        sizes.append(len(clique))
    # n ** ((3 - exponent) / 2): 16 times the vertices, 3.03 times the clique
    assert 2.2 < sizes[1] / sizes[0] < 4.2


def test_angles_and_radii_fill_the_disc(chi_square):
    points = hyperbolic_points(20000, average_degree=10, exponent=3, seed=7)
    assert chi_square(np.histogram(points.angle, 50, (0, 2 * np.pi))[0], np.full(50, 400)) > 1e-4
    # the exponent 3 means density sinh r
    share = (np.cosh(points.radius) - 1) / (np.cosh(points.disc) - 1)
    assert chi_square(np.histogram(share, 50, (0, 1))[0], np.full(50, 400)) > 1e-4


def test_small_sizes():
    assert random_hyperbolic(0, average_degree=3).num_vertices == 0
    assert random_hyperbolic(1, average_degree=3).num_edges == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"average_degree": 0}, "average_degree must be greater than 0, got 0"),
        ({"average_degree": 6}, "average_degree must be at most 5.28 for n = 10, got 6"),
        ({"average_degree": 3, "exponent": 2}, "exponent must be greater than 2, got 2"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        random_hyperbolic(10, **arguments)
