"""Semirings: laws of the named ones, types of results, and every value type in products."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest

import edgewise as ew
from edgewise.linalg import SEMIRINGS, Matrix, Semiring, spmm, spmspv, spmv
from edgewise.linalg.semirings import as_monoid, as_semiring
from edgewise.linalg.vectors import SparseVector
from tests.linalg.oracles import dense_of, multiplied

LOGICAL = {name for name, ring in SEMIRINGS.items() if ring.dtype == np.bool_}
#: Those of the GraphBLAS C specification, and of SuiteSparse for truths.
GRAPHBLAS = """plus_times min_plus max_plus min_times min_max max_min max_times plus_min min_first
min_second max_first max_second lor_land land_lor lxor_land lxnor_lor plus_land plus_pair plus_first
any_pair any_secondi"""


def samples(name):
    return [False, True] if name in LOGICAL else [-3.0, 0.0, 1.0, 2.5]


@pytest.mark.parametrize("name", SEMIRINGS)
def test_the_addition_is_a_monoid(name):
    ring = SEMIRINGS[name]
    add, zero = ring.add.combine, ring.zero_for(np.bool_ if name in LOGICAL else np.float64)
    for a, b, c in itertools.product(samples(name), repeat=3):
        assert add(zero, a) == a
        assert add(add(a, b), c) == add(a, add(b, c))
        if not name.startswith("any"):  # which takes either
            assert add(a, zero) == a
            assert add(a, b) == add(b, a)


@pytest.mark.parametrize("name", SEMIRINGS)
def test_names_say_what_they_do(name):
    ring, (_, multiply) = SEMIRINGS[name], name.split("_")
    wanted = {"times": 6, "plus": 5, "minus": 1, "min": 2, "max": 3, "first": 3, "second": 2,
              "pair": 1, "and": True, "land": True, "lor": True, "lxor": False}  # fmt: skip
    assert ring.multiply(3, 2) == wanted[multiply]
    assert pickle.loads(pickle.dumps(ring)) is ring
    assert as_semiring(name) is ring
    assert repr(ring) == f"Semiring({name})"


def test_semirings_of_graphblas_are_there():
    assert set(GRAPHBLAS.split()) - set(SEMIRINGS) == {"any_secondi"}  # reads positions
    matrix = Matrix([0, 2, 3], [0, 1, 1], [2.5, 0.0, 3.0])
    assert spmv(matrix, np.array([0.5, 1.0]), "plus_land").tolist() == [1, 1]
    assert spmv(matrix, np.array([0.5, 1.0]), "lor_land").tolist() == [True, True]
    assert spmv(matrix, np.array([0.0, 0.0]), "lxnor_lor").tolist() == [False, True]


def test_own_semirings():
    ring = Semiring(ew.MIN, max_of)
    assert ring == Semiring(ew.MIN, max_of)
    assert ring != Semiring(ew.MAX, max_of)
    assert pickle.loads(pickle.dumps(ring)) == ring
    assert as_semiring((ew.MIN, max_of)) == ring
    assert ring.result_dtype(np.int32, np.float32) == np.float64
    assert Semiring(ew.ADD, max_of, dtype=np.float32).result_dtype(np.int64, None) == np.float32
    assert as_monoid("plus") is ew.ADD
    with pytest.raises(AttributeError, match="frozen"):
        ring.add = ew.MAX
    with pytest.raises(TypeError, match="zero must be left out"):
        Semiring(ew.MIN, max_of, 0)
    with pytest.raises(TypeError, match="tuples must be given dtype"):
        ring.result_dtype((np.int64, np.int64), np.int64)


def max_of(a, b):
    return max(a, b)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["bool", "int32", "int64", "float32"])
@pytest.mark.parametrize("name", ["plus_times", "any_first", "or_and"])
def test_every_type_of_values(name, dtype):
    ring, entries = SEMIRINGS[name], [[1, 0], [0, 2], [1, 2], [2, 2]]
    rows, columns = np.array(entries).T
    values = np.ones(4) if name == "any_first" else np.array([1, 2, 0, 3])
    matrix = Matrix.from_entries(rows, columns, values.astype(dtype), shape=(4, 3))
    vector = np.array([1, 3, 1]).astype(dtype)
    wanted = multiplied(ring, dense_of(matrix), vector[:, None].tolist())
    got = spmv(matrix, vector, ring)
    zero = ring.zero_for(got.dtype)
    assert got.tolist() == [zero if row[0] is None else got.dtype.type(row[0]) for row in wanted]
    assert (spmm(matrix, np.stack([vector, vector], 1), ring)[:, 1] == got).all()
    everything = SparseVector(3, np.arange(3), vector)
    for direction in ("push", "pull"):
        step = spmspv(matrix, everything, ring, direction=direction).sorted()
        assert step.indices.tolist() == [0, 1, 2]
        assert step.values.tolist() == got[:3].tolist()


def test_values_of_a_matrix_are_single_in_products_with_vectors():
    matrix = Matrix([0, 1], [0], (np.array([2.0]), np.array([7])))
    with pytest.raises(TypeError, match="matrix must have one value per entry"):
        spmv(matrix, np.ones(1), Semiring(ew.ADD, lambda a, b: a[0] * b, dtype=np.float64))
