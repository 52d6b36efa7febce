"""Geometric partitioners: balance by definition, ties, shapes of parts, and refused arguments."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import partitioning as pt
from edgewise.generators import grid_2d

METHODS = [pt.multi_jagged, pt.recursive_coordinate_bisection, pt.recursive_inertial_bisection,
           pt.hilbert_curve]  # fmt: skip
every = pytest.mark.parametrize("method", METHODS, ids=lambda one: one.__name__)


@every
@given(st.integers(0, 60), st.integers(1, 3), st.integers(1, 40), st.integers(1, 30))
def test_equal_weights_are_spread_evenly(method, n, d, k, kinds):
    """Even if most coordinates are equal."""
    points = np.random.default_rng(n + k).integers(0, kinds, (n, d))
    parts = method(points, k)
    assert parts.k == k and len(parts) == n
    assert set(parts.sizes().tolist()) <= {n // k, -(-n // k)}
    np.testing.assert_array_equal(parts, method(points.astype(np.float32), k))


@every
@given(st.integers(1, 60), st.integers(1, 3), st.integers(1, 20), st.integers(0, 99))
def test_weights(method, n, d, k, seed):
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 9, n).astype(float)
    parts = method(rng.random((n, d)), k, vertex_weights=weights)
    loads = np.bincount(parts, weights, minlength=k)
    if weights.any():
        levels = {pt.multi_jagged: d, pt.hilbert_curve: 1}.get(method, np.ceil(np.log2(k)))
        assert loads.max() <= weights.sum() / k + weights.max() * max(levels, 1)
        alike = method(rng.random((n, d)) * 0, k, vertex_weights=weights)
        assert len(alike) == n
    else:
        assert np.ptp(parts.sizes()) <= 1


@every
def test_all_points_equal(method):
    parts = method(np.full((10, 2), 3.5), 4)
    assert sorted(parts.sizes().tolist()) == [2, 2, 3, 3]
    assert (np.diff(parts) >= 0).all()  # by index


@every
def test_a_square_is_cut_into_squares(method):
    places = np.stack(np.divmod(np.arange(64 * 64), 64), axis=1)
    graph = grid_2d(64, 64)
    for k in (4, 16, 64):
        if method is not pt.recursive_inertial_bisection:  # no axis of a square is the longest
            assert pt.edge_cut(graph, method(places, k)) == 2 * 64 * (k**0.5 - 1)
        moved = method(places * 1e-200 - 1e-190, k)
        assert set(moved.sizes().tolist()) == {4096 // k}


def test_a_cube_and_a_long_box():
    cube = np.stack(np.unravel_index(np.arange(512), (8, 8, 8)), axis=1)
    for method in METHODS[:2]:
        parts = method(cube, 8)
        spans = [np.ptp(cube[parts == part], axis=0).tolist() for part in range(8)]
        assert spans == [[3, 3, 3]] * 8
    box = np.random.default_rng(3).random((5000, 2)) * [1, 100]
    parts = pt.multi_jagged(box, 50)
    assert np.ptp(box[parts == 7, 0]) > 0.9  # slabs across, as they would be 10 x 0.2 otherwise


def test_rotated_points_are_cut_alike():
    rng = np.random.default_rng(1)
    points = rng.random((4000, 3)) * [5, 3, 1]
    turn = np.linalg.qr(rng.random((3, 3)))[0]
    one, other = (pt.recursive_inertial_bisection(p, 8) for p in (points, points @ turn))
    shared = [np.bincount(other[one == part]).max() for part in range(8)]
    assert min(shared) >= 499
    assert np.ptp(points[one == 0] @ [1, 0, 0]) < 2


def test_factors():
    points = np.random.default_rng(5).random((600, 2)) * [1, 50]
    parts = pt.multi_jagged(points, 6, factors=(2, 3))
    left = points[parts < 3, 0].max()
    assert left < points[parts >= 3, 0].min()
    parts = pt.multi_jagged(points, 8, factors=[2, 2, 2])
    assert (parts.sizes() == 75).all()
    np.testing.assert_array_equal(pt.multi_jagged(points, 1, factors=[]), np.zeros(600))
    with pytest.raises(ValueError, match=r"factors must have the product k \(6\), got \[2, 2\]"):
        pt.multi_jagged(points, 6, factors=(2, 2))
    with pytest.raises(ValueError, match="factors must be at least 1"):
        pt.multi_jagged(points, 6, factors=(-2, -3))


def test_cuts_are_at_weighted_quantiles():
    points, weights = np.arange(10.0), np.r_[np.ones(5), np.full(5, 3.0)]
    for method in METHODS:
        found = method(points, 2, vertex_weights=weights)
        assert np.bincount(found, weights).tolist() in ([11, 9], [8, 12])


def test_the_curve_moves_one_cell_at_a_time():
    from edgewise.algorithms.partitioning.hilbert_curve import hilbert_positions

    for side, d in ((1, 2), (32, 2), (8, 3), (4, 4)):
        cells = np.stack(np.unravel_index(np.arange(side**d), (side,) * d), axis=1)
        path = cells[np.argsort(hilbert_positions(cells))]
        assert (np.abs(np.diff(path, axis=0)).sum(axis=1) == 1).all()


@every
def test_refused(method):
    points = np.random.default_rng(0).random((6, 2))
    for wrong in (np.nan, np.inf, -np.inf):
        points[4, 1] = wrong
        with pytest.raises(ValueError, match=r"coordinates must be finite, got .* in row 4"):
            method(points, 2)
    points[4, 1] = 1e308
    points[3, 1] = -1e308
    assert method(points, 3).sizes().tolist() == [2, 2, 2]
    with pytest.raises(TypeError, match="coordinates must be real numbers"):
        method(["a", "b"], 2)
    with pytest.raises(TypeError, match="coordinates must be real numbers"):
        method(points * 1j, 2)
    with pytest.raises(ValueError, match="coordinates must be n x d, got shape"):
        method(np.zeros((2, 2, 2)), 2)
    with pytest.raises(ValueError, match="at least one column"):
        method(np.zeros((2, 0)), 2)
    with pytest.raises(ValueError, match="k must be at least 1"):
        method(points, 0)
    for weights in ([1] * 5, [-1] * 6, [np.nan] * 6, [1e308] * 6):
        with pytest.raises(ValueError, match="vertex_weights must"):
            method(points, 2, vertex_weights=weights)
    with pytest.raises(ValueError, match="at most 31 columns"):
        pt.hilbert_curve(np.zeros((3, 40)), 2)
