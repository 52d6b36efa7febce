"""The product of a sparse matrix and a sparse vector over any semiring, by push or by pull.

Pushing walks the rows of the transpose at the vector's entries: time proportional to the entries
of these rows. Pulling walks the rows of the result and skips columns where the vector has no entry:
time O(nnz), or the rows in the mask, with fast reads. Both give the same entries [1, 2].

[1] A. Azad, A. Buluç. A work-efficient parallel sparse matrix-sparse vector multiplication
algorithm. IPDPS 2017.
[2] C. Yang, A. Buluç, J. Owens. Implementing push-pull efficiently in GraphBLAS. ICPP 2018.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from edgewise.base.checks import check_choice, check_flag
from edgewise.graph.csr import index_dtype
from edgewise.linalg.borrow import each
from edgewise.linalg.matrix import as_matrix
from edgewise.linalg.operands import mask_rows
from edgewise.linalg.product_messages import product_message
from edgewise.linalg.semirings import as_semiring
from edgewise.linalg.vectors import SparseVector, as_sparse_vector

__all__ = ["spmspv"]

#: An entry that is pushed takes so many times as long as one that is pulled.
_PULLED = {"cpu": 0.7, "cuda": 1.6}
#: With early exit, one entry in so many is read.
_EARLY = 8


def spmspv(
    matrix: Any, vector: SparseVector, semiring: Any = "plus_times", *, transpose: bool = False,
    mask: Any = None, complement: bool = False, direction: str = "auto", dtype: Any = None,
) -> SparseVector:  # fmt: skip
    """Return the product of a sparse matrix and a sparse vector over a semiring.

    Parameters
    ----------
    matrix : Matrix, Graph or sparse matrix
        The matrix.
    vector : SparseVector
        Its size is the number of columns, or of rows with ``transpose``.
    semiring : str, Semiring or pair of Monoid and function
        As for `spmv`.
    transpose : bool
        Whether to multiply the transpose. A step of a search along the arcs of a directed graph is
        a product with the transpose.
    mask : boolean array over the result, optional
        Compute only the elements where the mask is True.
    complement : bool
        Whether to compute the elements where the mask is False instead.
    direction : {"auto", "push", "pull"}
        How to compute it. Pushing reads the transposed operand, pulling the operand itself.
        The transpose is built at first use and kept.
    dtype : dtype or tuple of dtypes, optional
        The type of the result.

    Returns
    -------
    SparseVector, with the indices in any order. An element is stored if at least one product was
    added, even if the sum is the semiring's zero.

    Notes
    -----
    Pushing takes time O(entries in the columns at the vector's entries). The memory for sums, at
    most 9 bytes per row, is kept with the matrix. On CUDA, pushed products are added with atomics:
    floating-point sums may differ in the last bits from run to run. Pulled sums do not.

    Examples
    --------
    One step of breadth-first search, with parents:

    >>> import numpy as np
    >>> from edgewise import generators
    >>> from edgewise.linalg import SparseVector, spmspv
    >>> start = SparseVector(6, np.array([2]), np.array([2]))
    >>> step = spmspv(generators.path(6), start, "any_first", transpose=True).sorted()
    >>> step.indices.tolist(), step.values.tolist()
    ([1, 3], [2, 2])
    """
    check_choice(direction, "direction", ("auto", "push", "pull"))
    matrix, ring = as_matrix(matrix), as_semiring(semiring)
    flipped = check_flag(transpose, "transpose")
    shape = matrix.shape[::-1] if flipped else matrix.shape
    vector = as_sparse_vector(matrix, vector, "vector", shape[1])
    rows = mask_rows(matrix, mask, complement, shape[0])
    kinds = (matrix.dtype, each(lambda one: one.dtype, vector.values))
    kind = dtype or ring.result_dtype(*(kinds[::-1] if flipped else kinds))
    if isinstance(kind, tuple) or isinstance(matrix.values, tuple):
        raise TypeError("matrix and vector must have one value per entry, got tuples of values")
    if direction == "auto":
        direction = _chosen(matrix, flipped, vector, rows, ring)
    if len(vector.indices) == 0 or (rows is not None and len(rows) == 0):
        xp = matrix.xp
        return SparseVector(shape[0], xp.empty(0, index_dtype(shape[0])), xp.empty(0, kind))
    message = product_message(ring.multiply, flipped)
    if direction == "push":
        operand = matrix if flipped else matrix.transposed
    else:
        operand = matrix.transposed if flipped else matrix
    engine = _engine(matrix.device.partition(":")[0])
    step = engine.push if direction == "push" else engine.pull
    found, values = step(operand, vector, message, ring, np.dtype(kind), rows)
    return SparseVector(shape[0], found, values)


def _chosen(matrix: Any, flipped: bool, vector: SparseVector, rows: Any, ring: Any) -> str:
    """The direction with less to do. Without a transpose the one that needs none is tried first."""
    share = matrix.nnz / max(matrix.shape[0] if flipped else matrix.shape[1], 1)
    pushed, pulled = vector.nnz * share, float(matrix.nnz)
    if rows is not None:
        pulled *= len(rows) / max(matrix.shape[1] if flipped else matrix.shape[0], 1)
    if ring.add.early_exit:
        pulled /= _EARLY
    pulled /= _PULLED[matrix.device.partition(":")[0]]
    if flipped or "transposed" in matrix.__dict__:
        operand = matrix if flipped else matrix.transposed
        if vector.nnz * operand.longest_row <= pulled:  # whichever rows they are
            return "push"
        lengths = operand.indptr[vector.indices + 1] - operand.indptr[vector.indices]
        pushed = float(lengths.sum())
    return "pull" if pushed > pulled else "push"


@cache
def _engine(device: str) -> Any:
    return import_module(f"edgewise.linalg.{device}.spmspv")
