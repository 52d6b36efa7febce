"""The compression of a sparse Jacobian: few products with it determine all of its entries.

Columns (or rows) of one color share no row (or column), so one product with their sum has each
entry by itself. With ``mode="both"``, products with the matrix and with its transpose are combined,
by a star bicoloring (direct recovery) or an acyclic one (by substitution).

[1] A. Gebremedhin, F. Manne, A. Pothen. What color is your Jacobian? Graph coloring for computing
    derivatives. SIAM Review 47(4), 2005.
[2] A. Montoison, G. Dalle, A. Gebremedhin. Revisiting sparse matrix coloring and bicoloring.
    arXiv 2505.07308, 2025.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.coloring.jacobian_result import JacobianColoring
from edgewise.algorithms.coloring.partial_distance_2 import side_colors
from edgewise.algorithms.coloring.patterns import Pattern, as_pattern
from edgewise.algorithms.coloring.star_sets import star_colors
from edgewise.algorithms.coloring.substitution import substitution_steps
from edgewise.algorithms.coloring.tree_sets import acyclic_colors
from edgewise.algorithms.coloring.two_sides import bicolored
from edgewise.base.checks import check_choice

__all__ = ["jacobian_coloring"]


def jacobian_coloring(
    pattern: Any,
    *,
    mode: str = "forward",
    method: str = "direct",
    order: str = "best",
    seed: int = 0,
) -> JacobianColoring:
    """Return a compression of a sparse Jacobian: seed matrices and the recovery of its entries.

    It depends only on the pattern. Compute it once and use it for every Jacobian of this pattern.

    Parameters
    ----------
    pattern : sparse matrix or array of SciPy, or array of two dimensions
        All stored entries of a sparse matrix count, even zeros. In a dense array, nonzeros count.
    mode : {"forward", "reverse", "both"}
        "forward" uses products with the matrix (finite differences, `jax.jvp`), and "reverse" those
        with its transpose (`jax.vjp`). "both" helps if some rows and some columns are dense.
    method : {"direct", "substitution"}
        How entries are recovered. "direct" reads each entry. "substitution" requires
        ``mode="both"`` and often has fewer colors. It subtracts known entries, so rounding errors
        grow.
    order : str
        The order of the coloring, as for `partial_distance_2` and `star_bicoloring`. "best" tries
        several and keeps the coloring with the fewest colors.
    seed : int
        The seed of the random order.

    Returns
    -------
    JacobianColoring
        Has ``num_colors``, ``seed()``, ``compress(matrix)`` and ``recover(compressed)``. With
        ``mode="both"``, ``forward_seed()`` and ``reverse_seed()`` replace ``seed()``.

    Raises
    ------
    TypeError
        If the pattern is not a matrix.
    ValueError
        If ``mode``, ``method`` or ``order`` is unknown, or substitution has another mode than
        "both".

    See Also
    --------
    hessian_coloring : The same for symmetric matrices.
    partial_distance_2, star_bicoloring, acyclic_bicoloring : The colorings.

    Notes
    -----
    The time is that of the coloring: see the functions above. A recovery takes time linear in the
    entries.

    References
    ----------
    A. Gebremedhin, F. Manne, A. Pothen. What color is your Jacobian? SIAM Review 47(4), 2005.

    A. Montoison, G. Dalle, A. Gebremedhin. Revisiting sparse matrix coloring and bicoloring.
    arXiv 2505.07308, 2025.

    Examples
    --------
    A tridiagonal matrix of any size needs 3 products:

    >>> from scipy.sparse import diags_array
    >>> matrix = diags_array([1.0, 2.0, 3.0], offsets=[-1, 0, 1], shape=(100, 100))
    >>> coloring = jacobian_coloring(matrix)
    >>> coloring
    JacobianColoring(3 colors of 100 x 100, mode='forward')
    >>> compressed = matrix @ coloring.seed()
    >>> abs(coloring.recover(compressed) - matrix).max().item()
    0.0
    """
    check_choice(mode, "mode", ("forward", "reverse", "both"))
    check_choice(method, "method", ("direct", "substitution"))
    if method == "substitution" and mode != "both":
        raise ValueError(f'method "substitution" needs mode "both", got {mode!r}')
    table = as_pattern(pattern)
    if mode == "both":
        return _both(table, method, order, seed)
    rows, columns = table.shape
    colors = side_colors(table, "columns" if mode == "forward" else "rows", order, seed)
    count = int(colors.max(initial=-1)) + 1
    if mode == "forward":
        sources = table.rows() * count + colors[table.indices]
        sides = colors, np.full(rows, -1, np.int32), count, 0
    else:
        sources = colors[table.rows()].astype(np.int64) * columns + table.indices
        sides = np.full(columns, -1, np.int32), colors, 0, count
    return JacobianColoring(table.shape, mode, method, *sides, table, sources)


def _both(table: Pattern, method: str, order: str, seed: int) -> JacobianColoring:
    """Where each entry is read: from its row, in the color of its column, or the other way."""
    rows, columns = table.shape
    kind = star_colors if method == "direct" else acyclic_colors
    (row_colors, column_colors, _), trees, parent = bicolored(table, kind, order, seed)
    forward, reverse = (int(one.max(initial=-1)) + 1 for one in (column_colors, row_colors))
    own, other, steps = table.rows(), table.indices.astype(np.int64), None
    if method == "substitution":
        steps = substitution_steps(trees, (other, own + columns), parent, rows + columns)
        parent = np.empty_like(parent)
        parent[steps.edge] = steps.parent
    by_column = own * forward + column_colors[other]
    by_row = rows * forward + row_colors[own].astype(np.int64) * columns + other
    sources = np.where(parent < columns, by_column, by_row)
    sides = column_colors, row_colors, forward, reverse
    return JacobianColoring(table.shape, "both", method, *sides, table, sources, steps)
