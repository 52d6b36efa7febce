"""Partial distance-2 coloring of a matrix: columns that share a row have different colors.

Columns of one color then have at most one entry per row, so that their sum determines them: the
compression of a sparse Jacobian (see `jacobian_coloring`). Greedy in an order of the columns, by a
set of colors per row (`nets`); the column intersection graph is never formed.

[1] A. Gebremedhin, F. Manne, A. Pothen. What color is your Jacobian? Graph coloring for computing
    derivatives. SIAM Review 47(4), 2005.
[2] J. Culberson. Iterated greedy graph coloring and the difficulty landscape. 1992.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from edgewise.algorithms.coloring.colored import Coloring, as_coloring
from edgewise.algorithms.coloring.net_orders import is_cheap, net_order
from edgewise.algorithms.coloring.nets import Nets, first_fit, longest_net
from edgewise.algorithms.coloring.orders import ORDERS
from edgewise.algorithms.coloring.patterns import Pattern, as_pattern
from edgewise.algorithms.coloring.saturation import MOST_COLORS, color_by_saturation
from edgewise.base.checks import check_choice
from edgewise.base.random import hashed

__all__ = ["fewest", "partial_distance_2", "side_colors"]

#: The orders that "best" tries after saturation, until the lower bound is reached.
_TRIED = ("natural", "smallest_last", "largest_first", "incidence_degree", "dynamic_largest_first")
#: How often "best" colors again.
_PASSES = 4


def partial_distance_2(
    pattern: Any, *, side: str = "columns", order: str = "smallest_last", seed: int = 0
) -> Coloring:
    """Return a coloring of the columns of a matrix in which columns that share a row differ.

    Parameters
    ----------
    pattern : sparse matrix or array of SciPy, or array of two dimensions
        All stored entries of a sparse matrix count, even zeros. In a dense array, nonzeros count.
    side : {"columns", "rows"}
        What is colored. With "rows", rows that share a column have different colors.
    order : str
        The order in which columns are colored: "natural", "largest_first", "smallest_last",
        "incidence_degree", "dynamic_largest_first" or "random". The degree of a column is the
        number of other columns that share a row with it. "best" tries the natural order,
        saturation and the other orders until the lower bound is reached, keeps the coloring with
        the fewest colors, and improves it.
    seed : int
        The seed of the random order.

    Returns
    -------
    Coloring
        The color of each column (or row): an array with `num_colors` and `class_sizes`.

    Raises
    ------
    TypeError
        If the pattern is not a matrix.
    ValueError
        If ``side`` or ``order`` is unknown.

    See Also
    --------
    jacobian_coloring : Seed matrices and recovery.
    distance_2 : The same for the vertices of a graph.

    Notes
    -----
    The number of colors is at least the largest number of entries in a row. The coloring takes
    time close to linear in the entries. An order other than "natural" and "random" takes
    O(sum of squared row lengths) time. The order ignores the longest rows if this would exceed
    64 steps per entry. Saturation, where the next column is one that sees the most colors, is left
    out in this case, and for rows of more than 64 entries.

    References
    ----------
    A. Gebremedhin, F. Manne, A. Pothen. What color is your Jacobian? SIAM Review 47(4), 2005.

    Examples
    --------
    Columns 0 and 2 share no row:

    >>> partial_distance_2([[1, 1, 0], [0, 1, 1]]).tolist()
    [0, 1, 0]
    """
    check_choice(side, "side", ("columns", "rows"))
    table = as_pattern(pattern)
    colors = side_colors(table, side, order, seed)
    return as_coloring(colors, None, longest_net(table.nets(side)))


def side_colors(pattern: Pattern, side: str, order: str, seed: int) -> Any:
    """The colors of the columns or rows of a pattern, in one order or in the best."""
    check_choice(order, "order", ("best", *ORDERS))
    nets = pattern.nets(side)

    def color(order: str) -> Any:
        return first_fit(nets, net_order(nets, order, seed))

    if order != "best":
        return color(order)
    bound = longest_net(nets)
    first = first_fit(nets, net_order(nets, "natural", seed), bound)
    if first is not None:
        return first
    found = color_by_saturation(nets) if bound <= MOST_COLORS and is_cheap(nets) else None
    if found is not None and _count(found) <= bound:
        return found
    best = fewest(_TRIED, color, _count, bound)
    if found is not None and _count(found) <= _count(best):
        best = found
    return _iterated(nets, best, bound, seed)


def _count(colors: np.ndarray) -> int:
    return int(colors.max(initial=-1)) + 1


def _iterated(nets: Nets, colors: np.ndarray, bound: int, seed: int) -> np.ndarray:
    """Color again, class by class [2]: this never takes more colors, and often fewer."""
    for turn in range(_PASSES):
        count = _count(colors)
        if count <= bound:
            break
        ranks = count - np.arange(count) if turn % 2 == 0 else hashed(seed, np.arange(count), turn)
        colors = first_fit(nets, np.argsort(ranks[colors], kind="stable").astype(np.int32))
    return colors


def fewest(orders: Sequence[str], color: Callable[[str], Any], count: Any, bound: int) -> Any:
    """The result with the smallest count over several orders; the bound ends the search."""
    best = None
    for order in orders:
        found = color(order)
        if best is None or count(found) < count(best):
            best = found
        if count(best) <= bound:
            break
    return best
