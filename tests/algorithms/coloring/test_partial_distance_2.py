"""`partial_distance_2`: columns that share a row differ; greedy is the plain greedy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, strategies as st

from edgewise import coloring
from edgewise.algorithms.coloring.orders import ORDERS
from edgewise.algorithms.coloring.patterns import as_pattern
from edgewise.algorithms.coloring.saturation import color_by_saturation
from tests.algorithms.coloring.patterns import PATTERNS, matrices


def plain_greedy(matrix, listed):
    color = {}
    for v in listed:
        rows = matrix[:, v] != 0
        taken = {color[u] for u in color if (rows & (matrix[:, u] != 0)).any()}
        color[v] = next(c for c in range(len(taken) + 1) if c not in taken)
    return [color[v] for v in range(matrix.shape[1])]


def neighbors(matrix):
    """How many other columns each column shares a row with."""
    there = (matrix != 0).astype(int)
    return ((there.T @ there > 0) & ~np.eye(matrix.shape[1], dtype=bool)).sum(axis=0)


@pytest.mark.parametrize("side", ["columns", "rows"])
@pytest.mark.parametrize("name", PATTERNS)
def test_odd_patterns(name, side):
    for order in (*ORDERS, "best"):
        colors = coloring.partial_distance_2(PATTERNS[name], side=side, order=order, seed=2)
        verdict = coloring.verify_pattern_coloring(PATTERNS[name], colors, kind=side)
        assert verdict.valid
        assert verdict.num_colors == colors.num_colors >= colors.lower_bound


@given(matrices(), st.sampled_from(["columns", "rows"]))
def test_any_pattern(matrix, side):
    table = matrix if side == "columns" else matrix.T
    found = coloring.partial_distance_2(matrix, side=side, order="natural")
    assert found.tolist() == plain_greedy(table, range(table.shape[1]))
    sizes = neighbors(table)
    first = sorted(range(table.shape[1]), key=lambda v: (-sizes[v], v))
    found = coloring.partial_distance_2(matrix, side=side, order="largest_first")
    assert found.tolist() == plain_greedy(table, first)


@given(matrices())
def test_smallest_last_is_bounded_by_the_largest_smallest_degree(matrix):
    there = (matrix != 0).astype(int)
    near = (there.T @ there > 0) & ~np.eye(matrix.shape[1], dtype=bool)
    left, bound = list(range(matrix.shape[1])), 0
    while left:
        sizes = near[np.ix_(left, left)].sum(axis=0)
        bound = max(bound, sizes.min() + 1)
        left.pop(int(sizes.argmin()))
    assert coloring.partial_distance_2(matrix, order="smallest_last").num_colors <= bound


def test_saturation_is_valid_and_stops_at_64_colors():
    for seed in range(20):
        matrix = sp.random_array((12, 15), density=0.15, rng=np.random.default_rng(seed))
        found = color_by_saturation(as_pattern(matrix).nets("columns"))
        assert coloring.verify_pattern_coloring(matrix, found).valid
    assert color_by_saturation(as_pattern(np.ones((1, 64))).nets("columns")).max() == 63
    assert color_by_saturation(as_pattern(np.ones((1, 65))).nets("columns")) is None


@pytest.mark.parametrize("n", [3, 8, 20, 50, 51, 64])
def test_stencils_need_no_more_colors_than_entries_in_a_row(n):
    line = sp.diags_array([1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(n, n))
    cross = sp.kron(line, sp.eye_array(n)) + sp.kron(sp.eye_array(n), line)
    assert coloring.partial_distance_2(cross, order="best").num_colors == 5
    assert coloring.partial_distance_2(sp.kron(line, line), order="best").num_colors == 9


def test_formats_and_duplicates_agree():
    matrix = sp.random_array((30, 20), density=0.1, rng=np.random.default_rng(1))
    wanted = coloring.partial_distance_2(matrix.toarray()).tolist()
    for kind in ("coo", "csr", "csc", "lil", "dok"):
        assert coloring.partial_distance_2(matrix.asformat(kind)).tolist() == wanted
    doubled = sp.coo_matrix(([1, 1, -1], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    assert coloring.partial_distance_2(doubled).tolist() == [0, 0]
    stored = sp.csr_array(([0.0, 0.0], [0, 1], [0, 2]), shape=(1, 2))
    assert coloring.partial_distance_2(stored).num_colors == 2, "stored zeros count"


def test_dense_rows_cost_little():
    n = 20_000
    arrow = sp.vstack([sp.coo_array(np.ones((1, n))), sp.eye_array(n)])
    assert coloring.partial_distance_2(arrow).num_colors == n
    assert coloring.partial_distance_2(arrow, side="rows").num_colors == 2


def test_errors():
    with pytest.raises(TypeError, match="pattern must be a sparse matrix"):
        coloring.partial_distance_2([1, 2])
    with pytest.raises(TypeError, match="pattern must be a sparse matrix"):
        coloring.partial_distance_2("ab")
    with pytest.raises(ValueError, match="side must be one of 'columns', 'rows', got 'left'"):
        coloring.partial_distance_2(np.eye(2), side="left")
    with pytest.raises(ValueError, match="order must be one of"):
        coloring.partial_distance_2(np.eye(2), order="fast")
    with pytest.raises(TypeError, match="seed must be a whole number"):
        coloring.partial_distance_2(np.eye(2), seed=0.5)
