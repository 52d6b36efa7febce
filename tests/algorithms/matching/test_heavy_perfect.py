"""`heavy_perfect`: perfect, no exchange of two gains weight, near SciPy's optimum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.sparse import csc_array, csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

import edgewise as ew
from edgewise.algorithms.matching import (
    heavy_diagonal,
    heavy_perfect,
    maximum_weight_bipartite,
    verify_matching,
)
from edgewise.graph import Graph
from edgewise.graph.csr import CSR


@st.composite
def squares(draw):
    """A small square table of weights, NaN where there is no edge."""
    n = draw(st.integers(1, 7))
    weight = st.sampled_from([-2.0, 0.0, 1.0, 1.0, 3.0, 8.0])
    entry = st.one_of(weight, st.just(np.nan))
    return np.array(draw(st.lists(entry, min_size=n * n, max_size=n * n))).reshape(n, n)


def graph_of(table: np.ndarray) -> Graph:
    rows, columns = np.nonzero(~np.isnan(table))
    n = len(table)
    return Graph.from_edges(rows, n + columns, table[rows, columns], num_vertices=2 * n)


@given(squares())
@settings(max_examples=150)
def test_perfect_and_no_exchange_gains(table):
    graph, n = graph_of(table), len(table)
    sides = np.arange(2 * n) < n
    most = (maximum_bipartite_matching(csr_array(~np.isnan(table)), perm_type="column") >= 0).sum()
    if most < n:
        with pytest.raises(ValueError, match=f"at most {most} of {n} rows can be matched"):
            heavy_perfect(graph, sides=sides)
        return
    found = heavy_perfect(graph, sides=sides)
    assert verify_matching(graph, found).valid and found.cardinality == n
    mate = found.mate[:n] - n
    for i in range(n):
        for j in range(i):
            swapped = table[i, mate[j]] + table[j, mate[i]]
            assert not swapped > table[i, mate[i]] + table[j, mate[j]]
    best = maximum_weight_bipartite(graph, sides=sides, full=True).weight
    assert found.weight <= best + 1e-9


def nonsingular(n: int, density: float, seed: int) -> csr_array:
    """A random matrix with a hidden diagonal of small entries, wildly scaled."""
    rng = np.random.default_rng(seed)
    matrix = csr_array((rng.random((n, n)) < density).astype(float))
    matrix.data = np.exp(rng.normal(0, 3, matrix.nnz)) * rng.choice([-1, 1], matrix.nnz)
    hidden = csr_array((np.full(n, 1e-6), (np.arange(n), rng.permutation(n))), shape=(n, n))
    return csr_array(matrix + hidden)


@pytest.mark.parametrize("objective", ["product", "sum"])
@pytest.mark.parametrize(("n", "density"), [(40, 0.3), (400, 0.05), (1000, 0.04)])
def test_near_the_optimum(n, density, objective):
    matrix = nonsingular(n, density, n)
    order = heavy_diagonal(matrix, objective=objective)
    assert sorted(order.tolist()) == list(range(n))
    value = np.log if objective == "product" else np.asarray
    size = value(np.abs(matrix.data))
    exact = maximum_weight_bipartite(
        CSR(matrix.indptr, matrix.indices, size, num_columns=n), full=True
    )
    ours, before = value(np.abs(matrix[order].diagonal())).sum(), size.min() * n
    # As a share of the way from the worst that could be.
    assert 0.95 <= (ours - before) / (exact.weight - before) <= 1 + 1e-9


def test_other_formats_and_kinds():
    table = np.array([[0, 2 - 2j, 0], [3j, 0, 1], [0, 0, 5.0]])
    for matrix in (csc_array(table), csr_array(table).tocoo()):
        order = heavy_diagonal(matrix)
        assert order.tolist() == [1, 0, 2]
    whole = csr_array(np.array([[1, 9], [8, 1]]))
    assert heavy_diagonal(whole, objective="sum").tolist() == [1, 0]
    zeros = csr_array((np.array([1.0, 0.0, 1.0]), ([0, 0, 1], [0, 1, 1])), shape=(2, 2))
    assert heavy_diagonal(zeros).tolist() == [0, 1]
    assert zeros.nnz == 3, "the matrix given stays as it is"


def test_passes():
    graph = graph_of(np.array([[5.0, 4.0], [4.0, 1.0]]))
    with ew.observe(ew.Trace()) as trace:
        assert heavy_perfect(graph).weight == 8
    assert [row["exchanged"] for row in trace.rows if "exchanged" in row] == [1, 0]
    assert heavy_perfect(graph, max_iter=0).weight == 6


def test_integers_unit_and_empty():
    graph = graph_of(np.array([[5.0, 4.0], [4.0, 1.0]])).with_weights(np.array([5, 4, 4, 1]))
    assert heavy_perfect(graph).weight == 8
    assert heavy_perfect(graph, weights=None).weight == 2
    assert heavy_perfect(Graph([0], [])).mate.tolist() == []
    assert heavy_diagonal(csr_array((0, 0))).tolist() == []


def test_errors():
    with pytest.raises(ValueError, match="needs sides of equal size, got 2 and 1 vertices"):
        heavy_perfect(Graph.from_edges([0, 1], [1, 2]))
    with pytest.raises(ValueError, match=r"square, got shape \(2, 3\)"):
        heavy_diagonal(csr_array((2, 3)))
    for wrong in (np.eye(2), [[1.0]], Graph.from_edges([0], [1])):
        with pytest.raises(TypeError, match="matrix must be a sparse matrix of SciPy"):
            heavy_diagonal(wrong)
    with pytest.raises(ValueError, match="at most 1 of 2 rows"):
        heavy_diagonal(csr_array(np.array([[1.0, 1.0], [0.0, 0.0]])))
    with pytest.raises(ValueError, match="finite entries"):
        heavy_diagonal(csr_array(np.array([[np.inf]])))
    with pytest.raises(ValueError, match="objective must be one of 'product', 'sum'"):
        heavy_diagonal(csr_array(np.eye(2)), objective="max")
    with pytest.raises(ValueError, match="max_iter must be at least 0"):
        heavy_perfect(Graph.from_edges([0], [1]), max_iter=-1)


def test_heavy_diagonal_of_an_array():
    with pytest.raises(TypeError, match="must be a sparse matrix of SciPy .* got ndarray"):
        heavy_diagonal(np.ones((2, 2)))
