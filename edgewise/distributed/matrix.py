"""GridMatrix: a sparse matrix cut into blocks, one per rank of a grid; rectangular if need be.

Rows and columns have a layout each. Rank (r, c) holds the entries between row block r of the one
and column block c of the other as a `Matrix`, in positions counted from the starts of the blocks.
The matrix of a graph on a grid has the graph's layout on both sides.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce as folded
from typing import Any

import numpy as np

from edgewise.base.once import cached_property as kept
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.grid import Grid
from edgewise.distributed.layout import Layout
from edgewise.graph import Graph
from edgewise.graph.transfer import host, like, row_ids
from edgewise.linalg import entrywise
from edgewise.linalg.borrow import each, listed
from edgewise.linalg.entries import check_shape, combined, gathered
from edgewise.linalg.matrix import Matrix, as_matrix
from edgewise.linalg.semirings import as_monoid

__all__ = ["GridMatrix", "as_grid_matrix", "rows_between"]


class GridMatrix:
    """One rank's view of a sparse matrix that is distributed over a grid.

    `edgewise.linalg.spgemm` multiplies matrices and graphs on a grid, and returns one of these. All
    methods are collective: every rank calls them.

    Parameters
    ----------
    grid : Grid
        The grid of ranks.
    rows, columns : Layout
        The assignment of rows and of columns to ranks; the same on all ranks.
    block : Matrix
        This rank's entries; rows and columns are counted from the starts of its blocks.

    Examples
    --------
    >>> from edgewise import generators
    >>> from edgewise.distributed import Grid, distribute, launch
    >>> from edgewise.linalg import spgemm
    >>> def program(comm):
    ...     path = distribute(generators.path(3), grid=Grid(comm, "2x2"))
    ...     return spgemm(path, path).gather().to_dense().tolist()
    >>> launch(program, ranks=4, backend="threads")[0]
    [[1, 0, 1], [0, 2, 0], [1, 0, 1]]
    """

    engine = "grid"
    one_device = False

    def __init__(self, grid: Grid, rows: Layout, columns: Layout, block: Matrix):
        self.grid, self.rows, self.columns, self.block = grid, rows, columns, block
        self.shape = rows.n, columns.n
        wanted = rows.rows(grid.r).size, columns.columns(grid.c).size
        if block.shape != wanted:
            raise ValueError(f"block must have the shape {wanted}, got {block.shape}")
        count = np.array([block.nnz], np.int64)
        self.nnz = int(grid.world.allreduce(count, "sum")[0])

    @classmethod
    def from_matrix(
        cls, matrix: Any, *, grid: Grid, distribution: str = "striped", seed: int = 0
    ) -> GridMatrix:
        """Return a matrix on a grid, from a matrix that every rank has in memory.

        Parameters
        ----------
        matrix : Matrix, Graph or sparse matrix
            The same on all ranks, in host memory.
        grid : Grid
            The grid of ranks.
        distribution : {"striped", "block", "random"}
            How rows and columns are assigned to ranks; ``seed`` determines the random assignment.
        """
        matrix = as_matrix(matrix)
        values = listed(matrix.values)
        grid.check_alike("from_matrix", shape=matrix.shape, distribution=distribution, seed=seed,
                         indptr=matrix.indptr, indices=matrix.indices, values=values)  # fmt: skip
        rows, columns = (Layout(n, grid.shape, distribution, seed) for n in matrix.shape)
        i = rows.position(row_ids(matrix).astype(rows.dtype))
        j = columns.position(matrix.indices.astype(columns.dtype))
        mine = _owner(grid, rows, columns, i, j) == grid.rank
        some = each(lambda one: one[mine], matrix.values)
        return _assembled(grid, rows, columns, i[mine], j[mine], some, "any")

    @classmethod
    def from_entries(
        cls, rows: Any, columns: Any, values: Any = None, *, shape: tuple[int, int], grid: Grid,
        reduce: Any = "plus", distribution: str = "striped", seed: int = 0,
    ) -> GridMatrix:  # fmt: skip
        """Return a matrix on a grid, built from each rank's share of the entries.

        Parameters
        ----------
        rows, columns, values
            The entries of this rank, as in `Matrix.from_entries`; there may be none. All ranks give
            values of one type, or None.
        shape, reduce
            As in `Matrix.from_entries`, the same on all ranks.
        grid, distribution, seed
            As in `from_matrix`.
        """
        shape = check_shape(shape)
        grid.check_alike("from_entries", shape=shape, distribution=distribution, seed=seed)
        down, right = (Layout(n, grid.shape, distribution, seed) for n in shape)
        mine = gathered(rows, columns, values, shape, reduce)  # checks, and combines what is here
        i = down.position(row_ids(mine).astype(down.dtype))
        j = right.position(mine.indices.astype(right.dtype))
        return _sent(grid, down, right, i, j, mine.values, reduce)

    @property
    def device(self) -> str:
        """The device of this rank's block."""
        return self.block.device

    @property
    def xp(self) -> Any:
        """The module for the arrays of the block."""
        return self.block.xp

    @property
    def dtype(self) -> Any:
        """The type of the values, a tuple of types, or None for a pattern."""
        return self.block.dtype

    @kept
    def row_numbers(self) -> np.ndarray:
        """The row of the matrix that each row of the block is."""
        return self.rows.vertex(np.arange(*self.rows.rows(self.grid.r)))

    @kept
    def column_numbers(self) -> np.ndarray:
        """The column of the matrix that each column of the block is."""
        return self.columns.vertex(np.arange(*self.columns.columns(self.grid.c)))

    @kept
    def T(self) -> GridMatrix:  # noqa: N802 - NumPy's name
        """The transpose, built at first use and cached: each entry is sent once."""
        block = self.block
        i = self.xp.arange(*self.rows.rows(self.grid.r))[row_ids(block)]
        j = self.xp.arange(*self.columns.columns(self.grid.c))[block.indices]
        return _sent(self.grid, self.columns, self.rows, j, i, block.values, "any", block.device)

    def gather(self) -> Matrix:
        """Return the whole matrix, in the host memory of every rank."""
        here, world = self.block.to("cpu"), self.grid.world
        rows, columns = self.row_numbers[row_ids(here)], self.column_numbers[here.indices]
        with world.phase("gather"):
            rows, columns, *values = (
                world.allgatherv(np.ascontiguousarray(one))[0]
                for one in (rows, columns, *listed(here.values))
            )
        found = tuple(values) if isinstance(here.values, tuple) else (*values, None)[0]
        return gathered(rows, columns, found, self.shape, "any")

    def reduce(self, monoid: Any = "plus") -> Any:
        """Return the combination of all stored values; see `edgewise.linalg.reduce`."""
        add = as_monoid(monoid, "monoid")
        mine = entrywise.reduce(self.block, add)
        every = self.grid.world.gather_objects(getattr(mine, "item", lambda: mine)())
        return np.asarray(folded(add.combine, every)).astype(getattr(mine, "dtype", None))[()]

    def reduce_rows(self, monoid: Any = "plus") -> np.ndarray:
        """Return the combined values of every row, in the host memory of every rank."""
        add, group = as_monoid(monoid, "monoid"), self.grid.row
        mine = np.ascontiguousarray(host(entrywise.reduce_rows(self.block, add)))
        size = len(mine)
        with group.phase("reduce"):
            parts, _ = group.allgatherv(mine, [size] * group.size)
        parts = np.ascontiguousarray(parts.reshape(group.size, size).T).reshape(-1)
        total = combined(parts, np.arange(size) * group.size, add.combine, "cpu", np)
        counts = [self.rows.rows(r).size for r in range(self.grid.shape[0])]
        with self.grid.column.phase("gather"):
            whole, _ = self.grid.column.allgatherv(total, counts)
        return whole[self.rows.position(np.arange(self.shape[0]))]

    def reduce_columns(self, monoid: Any = "plus") -> np.ndarray:
        """Return the combined values of every column, by way of the transpose, which is kept."""
        return self.T.reduce_rows(monoid)

    def to(self, device: str) -> GridMatrix:
        """Return the matrix with this rank's block on another device."""
        block = self.block.to(device)
        return self if block is self.block else self._with(block)

    def to_graph(self) -> GridGraph:
        """Return the directed graph whose adjacency matrix this is; its values are the weights.

        The matrix must be square, and have one value per entry or none. Booleans become integers.
        The graph is made at first use and kept.
        """
        return self._graph

    @kept
    def _graph(self) -> GridGraph:
        if self.rows != self.columns or isinstance(self.dtype, tuple):
            raise ValueError(
                "a graph needs rows and columns that are the same, and one value per entry, got "
                f"{self!r}"
            )
        numbering, block = self.rows.numbering(self.grid.rank), self.block.sorted()
        xp, place = block.xp, numbering.slice("row")
        indptr = xp.full(numbering.size + 1, block.nnz, np.int64)
        indptr[: place.start] = 0
        indptr[place.start : place.stop + 1] = block.indptr
        indices = block.indices + block.indices.dtype.type(numbering.start["column"])
        weights = block.values
        if weights is not None and weights.dtype == np.bool_:
            weights = weights.astype(np.int32)
        empty = Graph(np.zeros(1, np.int64), np.zeros(0, np.int32)).to(block.device)
        made = like(empty, indptr, indices, weights, directed=False, labels=None)
        return GridGraph(self.grid, self.rows, made, directed=True)

    def _with(self, block: Matrix) -> GridMatrix:
        """Other entries, or the same elsewhere, in the same places."""
        return GridMatrix(self.grid, self.rows, self.columns, block)

    def call(self, function: Callable, /, *args: Any, **options: Any) -> Any:
        """Call a public function after checking that all ranks make the same call."""
        return self.grid.call(function, *args, **options)

    def alike(self) -> dict[str, Any]:
        """What all ranks must have in common."""
        return {"shape": self.shape, "entries": self.nnz, "dtype": repr(self.dtype),
                "rows": repr(self.rows), "columns": repr(self.columns)}  # fmt: skip

    def __repr__(self) -> str:
        (rows, columns), grid = self.shape, "x".join(map(str, self.grid.shape))
        return (
            f"GridMatrix({rows:,} x {columns:,}, {self.nnz:,} entries, {grid}, "
            f"rank {self.grid.rank} has {self.block.nnz:,})"
        )


