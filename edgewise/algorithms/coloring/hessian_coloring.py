"""The compression of a sparse Hessian: few products with it determine all of its entries.

Symmetry saves products. A star coloring allows to read every entry (i, j) from the product of one
of its ends [1]. An acyclic coloring needs fewer colors; then entries are solved one after another
along two-colored trees. Colors that no entry is read from are neutral [2]: that takes vertices
without a diagonal entry.

[1] A. Gebremedhin, A. Tarafdar, F. Manne, A. Pothen. New acyclic and star coloring algorithms with
    application to computing Hessians. SIAM J. Sci. Comput. 29(3), 2007.
[2] A. Montoison, G. Dalle, A. Gebremedhin. Revisiting sparse matrix coloring and bicoloring.
    arXiv 2505.07308, 2025.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from edgewise.algorithms.coloring.compression import checked, matrix_for, product, seed_matrix
from edgewise.algorithms.coloring.orders import ORDERS
from edgewise.algorithms.coloring.patterns import Pattern, as_pattern, check_symmetric
from edgewise.algorithms.coloring.substitution import Steps, renumbered, solve, substitution_steps
from edgewise.algorithms.coloring.symmetric_colors import two_colored_trees
from edgewise.base.checks import check_choice

__all__ = ["HessianColoring", "hessian_coloring"]


@dataclass(frozen=True, eq=False)
class HessianColoring:
    """How to compress a Hessian and recover it; see `hessian_coloring`.

    Attributes
    ----------
    shape : (int, int)
        The numbers of rows and columns.
    method : {"direct", "substitution"}
    colors : array of int32
        The color of each column; -1 if the column is in no product.
    num_colors : int
        The number of products that determine the matrix.
    """

    shape: tuple[int, int]
    method: str
    colors: np.ndarray
    num_colors: int
    _pattern: Pattern = field(repr=False)
    _edge: np.ndarray = field(repr=False)  # of each entry, -1 on the diagonal
    _sources: np.ndarray = field(repr=False)  # of each entry among all compressed values
    _steps: Steps | None = field(repr=False, default=None)
    _step_sources: np.ndarray | None = field(repr=False, default=None)

    def __repr__(self) -> str:
        shape = "{} x {}".format(*self.shape)
        return f"HessianColoring({self.num_colors} colors of {shape}, method={self.method!r})"

    def seed(self) -> np.ndarray:
        """Return the seed matrix, with one column per color."""
        return seed_matrix(self.colors, self.num_colors)

    def compress(self, matrix: Any) -> Any:
        """Return the product of a matrix and the seed matrix, ``H @ seed``."""
        return product(matrix, self.shape, "matrix") @ self.seed()

    def recover(self, compressed: Any, out: Any = None) -> Any:
        """Return the matrix that has these products, as a sparse array in CSR format.

        Parameters
        ----------
        compressed : array
            ``H @ seed``, with one row per variable and one column per color.
        out : sparse array, optional
            The result of an earlier call, which is overwritten and returned.
        """
        values = checked(compressed, (self.shape[0], self.num_colors)).ravel()
        found = values[self._sources]
        if self._steps is not None and self._step_sources is not None:
            solved = solve(self._steps, self._step_sources, values)
            found = np.where(self._edge >= 0, solved[self._edge] if len(solved) else 0, found)
        return matrix_for(self._pattern, found, out)


def hessian_coloring(
    pattern: Any, *, method: str = "direct", order: str = "best", seed: int = 0
) -> HessianColoring:
    """Return a compression of a sparse Hessian: the seed matrix and the recovery of its entries.

    It depends only on the pattern. Compute it once and use it for every Hessian of this pattern.

    Parameters
    ----------
    pattern : sparse matrix or array of SciPy, or array of two dimensions
        Symmetric. All stored entries of a sparse matrix count, even zeros. In a dense array,
        nonzeros count.
    method : {"direct", "substitution"}
        How entries are recovered. "direct" uses a star coloring and reads each entry.
        "substitution" uses an acyclic coloring, which often has fewer colors. It subtracts known
        entries, so rounding errors grow.
    order : str
        The order of the coloring: "natural", "largest_first", "smallest_last", "incidence_degree",
        "dynamic_largest_first" or "random". "best" tries several and keeps the coloring with the
        fewest colors.
    seed : int
        The seed of the random order.

    Returns
    -------
    HessianColoring
        Has ``num_colors``, ``seed()``, ``compress(matrix)`` and ``recover(compressed)``.

    Raises
    ------
    TypeError
        If the pattern is not a matrix.
    ValueError
        If the pattern is not square or not symmetric, or ``method`` or ``order`` is unknown.

    See Also
    --------
    jacobian_coloring : The same for matrices that are not symmetric.
    star, acyclic : The colorings.

    Notes
    -----
    For each order, the time is that of `star` or `acyclic`. "best" ends at a coloring that reaches
    a lower bound. A recovery takes time linear in the entries.

    References
    ----------
    A. Gebremedhin, A. Tarafdar, F. Manne, A. Pothen. New acyclic and star coloring algorithms with
    application to computing Hessians. SIAM J. Sci. Comput. 29(3), 2007.

    Examples
    --------
    The first row, the first column and the diagonal are full. Two products suffice:

    >>> import numpy as np
    >>> arrow = np.diag([4.0, 5.0, 6.0, 7.0])
    >>> arrow[0, 1:] = arrow[1:, 0] = [1.0, 2.0, 3.0]
    >>> coloring = hessian_coloring(arrow)
    >>> coloring
    HessianColoring(2 colors of 4 x 4, method='direct')
    >>> bool((coloring.recover(arrow @ coloring.seed()).toarray() == arrow).all())
    True
    """
    check_choice(method, "method", ("direct", "substitution"))
    check_choice(order, "order", ("best", *ORDERS))
    table = as_pattern(pattern)
    check_symmetric(table)
    rows, columns = table.rows(), table.indices.astype(np.int64)
    edge, ends, (trees, parent, needed) = two_colored_trees(table, method, order, seed)
    count, steps = int(needed.sum()), None
    colors = renumbered(needed).astype(np.int32)[trees.colors]
    if method == "substitution":
        steps = substitution_steps(trees, ends, parent, len(colors))
        parent[steps.edge] = steps.parent
    above = np.where(edge >= 0, parent[edge] if len(parent) else -1, rows)
    leaf = np.where(edge >= 0, rows + columns - above, rows)
    sources = leaf * count + colors[above]
    if steps is None:
        return HessianColoring(table.shape, method, colors, count, table, edge, sources)
    read = steps.leaf * count + colors[steps.parent]
    return HessianColoring(table.shape, method, colors, count, table, edge, sources, steps, read)
