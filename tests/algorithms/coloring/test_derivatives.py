"""`jacobian_coloring` and `hessian_coloring`: what is compressed is recovered."""

from __future__ import annotations

import time

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, strategies as st

from edgewise import coloring
from edgewise.algorithms.coloring.orders import ORDERS
from edgewise.algorithms.coloring.patterns import as_pattern
from edgewise.algorithms.coloring.products_bound import products_bound
from edgewise.graph import Graph
from tests.algorithms.coloring.patterns import PATTERNS, matrices, symmetric

WAYS = [("forward", "direct"), ("reverse", "direct"), ("both", "direct"), ("both", "substitution")]
METHODS = ("direct", "substitution")


def filled(pattern, seed=0, dtype=np.float64):
    """Random values in the places of a pattern."""
    table = sp.csr_array(pattern).astype(dtype)
    table.data = np.random.default_rng(seed).standard_normal(table.nnz).astype(dtype)
    return table


def mirrored(pattern, seed=0):
    table = filled(pattern, seed)
    return sp.csr_array(table + table.T)


@pytest.mark.parametrize(("mode", "method"), WAYS)
@pytest.mark.parametrize("name", PATTERNS)
def test_jacobians_of_odd_patterns(name, mode, method):
    matrix = filled(PATTERNS[name])
    found = coloring.jacobian_coloring(PATTERNS[name], mode=mode, method=method)
    again = found.recover(found.compress(matrix))
    assert isinstance(again, sp.csr_array)
    assert again.nnz == matrix.nnz
    assert np.allclose(again.toarray(), matrix.toarray(), atol=1e-10)
    if method == "direct":
        dense = found.recover(found.compress(matrix.toarray()))
        assert np.allclose(dense.toarray(), matrix.toarray())


@given(matrices(), st.sampled_from(WAYS), st.sampled_from(("best", *ORDERS)))
def test_any_jacobian(pattern, way, order):
    mode, method = way
    matrix = filled(pattern, 1)
    found = coloring.jacobian_coloring(pattern, mode=mode, method=method, order=order)
    assert np.allclose(found.recover(found.compress(matrix)).toarray(), matrix.toarray())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", PATTERNS)
def test_hessians_of_odd_patterns(name, method):
    pattern = symmetric(PATTERNS[name])
    matrix = mirrored(pattern)
    found = coloring.hessian_coloring(pattern, method=method)
    again = found.recover(found.compress(matrix))
    assert np.allclose(again.toarray(), matrix.toarray(), atol=1e-10)
    assert np.array_equal(found.seed() @ np.ones(found.num_colors), found.colors >= 0)


@given(matrices(), st.sampled_from(METHODS), st.sampled_from(("best", *ORDERS)))
def test_any_hessian(matrix, method, order):
    matrix = mirrored(symmetric(matrix), 2)
    found = coloring.hessian_coloring(matrix, method=method, order=order)
    assert np.allclose(found.recover(found.compress(matrix)).toarray(), matrix.toarray())


def test_colors_without_diagonal_entries_are_neutral():
    star = np.zeros((6, 6))
    star[0, 1:] = star[1:, 0] = 1
    found = coloring.hessian_coloring(star)
    assert (found.num_colors, found.colors.tolist()) == (1, [0, -1, -1, -1, -1, -1])
    np.fill_diagonal(star, 1)
    assert coloring.hessian_coloring(star).num_colors == 2


def test_known_numbers():
    banded, stencil = PATTERNS["banded"], PATTERNS["stencil"]
    assert coloring.jacobian_coloring(banded).num_colors == 5
    assert coloring.hessian_coloring(banded, method="substitution").num_colors == 3
    assert coloring.jacobian_coloring(stencil).num_colors <= 7
    assert coloring.hessian_coloring(stencil).num_colors <= 6
    assert coloring.jacobian_coloring(PATTERNS["arrow"]).num_colors == 30
    assert coloring.jacobian_coloring(PATTERNS["arrow"], mode="both").num_colors == 3
    assert coloring.hessian_coloring(PATTERNS["arrow"]).num_colors == 2


@given(matrices(most=6), st.sampled_from(METHODS))
def test_no_hessian_needs_fewer_products_than_the_bound(matrix, method):
    pattern = as_pattern(symmetric(matrix))
    diagonal = np.zeros(pattern.shape[0], bool)
    diagonal[pattern.indices[pattern.rows() == pattern.indices]] = True
    bound = products_bound(Graph(pattern.indptr, pattern.indices), diagonal)
    assert bound <= coloring.hessian_coloring(symmetric(matrix), method=method).num_colors
    if bound:  # with one product less, different matrices have the same products
        seeds = np.random.default_rng(1).standard_normal((pattern.shape[0], bound - 1))
        rows, columns = pattern.rows(), pattern.indices
        pairs = [(i, j) for i, j in zip(rows, columns, strict=True) if i <= j]
        system = np.zeros((pattern.shape[0], bound - 1, len(pairs)))
        for at, (i, j) in enumerate(pairs):
            system[i, :, at] += seeds[j]
            system[j, :, at] += seeds[i] * (i != j)
        rank = np.linalg.matrix_rank(system.reshape(-1, len(pairs))) if bound > 1 else 0
        assert rank < len(pairs)


