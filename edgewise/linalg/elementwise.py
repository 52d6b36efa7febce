"""Element-wise operations on two matrices, by merging rows; one source for all devices.

A first pass counts the entries of every row of the result, a second one writes them. Time O(nnz of
both). Rows are independent; on a GPU each is for one thread.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.linalg.borrow import each
from edgewise.linalg.matrix import Matrix, as_matrix
from edgewise.linalg.operands import as_state, check_same_shape, common_dtype
from edgewise.linalg.semirings import as_function
from edgewise.operators.fitting import element, set_element
from edgewise.operators.functions import looking
from edgewise.operators.helpers import inner
from edgewise.operators.items import for_each

__all__ = ["filled", "intersection", "masked", "union"]


def union(left: Any, right: Any, add: Any = "plus", *, dtype: Any = None) -> Matrix:
    """Return the element-wise union of two matrices (GraphBLAS: eWiseAdd).

    Parameters
    ----------
    left, right : Matrix, Graph or sparse matrix
        Two matrices of the same shape. The entries of a pattern are 1.
    add : str, Monoid or callable
        How two values at one place are combined: ``"plus"``, ``"min"``, ``"max"``, ``"times"``,
        ``"minus"``, ``"first"``, ``"second"`` or a function of both. A value that only one matrix
        has is kept. Tuples of values need a function, which gets two tuples.
    dtype : dtype or tuple of dtypes, optional
        The type of the result; by default the common type of the operands.

    Returns
    -------
    Matrix with ascending columns.

    Raises
    ------
    CompileError
        If the function returns floats and the type of the result is an integer or a boolean.

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
    dtype : dtype or tuple of dtypes, optional
        The type of the result; by default the common type of the operands. Division of integers
        needs a type of floats.

    Returns
    -------
    Matrix with the places that both have.

    Raises
    ------
    CompileError
        If the function returns floats and the type of the result is an integer or a boolean.

    Examples
    --------
    >>> from edgewise.linalg import Matrix, intersection
    >>> a = Matrix([0, 2], [0, 2], [1, 5], num_columns=3)
    >>> b = Matrix([0, 1], [2], [3], num_columns=3)
    >>> intersection(a, b).to_dense().tolist()
    [[0, 0, 15]]
    >>> intersection(a, b, "divide", dtype=float).values.round(2).tolist()
    [1.67]
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
    wanted = (True, False, False) if complement else (False, True, False)
    kind = np.bool_ if matrix.values is None else matrix.dtype
    unread = mask.with_values(each(lambda _: mask.xp.ones(mask.nnz, np.bool_), kind))
    result = _merged(matrix, unread, as_function("first", "first"), wanted, kind,
                     ("matrix", "mask"))  # fmt: skip
    return result.with_values(None) if matrix.values is None else result


def _merged(
    left: Any, right: Any, function: Any, wanted: tuple[bool, bool, bool], dtype: Any,
    names: tuple[str, str] = ("left", "right"),
) -> Matrix:  # fmt: skip
    """Merge rows; ``wanted`` are the places of the left alone, of both, and of the right alone."""
    left, right = as_matrix(left, names[0]).sorted(), as_matrix(right, names[1]).sorted()
    check_same_shape(left, right, names)
    kind = common_dtype(left.dtype, right.dtype, names) if dtype is None else dtype
    xp, n, work = left.xp, left.shape[0], left.nnz + right.nnz
    counts = xp.empty(n, np.int64)
    lists = (left.indptr, left.indices, right.indptr, right.indices)
    for_each(n, _count, (*lists, *wanted, counts), device=left.device, work=work)
    indptr = offsets(counts)
    total = int(indptr[-1])
    indices, values = xp.empty(total, left.indices.dtype), each(lambda k: xp.empty(total, k), kind)
    given = (as_state(filled(one, kind)) for one in (left, right))
    fill = _filler(function, wanted[0], wanted[2])
    for_each(n, fill, (*lists, *given, wanted[1], indptr, indices, as_state(values)),
             device=left.device, work=work)  # fmt: skip
    return left._like(indptr, indices, values, num_columns=left.shape[1])


def filled(matrix: Matrix, kind: Any) -> Any:
    """The values, or ones."""
    if matrix.values is None:
        return each(lambda one: matrix.xp.ones(matrix.nnz, one), kind)
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
def _filler(function: Any, first: bool, second: bool) -> Any:
    """Write a row; ``first`` and ``second`` keep the places of one matrix alone."""
    combine = inner(function)

    def fill(i, a_starts, a, b_starts, b, x, y, both, indptr, indices, values):
        e, a_end, f, b_end = a_starts[i], a_starts[i + 1], b_starts[i], b_starts[i + 1]
        at = indptr[i]
        while e < a_end or f < b_end:
            if f >= b_end or (e < a_end and a[e] < b[f]):
                if first:
                    indices[at] = a[e]
                    set_element(values, at, element(x, e))
                    at += 1
                e += 1
            elif e >= a_end or b[f] < a[e]:
                if second:
                    indices[at] = b[f]
                    set_element(values, at, element(y, f))
                    at += 1
                f += 1
            else:
                if both:
                    indices[at] = a[e]
                    set_element(values, at, combine(element(x, e), element(y, f)))
                    at += 1
                e += 1
                f += 1

    return looking(inner(fill), function)
