"""Bicolorings: every entry is read from, or solved by, the compressed rows and columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import coloring
from edgewise.algorithms.coloring.orders import ORDERS
from tests.algorithms.coloring.patterns import PATTERNS, matrices

KINDS = {
    "star_bicoloring": coloring.star_bicoloring,
    "acyclic_bicoloring": coloring.acyclic_bicoloring,
}


def determined(matrix, rows, columns, substitution):
    """Which entries are determined, one after another, by groups with one unknown entry."""
    groups = {}
    for i, j in zip(*np.nonzero(matrix), strict=True):
        if columns[j] >= 0:
            groups.setdefault(("row", i, columns[j]), set()).add((i, j))
        if rows[i] >= 0:
            groups.setdefault(("column", j, rows[i]), set()).add((i, j))
    known = {entry for group in groups.values() if len(group) == 1 for entry in group}
    while substitution:
        more = {e for group in groups.values() if len(group - known) == 1 for e in group}
        if more <= known:
            break
        known |= more
    return known


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PATTERNS)
def test_odd_patterns(name, kind):
    for order in (*ORDERS, "best"):
        found = KINDS[kind](PATTERNS[name], order=order, seed=3)
        verdict = coloring.verify_pattern_coloring(PATTERNS[name], found, kind=kind)
        assert verdict.valid
        assert verdict.num_colors == found.num_colors


@given(matrices(most=6), st.sampled_from([*KINDS]), st.sampled_from(("best", *ORDERS)))
def test_any_pattern(matrix, kind, order):
    found = KINDS[kind](matrix, order=order)
    known = determined(matrix, *found[:2], kind == "acyclic_bicoloring")
    assert len(known) == np.count_nonzero(matrix)


@given(matrices(most=5), st.data())
def test_the_verdict_is_that_of_the_definition(matrix, data):
    rows, columns = (
        np.array(data.draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n)), np.int64)
        for n in matrix.shape
    )
    for kind in KINDS:
        verdict = coloring.verify_pattern_coloring(matrix, (rows, columns), kind=kind)
        known = determined(matrix, rows, columns, kind == "acyclic_bicoloring")
        assert verdict.valid == (len(known) == np.count_nonzero(matrix))
        if not verdict.valid:
            assert verdict.conflict not in known
            assert matrix[verdict.conflict] != 0


def test_the_conflict_is_not_an_entry_that_is_determined():
    matrix = np.array([[0, 1], [1, 1], [1, 1]])
    one = np.zeros(3, int), np.zeros(2, int)
    verdict = coloring.verify_pattern_coloring(matrix, one, kind="acyclic_bicoloring")
    assert not verdict.valid and verdict.conflict == (1, 0)


def test_never_more_colors_than_one_direction_needs():
    for name, pattern in PATTERNS.items():
        one = min(coloring.partial_distance_2(pattern, side=side, order="natural").num_colors
                  for side in ("rows", "columns"))  # fmt: skip
        star, acyclic = (color(pattern).num_colors for color in KINDS.values())
        assert max(star, acyclic) <= one, name


def test_known_numbers():
    assert coloring.star_bicoloring(PATTERNS["arrow"]).num_colors == 3
    assert coloring.star_bicoloring(PATTERNS["dense row and column"]).num_colors <= 10
    assert coloring.star_bicoloring(PATTERNS["zeros"]).num_colors == 0
    found = coloring.star_bicoloring(PATTERNS["one row"])
    assert found.num_colors == 1
    assert found.column_colors.tolist() == [-1] * 6


def test_errors():
    for color in KINDS.values():
        with pytest.raises(ValueError, match="order must be one of 'best'"):
            color(np.eye(2), order="fast")
        with pytest.raises(TypeError, match="pattern must be a sparse matrix"):
            color(3)
    with pytest.raises(ValueError, match="colors must be 2 integers, one per column"):
        coloring.verify_pattern_coloring(np.eye(2), [0, 1, 2])
    with pytest.raises(TypeError, match="colors must be a Bicoloring or a pair"):
        coloring.verify_pattern_coloring(np.eye(2), np.zeros((2, 2)), kind="star_bicoloring")
    with pytest.raises(ValueError, match="kind must be one of"):
        coloring.verify_pattern_coloring(np.eye(2), [0, 1], kind="both")
