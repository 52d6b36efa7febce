"""Operations on the entries of one matrix: apply, select, reduce, sampled dense products."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.offsets import offsets
from edgewise.graph.transfer import row_ids
from edgewise.linalg.borrow import each, on_device
from edgewise.linalg.dense_products import spmv
from edgewise.linalg.matrix import Matrix, as_matrix
from edgewise.linalg.operands import as_state, check_block
from edgewise.linalg.semirings import Semiring, as_function, as_monoid, as_semiring
from edgewise.operators.fitting import element, set_element
from edgewise.operators.functions import calling, looking, parameters, plain_function
from edgewise.operators.helpers import inner
from edgewise.operators.items import for_each
from edgewise.operators.members import reduce_all

__all__ = ["apply", "reduce", "reduce_columns", "reduce_rows", "sddmm", "select"]

_GIVEN = ("value", "row", "column")


def apply(
    matrix: Any, function: Callable[..., Any], *, params: Any = None, dtype: Any = None
) -> Matrix:
    """Return the matrix with a function of every stored value.

    Parameters
    ----------
    matrix : Matrix, Graph or sparse matrix
        The matrix; the values of a pattern are 1.
    function : callable
        A function that names any of ``value``, ``row``, ``column`` and the names in ``params``.
        For tuples of values, ``value`` is a tuple.
    params : dict, optional
        Numbers and arrays that the function names.
    dtype : dtype or tuple of dtypes, optional
        The type of the result; by default that of the values. A tuple stands for a function that
        returns a tuple.

    Raises
    ------
    CompileError
        If the function returns floats and the type of the result is an integer or a boolean.

    Examples
    --------
    >>> from edgewise.linalg import Matrix, apply
    >>> apply(Matrix([0, 1, 2], [0, 1], [1, 5]), lambda value: 2 * value).values.tolist()
    [2, 10]

    The mean of sums and counts, which are tuples of values:

    >>> import numpy as np
    >>> both = Matrix([0, 1, 2], [0, 1], (np.array([3.0, 8.0]), np.array([2, 4])))
    >>> apply(both, lambda value: value[0] / value[1], dtype=np.float64).values.tolist()
    [1.5, 2.0]
    """
    matrix = as_matrix(matrix)
    kind = matrix.dtype or np.int64 if dtype is None else dtype
    result = each(lambda one: matrix.xp.empty(matrix.nnz, one), kind)
    _visit(matrix, function, params, result, True)
    return matrix.with_values(result)


def select(matrix: Any, predicate: Any, *, params: Any = None) -> Matrix:
    """Return the entries of a matrix for which a predicate is true.

    Parameters
    ----------
    matrix : Matrix, Graph or sparse matrix
        The matrix.
    predicate : callable or str
        A function that names any of ``value``, ``row``, ``column`` and the names in ``params``; or
        ``"lower"``, ``"upper"`` (both without the diagonal), ``"diagonal"``, ``"off_diagonal"`` or
        ``"nonzero"``. For tuples of values, ``value`` is a tuple.
    params : dict, optional
        Numbers and arrays that the predicate names.

    Examples
    --------
    >>> from edgewise import generators
    >>> from edgewise.linalg import select
    >>> select(generators.complete(4), "lower").nnz
    6
    >>> select(generators.complete(4), lambda row, column, k: row + column > k, params={"k": 3}).nnz
    4
    """
    matrix = as_matrix(matrix)
    if isinstance(predicate, str):
        predicate = _PREDICATES[check_choice(predicate, "predicate", _PREDICATES)]
    if predicate is _PREDICATES["nonzero"] and isinstance(matrix.values, tuple):
        raise TypeError('"nonzero" needs one value per entry, got a tuple; give a function')
    xp = matrix.xp
    kept = xp.empty(matrix.nnz, np.bool_)
    _visit(matrix, predicate, params, kept, False)
    before = offsets(kept)
    some = each(lambda one: one[kept], matrix.values)
    return matrix._like(before[matrix.indptr], matrix.indices[kept], some, **matrix._options())


def reduce_rows(matrix: Any, monoid: Any = "plus", *, dtype: Any = None) -> Any:
    """Return the combined values of every row; rows without entries give the monoid's identity.

    Sums and products of integers and booleans are int64; ``dtype=`` chooses another type.

    >>> from edgewise.linalg import Matrix, reduce_rows
    >>> reduce_rows(Matrix([0, 2, 2], [0, 1], [3, 4])).tolist()
    [7, 0]
    """
    matrix = as_matrix(matrix)
    ring = Semiring(as_monoid(monoid, "monoid"), as_function("first", "first"))
    unread = matrix.xp.zeros(matrix.shape[1], np.float64)
    if dtype is None and _adds(ring.add) and matrix.dtype == np.int32:
        dtype = np.int64
    return spmv(matrix, unread, ring, dtype=dtype)


def reduce_columns(matrix: Any, monoid: Any = "plus", *, dtype: Any = None) -> Any:
    """Return the combined values of every column, by way of the transpose, which is kept.

    >>> from edgewise.linalg import Matrix, reduce_columns
    >>> reduce_columns(Matrix([0, 2, 3], [0, 1, 1], [3, 4, 5])).tolist()
    [3, 9]
    """
    return reduce_rows(as_matrix(matrix).transposed, monoid, dtype=dtype)


def reduce(matrix: Any, monoid: Any = "plus", *, dtype: Any = None) -> Any:
    """Return the combination of all stored values, a number.

    Sums and products are int64 for integers and booleans, and float64 for floats.

    >>> from edgewise.linalg import Matrix, reduce
    >>> int(reduce(Matrix([0, 2, 3], [0, 1, 1], [3, 4, 5]), "max"))
    5
    """
    matrix, add = as_matrix(matrix), as_monoid(monoid, "monoid")
    if dtype is None and _adds(add) and matrix.dtype == np.float32:
        dtype = np.float64
    sums = reduce_rows(matrix, add, dtype=dtype)
    if matrix.shape[0] == 0:
        return add.identity_for(sums.dtype)
    return reduce_all(matrix, sums, reduce=add)  # type: ignore[arg-type]


def sddmm(
    pattern: Any, left: Any, right: Any, semiring: Any = "plus_times", *, dtype: Any = None
) -> Matrix:
    """Return the product of two dense blocks at the stored places of a matrix.

    Entry (i, j) is the sum over k of ``left[i, k]`` times ``right[j, k]``: ``left @ right.T`` where
    ``pattern`` has an entry. The values of ``pattern`` are not read.

    Parameters
    ----------
    pattern : Matrix, Graph or sparse matrix
        Where to compute.
    left, right : arrays of two dimensions
        One row per row, and one row per column, of ``pattern``, with equally many columns.
    semiring, dtype
        As for `spmv`.

    Notes
    -----
    Time O(nnz * columns).

    Examples
    --------
    >>> import numpy as np
    >>> from edgewise import generators
    >>> from edgewise.linalg import sddmm
    >>> x = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
    >>> sddmm(generators.path(3), x, x).values.tolist()
    [1.0, 1.0, 2.0, 2.0]
    """
    pattern, ring = as_matrix(pattern, "pattern"), as_semiring(semiring)
    left = check_block(pattern, left, "left", pattern.shape[0], 2)
    right = check_block(pattern, right, "right", pattern.shape[1], 2)
    if left.shape[1] != right.shape[1]:
        raise ValueError(
            f"right must have as many columns as left ({left.shape[1]}), got {right.shape[1]}"
        )
    kind = np.dtype(dtype or ring.result_dtype(left.dtype, right.dtype))
    result = pattern.xp.empty(pattern.nnz, kind)
    for_each(
        pattern.nnz, _sampler(inner(ring.multiply), inner(ring.add.combine)),
        (row_ids(pattern), pattern.indices, left, right, ring.zero_for(kind), result),
        device=pattern.device, work=pattern.nnz * max(left.shape[1], 1),
    )  # fmt: skip
    return pattern.with_values(result)


@cache
def _sampler(multiply: Any, combine: Any) -> Any:
    def sample(e, rows, columns, left, right, zero, result):
        total, i, j = zero, rows[e], columns[e]
        for k in range(left.shape[1]):
            total = combine(total, multiply(left[i, k], right[j, k]))
        result[e] = total

    return sample


def _adds(add: Any) -> bool:
    """Is it a monoid whose results outgrow its operands?"""
    return add is as_monoid("plus") or add is as_monoid("times")


def _visit(matrix: Matrix, function: Any, params: Any, result: Any, fits: bool) -> None:
    """Put a function of every entry into the result, if it ``fits`` or is a boolean."""
    names = parameters(plain_function(function, "function"))
    named = {} if params is None else dict(params)
    missing = [name for name in names if name not in _GIVEN and name not in named]
    if missing:
        raise TypeError(
            f"function must name some of value, row, column and params, got {missing[0]!r}"
        )
    unused = [name for name in named if name not in names]
    if unused:
        raise TypeError(f"params must be named by the function, got {unused[0]!r}")
    several = tuple(
        on_device(named[name], matrix.xp) if hasattr(named[name], "__len__") else named[name]
        for name in names
        if name not in _GIVEN
    )
    rows = row_ids(matrix) if "row" in names else matrix.indices
    values = matrix.indices
    if "value" in names:
        values = matrix.xp.ones(matrix.nnz, np.int64) if matrix.values is None else matrix.values
    state = (rows, matrix.indices, as_state(values), as_state(result), *several)
    for_each(matrix.nnz, _visitor(function, names, fits), state, device=matrix.device)


@cache
def _visitor(function: Any, names: tuple[str, ...], fits: bool) -> Any:
    call = calling(inner(function), names, (*_GIVEN, "params"), inner)

    def visit(e, rows, columns, values, result, *params):
        new = call(element(values, e), rows[e], columns[e], params)
        set_element(result, e, new)

    def judge(e, rows, columns, values, result, *params):
        result[e] = call(element(values, e), rows[e], columns[e], params)

    return looking(inner(visit if fits else judge), function)


_PREDICATES = {
    "lower": lambda row, column: column < row,
    "upper": lambda row, column: column > row,
    "diagonal": lambda row, column: column == row,
    "off_diagonal": lambda row, column: column != row,
    "nonzero": lambda value: value != 0,
}
