"""How many products determine a symmetric matrix at least: a bound on star and acyclic colorings.

A product with a matrix of s rows gives s numbers. Of p s numbers, p (p - 1) / 2 follow from the
others by symmetry [1]. So p products determine at most p s - p (p - 1) / 2 entries on and above the
diagonal. This holds for every principal submatrix. Those tried are of the first s vertices in
smallest-last order, which are the dense ones. O(n + m) time.

The colors of a star or acyclic coloring determine a matrix with a full diagonal. In terms of
graphs: any two colors induce a forest.

[1] G. Newsam, J. Ramsdell. Estimation of sparse Jacobian matrices. SIAM J. Alg. Disc. Meth. 1983.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.coloring.clique_bound import clique_bound
from edgewise.algorithms.coloring.nets import sorted_rows
from edgewise.algorithms.ordering.bucket_order import remove_all
from edgewise.graph import Graph

__all__ = ["forest_bound", "products_bound"]


def products_bound(graph: Graph, diagonal: Any) -> int:
    """Return a lower bound on the products that determine a symmetric matrix.

    The graph has no parallel edges. Its edges are the entries above the diagonal, and ``diagonal``
    says which vertices have a diagonal entry.

    >>> from edgewise.generators import complete
    >>> [products_bound(complete(5), np.full(5, diagonal)) for diagonal in (True, False)]
    [5, 3]
    """
    order, ends, _ = remove_all(graph, "smallest_last")
    entries = ends[1:] - ends[0] + np.cumsum(diagonal[order])
    half = np.arange(1, len(order) + 1) + 0.5
    # The smaller root of p s - p (p - 1) / 2 = entries.
    least = 2 * entries / (half + np.sqrt(half**2 - 2 * entries))
    return int(np.ceil(least.max(initial=0) - 1e-6))


def forest_bound(graph: Graph) -> int:
    """Return a lower bound on the colors of a star or acyclic coloring.

    >>> from edgewise.generators import grid_2d
    >>> forest_bound(grid_2d(10, 10))
    3
    """
    simple = Graph(*sorted_rows(graph))
    full = np.ones(graph.num_vertices, bool)
    return max(clique_bound(simple), products_bound(simple, full))
