"""Rows or columns that are neutral in a bicoloring from the start."""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.coloring.patterns import Pattern

__all__ = ["neutral_sets"]

#: Limits for the length of a short row that are tried.
_LENGTHS = 24


def neutral_sets(pattern: Pattern) -> list[tuple[str, np.ndarray]]:
    """Masks over columns and rows of what to make neutral: all or short rows, or columns.

    Rows are short up to a length that makes small what is left: the longest short row, and the
    largest number of long rows in one column.
    """
    rows, columns = pattern.shape
    long_rows = _long(np.diff(pattern.indptr), pattern.rows(), pattern.indices)
    long_columns = _long(np.diff(pattern.column_ptr), pattern.indices, pattern.rows())
    found = []
    for each in [long_rows, np.zeros(rows, bool)][: 1 + long_rows.any()]:
        found.append(("rows", np.concatenate([np.zeros(columns, bool), ~each])))
    for each in [long_columns, np.zeros(columns, bool)][: 1 + long_columns.any()]:
        found.append(("columns", np.concatenate([~each, np.zeros(rows, bool)])))
    return found


def _long(lengths: np.ndarray, own: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Which rows are long, if ``own`` and ``other`` are the row and the column of each entry."""
    found = np.unique(lengths)
    if len(found) > _LENGTHS:
        found = np.unique(found[np.geomspace(1, len(found), _LENGTHS).astype(np.int64) - 1])
    costs = [limit + np.bincount(other[lengths[own] > limit], minlength=1).max() for limit in found]
    return lengths > (found[np.argmin(costs)] if len(found) else 0)
