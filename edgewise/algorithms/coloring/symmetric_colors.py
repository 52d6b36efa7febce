"""The search for a coloring of a symmetric pattern that needs few products: see `hessian_coloring`.

Several orders are tried, until the number of products reaches a lower bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.coloring.forbidding import TwoColored
from edgewise.algorithms.coloring.net_orders import graph_order, stride_order
from edgewise.algorithms.coloring.patterns import Pattern, symmetric_rows
from edgewise.algorithms.coloring.products_bound import products_bound
from edgewise.algorithms.coloring.star_sets import star_colors
from edgewise.algorithms.coloring.substitution import parents
from edgewise.algorithms.coloring.tree_sets import acyclic_colors
from edgewise.graph import Graph

__all__ = ["Found", "two_colored_trees"]

#: The orders that "best" tries. Strides suit nodes of several unknowns.
_TRIED = ("natural", "smallest_last", "incidence_degree", "largest_first")
_STRIDES: dict[str, tuple[int, ...]] = {"direct": (), "substitution": (2, 3, 4)}


class Found(NamedTuple):
    """A coloring, the parent of each edge (-1 in larger trees), and which colors are needed."""

    trees: TwoColored
    parent: np.ndarray
    needed: np.ndarray


def two_colored_trees(table: Pattern, method: str, order: str, seed: int) -> tuple[Any, Any, Found]:
    """Return the edge of each entry, the two vertices of each edge, and the best coloring."""
    edge, edges = symmetric_rows(table.indptr, table.indices)
    rows, columns = table.rows(), table.indices.astype(np.int64)
    upper, on_diagonal = rows < columns, rows == columns
    ends, diagonal = (rows[upper], columns[upper]), np.zeros(table.shape[0], bool)
    diagonal[rows[on_diagonal]] = True
    graph = Graph(table.indptr, table.indices)
    kind = star_colors if method == "direct" else acyclic_colors
    bound = products_bound(graph, diagonal) if order == "best" else 0
    best: Any = None
    for listed in _lists(graph, method, order, seed):
        # With a full diagonal all colors are needed: one that is no better ends early.
        most = int(best.needed.sum()) - 1 if best is not None and diagonal.all() else None
        trees = kind(table.indptr, table.indices, edge, edges, listed, most=most)
        if trees is None:
            continue
        needed = np.zeros(int(trees.colors.max(initial=-1)) + 1, bool)
        needed[trees.colors[diagonal]] = True
        parent = parents(trees, ends, trees.colors, needed)
        if best is None or needed.sum() < best.needed.sum():
            best = Found(trees, parent, needed)
        if best.needed.sum() <= bound:
            break
    return edge, ends, best


def _lists(graph: Graph, method: str, order: str, seed: int) -> Iterator[np.ndarray]:
    """The lists of vertices that are tried."""
    for one in _TRIED if order == "best" else (order,):
        yield graph_order(graph, one, seed)
    for stride in _STRIDES[method] if order == "best" else ():
        yield stride_order(graph.num_vertices, stride)
