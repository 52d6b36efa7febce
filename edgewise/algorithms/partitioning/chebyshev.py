"""Chebyshev polynomials of a Laplacian as preconditioners [1]: products, and no inner products.

The polynomial of degree j damps the residual on the upper part of the spectrum of the matrix scaled
by its diagonal, from ``top / ratio`` to ``top``.

[1] Y. Saad. Iterative methods for sparse linear systems, section 12.3. SIAM 2003.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["chebyshev", "largest_eigenvalue"]


def largest_eigenvalue(matrix: Any, xp: Any) -> float:
    """Return a bound of the eigenvalues of the matrix scaled by its diagonal: row sums."""
    sums = abs(matrix) @ xp.ones(matrix.shape[1])
    return float((sums / matrix.diagonal()).max())


def chebyshev(matrix: Any, degree: int, ratio: float, xp: Any) -> Callable[[Any], Any]:
    """Return a function that applies the polynomial to the columns of an n x d array."""
    top = largest_eigenvalue(matrix, xp)
    inverse = 1 / matrix.diagonal()[:, None]
    middle, half = top * (1 + 1 / ratio) / 2, top * (1 - 1 / ratio) / 2

    def apply(rows: Any) -> Any:
        step = inverse * rows / middle
        found, factor = step, half / middle
        for _ in range(degree - 1):
            left = rows - matrix @ found
            following = 1 / (2 * middle / half - factor)
            step = following * factor * step + 2 * following / half * (inverse * left)
            found, factor = found + step, following
        return found

    return apply
