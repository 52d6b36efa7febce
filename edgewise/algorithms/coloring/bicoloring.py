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

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.coloring.forbidding import TwoColored
from edgewise.algorithms.coloring.net_orders import graph_order, net_order
from edgewise.algorithms.coloring.neutral import neutral_sets
from edgewise.algorithms.coloring.orders import ORDERS
from edgewise.algorithms.coloring.patterns import Pattern, as_pattern
from edgewise.algorithms.coloring.star_sets import star_colors
from edgewise.algorithms.coloring.substitution import parents, renumbered
from edgewise.algorithms.coloring.tree_sets import acyclic_colors
from edgewise.base.checks import check_choice
from edgewise.graph import Graph

__all__ = ["Bicoloring", "BicoloringTrees", "acyclic_bicoloring", "bicolored", "star_bicoloring"]

#: The orders that "best" tries.
_TRIED = ("natural", "smallest_last", "incidence_degree")


class Bicoloring(NamedTuple):
    """Colors of rows and of columns, numbered apart, with -1 for neutral ones.

    Attributes
    ----------
    row_colors : array of int32 over rows
    column_colors : array of int32 over columns
    num_colors : int
        The number of colors of both sides together: the number of products with the matrix and its
        transpose.
    """

    row_colors: np.ndarray
    column_colors: np.ndarray
    num_colors: int


class BicoloringTrees(NamedTuple):
    """A bicoloring, the trees of all entries, and the parent of each entry that is in a star.

    Columns are vertices from 0 on, and rows follow them.
    """

    colors: Bicoloring
    trees: TwoColored
    parent: np.ndarray


def star_bicoloring(pattern: Any, *, order: str = "best", seed: int = 0) -> Bicoloring:
    """Return a star bicoloring: colors of rows and columns for a direct recovery of the matrix.

    Parameters
    ----------
    pattern : sparse matrix or array of SciPy, or array of two dimensions
        Every stored entry of a sparse matrix counts, zeros too; of a dense array, nonzeros count.
    order : str
        The order of columns and rows: one of those of `partial_distance_2`. "best" tries several
        and keeps the coloring with the fewest colors.
    seed : int
        Seed of the random order.

    Returns
    -------
    Bicoloring
        A named tuple ``(row_colors, column_colors, num_colors)``. Neutral colors are -1.

    Raises
    ------
    TypeError
        If the pattern is no matrix.
    ValueError
        If the order is none of these words.

    See Also
    --------
    jacobian_coloring : Seed matrices and recovery, with ``mode="both"``.
    acyclic_bicoloring : Fewer colors, for recovery by substitution.
    verify_pattern_coloring : A check of the result.

    Notes
    -----
    O(sum of squared lengths of rows and columns) time on one CPU thread per order.

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
        Every stored entry of a sparse matrix counts, zeros too; of a dense array, nonzeros count.
    order : str
        As for `star_bicoloring`.
    seed : int
        Seed of the random order.

    Returns
    -------
    Bicoloring
        A named tuple ``(row_colors, column_colors, num_colors)``. Neutral colors are -1.

    Raises
    ------
    TypeError
        If the pattern is no matrix.
    ValueError
        If the order is none of these words.

    See Also
    --------
    jacobian_coloring : Seed matrices and recovery, with ``mode="both"``.
    star_bicoloring : More colors, for direct recovery.
    verify_pattern_coloring : A check of the result.

    Notes
    -----
    O(sum of squared lengths of rows and columns) time on one CPU thread per order.

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


def bicolored(pattern: Pattern, color: Any, order: str, seed: int) -> BicoloringTrees:
    """Color the bipartite graph of a pattern; the edge of an entry is its position by rows."""
    rows, columns = pattern.shape
    kind = pattern.indices.dtype
    indptr = np.concatenate([pattern.column_ptr, pattern.column_ptr[-1] + pattern.indptr[1:]])
    indices = np.concatenate([pattern.column_rows + kind.type(columns), pattern.indices])
    edge = np.concatenate([pattern.position, np.arange(len(pattern.indices))])
    graph = Graph(indptr, indices)
    ends = pattern.indices.astype(np.int64), pattern.rows() + columns

    def one(listed: Any, neutral: Any) -> BicoloringTrees:
        trees = color(indptr, indices, edge, len(pattern.indices), listed, neutral)
        count = int(trees.colors.max(initial=-1)) + 1
        classes = trees.colors.astype(np.int64)
        classes[columns:] += count
        classes[trees.colors < 0] = 2 * count
        needed = np.zeros(2 * count + 1, bool)
        parent = parents(trees, ends, classes, needed)
        numbers = np.concatenate([renumbered(needed[:count]), renumbered(needed[count:])])
        own = numbers.astype(np.int32)[classes]
        found = Bicoloring(own[columns:], own[:columns], int(needed.sum()))
        return BicoloringTrees(found, trees, parent)

    check_choice(order, "order", ("best", *ORDERS))
    orders = _TRIED if order == "best" else (order,)
    tried = [(graph_order(graph, each, seed), None) for each in orders]
    masks = neutral_sets(pattern)
    for each in orders:
        first, second = (net_order(pattern.nets(side), each, seed) for side in ("columns", "rows"))
        second = second + np.int32(columns)
        for side, mask in masks:
            listed = (first, second) if side == "rows" else (second, first)
            tried.append((np.concatenate(listed), mask))
    return min((one(*each) for each in tried), key=lambda found: found.colors.num_colors)