def test_arrows_of_any_size():
    """Quadratic steps would take minutes here."""
    n = 60_000
    band = sp.diags_array([1.0, 4.0, 1.0], offsets=[-1, 0, 1], shape=(n, n)).tolil()
    band[0, :] = band[:, 0] = 1
    arrow = sp.csr_array(band)
    begin = time.process_time()
    counts = [coloring.hessian_coloring(arrow, method=method).num_colors for method in METHODS]
    counts += [
        coloring.jacobian_coloring(arrow, mode="both", method=method).num_colors
        for method in METHODS
    ]
    assert counts == [4, 3, 5, 5]
    assert time.process_time() - begin < 20


@pytest.mark.data
def test_bcsstk16(shared_graphs):
    """A star coloring in the best of ColPack's orders takes 88 colors."""
    rows, columns, values = np.loadtxt(shared_graphs / "bcsstk16.triples.txt.gz").T
    half = sp.coo_array((values, (rows.astype(int), columns.astype(int))))
    matrix = sp.csr_array(half + sp.triu(half.T, 1) + sp.tril(half.T, -1))
    for method, most in zip(METHODS, (88, 48), strict=True):
        found = coloring.hessian_coloring(matrix, method=method)
        assert found.num_colors <= most
        again = found.recover(found.compress(matrix))
        assert abs(again - matrix).max() <= 1e-9 * abs(matrix).max()


def test_types_and_reuse():
    matrix = filled(PATTERNS["wide"], dtype=np.float32)
    found = coloring.jacobian_coloring(matrix)
    seed = found.seed().astype(np.float32)
    first = found.recover(matrix @ seed)
    assert first.dtype == np.float32
    assert found.recover(2 * (matrix @ seed), out=first) is first
    assert np.allclose(first.toarray(), 2 * matrix.toarray())
    complex_one = filled(PATTERNS["wide"]) * (1 + 2j)
    for mode, method in WAYS:
        found = coloring.jacobian_coloring(matrix, mode=mode, method=method)
        again = found.recover(found.compress(complex_one))
        assert np.allclose(again.toarray(), complex_one.toarray())
    hessian = mirrored(PATTERNS["stencil"]) * (1 - 1j)
    found = coloring.hessian_coloring(hessian, method="substitution")
    assert np.allclose(found.recover(found.compress(hessian)).toarray(), hessian.toarray())


def test_recovered_matrices_do_not_share_their_pattern():
    matrix = filled(PATTERNS["banded"])
    found = coloring.jacobian_coloring(matrix)
    one, two = (found.recover(found.compress(matrix)) for _ in range(2))
    one.indices[0] = 7
    assert two.indices[0] == 0
    assert np.allclose(found.recover(found.compress(matrix)).toarray(), matrix.toarray())


def test_errors():
    jacobian, hessian = coloring.jacobian_coloring, coloring.hessian_coloring
    with pytest.raises(ValueError, match="mode must be one of 'forward', 'reverse', 'both'"):
        jacobian(np.eye(2), mode="backward")
    with pytest.raises(
        ValueError, match='method "substitution" needs mode "both", got \'forward\''
    ):
        jacobian(np.eye(2), method="substitution")
    with pytest.raises(ValueError, match='mode "both" has two seeds'):
        jacobian(np.eye(2), mode="both").seed()
    with pytest.raises(TypeError, match="compressed must be a pair"):
        jacobian(np.eye(2), mode="both").recover(np.eye(2))
    with pytest.raises(ValueError, match=r"compressed must have the shape \(2, 1\), got \(2, 2\)"):
        jacobian(np.eye(2)).recover(np.eye(2))
    with pytest.raises(TypeError, match="compressed must hold numbers"):
        jacobian(np.eye(2)).recover([["a"], ["b"]])
    with pytest.raises(ValueError, match=r"matrix must have the shape \(2, 2\), got \(3, 3\)"):
        jacobian(np.eye(2)).compress(np.eye(3))
    with pytest.raises(ValueError, match="out must be a CSR matrix of the same pattern"):
        jacobian(np.eye(2)).recover(np.ones((2, 1)), out=sp.csr_array(np.ones((2, 2))))
    with pytest.raises(ValueError, match=r"pattern must be square, got shape \(2, 3\)"):
        hessian(np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"got an entry at \(0, 1\) but none at \(1, 0\)"):
        hessian(np.array([[1, 1], [0, 1]]))
    with pytest.raises(ValueError, match="order must be one of 'best'"):
        hessian(np.eye(2), order="fast")
