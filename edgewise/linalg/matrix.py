"""Matrix: a frozen, rectangular sparse matrix in compressed rows, borrowed where possible.

Row i's columns are ``indices[indptr[i]:indptr[i + 1]]`` and its values are at the same positions
of ``values``. ``indptr`` is int64, ``indices`` int32 while they fit. Values are an array of bool,
int32, int64, float32 or float64, a tuple of two to four such arrays, or None if every entry is 1.
A row has no column twice. Its columns ascend unless ``sorted_rows`` is False.
"""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.once import cached_property, once
from edgewise.graph.csr import CSR, as_weights, frozen
from edgewise.graph.memory_limit import check_arcs
from edgewise.graph.transfer import on
from edgewise.graph.weight_columns import column
from edgewise.linalg.borrow import device_of, each, from_torch, listed, moved, on_device, vectors

__all__ = ["Matrix", "as_matrix", "each"]


class Matrix(CSR):
    """An immutable sparse matrix in compressed sparse row (CSR) format.

    Functions of `edgewise.linalg` take a `Matrix`, a `Graph` or a SciPy, CuPy or PyTorch sparse
    matrix alike, and return a `Matrix`.

    Parameters
    ----------
    indptr, indices : arrays
        The start of each row, and the column of each entry, distinct within a row. The arrays are
        not checked; `validate` checks them. int64 row starts and 32-bit columns are borrowed, other
        types are converted. Arrays of CuPy, PyTorch and every library with DLPack are borrowed on
        their device.
    values : array or tuple of arrays, optional
        One value per entry. None means that every entry is 1 (a pattern).
    num_columns : int, optional
        The number of columns; by default the number of rows.
    sorted_rows : bool
        Whether the columns of every row ascend.
    device : str, optional
        The device that holds the arrays; by default derived from them.

    Examples
    --------
    >>> matrix = Matrix([0, 2, 3], [0, 4, 1], [1.5, 2.0, 3.0], num_columns=5)
    >>> matrix
    Matrix(2 x 5, 3 entries, float64)
    >>> matrix.T.indices.tolist()
    [0, 1, 0]
    """

    directed = True
    labels = None
    sorted_rows: bool
    _structure: SimpleNamespace

    def __init__(
        self, indptr: Any, indices: Any, values: Any = None, *, num_columns: int | None = None,
        sorted_rows: bool = True, device: str | None = None,
    ):  # fmt: skip
        device, xp = device_of(indptr, indices, values, device)
        indptr, indices = on_device(indptr, xp), on_device(indices, xp)
        rows = len(indptr) - 1
        columns = rows if num_columns is None else check_count(num_columns, "num_columns")
        with nullcontext() if device == "cpu" else on(int(device.partition(":")[2])):
            indptr, indices = vectors(indptr, indices, columns, xp)
            values = each(lambda one: _as_values(on_device(one, xp), len(indices), xp), values)
        self._keep(
            indptr=frozen(indptr), indices=frozen(indices), weights=each(frozen, values),
            shape=(rows, columns), device=device, xp=xp, sorted_rows=bool(sorted_rows),
            _structure=SimpleNamespace(),  # for what is found `once` about entries, for all values
        )  # fmt: skip

    @classmethod
    def from_scipy(cls, matrix: Any) -> Matrix:
        """Return the matrix of a SciPy sparse matrix or array.

        Of a CSR matrix without duplicates, columns and values are borrowed and row starts are
        converted to int64. Other formats are converted; duplicate entries are summed.

        >>> import scipy.sparse
        >>> Matrix.from_scipy(scipy.sparse.coo_array([[0, 2, 1]]))
        Matrix(1 x 3, 2 entries, int64)
        """
        from scipy.sparse import csr_array, issparse

        if not issparse(matrix) or matrix.ndim != 2:
            raise TypeError(
                f"matrix must be a SciPy sparse matrix of two dimensions, got {matrix!r}"
            )
        rows = csr_array(matrix)
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
        return cls(rows.indptr, rows.indices, rows.data, num_columns=rows.shape[1])

    @classmethod
    def from_cupy(cls, matrix: Any) -> Matrix:
        """Return the matrix of a CuPy sparse matrix, which stays on its GPU.

        Of a CSR matrix in canonical format, columns and values are borrowed.
        """
        rows = matrix.tocsr()
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
        return cls(rows.indptr, rows.indices, rows.data, num_columns=rows.shape[1])

    @classmethod
    def from_torch(cls, tensor: Any) -> Matrix:
        """Return the matrix of a PyTorch sparse CSR tensor, on its device, without a copy.

        PyTorch keeps 64-bit columns by default; these are converted to 32 bits.
        """
        return cls(*from_torch(tensor), num_columns=int(tensor.shape[1]))

    @classmethod
    def from_graph(cls, graph: Any, weights: Any = "weight") -> Matrix:
        """Return the adjacency matrix of a graph; the arrays are those of the graph.

        Parameters
        ----------
        graph : Graph
            A graph in host or GPU memory.
        weights : str, array over arcs or None
            The values: a column of the graph, an array, or None for a pattern.

        Raises
        ------
        MemoryError
            If the graph was read with a memory limit, which a matrix does not keep.

        >>> from edgewise import generators
        >>> Matrix.from_graph(generators.path(3))
        Matrix(3 x 3, 4 entries, pattern)
        """
        check_arcs(graph, "Matrix.from_graph")
        named = isinstance(weights, str)
        values = column(graph, weights) if named else weights
        result = cls(graph.indptr, graph.indices, values, num_columns=graph.shape[1],
                     device=graph.device)  # fmt: skip
        if not getattr(graph, "directed", True) and (named or weights is None):
            result._keep(transposed=result)  # symmetric, with its values
        return result

    @classmethod
    def from_entries(
        cls, rows: Any, columns: Any, values: Any = None, *, shape: tuple[int, int],
        reduce: Any = "plus",
    ) -> Matrix:  # fmt: skip
        """Return the matrix of entries given one by one, in any order.

        Parameters
        ----------
        rows, columns : arrays of int
            The row and the column of each entry.
        values : array, optional
            The value of each entry; None for a pattern.
        shape : pair of int
            The numbers of rows and columns.
        reduce : str or Monoid
            How values at one place are combined.

        >>> Matrix.from_entries([1, 0, 1], [0, 1, 0], [1, 2, 3], shape=(2, 2)).values.tolist()
        [2, 4]
        """
        from edgewise.linalg.entries import gathered

        return gathered(rows, columns, values, shape, reduce)

    @property
    def values(self) -> Any:
        """The value of every entry: an array, a tuple of arrays, or None if all are 1."""
        return self.weights

    @property
    def dtype(self) -> Any:
        """The type of the values, a tuple of types, or None for a pattern."""
        return each(lambda one: one.dtype, self.weights)

    @property
    def nnz(self) -> int:
        """The number of stored entries."""
        return len(self.indices)

    @property
    def num_vertices(self) -> int:
        """The number of rows, for operators that visit rows."""
        return self.shape[0]

    @property
    def longest_row(self) -> int:
        """The largest number of entries of a row, computed at first use."""
        if not self.shape[0]:
            return 0
        return once(self._structure, "longest", lambda: int(self.xp.diff(self.indptr).max()))

    @property
    def nbytes(self) -> int:
        """The size of all arrays in bytes."""
        return sum(one.nbytes for one in (self.indptr, self.indices, *listed(self.weights)))

    @cached_property
    def transposed(self) -> Any:
        """The transpose with its values, built at first use and cached."""
        from edgewise.graph import transfer
        from edgewise.graph.transpose import transpose

        if self.device == "cpu":
            indptr, indices, _, ids = transpose(self.indptr, self.indices, None, self.shape[1])
        else:
            bare = transfer.wrap(CSR, self.indptr, self.indices, number=self._device_number,
                                 num_columns=self.shape[1])  # fmt: skip
            indptr, indices, _, ids = transfer.transpose(bare)
        values = each(lambda one: one[ids], self.weights)
        result = self._like(indptr, indices, values, num_columns=self.shape[0])
        result._keep(_arc_ids=frozen(ids))
        if self.sorted_rows:
            result._keep(transposed=self)
        return result

    @property
    def T(self) -> Matrix:  # noqa: N802 (NumPy's name)
        """The transpose, built at first use and cached."""
        return self.transposed

    def with_values(self, values: Any) -> Matrix:
        """Return the matrix with the same entries and other values, or None for a pattern."""
        result = self._like(self.indptr, self.indices, values, **self._options())
        result._keep(_structure=self._structure)
        return result

    def sorted(self) -> Matrix:
        """Return the matrix with ascending columns in every row; itself if they ascend already.

        >>> matrix = Matrix([0, 2], [1, 0], [7, 5], num_columns=2, sorted_rows=False)
        >>> matrix.sorted().values.tolist()
        [5, 7]
        """
        return self if self.sorted_rows else self.transposed.transposed  # linear time

    def to(self, device: str) -> Matrix:
        """Return the matrix on another device, or the matrix itself if it is there already.

        Parameters
        ----------
        device : str
            ``"cpu"``, ``"cuda"`` or ``"cuda:1"``.

        Raises
        ------
        DeviceError
            If there is no such device.
        MemoryError
            If the device has too little memory.
        """
        return moved(self, device)

    def validate(self) -> None:
        """Check every rule of the format: row starts, columns in range, no column twice in a row.

        Columns must ascend within a row unless ``sorted_rows`` is False.

        Raises
        ------
        ValueError
            If a rule is broken. The message names the first violation.

        >>> Matrix([0, 2], [1, 1], num_columns=2, sorted_rows=False).validate()
        Traceback (most recent call last):
        ValueError: row 0 must be ascending without repeats, got column 1 after 1 at position 1
        """
        from edgewise.graph.validate import validate

        here = self.to("cpu")
        if not self.sorted_rows:  # rows can be sorted only if all columns are there
            if (np.diff(here.indptr) < 0).any():
                raise ValueError("indptr must not decrease")
            if self.nnz and not 0 <= here.indices.min() <= here.indices.max() < self.shape[1]:
                ends = f"{here.indices.min()} to {here.indices.max()}"
                raise ValueError(f"indices must be from 0 to {self.shape[1] - 1}, got {ends}")
            here = here.sorted()
        validate(here)

    def copy(self) -> Matrix:
        """Return a copy with its own arrays."""
        values = each(lambda one: one.copy(), self.weights)
        return self._like(self.indptr.copy(), self.indices.copy(), values, **self._options())

    def _like(self, indptr: Any, indices: Any, values: Any = None, **options: Any) -> Matrix:
        """A matrix around arrays that are where this one is."""
        return Matrix(indptr, indices, values, device=self.device, **options)

    def to_scipy(self) -> Any:
        """Return a SciPy CSR array; the entries of a pattern are ones.

        Columns and values are shared with the matrix and read-only; row starts are copied where
        SciPy needs 32 bits.

        >>> Matrix([0, 1, 1], [2], [2.5], num_columns=3).to_scipy().toarray().tolist()
        [[0.0, 0.0, 2.5], [0.0, 0.0, 0.0]]
        """
        from scipy.sparse import csr_array

        here = self.to("cpu")
        if isinstance(here.values, tuple):
            raise TypeError("to_scipy needs a matrix of one value per entry, got a tuple of values")
        data = np.ones(self.nnz) if here.values is None else here.values
        matrix = csr_array(self.shape, dtype=data.dtype)
        narrow = here.indices.dtype == np.int32 and self.nnz < 2**31
        indptr = here.indptr.astype(np.int32) if narrow else here.indptr
        indices = here.indices if narrow else here.indices.astype(np.int64, copy=False)
        matrix.data, matrix.indices, matrix.indptr = data, indices, indptr
        return matrix

    def to_dense(self, zero: Any = 0) -> Any:
        """Return a dense array in which ``zero`` stands for what is not stored.

        >>> Matrix([0, 1, 1], [1]).to_dense().tolist()
        [[0, 1], [0, 0]]
        """
        from edgewise.graph.transfer import row_ids

        if isinstance(self.values, tuple):
            raise TypeError("to_dense needs a matrix of one value per entry, got a tuple of values")
        kind = np.int64 if self.values is None else self.values.dtype
        dense = self.xp.full(self.shape, zero, kind)
        dense[row_ids(self), self.indices] = 1 if self.values is None else self.values
        return dense

    def _same(self, other: Any) -> bool:
        if self.device != other.device:
            return self.to("cpu")._same(other.to("cpu"))
        a, b = self.sorted(), other.sorted()
        first, second = listed(a.weights), listed(b.weights)
        if a.shape != b.shape or len(first) != len(second):
            return False
        pairs = [(a.indptr, b.indptr), (a.indices, b.indices), *zip(first, second, strict=True)]
        return all(_equal(x, y, self.xp) for x, y in pairs)

    def _options(self) -> dict[str, Any]:
        return {"num_columns": self.shape[1], "sorted_rows": self.sorted_rows}

    def __repr__(self) -> str:
        rows, columns = self.shape
        kind = _described(self.dtype)
        place = "" if self.device == "cpu" else f", {self.device}"
        return f"Matrix({rows:,} x {columns:,}, {self.nnz:,} entries, {kind}{place})"


