"""Features of vertices in one process and on a grid of ranks, in 1D, 1.5D or 2D [1].

A graph convolution multiplies the adjacency matrix A by features X, and features by a small matrix
W that every rank has. On R x C ranks, rank (r, c) has block (r, c) of A. In 1.5D it has row block r
of X: X has C copies, and a rank receives n / C rows for a product, then the C partial sums are
added along the rows of the grid. With C = 1 this is 1D. In 2D it has column slice c of row block r,
and the products are SUMMA's: blocks of A travel along rows and those of X along columns.

[1] A. Tripathy, K. Yelick, A. Buluc. Reducing communication in graph neural network training. SC
    2020.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.distributed.matrix import as_grid_matrix
from edgewise.distributed.summa import Stage, columns_between, shared, stages_of
from edgewise.linalg import Matrix, reduce_rows, spmm

__all__ = ["ColumnSlices", "OneProcess", "RowBlocks"]


class OneProcess:
    """All vertices and all features in one place."""

    def __init__(self, graph: Any):
        self.matrix = Matrix.from_graph(graph)
        self.vertices = np.arange(graph.num_vertices)

    def degrees(self) -> np.ndarray:
        """Return the row sums of A, of the own vertices."""
        return np.asarray(reduce_rows(self.matrix), np.float64)

    def columns(self, width: int) -> slice:
        """Return which of the features are here."""
        return slice(0, width)

    def sums(self, x: np.ndarray) -> np.ndarray:
        """Return the own part of A X."""
        return spmm(self.matrix, x, dtype=x.dtype)

    def times(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the own part of X W."""
        return x @ weights

    def gradients(
        self, x: np.ndarray, gradient: np.ndarray, weights: np.ndarray, both: bool
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Return the gradients of W, whole, and with ``both`` also that of X, for one of X W."""
        return x.T @ gradient, gradient @ weights.T if both else None

    def whole_rows(self, x: np.ndarray, width: int) -> np.ndarray:
        """Return all features of the own vertices; there are ``width``."""
        return x

    def total(self, amount: float) -> float:
        """Return the sum over all vertices of what was summed over the own ones."""
        return amount

    def gather(self, values: np.ndarray) -> np.ndarray:
        """Return the values of all vertices, from those of the own ones."""
        return values


class RowBlocks(OneProcess):
    """A row block of the features, with all columns: 1D, and 1.5D on a grid of several columns."""

    def __init__(self, graph: Any):
        self.grid, self.layout = graph.grid, graph.layout
        self.matrix = as_grid_matrix(graph, "graph", self.grid)  # type: ignore[assignment]
        self.vertices = self.matrix.row_numbers  # type: ignore[attr-defined]
        self.stages = self._stages()

    def _stages(self) -> list[tuple[Stage, Any]]:
        """The row blocks of X that the own columns of A need, and these columns."""
        c, block = self.grid.c, self.matrix.block  # type: ignore[attr-defined]
        every = stages_of(self.layout)
        return [(one, columns_between(block, *one.columns)) for one in every if one.column == c]

    def degrees(self) -> np.ndarray:
        return np.asarray(self.matrix.reduce_rows(), np.float64)[self.vertices]  # type: ignore[attr-defined]

    def sums(self, x: np.ndarray) -> np.ndarray:
        found = np.zeros_like(x)
        for stage, part in self.stages:
            found += self._product(part, self._received(x, stage))
        return self._added(self.grid.row, found, "sums")

    def gradients(
        self, x: np.ndarray, gradient: np.ndarray, weights: np.ndarray, both: bool
    ) -> tuple[np.ndarray, np.ndarray | None]:
        size, c, width = len(x), self.grid.c, self.grid.shape[1]
        mine = slice(size * c // width, size * (c + 1) // width)  # copies divide the rows
        found = x[mine].T @ gradient[mine]
        found = self._added(self.grid.world, found, "weights")
        return found, gradient @ weights.T if both else None

    def total(self, amount: float) -> float:
        return float(self._added(self.grid.column, np.array([amount]), "loss")[0])

    def gather(self, values: np.ndarray) -> np.ndarray:
        sizes = [self.layout.rows(r).size for r in range(self.grid.shape[0])]
        with self.grid.column.phase("gather"):
            whole, _ = self.grid.column.allgatherv(np.ascontiguousarray(values), sizes)
        return whole[self.layout.position(np.arange(self.layout.n))]

    def _received(self, x: np.ndarray, stage: Stage) -> np.ndarray:
        """Rows of X, from the rank of this column of the grid that has them."""
        group, shape = self.grid.column, (stage.size, x.shape[1])
        here = stage.row == group.rank
        part = np.ascontiguousarray(x[slice(*stage.rows)]) if here else np.empty(shape, x.dtype)
        if part.size:
            with group.phase("features"):
                group.broadcast(part.reshape(-1), stage.row)
        return part

    def _product(self, part: Matrix, x: np.ndarray) -> np.ndarray:
        if self.grid.world.priced:
            self.grid.world.work(edges=part.nnz * x.shape[1], vertices=part.shape[0])
        return spmm(part, x, dtype=x.dtype)

    def _added(self, group: Any, x: np.ndarray, phase: str) -> np.ndarray:
        """The sum of equally large arrays over a group of ranks."""
        with group.phase(phase):
            return group.allreduce(np.ascontiguousarray(x).reshape(-1)).reshape(x.shape)


class ColumnSlices(RowBlocks):
    """Some columns of a row block of the features: 2D."""

    def _stages(self) -> list[tuple[Stage, Any]]:
        """All row blocks of X, and the columns of A if they are here."""
        c, block = self.grid.c, self.matrix.block  # type: ignore[attr-defined]
        every, group = stages_of(self.layout), self.grid.row
        found = [columns_between(block, *one.columns) if one.column == c else None for one in every]
        own = np.array([0 if part is None else part.nnz for part in found], np.int64)
        self.counts = group.allreduce(own).tolist()
        return list(zip(every, found, strict=True))

    def columns(self, width: int) -> slice:
        return self._slice(self.grid.c, width)

    def sums(self, x: np.ndarray) -> np.ndarray:
        found, block = np.zeros_like(x), self.matrix.block  # type: ignore[attr-defined]
        for (stage, part), count in zip(self.stages, self.counts, strict=True):
            shape = block.shape[0], stage.size
            left = shared(self.grid.row, stage.column, part, shape, count, block)
            found += self._product(left, self._received(x, stage))
        return found

    def times(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return self.whole_rows(x, len(weights)) @ weights[:, self.columns(weights.shape[1])]

    def gradients(
        self, x: np.ndarray, gradient: np.ndarray, weights: np.ndarray, both: bool
    ) -> tuple[np.ndarray, np.ndarray | None]:
        inputs, outputs = weights.shape
        whole = self.whole_rows(gradient, outputs)
        mine = self._added(self.grid.column, x.T @ whole, "weights")
        with self.grid.row.phase("weights"):
            found, _ = self.grid.row.allgatherv(mine.reshape(-1), self._sizes(inputs, outputs))
        found = found.reshape(weights.shape)
        return found, whole @ weights[self.columns(inputs)].T if both else None

    def whole_rows(self, x: np.ndarray, width: int) -> np.ndarray:
        flat = np.ascontiguousarray(x.T).reshape(-1)  # columns one after another
        with self.grid.row.phase("rows"):
            found, _ = self.grid.row.allgatherv(flat, self._sizes(width, len(x)))
        return np.ascontiguousarray(found.reshape(width, len(x)).T)

    def _sizes(self, width: int, times: int) -> list[int]:
        """The numbers of columns of all slices, times a number."""
        slices = [self._slice(c, width) for c in range(self.grid.shape[1])]
        return [(one.stop - one.start) * times for one in slices]

    def _slice(self, c: int, width: int) -> slice:
        many = self.grid.shape[1]
        return slice(width * c // many, width * (c + 1) // many)
