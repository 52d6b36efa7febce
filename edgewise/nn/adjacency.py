"""The rows of a graph and of its transpose, prepared for training.

A step of training multiplies by the adjacency matrix, its gradient by the transpose. Both are kept,
with the position of every entry of the transpose among the entries of the rows, so that values that
change in every step are only gathered. O(n + m) memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_choice, check_flag
from edgewise.base.once import cached_property
from edgewise.graph.transfer import row_ids
from edgewise.linalg import Matrix, apply, from_diagonal, reduce_rows, union
from edgewise.linalg.matrix import as_matrix
from edgewise.nn.tensors import as_tensor

__all__ = ["Adjacency"]

#: Entries of a row that one thread of a GPU may walk through.
_LONG = 1 << 15


class Adjacency:
    """The entries of a graph's adjacency matrix, for message passing.

    Vertex v collects from the columns of row v: from its out-neighbors, or from its in-neighbors
    with ``transpose``. Arrays "over entries" follow ``rows`` and ``columns``.

    Parameters
    ----------
    graph : Graph, Matrix or sparse matrix
        The graph, in host or GPU memory. Its arrays are used as they are where possible.
    weights : str or None
        The column of weights that are the values of entries; None gives each the value 1.
    self_loops : bool
        Whether to add a loop of value 1 to every vertex without one.
    normalization : {"symmetric", "rows"}, optional
        Divide each value by the square root of the product of its two row sums, as in graph
        convolutional networks [1], or by its row sum, for means. By default nothing.
    transpose : bool
        Whether vertices collect from their in-neighbors.
    dtype : {"float32", "float64"}
        The type of the values.

    Attributes
    ----------
    num_entries : int
    rows, columns : tensors of int64 over entries
    values : tensor over entries

    References
    ----------
    .. [1] T. Kipf, M. Welling. Semi-supervised classification with graph convolutional networks.
       ICLR 2017.

    Examples
    --------
    >>> import edgewise as ew
    >>> ew.nn.Adjacency(ew.generators.path(3), self_loops=True).num_entries
    7
    """

    def __init__(
        self, graph: Any, *, weights: Any = "weight", self_loops: bool = False,
        normalization: str | None = None, transpose: bool = False, dtype: str = "float32",
    ):  # fmt: skip
        check_choice(dtype, "dtype", ("float32", "float64"))
        if normalization is not None:
            check_choice(normalization, "normalization", ("symmetric", "rows"))
        named = hasattr(graph, "num_vertices")  # a graph, whose weights are a column
        matrix = Matrix.from_graph(graph, weights) if named else as_matrix(graph, "graph")
        if matrix.shape[0] != matrix.shape[1]:
            raise ValueError(f"graph must be a square matrix, got a shape of {matrix.shape}")
        if isinstance(matrix.values, tuple):
            raise TypeError("graph must have one value per entry, got a tuple of values")
        if weights is None:
            matrix = matrix.with_values(None)
        if check_flag(transpose, "transpose"):
            matrix = matrix.T
        matrix = _valued(matrix, np.dtype(dtype))
        if check_flag(self_loops, "self_loops"):
            ones = matrix.xp.ones(matrix.shape[0], dtype)
            matrix = union(matrix, from_diagonal(ones), "first", dtype=dtype)
        self.matrix = _scaled(matrix, normalization) if normalization else matrix

    def __repr__(self) -> str:
        return f"Adjacency({self.num_vertices:,} vertices, {self.num_entries:,} entries)"

    @property
    def num_vertices(self) -> int:
        """Return the number of vertices."""
        return self.matrix.shape[0]

    @cached_property
    def balanced(self) -> bool:
        """Whether one thread for each row (and head) does: on a GPU, if no row is very long."""
        if self.matrix.device == "cpu":
            return True
        return max(self.matrix.longest_row, self.flipped.longest_row) <= _LONG

    @property
    def num_entries(self) -> int:
        """Return the number of stored entries."""
        return self.matrix.nnz

    @cached_property
    def rows(self) -> Any:
        """Return the row of each entry, the vertex that collects."""
        return as_tensor(row_ids(self.matrix).astype(np.int64))

    @cached_property
    def columns(self) -> Any:
        """Return the column of each entry, the neighbor that is read."""
        return as_tensor(self.matrix.indices.astype(np.int64))

    @cached_property
    def values(self) -> Any:
        """Return the value of each entry."""
        return as_tensor(self.matrix.values.copy())

    @cached_property
    def transposed(self) -> Adjacency:
        """Return the transpose, in which vertices collect from those that read them."""
        other = Adjacency.__new__(Adjacency)
        other.matrix = self.flipped.with_values(self.matrix.values[self.flipped.values])
        other.__dict__.update(transposed=self, order=self.reverse_order, reverse_order=self.order)
        return other

    @cached_property
    def order(self) -> Any:
        """Return the position, among these entries, of each entry of the transpose."""
        return as_tensor(self.flipped.values.astype(np.int64))

    @cached_property
    def reverse_order(self) -> Any:
        """Return the position, among the transpose's entries, of each of these entries."""
        back = self.matrix.xp.empty(self.num_entries, np.int64)
        back[self.flipped.values] = self.matrix.xp.arange(self.num_entries)
        return as_tensor(back)

    @cached_property
    def flipped(self) -> Matrix:
        """Return the transpose with positions as values: `order` as an array."""
        here = self.matrix
        places = here.xp.arange(here.nnz, dtype=np.int64)
        return Matrix(here.indptr, here.indices, places, sorted_rows=here.sorted_rows,
                      device=here.device).transposed  # fmt: skip


def _valued(matrix: Matrix, dtype: Any) -> Matrix:
    """The matrix with values of the type; a pattern's are ones."""
    if matrix.values is None:
        return matrix.with_values(matrix.xp.ones(matrix.nnz, dtype))
    return matrix.with_values(matrix.values.astype(dtype))


def _scaled(matrix: Matrix, normalization: str) -> Matrix:
    """Values divided by row sums, or by the roots of two of them; rows that sum to 0 become 0."""
    xp, sums = matrix.xp, reduce_rows(matrix)
    if (sums < 0).any():
        raise ValueError("normalization needs row sums that are not negative")
    scale = xp.zeros_like(sums)
    power = -1.0 if normalization == "rows" else -0.5
    scale[sums > 0] = sums[sums > 0] ** power
    other = scale if normalization == "symmetric" else xp.ones_like(scale)
    return apply(matrix, _times, params={"scale": scale, "other": other}, dtype=matrix.values.dtype)


def _times(value, row, column, scale, other):
    return value * scale[row] * other[column]
