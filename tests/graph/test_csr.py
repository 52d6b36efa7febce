"""The frozen rectangular base: arrays in and kept, slices, transpose, equality, pickles."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, strategies as st

from edgewise.base.threads import threads
from edgewise.graph import CSR


def random_csr(rows, columns, seed, dtype="float64"):
    rng = np.random.default_rng(seed)
    filled = rng.permutation(rows * columns).reshape(rows, columns) < 0.3 * rows * columns
    matrix = scipy.sparse.csr_array(filled * rng.random((rows, columns)))
    matrix.sort_indices()
    data = (matrix.data * 100).astype(dtype)
    return CSR(matrix.indptr, matrix.indices, data, num_columns=columns)


def as_scipy(csr):
    return scipy.sparse.csr_array((csr.weights, csr.indices, csr.indptr), shape=csr.shape)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_arrays_go_in_without_a_copy(dtype):
    indptr, indices = np.array([0, 1, 2]), np.array([1, 0], np.int32)
    weights = np.array([3, 4], dtype)
    csr = CSR(indptr, indices, weights)
    for name, array in (("indptr", indptr), ("indices", indices), ("weights", weights)):
        kept = getattr(csr, name)
        assert np.shares_memory(kept, array)
        assert kept.dtype == array.dtype
        with pytest.raises(ValueError, match="read-only"):
            kept[0] = 0
    indices[0] = 0  # the caller's array stays the caller's
    assert indices.flags.writeable


def test_other_types_are_converted():
    csr = CSR(np.array([0, 1], np.int32), np.array([0], np.uint64), np.array([1], np.int8))
    assert (csr.indptr.dtype, csr.indices.dtype, csr.weights.dtype) == ("int64", "int32", "int64")
    assert CSR([0, 0], [], num_columns=2**31).indices.dtype == np.int64


def test_frozen():
    csr = CSR([0, 1], [0])
    for change in (
        lambda: setattr(csr, "indptr", np.zeros(2)),
        lambda: setattr(csr, "fresh", 1),
        lambda: delattr(csr, "indices"),
    ):
        with pytest.raises(AttributeError, match="a CSR is frozen: cannot"):
            change()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([], []), ValueError, "indptr must have one more entry than there are rows, got none"),
        (([0, 2], [0]), ValueError, r"from 0 to the number of indices \(1\), got 0 to 2"),
        (([1, 1], [0]), ValueError, "got 1 to 1"),
        (([0, 1], [0.5]), TypeError, "indices must be integers, got dtype float64"),
        (([[0, 1]], [0]), ValueError, r"indptr must be one-dimensional, got shape \(1, 2\)"),
        (([0, 1], [0], [1, 2]), ValueError, r"one entry per arc \(1\), got 2"),
        (([0, 1], [2**40]), ValueError, "indices must fit int32, got 1099511627776"),
    ],
)
def test_what_can_be_checked_at_once(arguments, error, message):
    with pytest.raises(error, match=message):
        CSR(*arguments)


def test_rows_are_views_with_arc_ids():
    csr = random_csr(20, 30, 1)
    part = csr.rows(5, 12)
    assert part.first == 5
    for array, whole in zip(part[1:], (csr.indptr, csr.indices, csr.weights), strict=True):
        assert np.shares_memory(array, whole)
    for i in range(7):
        here = slice(part.indptr[i] - part.indptr[0], part.indptr[i + 1] - part.indptr[0])
        there = slice(csr.indptr[5 + i], csr.indptr[6 + i])
        np.testing.assert_array_equal(part.indices[here], csr.indices[there])
        np.testing.assert_array_equal(part.weights[here], csr.weights[there])
    assert csr.rows().indices is not None
    assert csr.rows(20).indices.size == 0
    assert CSR([0, 1], [0]).rows().weights is None
    with pytest.raises(
        ValueError, match="low and high must be a range within 0 to 20, got 3 to 21"
    ):
        csr.rows(3, 21)


@given(st.integers(0, 30), st.integers(1, 30), st.integers(0, 99), st.sampled_from([1, 2, 3]))
def test_transpose_agrees_with_scipy(rows, columns, seed, team):
    csr = random_csr(rows, columns, seed)
    with threads(team):
        turned = csr.transposed
    turned.validate()
    assert turned.shape == (columns, rows)
    assert (as_scipy(turned) != as_scipy(csr).T).nnz == 0
    np.testing.assert_array_equal(csr.weights[turned.arc_ids], turned.weights)
    sources = np.repeat(np.arange(rows), np.diff(csr.indptr))
    np.testing.assert_array_equal(sources[turned.arc_ids], turned.indices)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", None])
def test_transpose_of_every_weight_type(dtype):
    csr = random_csr(40, 10, 5, dtype or "float64")
    if dtype is None:
        csr = CSR(csr.indptr, csr.indices, num_columns=10)
        assert csr.transposed.weights is None
    else:
        assert csr.transposed.weights.dtype == dtype
        assert csr.transposed.transposed == csr
    assert csr.transposed is csr.transposed
    assert csr.arc_ids is None


def test_equality_and_hash():
    csr = random_csr(9, 9, 3)
    same = CSR(csr.indptr.copy(), csr.indices.copy(), csr.weights.copy())
    assert csr == same
    assert hash(csr) == hash(same)
    assert csr != CSR(csr.indptr, csr.indices)
    assert csr != CSR(csr.indptr, csr.indices, csr.weights + 1)
    assert csr != CSR(csr.indptr, csr.indices, csr.weights, num_columns=10)
    assert csr != "csr"
    nan = [np.nan] * csr.num_arcs
    assert CSR(csr.indptr, csr.indices, nan) == CSR(csr.indptr, csr.indices, nan)


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))]
)
def test_copies(again):
    csr = random_csr(6, 8, 2)
    for one in (csr, csr.transposed):
        other = again(one)
        assert other == one
        assert not other.indices.flags.writeable
        assert (other.arc_ids is None) == (one.arc_ids is None)


def test_a_copy_has_arrays_of_its_own():
    indices = np.array([1, 0], np.int32)
    csr = CSR([0, 1, 2], indices)
    other = csr.copy()
    indices[:] = 9
    assert csr.indices.tolist() == [9, 9]
    assert other.indices.tolist() == [1, 0]


def test_memory_maps_go_in(tmp_path):
    np.save(tmp_path / "indices.npy", np.array([1, 0], np.int32))
    indices = np.load(tmp_path / "indices.npy", mmap_mode="r")
    csr = CSR([0, 1, 2], indices)
    assert np.shares_memory(csr.indices, indices)
    assert csr.transposed.indices.tolist() == [1, 0]


def test_repr():
    assert repr(random_csr(2000, 3, 1)).startswith("CSR(2,000 x 3, 1,8")
    assert repr(CSR([0], [])) == "CSR(0 x 0, 0 arcs)"
