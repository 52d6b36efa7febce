"""Tables on a grid with a row per source and a column per vertex."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from edgewise.distributed.arrays import VertexArray

__all__ = ["Transposed"]


class Transposed:
    """A table with a column for every vertex, as results with a row per source are.

    ``T`` is the array over vertices of which it is the transpose.
    """

    def __init__(self, table: VertexArray):
        self.T = table
        self.dtype, self.ndim, self.shape = table.dtype, table.ndim, table.shape[::-1]

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, row: int) -> VertexArray:
        """A row, as an array over vertices."""
        return self.T[:, row]

    def gather(self) -> np.ndarray:
        """The whole table, in the host memory of every rank."""
        return self.T.gather().T

    def tolist(self) -> list:
        return self.gather().tolist()

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.gather().astype(dtype or self.dtype, copy=False)

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"Transposed({rows:,} x {columns:,} x {self.dtype})"