def as_grid_matrix(given: Any, name: str, grid: Grid) -> GridMatrix:
    """A matrix on a grid, of one or of a graph that is there."""
    if isinstance(given, GridGraph):
        found = given.__dict__.get("_matrix")
        if found is None:
            found = given.__dict__["_matrix"] = _of_graph(given)
        given = found
    if not isinstance(given, GridMatrix) or given.grid is not grid:
        raise ValueError(f"{name} must be on the grid of left, as a graph or matrix, got {given!r}")
    return given


def rows_between(matrix: Matrix, low: int, high: int) -> Matrix:
    """Some rows of a matrix, as views."""
    if (low, high) == (0, matrix.shape[0]):
        return matrix
    indptr = matrix.indptr[low : high + 1]
    first, last = int(indptr[0]), int(indptr[-1])
    values = each(lambda one: one[first:last], matrix.values)
    return matrix._like(indptr - first, matrix.indices[first:last], values, **matrix._options())


def _of_graph(graph: GridGraph) -> GridMatrix:
    """The adjacency matrix of a graph, around the arrays of its block."""
    block, numbering = graph.block, graph.numbering
    place, shift = numbering.slice("row"), numbering.start["column"]
    indices = block.indices - block.indices.dtype.type(shift) if shift else block.indices
    made = Matrix(block.indptr[place.start : place.stop + 1], indices, block.weights,
                  num_columns=numbering.of["column"].size, device=block.device)  # fmt: skip
    return GridMatrix(graph.grid, graph.layout, graph.layout, made)


