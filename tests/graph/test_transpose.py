"""Turning rows around, at the level of arrays: also for 64-bit columns and unsorted rows."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.threads import threads
from edgewise.graph.transpose import both_directions, edge_order, transpose, turned


def random_rows(rows, columns, arcs, seed):
    rng = np.random.default_rng(seed)
    sources = np.sort(rng.integers(0, rows, arcs))
    indptr = np.searchsorted(sources, np.arange(rows + 1))
    return indptr, rng.integers(0, columns, arcs).astype(np.int32), sources


@pytest.mark.parametrize("team", [1, 2, 3, 7])
@pytest.mark.parametrize(
    ("rows", "columns", "arcs"),
    [(1, 1, 0), (1, 1, 5), (50, 7, 300), (7, 3000, 300), (90, 90, 20_000)],
)
def test_a_stable_sort_by_column(rows, columns, arcs, team):
    indptr, indices, sources = random_rows(rows, columns, arcs, seed=arcs)
    order = np.argsort(indices, kind="stable")
    weights = np.arange(arcs, dtype=np.float32)
    with threads(team):
        starts, found, carried, ids = transpose(indptr, indices, weights, columns)
        again = turned(indptr, indices, weights, columns)
        np.testing.assert_array_equal(edge_order(indptr, indices, columns), order)
    np.testing.assert_array_equal(ids, order)
    np.testing.assert_array_equal(found, sources[order])
    np.testing.assert_array_equal(carried, weights[order])
    np.testing.assert_array_equal(np.diff(starts), np.bincount(indices, minlength=columns))
    for one, other in zip((starts, found, carried), again, strict=True):
        np.testing.assert_array_equal(one, other)


def test_wide_columns():
    indptr, indices, _ = random_rows(20, 30, 200, seed=3)
    narrow = transpose(indptr, indices, None, 30)
    wide = transpose(indptr, indices.astype(np.int64), None, 30)
    for one, other in zip(narrow, wide, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("team", [1, 2, 3])
def test_both_directions(team):
    # vertices 0-1, 0-2, 1-1 (a loop), 2-3: each edge at its smaller end
    with threads(team):
        starts, columns, weights = both_directions(
            np.array([0, 2, 3, 4, 4]), np.array([1, 2, 1, 3], np.int32), np.arange(4), loops=1
        )
    assert starts.tolist() == [0, 2, 4, 6, 7]
    assert columns.tolist() == [1, 2, 0, 1, 0, 3, 2]
    assert weights.tolist() == [0, 1, 0, 2, 1, 3, 3]


def test_too_many_columns():
    with pytest.raises(ValueError, match=r"at most 2\*\*32 rows and columns"):
        turned(np.zeros(2, np.int64), np.zeros(0, np.int64), None, 2**32 + 1)
