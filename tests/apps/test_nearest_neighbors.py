"""Nearest neighbors: exact ones are those of all distances; descent finds nearly all."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise.apps import nearest_neighbors
from tests.operators.engines import no_gpu

pytestmark = pytest.mark.slow  # many kernels; the doctests are in the first tier


def oracle(points, k):
    """All distances; among equals the least id."""
    n = len(points)
    squares = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    order = np.lexsort((np.tile(np.arange(n), (n, 1)), squares), axis=1)[:, :k]
    return order, np.sqrt(np.take_along_axis(squares, order, axis=1))


def mixture(n, d, parts=5, seed=0):
    rng = np.random.default_rng(seed)
    part = rng.integers(0, parts, n)
    return 4 * rng.normal(size=(parts, d))[part] + rng.normal(size=(n, d)), part


def recall(found, known):
    return (
        np.mean([len(np.intersect1d(a, b)) for a, b in zip(found, known, strict=True)])
        / (known.shape[1])
    )


TABLES = {
    "mixture": mixture(400, 6)[0],
    "equal distances": np.random.default_rng(1).integers(0, 4, (300, 3)).astype(float),
    "one point many times": np.ones((60, 4)),
    "far from zero": 1e8 + np.random.default_rng(2).normal(size=(200, 3)),
    "far apart": np.random.default_rng(3).normal(size=(200, 3)) * 10.0 ** np.arange(-6, 8, 5),
    "tiny": 1e-200 * mixture(50, 3)[0],
    "huge": 1e140 * mixture(50, 3)[0],
    "one column": np.arange(50.0)[:, None] ** 2,
    "two points": np.array([[0.0, 1.0], [1.0, 1.0]]),
    "whole numbers": np.random.default_rng(4).integers(0, 9, (100, 5)),
    "float32": mixture(100, 5)[0].astype(np.float32),
}


@pytest.mark.parametrize("name", TABLES)
def test_exact_is_that_of_all_distances(name):
    points = TABLES[name]
    k = min(7, len(points) - 1)
    found = nearest_neighbors(points, k, method="exact")
    ids, distances = oracle(np.asarray(points, np.float64), k)
    if name == "tiny":  # squares are below what float64 has: all distances are alike
        return
    np.testing.assert_array_equal(found.indices, ids)
    np.testing.assert_allclose(found.distances, distances, rtol=1e-12)


@pytest.mark.parametrize(("n", "d"), [(127, 3), (128, 4), (129, 5), (65, 7)])
def test_tiles_meet(n, d):
    points = mixture(n, d)[0]
    found = nearest_neighbors(points, 40, method="exact")
    np.testing.assert_array_equal(found.indices, oracle(points, 40)[0])


def test_cosine_is_by_angles():
    points = mixture(200, 5)[0]
    points[:100] *= 50  # the length does not count
    unit = points / np.linalg.norm(points, axis=1, keepdims=True)
    found = nearest_neighbors(points, 5, metric="cosine")
    np.testing.assert_array_equal(found.indices, oracle(unit, 5)[0])
    cosines = np.take_along_axis(unit @ unit.T, found.indices.astype(int), axis=1)
    np.testing.assert_allclose(found.distances, 1 - cosines, atol=1e-12)


def test_descent_finds_nearly_all():
    points = mixture(3000, 15)[0]
    known = nearest_neighbors(points, 15, method="exact")
    found = nearest_neighbors(points, 15, method="descent", seed=3)
    assert recall(found.indices, known.indices) > 0.98
    assert (found.indices != np.arange(3000)[:, None]).all()
    assert (np.diff(np.sort(found.indices, axis=1), axis=1) > 0).all(), "a neighbor twice"
    assert (np.diff(found.distances, axis=1) >= 0).all()


def test_descent_is_the_same_for_any_number_of_threads():
    points = mixture(2000, 8)[0]
    found = []
    for threads in (1, 2, 5):
        with ew.threads(threads):
            found.append(nearest_neighbors(points, 10, method="descent", seed=1).indices)
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
    other = nearest_neighbors(points, 10, method="descent", seed=2).indices
    assert (other != found[0]).any()


@pytest.mark.parametrize("name", ["two points", "one point many times", "one column"])
def test_descent_on_odd_tables(name):
    points = TABLES[name]
    k = min(7, len(points) - 1)
    found = nearest_neighbors(points, k, method="descent")
    np.testing.assert_allclose(found.distances, oracle(points, k)[1])


@pytest.mark.parametrize(
    ("points", "k", "options", "error", "words"),
    [
        ([[1.0, 2.0]], 1, {}, ValueError, r"k must be less than the number of points \(1\), got 1"),
        ([[1.0], [2.0]], 0, {}, ValueError, "k must be at least 1"),
        ([[1.0], [2.0]], 1.5, {}, TypeError, "k must be a whole number"),
        ([[1.0], [2.0]], 97, {}, ValueError, "k must be at most 96"),
        ([1.0, 2.0], 1, {}, TypeError, "points must be a table of numbers"),
        ([["a"], ["b"]], 1, {}, TypeError, "points must be a table of numbers"),
        (np.empty((3, 0)), 1, {}, TypeError, "points must be a table of numbers"),
        ([[1.0], [np.nan]], 1, {}, ValueError, "points must be finite numbers, but row 1 is not"),
        ([[1e200], [0.0]], 1, {}, ValueError, "points must lie within 1e150"),
        ([[1.0], [2.0]], 1, {"method": "fast"}, ValueError, "method must be one of 'auto'"),
        ([[1.0], [2.0]], 1, {"metric": "l1"}, ValueError, "metric must be one of 'euclidean'"),
        ([[1.0], [2.0]], 1, {"seed": "a"}, TypeError, "seed must be a whole number"),
        ([[1.0], [0.0]], 1, {"metric": "cosine"}, ValueError, "must not be zero .* row 1 is"),
        ([[1.0], [2.0]], 1, {"device": "tpu"}, ValueError, "device must be 'cpu', 'cuda'"),
    ],
)
def test_wrong_calls_say_why(points, k, options, error, words):
    with pytest.raises(error, match=words):
        nearest_neighbors(points, k, **options)


def test_descent_on_a_gpu_is_refused():
    with pytest.raises(ValueError, match="'descent' runs on CPU threads only"):
        nearest_neighbors([[1.0], [2.0]], 1, method="descent", device="cuda")


@pytest.mark.gpu
@pytest.mark.parametrize("name", TABLES)
def test_the_same_on_a_gpu(name):
    if reason := no_gpu():
        pytest.skip(reason)
    points = TABLES[name]
    k = min(7, len(points) - 1)
    here, there = nearest_neighbors(points, k), nearest_neighbors(points, k, device="cuda")
    np.testing.assert_allclose(there.distances.get(), here.distances, rtol=1e-12)
    if name != "tiny":
        np.testing.assert_array_equal(there.indices.get(), here.indices)