def _owner(grid: Grid, rows: Layout, columns: Layout, i: Any, j: Any) -> Any:
    """The rank that has the entries at these positions."""
    height, width = grid.shape
    return rows.piece(i) // width * width + columns.piece(j) // height


def _sent(
    grid: Grid, rows: Layout, columns: Layout, i: Any, j: Any, values: Any, reduce: Any,
    device: str = "cpu",
) -> GridMatrix:  # fmt: skip
    """The matrix of entries by position that every rank has a share of."""
    i, j, values = host(i), host(j), each(host, values)
    ranks, world = _owner(grid, rows, columns, i, j), grid.world
    order = np.argsort(ranks, kind="stable")
    counts = np.bincount(ranks, minlength=world.size).tolist()
    with world.phase("ingest"):
        i, j, *found = (world.alltoallv(np.ascontiguousarray(one[order]), counts)[0]
                        for one in (i, j, *listed(values)))  # fmt: skip
    some = tuple(found) if isinstance(values, tuple) else (*found, None)[0]
    return _assembled(grid, rows, columns, i, j, some, reduce).to(device)


def _assembled(
    grid: Grid, rows: Layout, columns: Layout, i: Any, j: Any, values: Any, reduce: Any
) -> GridMatrix:
    """The matrix of entries by position that are where they belong."""
    down, right = rows.rows(grid.r), columns.columns(grid.c)
    block = gathered(i - down.low, j - right.low, values, (down.size, right.size), reduce)
    return GridMatrix(grid, rows, columns, block)
