"""Operations on entries and on shapes, against dense loops and NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import edgewise as ew
from edgewise.linalg import (
    Matrix,
    apply,
    assign,
    diagonal,
    extract,
    from_diagonal,
    intersection,
    kron,
    masked,
    power,
    reduce,
    reduce_columns,
    reduce_rows,
    select,
    transpose,
    union,
)
from tests.linalg.oracles import dense_of, matrices, same_matrix

PAIRS = st.integers(0, 5).flatmap(
    lambda n: st.integers(0, 5).flatmap(lambda m: st.tuples(matrices(n, m), matrices(n, m)))
)


def by_place(a, b, rule):
    return [
        [rule(x, y) for x, y in zip(p, q, strict=True)]
        for p, q in zip(dense_of(a), dense_of(b), strict=True)
    ]


@given(PAIRS)
def test_union_and_intersection(pair):
    a, b = pair

    def either(x, y):
        return (x if y is None else y) if x is None or y is None else x - y

    def both(x, y):
        return None if x is None or y is None else x - y

    assert same_matrix(union(a, b, "minus"), by_place(a, b, either))
    assert same_matrix(intersection(a, b, lambda x, y: x - y), by_place(a, b, both))
    assert same_matrix(masked(a, b), by_place(a, b, lambda x, y: None if y is None else x))
    rest = by_place(a, b, lambda x, y: x if y is None else None)
    assert same_matrix(masked(a, b, complement=True), rest)


def test_patterns_stay_patterns_under_a_mask():
    graph = ew.generators.complete(4)
    assert masked(graph, select(graph, "lower")).values is None
    assert union(graph, graph).values.tolist() == [2] * 12


@given(matrices())
def test_apply_and_select(matrix):
    dense = dense_of(matrix)
    got = apply(matrix, lambda value, row, k: k * value - row, params={"k": 3})
    wanted = [[None if x is None else 3 * x - i for x in row] for i, row in enumerate(dense)]
    assert same_matrix(got, wanted)
    got = select(matrix, lambda value, column: value > column)
    wanted = [[x if x is not None and x > j else None for j, x in enumerate(row)] for row in dense]
    assert same_matrix(got, wanted)
    got = select(matrix, "lower")
    wanted = [[x if j < i else None for j, x in enumerate(row)] for i, row in enumerate(dense)]
    assert same_matrix(got, wanted)


@given(matrices())
def test_reductions(matrix):
    dense = matrix.to_dense()
    assert reduce_rows(matrix).tolist() == dense.sum(1).tolist()
    assert reduce_columns(matrix).tolist() == dense.sum(0).tolist()
    assert reduce(matrix) == dense.sum()
    highest = [max((x for x in row if x is not None), default=-np.inf) for row in dense_of(matrix)]
    assert reduce_rows(matrix, "max").tolist() == highest


@given(matrices(), matrices())
def test_kron(a, b):
    assert np.array_equal(kron(a, b).to_dense(), np.kron(a.to_dense(), b.to_dense()))
    kron(a, b).validate()


@given(matrices(4, 5), st.lists(st.integers(0, 3)), st.permutations(range(5)), st.integers(0, 5))
def test_extract(matrix, rows, columns, count):
    columns = columns[:count]
    got = extract(matrix, np.array(rows, int), np.array(columns, int))
    assert np.array_equal(got.to_dense(), matrix.to_dense()[rows][:, columns])
    got.sorted().validate()
    assert np.array_equal(
        extract(matrix, columns=columns).to_dense(), matrix.to_dense()[:, columns]
    )


@given(matrices(4, 5), matrices(2, 3), st.permutations(range(4)), st.permutations(range(5)))
def test_assign(matrix, block, rows, columns):
    rows, columns = rows[:2], columns[:3]
    wanted, new = dense_of(matrix), dense_of(block)
    added = dense_of(matrix)
    for i, u in enumerate(rows):
        for j, v in enumerate(columns):
            wanted[u][v] = new[i][j]
            if new[i][j] is not None:
                added[u][v] = new[i][j] + (added[u][v] or 0)
    assert same_matrix(assign(matrix, rows, columns, block), wanted)
    assert same_matrix(assign(matrix, rows, columns, block, add="plus"), added)


@given(matrices(5, 5), st.integers(1, 6))
def test_power_and_diagonals(matrix, exponent):
    dense = matrix.to_dense()
    wanted = np.linalg.matrix_power(dense, exponent)
    assert np.array_equal(power(matrix, exponent).to_dense(), wanted)
    assert diagonal(matrix).tolist() == np.diag(dense).tolist()
    assert np.array_equal(from_diagonal(np.diag(dense)).to_dense(), np.diag(np.diag(dense)))
    assert transpose(matrix) is matrix.T


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        (lambda a: union(a, a.T), "right must have the shape of left, .2, 3., got .3, 2."),
        (lambda a: union(a, a, "plis"), "add must be one of"),
        (lambda a: masked(a, a.T), "mask must have the shape of matrix"),
        (lambda a: apply(a, lambda weight: weight), "function must name some of value"),
        (lambda a: apply(a, lambda value: value, params={"k": 1}), "params must be named"),
        (lambda a: select(a, "low"), "predicate must be one of"),
        (lambda a: extract(a, [2]), "rows must be from 0 to 1"),
        (lambda a: extract(a, columns=[1, 1]), "columns must be distinct"),
        (lambda a: assign(a, [0], [0], a), "block must have the shape of rows and columns"),
        (lambda a: power(a, 2), "matrix must be square"),
        (lambda a: power(a, 0), "exponent must be at least 1"),
        (lambda a: reduce(a, "mean"), "monoid must be one of"),
        (lambda a: Matrix.from_entries([5], [0], shape=(2, 2)), "rows must be from 0 to 1"),
        (lambda a: Matrix.from_entries([0], [0], shape=3), "shape must be a pair"),
    ],
)
def test_bad_arguments_are_refused(call, rule):
    with pytest.raises((TypeError, ValueError), match=rule):
        call(Matrix([0, 1, 2], [0, 2], [1.0, 2.0], num_columns=3))
