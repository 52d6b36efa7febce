"""Element-wise operations on two matrices, by merging rows; one source for all devices.

A first pass counts the entries of every row of the result, a second one writes them. Time O(nnz of
both). Rows are independent; on a GPU each is for one thread.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.linalg.matrix import Matrix, as_matrix
from edgewise.linalg.operands import check_same_shape
from edgewise.linalg.semirings import as_function
from edgewise.operators.helpers import inner
from edgewise.operators.items import for_each

__all__ = ["intersection", "masked", "union"]


def union(left: Any, right: Any, add: Any = "plus", *, dtype: Any = None) -> Matrix:
    """Return the element-wise union of two matrices (GraphBLAS: eWiseAdd).

    Parameters
    ----------
    left, right : Matrix, Graph or sparse matrix
        Two matrices of the same shape. The entries of a pattern are 1.
    add : str, Monoid or callable
        How two values at one place are combined: ``"plus"``, ``"min"``, ``"max"``, ``"times"``,
        ``"minus"``, ``"first"``, ``"second"`` or a function of both. A value that only one matrix
        has is kept.
    dtype : dtype, optional
        The type of the result; by default the common type of the operands.

    Returns
    -------
    Matrix with ascending columns.

    Examples
    --------
    >>> from edgewise.linalg import Matrix, union
    >>> a = Matrix([0, 2], [0, 2], [1, 5], num_columns=3)
    >>> b = Matrix([0, 1], [2], [3], num_columns=3)
    >>> union(a, b, "max").to_dense().tolist()
    [[1, 0, 5]]
    """
    return _merged(left, right, as_function(add, "add"), (True, True, True), dtype)


def intersection(left: Any, right: Any, multiply: Any = "times", *, dtype: Any = None) -> Matrix:
    """Return the element-wise intersection of two matrices (GraphBLAS: eWiseMult).

    Parameters
    ----------
    left, right : Matrix, Graph or sparse matrix
        Two matrices of the same shape.
    multiply : str, Monoid or callable
        How the two values at one place are combined, as ``add`` of `union`.
    dtype : dtype, optional
        The type of the result.

    Returns
    -------
    Matrix with the places that both have.

    Examples
    --------
    >>> from edgewise.linalg import Matrix, intersection
    >>> a = Matrix([0, 2], [0, 2], [1, 5], num_columns=3)
    >>> b = Matrix([0, 1], [2], [3], num_columns=3)
    >>> intersection(a, b).to_dense().tolist()
    [[0, 0, 15]]
    """
    return _merged(left, right, as_function(multiply, "multiply"), (False, True, False), dtype)


def masked(matrix: Any, mask: Any, *, complement: bool = False) -> Matrix:
    """Return the entries of a matrix at the places that a mask has, or with ``complement`` has not.

    Parameters
    ----------
    matrix : Matrix, Graph or sparse matrix
        The matrix.
    mask : Matrix, Graph or sparse matrix
        A matrix of the same shape. Every stored entry counts, whatever its value.
    complement : bool
        Whether to keep the entries at all other places.

    Examples
    --------
    >>> from edgewise.linalg import Matrix, masked
    >>> a, b = Matrix([0, 2], [0, 2], [1, 5], num_columns=3), Matrix([0, 1], [2], num_columns=3)
    >>> masked(a, b).values.tolist(), masked(a, b, complement=True).values.tolist()
    ([5], [1])
    """
    matrix, mask = as_matrix(matrix), as_matrix(mask, "mask")
    pattern = matrix.values is None
    wanted = (True, False, False) if complement else (False, True, False)
    names = ("matrix", "mask")
    kind = np.bool_ if pattern else matrix.dtype
    result = _merged(matrix, mask, as_function("first", "first"), wanted, kind, names)
    return result.with_values(None) if pattern else result


def _merged(
    left: Any, right: Any, function: Any, wanted: tuple[bool, bool, bool], dtype: Any,
    names: tuple[str, str] = ("left", "right"),
) -> Matrix:  # fmt: skip
    """Merge rows; ``wanted`` are the places of the left alone, of both, and of the right alone."""
    left, right = as_matrix(left, names[0]).sorted(), as_matrix(right, names[1]).sorted()
    check_same_shape(left, right, names)
    for name, one in zip(names, (left, right), strict=True):
        if isinstance(one.values, tuple):
            raise TypeError(f"{name} must have one value per entry, got a tuple of values")
    kind = np.dtype(dtype or _common(left.dtype, right.dtype))
    xp, n, work = left.xp, left.shape[0], left.nnz + right.nnz
    counts = xp.empty(n, np.int64)
    lists = (left.indptr, left.indices, right.indptr, right.indices)
    for_each(n, _count, (*lists, *wanted, counts), device=left.device, work=work)
    indptr = offsets(counts)
    total = int(indptr[-1])
    indices, values = xp.empty(total, left.indices.dtype), xp.empty(total, kind)
    given = (_filled(left, kind), _filled(right, kind if wanted[2] else None))
    for_each(n, _filler(inner(function)), (*lists, *given, *wanted, indptr, indices, values),
             device=left.device, work=work)  # fmt: skip
    return left._like(indptr, indices, values, num_columns=left.shape[1])


def _common(left: Any, right: Any) -> Any:
    known = [kind for kind in (left, right) if kind is not None]
    return np.result_type(*known) if known else np.dtype(np.int64)


def _filled(matrix: Matrix, kind: Any) -> Any:
    """The values, or ones."""
    if matrix.values is None:
        return matrix.xp.ones(matrix.nnz, kind or np.bool_)
    return matrix.values


def _count(i, a_starts, a, b_starts, b, first, both, second, counts):
    e, a_end, f, b_end = a_starts[i], a_starts[i + 1], b_starts[i], b_starts[i + 1]
    count = 0
    while e < a_end and f < b_end:
        if a[e] < b[f]:
            count += first
            e += 1
        elif b[f] < a[e]:
            count += second
            f += 1
        else:
            count += both
            e += 1
            f += 1
    counts[i] = count + first * (a_end - e) + second * (b_end - f)


@cache
def _filler(function: Any) -> Any:
    def fill(i, a_starts, a, b_starts, b, x, y, first, both, second, indptr, indices, values):
        e, a_end, f, b_end = a_starts[i], a_starts[i + 1], b_starts[i], b_starts[i + 1]
        at = indptr[i]
        while e < a_end or f < b_end:
            if f >= b_end or (e < a_end and a[e] < b[f]):
                if first:
                    indices[at], values[at] = a[e], x[e]
                    at += 1
                e += 1
            elif e >= a_end or b[f] < a[e]:
                if second:
                    indices[at], values[at] = b[f], y[f]
                    at += 1
                f += 1
            else:
                if both:
                    indices[at], values[at] = a[e], function(x[e], y[f])
                    at += 1
                e += 1
                f += 1

    return fill
