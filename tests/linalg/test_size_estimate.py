"""`spgemm_sizes` against the sizes of the products themselves."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from edgewise.generators import cycle, rmat, star
from edgewise.linalg import Matrix, spgemm_sizes


def exact(left, right):
    """The number of entries of each row of a product."""
    product = (abs(left.to_scipy()) > 0).astype(np.int64) @ (abs(right.to_scipy()) > 0)
    return np.diff(product.tocsr().indptr)


@pytest.mark.parametrize("seed", [0, 7])
def test_close_to_the_sizes(seed):
    """Within five deviations in each row, and closer on average; rows share columns, and errors."""
    matrix = Matrix.from_graph(rmat(9, seed=seed))
    wanted, found = exact(matrix, matrix), spgemm_sizes(matrix, matrix, samples=102, seed=seed)
    assert found.dtype == np.float64 and (found[wanted == 0] == 0).all()
    some = wanted > 0
    ratios = found[some] / wanted[some]
    assert abs(ratios - 1).max() < 5 * 0.1 and abs(ratios.mean() - 1) < 0.15
    assert abs(found.sum() / wanted.sum() - 1) < 0.15


def test_more_samples_are_closer():
    matrix = Matrix.from_graph(rmat(9, seed=1))
    wanted = exact(matrix, matrix)
    few, many = (spgemm_sizes(matrix, matrix, samples=k) for k in (6, 200))
    assert abs(many - wanted).mean() < 0.5 * abs(few - wanted).mean()
    assert (spgemm_sizes(matrix, matrix, samples=6) == few).all()
    assert (spgemm_sizes(matrix, matrix, samples=6, seed=1) != few).any()


def test_rectangles_and_empty_rows():
    draw = np.random.default_rng(3)
    dense = draw.random((40, 30)) * (draw.random((40, 30)) < 0.1)
    dense[5] = 0
    left, right = scipy.sparse.csr_array(dense), scipy.sparse.random(30, 500, 0.2, "csr", rng=draw)
    found = spgemm_sizes(left, right)
    wanted = exact(Matrix.from_scipy(left), Matrix.from_scipy(right))
    assert found[5] == 0 and (found <= 500).all()
    np.testing.assert_allclose(found, wanted, rtol=0.7)
    assert spgemm_sizes(np_empty(0, 3), np_empty(3, 4)).tolist() == []
    assert spgemm_sizes(np_empty(2, 3), np_empty(3, 4)).tolist() == [0, 0]
    assert spgemm_sizes(np_empty(2, 0), np_empty(0, 0)).tolist() == [0, 0]


def np_empty(rows, columns):
    return Matrix(np.zeros(rows + 1, np.int64), np.zeros(0, np.int32), num_columns=columns)


def test_never_more_than_all_columns():
    hub = star(50)
    assert (spgemm_sizes(hub, hub, samples=3) <= 51).all()


def test_refusals():
    ring = cycle(5)
    with pytest.raises(ValueError, match="samples must be at least 3"):
        spgemm_sizes(ring, ring, samples=2)
    with pytest.raises(ValueError, match="right must have as many rows"):
        spgemm_sizes(ring, cycle(6))
