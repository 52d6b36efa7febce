"""Star and acyclic bicoloring: colors of rows and columns that together determine a matrix.

The pattern of a matrix J is a bipartite graph of columns and rows. A star (acyclic) coloring of it,
which is one of the symmetric matrix [0 J'; J 0], compresses J by columns and by rows at once [1].
Colors that the recovery never reads are neutral, and have the number -1 (`substitution`). Rows and
columns are numbered apart. Greedy colorings rarely leave good ones neutral. So short rows are also
made neutral from the start, or short columns, and the best coloring is kept. An arrow-shaped matrix
needs 3 colors, where columns alone need n.

[1] A. Montoison, G. Dalle, A. Gebremedhin. Revisiting sparse matrix coloring and bicoloring.
    arXiv 2505.07308, 2025.
[2] T. Coleman, A. Verma. The efficient computation of sparse Jacobian matrices using automatic
    differentiation. SIAM J. Sci. Comput. 19(4), 1998.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.coloring.patterns import as_pattern
from edgewise.algorithms.coloring.star_sets import star_colors
from edgewise.algorithms.coloring.tree_sets import acyclic_colors
from edgewise.algorithms.coloring.two_sides import Bicoloring, bicolored

__all__ = ["acyclic_bicoloring", "star_bicoloring"]


def star_bicoloring(pattern: Any, *, order: str = "best", seed: int = 0) -> Bicoloring:
    """Return a star bicoloring: colors of rows and columns for a direct recovery of the matrix.

    Parameters
    ----------
    pattern : sparse matrix or array of SciPy, or array of two dimensions
        All stored entries of a sparse matrix count, even zeros. In a dense array, nonzeros count.
    order : str
        The order in which columns and rows are colored, as for `partial_distance_2`. "best" tries
        several orders and keeps the coloring with the fewest colors.
    seed : int
        The seed of the random order.

    Returns
    -------
    Bicoloring
        A named tuple ``(row_colors, column_colors, num_colors)``. Neutral rows and columns, which
        are in no product, have the color -1.

    Raises
    ------
    TypeError
        If the pattern is not a matrix.
    ValueError
        If the order is unknown.

    See Also
    --------
    jacobian_coloring : Seed matrices and recovery, with ``mode="both"``.
    acyclic_bicoloring : Often fewer colors, for recovery by substitution.
    verify_pattern_coloring : Checks the result.

    Notes
    -----
    For each order, at most O(sum of squared row and column lengths) time on one CPU thread.

    References
    ----------
    A. Montoison, G. Dalle, A. Gebremedhin. Revisiting sparse matrix coloring and bicoloring.
    arXiv 2505.07308, 2025.

    Examples
    --------
    The first row, the first column and the diagonal are full:

    >>> import numpy as np
    >>> arrow = np.eye(5)
    >>> arrow[0] = arrow[:, 0] = 1
    >>> found = star_bicoloring(arrow)
    >>> found.num_colors, found.column_colors.tolist(), found.row_colors.tolist()
    (3, [0, 1, 1, 1, 1], [0, -1, -1, -1, -1])
    """
    return bicolored(as_pattern(pattern), star_colors, order, seed).colors


def acyclic_bicoloring(pattern: Any, *, order: str = "best", seed: int = 0) -> Bicoloring:
    """Return an acyclic bicoloring: colors of rows and columns for a recovery by substitution.

    Parameters
    ----------
    pattern : sparse matrix or array of SciPy, or array of two dimensions
        All stored entries of a sparse matrix count, even zeros. In a dense array, nonzeros count.
    order : str
        As for `star_bicoloring`.
    seed : int
        The seed of the random order.

    Returns
    -------
    Bicoloring
        A named tuple ``(row_colors, column_colors, num_colors)``. Neutral rows and columns, which
        are in no product, have the color -1.

    Raises
    ------
    TypeError
        If the pattern is not a matrix.
    ValueError
        If the order is unknown.

    See Also
    --------
    jacobian_coloring : Seed matrices and recovery, with ``mode="both"``.
    star_bicoloring : Often more colors, for direct recovery.
    verify_pattern_coloring : Checks the result.

    Notes
    -----
    For each order, at most O(sum of squared row and column lengths) time on one CPU thread.

    References
    ----------
    A. Montoison, G. Dalle, A. Gebremedhin. Revisiting sparse matrix coloring and bicoloring.
    arXiv 2505.07308, 2025.

    Examples
    --------
    >>> import numpy as np
    >>> arrow = np.eye(5)
    >>> arrow[0] = arrow[:, 0] = 1
    >>> acyclic_bicoloring(arrow).num_colors
    3
    """
    return bicolored(as_pattern(pattern), acyclic_colors, order, seed).colors
