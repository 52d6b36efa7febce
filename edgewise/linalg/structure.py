"""Operations on the shape of matrices: transpose, Kronecker product, parts, diagonals, powers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.offsets import offsets
from edgewise.graph.csr import index_dtype
from edgewise.graph.transfer import row_ids
from edgewise.linalg.borrow import device_of, each, on_device
from edgewise.linalg.elementwise import filled, union
from edgewise.linalg.entries import arcs_of, from_sorted, gathered
from edgewise.linalg.entrywise import select
from edgewise.linalg.matrix import Matrix, as_matrix
from edgewise.linalg.operands import as_state, check_same_device, common_dtype
from edgewise.linalg.semirings import as_function, as_semiring
from edgewise.operators.fitting import element, set_element
from edgewise.operators.functions import looking
from edgewise.operators.helpers import inner
from edgewise.operators.items import for_each

__all__ = ["assign", "diagonal", "extract", "from_diagonal", "kron", "power", "transpose"]

#: Up to so many columns, a table of all of them says which are extracted.
_MANY = 1 << 26


def transpose(matrix: Any) -> Matrix:
    """Return the transpose, which is built at first use and kept with the matrix.

    >>> from edgewise.linalg import Matrix, transpose
    >>> transpose(Matrix([0, 2], [0, 2], [1, 5], num_columns=3)).to_dense().tolist()
    [[1], [0], [5]]
    """
    return as_matrix(matrix).transposed


def kron(left: Any, right: Any, multiply: Any = "times", *, dtype: Any = None) -> Matrix:
    """Return the Kronecker product of two matrices.

    Parameters
    ----------
    left, right : Matrix, Graph or sparse matrix
        The matrices, of shapes (a, b) and (c, d). The result has the shape (a c, b d).
    multiply : str, Monoid or callable
        The product of a value of each.
    dtype : dtype or tuple of dtypes, optional
        The type of the result; by default the common type of the operands.

    Raises
    ------
    CompileError
        If the product is a float and the type of the result is an integer or a boolean.

    Examples
    --------
    >>> from edgewise.linalg import Matrix, kron
    >>> kron(Matrix([0, 1], [1], [2], num_columns=2), Matrix([0, 1], [0], [5])).to_dense().tolist()
    [[0, 10]]
    """
    left, right = as_matrix(left, "left"), as_matrix(right, "right")
    check_same_device(left, right)
    times, xp = as_function(multiply, "multiply"), left.xp
    kind = common_dtype(left.dtype, right.dtype) if dtype is None else dtype
    columns = check_count(left.shape[1] * right.shape[1], "the number of columns of the result")
    lengths = (xp.diff(left.indptr)[:, None] * xp.diff(right.indptr)[None, :]).reshape(-1)
    indptr = offsets(lengths)
    total = int(indptr[-1])
    indices = xp.empty(total, index_dtype(columns))
    values = each(lambda one: xp.empty(total, one), kind)
    given = [as_state(filled(one, kind)) for one in (left, right)]
    for_each(
        len(lengths), _multiplier(times),
        (left.indptr, left.indices, given[0], right.indptr, right.indices, given[1],
         right.shape[1], indptr, indices, as_state(values)), device=left.device, work=total,
    )  # fmt: skip
    return left._like(indptr, indices, values, num_columns=columns,
                      sorted_rows=left.sorted_rows and right.sorted_rows)  # fmt: skip


@cache
def _multiplier(function: Any) -> Any:
    times = inner(function)

    def multiply(i, a_starts, a, x, b_starts, b, y, width, indptr, indices, values):
        rows = len(b_starts) - 1
        u, v, at = i // rows, i % rows, indptr[i]
        for e in range(a_starts[u], a_starts[u + 1]):
            for f in range(b_starts[v], b_starts[v + 1]):
                indices[at] = a[e] * width + b[f]
                set_element(values, at, times(element(x, e), element(y, f)))
                at += 1

    return looking(inner(multiply), function)


def extract(matrix: Any, rows: Any = None, columns: Any = None) -> Matrix:
    """Return the part of a matrix at some rows and columns, in their order.

    Parameters
    ----------
    matrix : Matrix, Graph or sparse matrix
        The matrix.
    rows, columns : array of int, optional
        Which rows and columns; None means all. Rows may repeat, columns must be distinct.

    Returns
    -------
    Matrix of shape ``(len(rows), len(columns))``.

    Examples
    --------
    >>> from edgewise import generators
    >>> from edgewise.linalg import extract
    >>> extract(generators.path(4), [1, 2], [0, 2, 3]).to_dense().tolist()
    [[1, 1, 0], [0, 0, 1]]
    """
    matrix = as_matrix(matrix)
    xp = matrix.xp
    if rows is not None:
        rows = _places(matrix, rows, "rows", matrix.shape[0])
        lengths = matrix.indptr[rows + 1] - matrix.indptr[rows]
        indptr = offsets(lengths)
        at = arcs_of(matrix.indptr, rows, indptr, xp)
        some = each(lambda one: one[at], matrix.values)
        matrix = matrix._like(indptr, matrix.indices[at], some, **matrix._options())
    if columns is None:
        return matrix
    columns = _places(matrix, columns, "columns", matrix.shape[1])
    order = xp.argsort(columns)
    ascending = columns[order]
    if len(columns) > 1 and bool((ascending[1:] == ascending[:-1]).any()):
        raise ValueError("columns must be distinct, got one of them twice")
    if matrix.shape[1] <= _MANY:
        place = xp.full(matrix.shape[1], -1, index_dtype(len(columns)))
        place[columns] = xp.arange(len(columns), dtype=place.dtype)
        places = place[matrix.indices]
    else:  # a table of all columns would be larger than the matrix
        near = xp.minimum(xp.searchsorted(ascending, matrix.indices), max(len(columns) - 1, 0))
        there = ascending[near] == matrix.indices if len(columns) else xp.zeros(matrix.nnz, bool)
        places = xp.where(there, order[near] if len(columns) else near, -1)
    kept = places >= 0
    before = offsets(kept)
    ascend = len(columns) < 2 or bool((columns[1:] > columns[:-1]).all())
    return matrix._like(
        before[matrix.indptr], places[kept],
        each(lambda one: one[kept], matrix.values), num_columns=len(columns),
        sorted_rows=matrix.sorted_rows and ascend,
    )  # fmt: skip


def assign(matrix: Any, rows: Any, columns: Any, block: Any, *, add: Any = None) -> Matrix:
    """Return the matrix with the part at some rows and columns replaced by another matrix.

    Parameters
    ----------
    matrix : Matrix, Graph or sparse matrix
        The matrix, which does not change.
    rows, columns : array of int, optional
        Which rows and columns, all distinct; None means all.
    block : Matrix, Graph or sparse matrix
        The new part, of shape ``(len(rows), len(columns))``. Places without an entry are emptied.
    add : str, Monoid or callable, optional
        Combine old and new values by this function, as `union` does, instead of replacing them.

    Examples
    --------
    >>> from edgewise.linalg import Matrix, assign
    >>> matrix = Matrix([0, 2, 3], [0, 1, 1], [1, 2, 3])
    >>> assign(matrix, [0], [0, 1], Matrix([0, 1], [1], [9], num_columns=2)).to_dense().tolist()
    [[0, 9], [0, 3]]
    """
    matrix, block = as_matrix(matrix), as_matrix(block, "block")
    check_same_device(matrix, block, ("matrix", "block"))
    xp, places = matrix.xp, []
    for given, name, size in (
        (rows, "rows", matrix.shape[0]),
        (columns, "columns", matrix.shape[1]),
    ):
        place = xp.arange(size) if given is None else _places(matrix, given, name, size)
        if len(xp.unique(place)) != len(place):
            raise ValueError(f"{name} must be distinct, got one of them twice")
        places.append(place)
    wanted = (len(places[0]), len(places[1]))
    if block.shape != wanted:
        raise ValueError(
            f"block must have the shape of rows and columns, {wanted}, got {block.shape}"
        )
    values = block.values
    if values is None:
        values = each(lambda kind: xp.ones(block.nnz, kind), matrix.dtype or np.int64)
    moved = gathered(places[0][row_ids(block)], places[1][block.indices], values, matrix.shape,
                     "any", matrix.device)  # fmt: skip
    if add is not None:
        return union(matrix, moved, add)
    in_rows, in_columns = (xp.zeros(size, np.bool_) for size in matrix.shape)
    in_rows[places[0]] = True
    in_columns[places[1]] = True
    params = {"in_rows": in_rows, "in_columns": in_columns}
    return union(select(matrix, _outside, params=params), moved, "second")


def _outside(row, column, in_rows, in_columns):
    return not (in_rows[row] and in_columns[column])


def diagonal(matrix: Any, *, zero: Any = 0) -> Any:
    """Return the diagonal as a dense vector, with ``zero`` where no entry is stored.

    >>> from edgewise.linalg import Matrix, diagonal
    >>> diagonal(Matrix([0, 2, 3], [0, 1, 0], [7, 2, 3])).tolist()
    [7, 0]
    """
    only = select(matrix, "diagonal")

    def spread(values: Any) -> Any:
        result = only.xp.full(min(only.shape), zero, getattr(values, "dtype", np.int64))
        result[only.indices] = values
        return result

    return each(spread, 1 if only.values is None else only.values)


def from_diagonal(vector: Any) -> Matrix:
    """Return the square matrix with a vector on its diagonal; zeros are stored too.

    >>> from edgewise.linalg import from_diagonal
    >>> from_diagonal([2, 3]).to_dense().tolist()
    [[2, 0], [0, 3]]
    """
    device, xp = device_of(vector, vector, vector, None)
    values = on_device(vector, xp)
    if values.ndim != 1:
        raise ValueError(f"vector must be one-dimensional, got shape {values.shape}")
    places = xp.arange(len(values))
    return from_sorted(places, places, values, (len(values), len(values)), device)


def power(matrix: Any, exponent: int, semiring: Any = "plus_times") -> Matrix:
    """Return a power of a square matrix over a semiring, by repeated squaring.

    Parameters
    ----------
    matrix : Matrix, Graph or sparse matrix
        A square matrix.
    exponent : int
        At least 1.
    semiring : str, Semiring or pair of Monoid and function
        As for `spgemm`. Its multiplication must be associative.

    Examples
    --------
    Numbers of walks of four steps:

    >>> from edgewise import generators
    >>> from edgewise.linalg import power
    >>> power(generators.path(3), 4).to_dense().tolist()
    [[2, 0, 2], [0, 4, 0], [2, 0, 2]]
    """
    from edgewise.linalg.spgemm import spgemm

    matrix, ring = as_matrix(matrix), as_semiring(semiring)
    exponent = check_count(exponent, "exponent", 1)
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"matrix must be square, got shape {matrix.shape}")
    result = None
    while exponent:
        if exponent & 1:
            result = matrix if result is None else spgemm(result, matrix, ring)
        exponent >>= 1
        if exponent:
            matrix = spgemm(matrix, matrix, ring)
    return result  # type: ignore[return-value]


def _places(matrix: Matrix, given: Any, name: str, size: int) -> Any:
    """Positions below a size, on the device of the matrix."""
    array = on_device(given, matrix.xp)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and len(array)):
        raise TypeError(f"{name} must be a vector of integers, got dtype {array.dtype}")
    if len(array) and not (int(array.min()) >= 0 and int(array.max()) < size):
        raise ValueError(f"{name} must be from 0 to {size - 1}, got {array.min()} to {array.max()}")
    return array.astype(np.int64)
