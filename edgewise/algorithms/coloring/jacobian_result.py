"""The result of `jacobian_coloring`: seed matrices, compression and recovery."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from edgewise.algorithms.coloring.compression import checked, matrix_for, product, seed_matrix
from edgewise.algorithms.coloring.patterns import Pattern
from edgewise.algorithms.coloring.substitution import Steps, solve

__all__ = ["JacobianColoring"]


@dataclass(frozen=True, eq=False)
class JacobianColoring:
    """How to compress a Jacobian and recover it; see `jacobian_coloring`.

    Attributes
    ----------
    shape : (int, int)
        The numbers of rows and columns.
    mode : {"forward", "reverse", "both"}
    method : {"direct", "substitution"}
    column_colors, row_colors : array of int32
        The color of each column and of each row; -1 if it is in no product of this kind.
    num_forward, num_reverse : int
        The number of products with the matrix, and with its transpose.
    """

    shape: tuple[int, int]
    mode: str
    method: str
    column_colors: np.ndarray
    row_colors: np.ndarray
    num_forward: int
    num_reverse: int
    _pattern: Pattern = field(repr=False)
    _sources: np.ndarray = field(repr=False)  # of each entry among all compressed values
    _steps: Steps | None = field(repr=False, default=None)

    def __repr__(self) -> str:
        shape = "{} x {}".format(*self.shape)
        return f"JacobianColoring({self.num_colors} colors of {shape}, mode={self.mode!r})"

    @property
    def num_colors(self) -> int:
        """The number of products that determine the matrix."""
        return self.num_forward + self.num_reverse

    def forward_seed(self) -> np.ndarray:
        """Return the seed matrix of the products with J (columns x colors)."""
        return seed_matrix(self.column_colors, self.num_forward)

    def reverse_seed(self) -> np.ndarray:
        """Return the seed matrix of the products with the transpose of J (rows x colors)."""
        return seed_matrix(self.row_colors, self.num_reverse)

    def seed(self) -> np.ndarray:
        """Return the seed matrix, if the mode is "forward" or "reverse"."""
        if self.mode == "both":
            raise ValueError('mode "both" has two seeds: forward_seed() and reverse_seed()')
        return self.forward_seed() if self.mode == "forward" else self.reverse_seed()

    def compress(self, matrix: Any) -> Any:
        """Return the products of a matrix and the seed matrices.

        They are ``J @ seed`` for "forward", ``seed.T @ J`` for "reverse", and a pair for "both".
        """
        matrix = product(matrix, self.shape, "matrix")
        forward = matrix @ self.forward_seed()
        reverse = (matrix.T @ self.reverse_seed()).T
        return {"forward": forward, "reverse": reverse, "both": (forward, reverse)}[self.mode]

    def recover(self, compressed: Any, out: Any = None) -> Any:
        """Return the matrix that has these products, as a sparse array in CSR format.

        Parameters
        ----------
        compressed : array, or pair of arrays
            ``J @ seed`` (rows x colors) for "forward", ``seed.T @ J`` (colors x columns) for
            "reverse", and a pair of them for "both".
        out : sparse array, optional
            The result of an earlier call, which is overwritten and returned.
        """
        rows, columns = self.shape
        shapes = (rows, self.num_forward), (self.num_reverse, columns)
        if self.mode == "both":
            if not isinstance(compressed, (tuple, list)) or len(compressed) != 2:
                raise TypeError("compressed must be a pair of arrays: forward and reverse products")
            parts = [checked(one, size) for one, size in zip(compressed, shapes, strict=True)]
            values = np.concatenate([one.ravel() for one in parts])
        else:
            values = checked(compressed, shapes[self.mode == "reverse"]).ravel()
        if self._steps is None:
            found = values[self._sources]
        else:
            found = solve(self._steps, self._sources[self._steps.edge], values)
        return matrix_for(self._pattern, found, out)
