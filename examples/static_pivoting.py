"""Static pivoting for a sparse solver: a heavy perfect matching puts large entries on the diagonal.

SuperLU without row exchanges (as distributed solvers run) divides by whatever is on the diagonal.
Rows are permuted by a perfect matching of large product, the sum of log |a|, and rows and columns
are scaled until their largest entries are 1: the strategy of MC64, here with
`matching.heavy_perfect`. The growth factor is the largest entry of the factors over that of the
matrix; it says how much accuracy is lost.

Run it: python examples/static_pivoting.py
"""

from __future__ import annotations

import numpy as np
import scipy.sparse
from scipy.sparse.linalg import splu

import edgewise as ew
from edgewise.linalg import Matrix, apply, reduce_columns, reduce_rows


def main():
    matrix = sample_matrix(200, seed=1)
    right = matrix @ np.ones(matrix.shape[0])
    scaled, rows, columns, order = pivoted(matrix)
    before, after = growth(matrix), growth(scaled)
    plain, better = solved(matrix, right), columns * solved(scaled, (rows * right)[order])
    errors = [np.abs(one - 1).max() for one in (plain, better)]
    assert after < 1e-3 * before
    assert errors[1] < 1e-8 < 1 < errors[0]
    print(f"growth factor {before:.1e} without and {after:.1e} with static pivoting")
    print(f"largest error {errors[0]:.1e} without and {errors[1]:.1e} with static pivoting")


def pivoted(matrix):
    """The scaled and permuted matrix, the scales of rows and columns, and the order of rows."""
    scaled, rows, columns = Matrix.from_scipy(matrix), 1.0, 1.0
    for _ in range(8):  # Ruiz's equilibration: all largest entries go to 1
        size = apply(scaled, lambda value: abs(value))
        left = 1 / np.sqrt(reduce_rows(size, "max"))
        right = 1 / np.sqrt(reduce_columns(size, "max"))
        params = {"left": left, "right": right}
        scaled = apply(scaled, along, params=params)
        rows, columns = rows * left, columns * right
    logs = apply(scaled, lambda value: np.log(abs(value)))
    match = ew.matching.heavy_perfect(logs).mate[: matrix.shape[0]] - matrix.shape[0]
    order = np.empty_like(match)
    order[match] = np.arange(len(match))  # the row whose entry goes to each place of the diagonal
    return scaled.to_scipy()[order], rows, columns, order


def along(value, row, column, left, right):
    return left[row] * value * right[column]


def growth(matrix):
    """The largest entry of the factors over the largest entry of the matrix."""
    factors = factored(matrix)
    return max(abs(factors.L).max(), abs(factors.U).max()) / abs(matrix).max()


def solved(matrix, right):
    return factored(matrix).solve(right)


def factored(matrix):
    """The LU factors without any exchange of rows."""
    options = {"permc_spec": "NATURAL", "diag_pivot_thresh": 0.0, "options": {"Equil": False}}
    return splu(matrix.tocsc(), **options)


def sample_matrix(n, seed):
    """Large entries off the diagonal, small ones on it, and rows of very different scales."""
    random = np.random.default_rng(seed)
    off = scipy.sparse.random(n, n, 4 / n, random_state=random, format="csr")
    large = scipy.sparse.csr_array((np.full(n, 5.0), (np.arange(n), random.permutation(n))))
    small = scipy.sparse.diags_array(np.full(n, 1e-3))
    scales = scipy.sparse.diags_array(10.0 ** random.integers(-3, 4, n))
    return scipy.sparse.csr_array(scales @ (off + large + small))


if __name__ == "__main__":
    main()
