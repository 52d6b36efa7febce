"""A row permutation that puts heavy entries on the diagonal of a sparse matrix [1].

It is a perfect matching of rows and columns of large weight: `heavy_perfect` on the absolute
values, or on their logarithms to make the product of the diagonal large.

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
    """Return a row permutation that puts large entries on the diagonal of a sparse matrix.

    It makes a factorization without pivoting more stable.

    Parameters
    ----------
    matrix : sparse matrix or array of SciPy
        A square matrix. Explicit zeros are ignored.
    objective : {"product", "sum"}
        What to make large: the product of the diagonal's absolute values, or their sum.
    max_iter : int
        The largest number of passes that improve the weight, as in `heavy_perfect`.

    Returns
    -------
    array of int64
        The row for each position: ``matrix[order]`` has the heavy diagonal.

    Raises
    ------
    ValueError
        If the matrix is not square, has entries that are not finite, or is structurally singular.

    See Also
    --------
    heavy_perfect : The underlying perfect matching.

    Notes
    -----
    O(m sqrt(n) + m log m) time for n rows and m entries.

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
            "matrix must be a sparse matrix of SciPy (scipy.sparse.csr_array converts an array), "
            f"got {type(matrix).__name__}"
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
