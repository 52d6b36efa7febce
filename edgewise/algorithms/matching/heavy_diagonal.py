"""Rows of a sparse matrix in an order that puts heavy entries on its diagonal [1].

A perfect matching of rows and columns, the heavier the better: `heavy_perfect` on the absolute
values, or on their logarithms where the product of the diagonal is to be large.

[1] I. Duff, J. Koster. On algorithms for permuting large entries to the diagonal of a sparse
    matrix. SIAM J. Matrix Analysis and Applications 22(4), 2001.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.heavy_perfect import heavy_perfect
from edgewise.base.checks import check_choice
from edgewise.graph.csr import CSR

__all__ = ["heavy_diagonal"]


def heavy_diagonal(matrix: Any, *, objective: str = "product", max_iter: int = 100) -> np.ndarray:
    """The order of the rows that puts large entries on the diagonal of a sparse matrix.

    A factorization without pivoting is the more stable for it.

    Parameters
    ----------
    matrix : sparse matrix or array of SciPy
        Square. Entries of zero count as none.
    objective : {"product", "sum"}
        What is to be large: the product of the diagonal's absolute values, or their sum.
    max_iter : int
        See `heavy_perfect`.

    Returns
    -------
    array of int64
        ``matrix[order]`` has the heavy diagonal.

    Raises
    ------
    ValueError
        If the matrix is not square, has entries that are not finite, or is structurally singular.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> matrix = csr_array([[0.1, 7.0, 0.0], [3.0, 1.0, 0.0], [0.0, 2.0, 5.0]])
    >>> order = heavy_diagonal(matrix)
    >>> matrix[order].diagonal().tolist()
    [3.0, 7.0, 5.0]
    """
    check_choice(objective, "objective", ("product", "sum"))
    if not hasattr(matrix, "tocsr"):
        raise TypeError(
            "matrix must be a sparse matrix of SciPy (scipy.sparse.csr_array makes one of an "
            f"array), got {type(matrix).__name__}"
        )
    rows, columns = matrix.shape
    if rows != columns:
        raise ValueError(f"matrix must be square, got shape {matrix.shape}")
    table = matrix.tocsr().copy()
    table.sum_duplicates()
    table.eliminate_zeros()
    size = np.abs(table.data).astype(np.float64)
    if not np.isfinite(size).all():
        raise ValueError("matrix must have finite entries")
    worth = np.log(size) if objective == "product" else size
    there = CSR(table.indptr, table.indices, worth, num_columns=columns)
    mate = heavy_perfect(there, max_iter=max_iter).mate
    return mate[rows:].astype(np.int64)
