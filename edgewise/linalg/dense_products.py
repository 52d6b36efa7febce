"""Products of a sparse matrix and a dense vector or block, over any semiring.

Each row of the result is the sum, in the semiring, of the products of a row's entries with the
elements of the vector at their columns. Rows are independent: no atomics, and the same result for
any number of threads. Time O(nnz) for each column of the block.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_flag
from edgewise.linalg.borrow import each
from edgewise.linalg.matrix import Matrix, as_matrix
from edgewise.linalg.operands import check_block, mask_rows
from edgewise.linalg.product_messages import product_message
from edgewise.linalg.semirings import Semiring, as_semiring
from edgewise.operators.engines import run
from edgewise.operators.frontier import frontier
from edgewise.operators.neighborhoods import reduce_neighbors
from edgewise.operators.requests import Neighborhood

__all__ = ["spmm", "spmv"]

#: A row of so many entries is for one thread.
_LONG = 1 << 15


def spmv(
    matrix: Any, vector: Any, semiring: Any = "plus_times", *, transpose: bool = False,
    mask: Any = None, complement: bool = False, dtype: Any = None,
) -> Any:  # fmt: skip
    """Return the product of a sparse matrix and a dense vector over a semiring.

    Parameters
    ----------
    matrix : Matrix, Graph or sparse matrix
        The matrix. A graph stands for its adjacency matrix, also on a grid of ranks, where a
        square `edgewise.distributed.GridMatrix` is one, too.
    vector : array or tuple of arrays
        One element per column of ``matrix``, or per row with ``transpose``.
    semiring : str, Semiring or pair of Monoid and function
        How entries are multiplied and added. ``multiply`` gets the matrix entry first; with
        ``transpose`` it gets the element of the vector first, as in the product of a row vector and
        ``matrix``.
    transpose : bool
        Whether to multiply the transpose, which is built at first use and kept with the matrix.
    mask : boolean array over the result, optional
        Compute only the elements where the mask is True. The others are the semiring's zero.
    complement : bool
        Whether to compute the elements where the mask is False instead.
    dtype : dtype or tuple of dtypes, optional
        The type of the result; by default `Semiring.result_dtype` of the operands.

    Returns
    -------
    array (or a tuple of arrays), with the semiring's zero for rows without entries.

    Raises
    ------
    ValueError
        If the vector has the wrong length or is on another device.

    Notes
    -----
    Time O(nnz), or the entries of the rows in the mask. The sum of a row does not depend on the
    number of threads. On a GPU, ``plus_times`` of matrices with many floats is cuSPARSE's.

    Examples
    --------
    One step of shortest paths: the semiring adds along an entry and takes the minimum.

    >>> import numpy as np
    >>> from edgewise.linalg import Matrix, spmv
    >>> roads = Matrix([0, 2, 3, 3], [1, 2, 2], [4.0, 9.0, 1.0])
    >>> spmv(roads, np.array([np.inf, np.inf, 0.0]), "min_plus").tolist()
    [9.0, 1.0, inf]
    """
    if getattr(matrix, "engine", "local") != "local":
        return _on_grid(matrix, vector, as_semiring(semiring), transpose, mask, complement, dtype)
    return _product(matrix, vector, semiring, transpose, mask, complement, dtype, 1)


def spmm(
    matrix: Any, block: Any, semiring: Any = "plus_times", *, transpose: bool = False,
    mask: Any = None, complement: bool = False, dtype: Any = None,
) -> Any:  # fmt: skip
    """Return the product of a sparse matrix and a dense block of columns over a semiring.

    Parameters
    ----------
    matrix : Matrix, Graph or sparse matrix
        The matrix; a graph may be on a grid of ranks.
    block : array of two dimensions
        One row per column of ``matrix``, or per row with ``transpose``.
    semiring, transpose, dtype
        As for `spmv`.
    mask : boolean array over the rows of the result, optional
        Compute only these rows; the others are the semiring's zero.
    complement : bool
        Whether to compute the rows where the mask is False instead.

    Returns
    -------
    array of as many columns as ``block``.

    Notes
    -----
    Time O(nnz) for each column. One pass over the matrix serves all columns, so that many columns
    together take much less time than one by one.

    Examples
    --------
    >>> import numpy as np
    >>> from edgewise import generators
    >>> from edgewise.linalg import spmm
    >>> spmm(generators.path(3), np.array([[1, 2], [10, 20], [100, 200]])).tolist()
    [[10, 20], [101, 202], [10, 20]]
    """
    if getattr(matrix, "engine", "local") != "local":
        return _on_grid(matrix, block, as_semiring(semiring), transpose, mask, complement, dtype)
    return _product(matrix, block, semiring, transpose, mask, complement, dtype, 2)


def _product(
    given: Any, right: Any, semiring: Any, transpose: bool, mask: Any, complement: bool, dtype: Any,
    ndim: int,
) -> Any:  # fmt: skip
    """Check the arguments and multiply."""
    matrix, ring = as_matrix(given), as_semiring(semiring)
    flipped = check_flag(transpose, "transpose")
    if isinstance(matrix.values, tuple):
        raise TypeError("matrix must have one value per entry in products with dense operands")
    if flipped:
        matrix = matrix.transposed
    name = "vector" if ndim == 1 else "block"
    right = check_block(matrix, right, name, matrix.shape[1], ndim)
    rows = mask_rows(matrix, mask, complement, matrix.shape[0])
    kind = _result_dtype(matrix, right, ring, flipped, dtype)
    if ndim == 2 and (isinstance(kind, tuple) or right.shape[1] == 0):
        if isinstance(kind, tuple):
            raise TypeError("block must be a single array: tuples of values have no columns")
        return matrix.xp.empty((matrix.shape[0], 0), kind)
    if ndim == 2 and matrix.device != "cpu":
        from edgewise.linalg.cuda.spmm import spmm as on_gpu

        return on_gpu(matrix, right, ring, flipped, rows, kind)
    if rows is None and ndim == 1 and matrix.device != "cpu":
        from edgewise.linalg.cuda import spmv as on_cuda

        if on_cuda.is_plain(matrix, right, ring, kind):
            return on_cuda.spmv(matrix, right)
    message = product_message(ring.multiply, flipped)
    if rows is None and _is_plain(matrix, right, ring, kind):
        from edgewise.linalg.cpu.dense_products import product

        return product(matrix, right, ring, message, kind)
    members = None if rows is None else frontier(matrix, rows)  # type: ignore[arg-type]
    out = _zeros(matrix, ring, kind, right) if isinstance(kind, tuple) else None
    request = Neighborhood(members, message, right, ring.add, mode="out", dtype=kind, out=out)
    return run(matrix, "reduce_neighbors")(matrix, request)


def _is_plain(matrix: Matrix, right: Any, ring: Semiring, kind: Any) -> bool:
    """Does one thread per row do: no tuples, no early exit, no row as long as many others?"""
    several = isinstance(kind, tuple) or isinstance(right, tuple)
    if matrix.device != "cpu" or several or ring.add.early_exit:
        return False
    return matrix.longest_row <= max(_LONG, matrix.nnz // 256)


def _zeros(matrix: Matrix, ring: Semiring, kinds: tuple, right: Any) -> Any:
    """A tuple of vectors of zeros."""
    zeros = ring.zero_for(*kinds)
    xp, n = matrix.xp, matrix.shape[0]
    return tuple(xp.full(n, zero, kind) for zero, kind in zip(zeros, kinds, strict=True))


def _result_dtype(matrix: Matrix, right: Any, ring: Semiring, flipped: bool, dtype: Any) -> Any:
    """The type of a product, or a tuple of types."""
    if dtype is not None:
        return each(np.dtype, dtype)
    kinds = (matrix.dtype, each(lambda one: one.dtype, right))
    return ring.result_dtype(*(kinds[::-1] if flipped else kinds))


def _on_grid(
    graph: Any, vector: Any, ring: Semiring, transpose: bool, mask: Any, complement: bool,
    dtype: Any,
) -> Any:  # fmt: skip
    """The product with a graph, or a square matrix, whose rows are spread over ranks."""
    graph = getattr(graph, "to_graph", lambda: graph)()
    if mask is None and complement:
        raise TypeError("complement must be left out without a mask")
    message = product_message(ring.multiply, transpose)
    kinds = (getattr(graph.weights, "dtype", None), each(lambda one: one.dtype, vector))
    kind = dtype or ring.result_dtype(*(kinds[::-1] if transpose else kinds))
    members = None
    if mask is not None:
        members = frontier(graph, ~mask if complement else mask)
    return reduce_neighbors(
        graph, members, message.given, vector, reduce=ring.add, mode="in" if transpose else "out",
        dtype=kind,
    )  # fmt: skip