def as_matrix(given: Any, name: str = "matrix") -> Matrix:
    """A `Matrix` of what functions accept: a matrix, a graph, rows of other libraries."""
    if isinstance(given, Matrix):
        return given
    if isinstance(given, CSR):
        kept = given.__dict__.get("_matrix")
        if kept is None:
            kept = Matrix.from_graph(given)
            given._keep(_matrix=kept)  # so that its transpose is built once
        return kept
    if getattr(given, "engine", "local") != "local":
        raise ValueError(f"{name} must be on one device, and this one is on a grid of ranks")
    home = type(given).__module__.partition(".")[0]
    if home == "scipy":
        return Matrix.from_scipy(given)
    if home in ("cupyx", "cupy"):
        return Matrix.from_cupy(given)
    if home == "torch":
        return Matrix.from_torch(given)
    raise TypeError(
        f"{name} must be a Matrix, a Graph or a sparse matrix of SciPy, CuPy or PyTorch, "
        f"got {type(given).__name__}"
    )


def _as_values(values: Any, count: int, xp: Any) -> Any:
    """Values as a vector of a type that kernels have; booleans stay booleans."""
    values = xp.asarray(values)
    if values.dtype == bool and values.ndim == 1 and len(values) == count:
        return xp.ascontiguousarray(values)
    return as_weights(values, count, "values", xp, per="entry")


def _equal(a: Any, b: Any, xp: Any) -> bool:
    return bool(xp.array_equal(a, b, equal_nan=a.dtype.kind == b.dtype.kind == "f"))


def _described(dtype: Any) -> str:
    if dtype is None:
        return "pattern"
    return f"({', '.join(map(str, dtype))})" if isinstance(dtype, tuple) else str(dtype)
