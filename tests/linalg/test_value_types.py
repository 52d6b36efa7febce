"""Types of values: tuples, fractions that integers do not hold, sums that would wrap."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.errors import CompileError
from edgewise.linalg import (
    Matrix,
    apply,
    assign,
    diagonal,
    extract,
    intersection,
    kron,
    masked,
    reduce,
    reduce_columns,
    reduce_rows,
    select,
    spmv,
    union,
)


def pairs(seed, shape=(6, 5)):
    """A matrix of random pairs (int64, float64), and its entries as a dict by place."""
    draw = np.random.default_rng(seed)
    places = np.sort(draw.permutation(shape[0] * shape[1])[:12])
    values = draw.integers(-9, 9, 12), draw.integers(-9, 9, 12) / 2
    matrix = Matrix.from_entries(*np.divmod(places, shape[1]), values, shape=shape)
    return matrix, entries_of(matrix)


def entries_of(matrix):
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr)).tolist()
    values = zip(*(one.tolist() for one in matrix.values), strict=True)
    return dict(zip(zip(rows, matrix.indices.tolist(), strict=True), values, strict=True))


def both(a, b):
    return a[0] + b[0], a[1] - b[1]


def test_functions_of_entries_take_tuples():
    matrix, known = pairs(1)
    found = select(matrix, lambda value, row: value[0] < 3 and value[1] > row - 4)
    wanted = {at: x for at, x in known.items() if x[0] < 3 and x[1] > at[0] - 4}
    assert 0 < len(wanted) < 12
    assert entries_of(found) == wanted
    low = {at: x for at, x in known.items() if at[1] < at[0]}
    assert entries_of(select(matrix, "lower")) == low
    found = apply(matrix, lambda value, column: (value[0] + column, value[1] / 2))
    assert entries_of(found) == {at: (x[0] + at[1], x[1] / 2) for at, x in known.items()}
    part = apply(matrix, lambda value: value[0] * value[1], dtype=np.float64)
    assert part.values.tolist() == [x * y for x, y in known.values()]
    assert [one.tolist() for one in diagonal(matrix)] == [
        [known.get((i, i), (0, 0))[k] for i in range(5)] for k in range(2)
    ]


def test_merged_rows_take_tuples():
    (a, x), (b, y) = pairs(1), pairs(2)
    shared = x.keys() & y.keys()
    assert shared
    met = {at: both(x[at], y[at]) for at in shared}
    assert entries_of(intersection(a, b, both)) == met
    assert entries_of(union(a, b, both)) == {**x, **y, **met}
    assert entries_of(masked(a, b)) == {at: x[at] for at in shared}
    assert entries_of(masked(a, b, complement=True)) == {at: x[at] for at in x.keys() - shared}
    tall = {(i * 6 + k, j * 5 + m): both(one, other)
            for (i, j), one in x.items() for (k, m), other in y.items()}  # fmt: skip
    assert entries_of(kron(a, b, both)) == tall


def test_assign_takes_tuples():
    (matrix, known), (other, new) = pairs(3), pairs(4)
    rows, columns = [4, 1], [0, 3, 2]
    block = extract(other, rows, columns)
    inside = {(i, j) for i in rows for j in columns}
    wanted = {at: x for at, x in known.items() if at not in inside}
    wanted |= {at: x for at, x in new.items() if at in inside}
    assert entries_of(assign(matrix, rows, columns, block)) == wanted
    added = {at: both(known[at], new[at]) if at in known else new[at] for at in inside & new.keys()}
    assert entries_of(assign(matrix, rows, columns, block, add=both)) == {**known, **added}


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        (lambda a: apply(a, lambda value: value[0]), "a value of 2 parts, not of 1"),
        (lambda a: apply(a, lambda value: value, dtype=float), "a value of 1 parts, not of 2"),
        (lambda a: select(a, "nonzero"), "needs one value per entry"),
        (lambda a: union(a, a), "_plus .* cannot be compiled: it must give a value of 2 parts"),
        (lambda a: union(a, select(a, "lower").with_values(None), both), "equally many values"),
        (lambda a: spmv(a, np.ones(5)), "matrix must have one value per entry"),
        (lambda a: reduce(a), "matrix must have one value per entry"),
    ],
)
def test_tuples_that_do_not_fit(call, rule):
    with pytest.raises((TypeError, CompileError), match=rule):
        call(pairs(1)[0])


@pytest.mark.parametrize(
    "call",
    [
        lambda a, **given: apply(a, lambda value: value / 2, **given),
        lambda a, **given: union(a, a, "divide", **given),
        lambda a, **given: intersection(a, a, lambda x, y: x / y / 2, **given),
        lambda a, **given: kron(a, a, "divide", **given),
    ],
)
def test_fractions_are_not_cut_off(call):
    """As in products: integers do not hold them."""
    matrix = Matrix([0, 2], [0, 2], [3, 4], num_columns=3)
    with pytest.raises(CompileError, match="returns float64, which int64 cannot hold; give dtype="):
        call(matrix)
    values = call(matrix, dtype=np.float64).values
    assert values.dtype == np.float64
    assert values.tolist() in ([1.5, 2.0], [1.0, 1.0], [0.5, 0.5], [1.0, 0.75, 4 / 3, 1.0])


def test_sums_of_narrow_types_do_not_wrap():
    matrix = Matrix([0, 2, 2], [0, 1], np.array([2**30, 2**30], np.int32))
    assert reduce(matrix) == 2**31
    assert reduce(matrix, "times") == 2**60
    assert reduce_rows(matrix).tolist() == [2**31, 0]
    assert reduce_columns(matrix.T).dtype == np.int64
    assert reduce_rows(matrix, "max").dtype == np.int32
    assert reduce_rows(matrix, dtype=np.int32).dtype == np.int32
    many = Matrix([0, 3], [0, 1, 2], np.array([2**24, 1, 1], np.float32), num_columns=3)
    assert reduce(many) == 2**24 + 2
    assert reduce_rows(many).dtype == np.float32
