"""`spmv`, `spmm`, `spmspv` and `sddmm` against dense loops, over several semirings."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, strategies as st

import edgewise as ew
from edgewise.linalg import Matrix, Semiring, SparseVector, sddmm, spmm, spmspv, spmv
from tests.linalg.oracles import RINGS, dense_of, matrices, multiplied

RING = st.sampled_from(sorted(RINGS))


def block_for(size, width):
    """Small numbers, negative ones among them."""
    return (np.arange(size * width, dtype=np.float64).reshape(size, width) * 5) % 7 - 2


def filled(ring, products, kind):
    zero = ring.zero_for(kind).item()
    return [[zero if one is None else one for one in row] for row in products]


@given(matrices(), RING, st.booleans())
def test_spmv(matrix, name, transpose):
    ring = RINGS[name]
    vector = block_for(matrix.shape[0 if transpose else 1], 1)
    got = spmv(matrix, vector[:, 0], ring, transpose=transpose)
    if transpose:
        dense = dense_of(matrix)
        wanted = multiplied(ring, vector.T.tolist(), dense) if dense else [[None] * matrix.shape[1]]
        wanted = [[one] for one in wanted[0]]
    else:
        wanted = multiplied(ring, dense_of(matrix), vector.tolist())
        wanted = wanted if len(vector) else [[None]] * matrix.shape[0]
    assert got.tolist() == [row[0] for row in filled(ring, wanted, got.dtype)]


@given(matrices(), RING, st.sampled_from([1, 2, 3, 11, 50]), st.data())
def test_spmm_and_masks(matrix, name, width, data):
    ring, block = RINGS[name], block_for(matrix.shape[1], width)
    mask = np.array([data.draw(st.booleans()) for _ in range(matrix.shape[0])], np.bool_)
    whole = spmm(matrix, block, ring)
    for j in range(width):
        assert whole[:, j].tolist() == spmv(matrix, block[:, j].copy(), ring).tolist()
    some = spmm(matrix, block, ring, mask=mask)
    rest = spmm(matrix, block, ring, mask=mask, complement=True)
    zero = ring.zero_for(whole.dtype)
    assert (some[mask] == whole[mask]).all()
    assert (some[~mask] == zero).all()
    assert (rest[~mask] == whole[~mask]).all()
    assert (rest[mask] == zero).all()


@given(matrices(), RING, st.booleans(), st.data())
def test_spmspv_pushes_and_pulls(matrix, name, transpose, data):
    ring = RINGS[name]
    rows, columns = matrix.shape[::-1] if transpose else matrix.shape
    at = np.array(sorted(data.draw(st.sets(st.integers(0, columns - 1)))) if columns else [], int)
    vector = SparseVector(columns, at[::-1].copy(), block_for(columns, 1)[at[::-1], 0])
    column = [[None] for _ in range(columns)]
    for i, value in zip(vector.indices, vector.values, strict=True):
        column[i] = [value.item()]
    dense = dense_of(matrix)
    if transpose:
        turned = [[row[j] for row in dense] for j in range(matrix.shape[1])]
        swapped = Semiring(ring.add, lambda a, b: ring.multiply(b, a))
        wanted = multiplied(swapped, turned, column)
    else:
        wanted = multiplied(ring, dense, column)
    wanted = {i: row[0] for i, row in enumerate(wanted) if row and row[0] is not None}
    mask = np.arange(rows) % 2 == 0
    for direction in ("push", "pull", "auto"):
        options = {"transpose": transpose, "direction": direction}
        got = spmspv(matrix, vector, ring, **options)
        assert dict(zip(got.indices.tolist(), got.values.tolist(), strict=True)) == wanted
        some = spmspv(matrix, vector, ring, mask=mask, complement=True, **options)
        found = dict(zip(some.indices.tolist(), some.values.tolist(), strict=True))
        assert found == {i: value for i, value in wanted.items() if i % 2}


@given(matrices(), RING)
def test_sddmm(matrix, name):
    ring = RINGS[name]
    left, right = block_for(matrix.shape[0], 3), block_for(matrix.shape[1], 3) + 1
    got = dense_of(sddmm(matrix, left, right, ring))
    for i, row in enumerate(dense_of(matrix)):
        for j, value in enumerate(row):
            wanted = None
            if value is not None:
                wanted = multiplied(ring, [left[i].tolist()], right[[j]].T.tolist())[0][0]
            assert got[i][j] == wanted


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_large_products_with_any_number_of_threads(threads):
    graph = ew.generators.rmat(13, seed=3)
    values = np.arange(graph.num_arcs) % 7 - 2.0
    matrix = Matrix.from_graph(graph, weights=values)
    rows, n = matrix.to_scipy(), graph.num_vertices
    vector, block = block_for(n, 1)[:, 0], block_for(n, 9)
    sparse = SparseVector.from_dense(np.where(np.arange(n) % 3 == 0, vector, 0))
    with ew.threads(threads):
        assert (spmv(matrix, vector) == rows @ vector).all()
        assert (spmm(matrix, block) == rows @ block).all()
        for direction in ("push", "pull"):
            step = spmspv(matrix, sparse, transpose=True, direction=direction)
            assert (step.to_dense() == rows.T @ sparse.to_dense()).all()
            assert len(set(step.indices.tolist())) == step.nnz


def test_a_long_row_goes_to_all_threads():
    n = 70_000
    matrix = Matrix([0, n, n + 1], np.r_[np.arange(n), 5], np.ones(n + 1), num_columns=n)
    assert spmv(matrix, np.ones(n)).tolist() == [n, 1]
    assert spmm(matrix, np.ones((n, 2))).tolist() == [[n, n], [1, 1]]


def test_any_takes_one_of_the_products():
    matrix = Matrix([0, 2, 2], [0, 1], [4, 6])
    assert spmv(matrix, np.array([1, 1]), "any_first").tolist()[0] in (4, 6)
    vector = SparseVector(2, np.array([0, 1]), np.array([8, 9]))
    for direction in ("push", "pull"):
        got = spmspv(matrix, vector, "any_second", direction=direction)
        assert got.indices.tolist() == [0]
        assert got.values[0] in (8, 9)


def test_vectors_of_tuples():
    nearest = Semiring(ew.ARGMIN, lambda a, b: (a + b[0], b[1]), dtype=(np.float64, np.int64))
    matrix = Matrix([0, 2, 3, 3], [0, 1, 1], [2.0, 1.0, 5.0])
    vector = (np.array([3.0, 4.0, 0.0]), np.array([7, 8, 9]))
    distance, home = spmv(matrix, vector, nearest)
    assert distance.tolist() == [5.0, 9.0, np.inf]
    assert home.tolist()[:2] == [7, 8]


def test_types_of_results():
    pattern, vector = Matrix([0, 1], [0]), np.ones(1, np.int32)
    assert spmv(pattern, vector).dtype == np.int32
    assert spmv(pattern, vector, "plus_pair").dtype == np.int64
    assert spmv(pattern, np.ones(1, np.bool_), "plus_second").dtype == np.int64
    assert spmv(pattern, np.ones(1, np.bool_), "or_and").dtype == np.bool_
    assert spmv(pattern.with_values(np.ones(1, np.float32)), vector).dtype == np.float64
    assert spmv(pattern, vector, dtype=np.float32).dtype == np.float32


def test_scipy_matrices_and_graphs_are_operands():
    rows = scipy.sparse.coo_array([[0, 2.0], [1.0, 0]])
    assert spmv(rows, np.array([1.0, 10.0])).tolist() == [20.0, 1.0]
    assert spmv(ew.generators.path(3), np.array([1, 2, 4])).tolist() == [2, 5, 2]


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        (lambda a: spmv(a, np.ones(2)), "vector must have one entry per column .3., got 2"),
        (lambda a: spmv(a, np.ones((3, 1))), "vector must have 1 dimension"),
        (lambda a: spmm(a, np.ones(3)), "block must have 2 dimension"),
        (lambda a: spmv(a, np.array(["a"] * 3)), "vector must be booleans or real numbers"),
        (lambda a: spmv(a, np.ones(3), "plus_tims"), "semiring must be one of"),
        (lambda a: spmv(a, np.ones(3), 7), "semiring must be a name, a Semiring"),
        (lambda a: spmv(a, np.ones(3), mask=np.ones(2)), "mask must be a boolean array"),
        (lambda a: spmv(a, np.ones(3), complement=True), "complement must be left out"),
        (lambda a: spmspv(a, np.ones(3)), "vector must be a SparseVector"),
        (lambda a: spmspv(a, SparseVector(3, np.array([3]), np.ones(1))), "must be from 0 to 2"),
        (lambda a: spmspv(a, SparseVector(2, np.array([1]), np.ones(1))), "must have the size 3"),
        (lambda a: sddmm(a, np.ones((2, 2)), np.ones((3, 3))), "as many columns as left"),
        (lambda a: Semiring(lambda a, b: a, lambda a, b: b), "zero must be given"),
        (lambda a: Semiring(ew.ADD, lambda a: a), "multiply must take 2 argument"),
    ],
)
def test_bad_arguments_are_refused(call, rule):
    with pytest.raises((TypeError, ValueError), match=rule):
        call(Matrix([0, 1, 2], [0, 2], [1.0, 2.0], num_columns=3))
