"""Colorings of the bipartite graph of columns and rows, and what is neutral in them.

Columns and rows are colored together. Short rows are also made neutral from the start, or all rows,
or columns, and the best coloring is kept: see `bicoloring`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.coloring.forbidding import TwoColored
from edgewise.algorithms.coloring.net_orders import graph_order, net_order
from edgewise.algorithms.coloring.orders import ORDERS
from edgewise.algorithms.coloring.partial_distance_2 import side_colors
from edgewise.algorithms.coloring.patterns import Pattern
from edgewise.algorithms.coloring.substitution import parents, renumbered
from edgewise.base.checks import check_choice
from edgewise.graph import Graph

__all__ = ["Bicoloring", "BicoloringTrees", "bicolored"]

#: The orders that "best" tries.
_TRIED = ("natural", "smallest_last", "incidence_degree")
#: Limits for the length of a short row that are tried.
_LENGTHS = 24


class Bicoloring(NamedTuple):
    """Colors of rows and of columns, numbered apart, with -1 for neutral ones.

    Attributes
    ----------
    row_colors : array of int32 over rows
    column_colors : array of int32 over columns
    num_colors : int
        The number of row colors plus the number of column colors. It is the number of products with
        the matrix and its transpose.
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


def bicolored(pattern: Pattern, color: Any, order: str, seed: int) -> BicoloringTrees:
    """Color the bipartite graph of a pattern; the edge of an entry is its position by rows."""
    rows, columns = pattern.shape
    kind = pattern.indices.dtype
    indptr = np.concatenate([pattern.column_ptr, pattern.column_ptr[-1] + pattern.indptr[1:]])
    indices = np.concatenate([pattern.column_rows + kind.type(columns), pattern.indices])
    edge = np.concatenate([pattern.positions(), np.arange(len(pattern.indices))])
    graph = Graph(indptr, indices)
    ends = pattern.indices.astype(np.int64), pattern.rows() + columns

    best: Any = None

    def one(listed: Any, neutral: Any) -> Any:
        """The better one of the best before and a new coloring, which ends at many more colors."""
        most = None if best is None else 4 * _count(best) + 64
        trees = color(indptr, indices, edge, len(pattern.indices), listed, neutral, most)
        if trees is None:
            return best
        count = int(trees.colors.max(initial=-1)) + 1
        classes = trees.colors.astype(np.int64)
        classes[columns:] += count
        classes[trees.colors < 0] = 2 * count
        needed = np.zeros(2 * count + 1, bool)
        parent = parents(trees, ends, classes, needed)
        numbers = np.concatenate([renumbered(needed[:count]), renumbered(needed[count:])])
        own = numbers.astype(np.int32)[classes]
        found = BicoloringTrees(
            Bicoloring(own[columns:], own[:columns], int(needed.sum())), trees, parent
        )
        return found if best is None else min(best, found, key=_count)

    check_choice(order, "order", ("best", *ORDERS))
    orders = _TRIED if order == "best" else (order,)
    lengths = np.diff(indptr)
    masks = [(int(lengths[mask].max(initial=0)), side, mask)
             for side, mask in neutral_sets(pattern)]  # fmt: skip
    # Neighbors of a neutral vertex have different colors: a bound on the number.
    for bound, side, mask in sorted(masks, key=lambda each: each[0]):
        for each in (*orders, "best") if order == "best" else orders:
            if best is not None and bound >= _count(best):
                continue
            first, second = (_side_order(pattern, name, each, seed) for name in ("columns", "rows"))
            second = second + np.int32(columns)
            best = one(np.concatenate((first, second) if side == "rows" else (second, first)), mask)
    for each in orders:
        best = one(graph_order(graph, each, seed), None)
    return best


def _count(found: BicoloringTrees) -> int:
    return found.colors.num_colors


def _side_order(pattern: Pattern, side: str, order: str, seed: int) -> np.ndarray:
    """The list of columns or rows in an order; "best" is by the colors of that coloring."""
    if order == "best":
        colors = side_colors(pattern, side, order, seed)
        return np.argsort(colors, kind="stable").astype(np.int32)
    return net_order(pattern.nets(side), order, seed)


def neutral_sets(pattern: Pattern) -> list[tuple[str, np.ndarray]]:
    """Masks over columns and rows of what to make neutral: all or short rows, or columns.

    Rows are short up to a length that makes small what is left: the longest short row, and the
    largest number of long rows in one column.
    """
    rows, columns = pattern.shape
    long_rows = _long(np.diff(pattern.indptr), pattern.rows(), pattern.indices)
    long_columns = _long(np.diff(pattern.column_ptr), pattern.indices, pattern.rows())
    found = []
    for each in [long_rows, np.zeros(rows, bool)][: 1 + long_rows.any()]:
        found.append(("rows", np.concatenate([np.zeros(columns, bool), ~each])))
    for each in [long_columns, np.zeros(columns, bool)][: 1 + long_columns.any()]:
        found.append(("columns", np.concatenate([~each, np.zeros(rows, bool)])))
    return found


def _long(lengths: np.ndarray, own: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Which rows are long, if ``own`` and ``other`` are the row and the column of each entry."""
    found = np.unique(lengths)
    if len(found) > _LENGTHS:
        found = np.unique(found[np.geomspace(1, len(found), _LENGTHS).astype(np.int64) - 1])
    costs = [limit + np.bincount(other[lengths[own] > limit], minlength=1).max() for limit in found]
    return lengths > (found[np.argmin(costs)] if len(found) else 0)
