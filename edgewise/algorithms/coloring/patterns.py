"""Sparsity patterns of matrices: stored entries by rows and by columns.

A pattern is a sparse matrix or array of SciPy, where every stored entry counts, zeros too, or a
dense array, where nonzeros count.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.coloring.nets import Nets

__all__ = ["Pattern", "as_pattern", "check_symmetric", "symmetric_rows"]


class Pattern(NamedTuple):
    """The entries by rows and by columns."""

    indptr: Any
    indices: Any
    column_ptr: Any
    column_rows: Any
    shape: tuple[int, int]

    def rows(self) -> np.ndarray:
        """The row of every entry."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.indptr))

    def positions(self) -> np.ndarray:
        """The position by rows of every entry by columns."""
        from scipy.sparse import csr_array

        numbers = np.arange(len(self.indices))
        return csr_array((numbers, self.indices, self.indptr), self.shape).tocsc().data

    def nets(self, side: str) -> Nets:
        """Rows as nets if columns are colored, and columns as nets if rows are."""
        rows, columns = (self.indptr, self.indices), (self.column_ptr, self.column_rows)
        return Nets(*rows, *columns, False) if side == "columns" else Nets(*columns, *rows, False)

    def matrix(self, data: Any) -> Any:
        """A sparse array of SciPy by rows with these values; the pattern is not shared."""
        from scipy.sparse import csr_array

        return csr_array((data, self.indices.copy(), self.indptr.copy()), shape=self.shape)


def as_pattern(pattern: Any) -> Pattern:
    """The pattern of a sparse matrix or a dense array; the input is not changed."""
    from scipy.sparse import csr_array, issparse

    if isinstance(pattern, Pattern):
        return pattern
    if issparse(pattern):
        if pattern.ndim != 2:
            raise ValueError(f"pattern must have two dimensions, got shape {pattern.shape}")
        table = csr_array(pattern)
        rows = csr_array((np.ones(table.nnz, np.int8), table.indices, table.indptr), table.shape)
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
    else:
        dense = np.asarray(pattern)
        if dense.ndim != 2 or dense.dtype.kind not in "biufc":
            raise TypeError(
                "pattern must be a sparse matrix of SciPy or an array of two dimensions, got "
                f"{type(pattern).__name__} of shape {dense.shape}"
            )
        rows = csr_array(dense != 0)
    columns = rows.tocsc()
    ids = np.int32 if max(rows.shape) < 2**31 else np.int64
    by_row = rows.indptr.astype(np.int64), rows.indices.astype(ids)
    by_column = columns.indptr.astype(np.int64), columns.indices.astype(ids, copy=False)
    return Pattern(*by_row, *by_column, (int(rows.shape[0]), int(rows.shape[1])))


def check_symmetric(pattern: Pattern) -> None:
    """ValueError unless a pattern is square and symmetric."""
    if pattern.shape[0] != pattern.shape[1]:
        raise ValueError(f"pattern must be square, got shape {pattern.shape}")
    same = np.array_equal(pattern.indptr, pattern.column_ptr)
    if same and np.array_equal(pattern.indices, pattern.column_rows):
        return
    keys = pattern.rows() * pattern.shape[0] + pattern.indices
    turned = pattern.indices.astype(np.int64) * pattern.shape[0] + pattern.rows()
    alone = np.flatnonzero(~np.isin(turned, keys))[0]
    i, j = int(pattern.rows()[alone]), int(pattern.indices[alone])
    raise ValueError(
        f"pattern must be symmetric, got an entry at ({i}, {j}) but none at ({j}, {i})"
    )


def symmetric_rows(indptr: Any, indices: Any) -> tuple[np.ndarray, int]:
    """The edge of each entry of a symmetric pattern with sorted rows, and the number of edges.

    Both entries of an edge have its number. The edge of a diagonal entry is -1.
    """
    from scipy.sparse import csr_array

    n = len(indptr) - 1
    turned = csr_array((np.arange(len(indices)), indices, indptr), (n, n)).tocsc().data
    rows = np.repeat(np.arange(n), np.diff(indptr))
    upper = rows < indices
    edge = np.cumsum(upper) - 1
    lower = rows > indices
    edge[lower] = edge[turned[lower]]
    edge[~upper & ~lower] = -1
    return edge, int(np.count_nonzero(upper))
