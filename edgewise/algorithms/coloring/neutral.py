"""Rows or columns that are neutral in a bicoloring from the start."""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.coloring.patterns import Pattern

__all__ = ["neutral_sets"]

#: Limits for the length of a short row that are tried.
_LENGTHS = 24


def neutral_sets(pattern: Pattern) -> list[np.ndarray | None]:
    """Sets of columns and rows to make neutral: none, all short rows, and all short columns.

    Rows are short up to a length that makes small what is left: the longest short row, and the
    largest number of long rows in one column.
    """
    rows, columns = pattern.shape
    long_rows = _long(np.diff(pattern.indptr), pattern.rows(), pattern.indices)
    long_columns = _long(np.diff(pattern.column_ptr), pattern.indices, pattern.rows())
    by_rows = np.concatenate([np.zeros(columns, bool), ~long_rows])
    by_columns = np.concatenate([~long_columns, np.zeros(rows, bool)])
    return [by_rows, by_columns, None]


def _long(lengths: np.ndarray, own: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Which rows are long, if ``own`` and ``other`` are the row and the column of each entry."""
    found = np.unique(lengths)
    if len(found) > _LENGTHS:
        found = np.unique(found[np.geomspace(1, len(found), _LENGTHS).astype(np.int64) - 1])
    costs = [limit + np.bincount(other[lengths[own] > limit], minlength=1).max() for limit in found]
    return lengths > (found[np.argmin(costs)] if len(found) else 0)
