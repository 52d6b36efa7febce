"""Maximum weight matching of a bipartite graph, exactly, by SciPy's solvers.

SciPy knows full matchings alone, those that leave nobody of the smaller side free, and takes a
weight of zero for no edge. So every row gets a column of its own to be matched with for nothing,
which stands for being free; then all matchings in question have as many edges as there are rows,
and it does no harm to add the same to all weights until the least is one.

Dense graphs go to `scipy.optimize.linear_sum_assignment`, others to
`scipy.sparse.csgraph.min_weight_full_bipartite_matching` (shortest augmenting paths both; O(n^3)
work at most), on one CPU thread. The latter may run for ever where sums of weights are rounded. So
it is given whole numbers below 2**53 / n, whose sums are exact: weights that are such numbers stay
as they are, others are rounded to a fraction of the largest (2**-42 for a thousand vertices).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.biadjacency import Biadjacency, as_matching, biadjacency
from edgewise.algorithms.matching.result import Matching
from edgewise.graph.foreign import takes_graph_or_matrix

__all__ = ["maximum_weight_bipartite"]

_DENSE = 4  # a matrix with more than one entry in so many goes to the dense solver


@takes_graph_or_matrix
def maximum_weight_bipartite(
    graph: Any, *, sides: Any = None, weights: Any = None, full: bool = False
) -> Matching:
    """A matching of the greatest weight in a bipartite graph.

    Parameters
    ----------
    graph : Graph, or rectangular CSR
        A graph must be undirected. Row i of a CSR counts as vertex i, its column j as vertex
        rows + j. On the CPU.
    sides : array of bool over vertices, optional
        True on the left side. By default two sides are looked for, which must exist.
    weights : None, "unit" or array over edges
        Finite. Edges of weight zero or less are matched only in a full matching.
    full : bool
        Only matchings count that leave nobody of the smaller side free.

    Returns
    -------
    Matching

    Raises
    ------
    ValueError
        If the graph is directed, on a device, or not bipartite (names an edge of an odd cycle), a
        weight is not finite, or there is no full matching.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1], [2, 3, 2], weights=[5.0, 1.0, 1.0])
    >>> maximum_weight_bipartite(graph).mate.tolist()
    [2, -1, 0, -1]
    >>> maximum_weight_bipartite(graph, full=True).mate.tolist()
    [3, 2, 1, 0]
    """
    matrix = biadjacency(graph, sides, weights, "maximum_weight_bipartite")
    rows, columns = len(matrix.left), len(matrix.right)
    mate = np.full(rows, -1, np.int64)
    if rows * columns < _DENSE * len(matrix.indices):
        found = _dense(matrix, full)
    else:
        found = _sparse(matrix, full)
    mate[found[0]] = found[1]
    return as_matching(matrix, mate, graph.indices.dtype)


def _entries(matrix: Biadjacency, full: bool) -> tuple[Any, Any, Any]:
    """Row, column and weight of all edges that count."""
    rows = np.repeat(np.arange(len(matrix.left)), np.diff(matrix.indptr))
    weights = np.ones(len(rows)) if matrix.weights is None else matrix.weights
    keep = slice(None) if full else weights > 0
    return rows[keep], matrix.indices[keep], weights[keep].astype(np.float64)


def _dense(matrix: Biadjacency, full: bool) -> tuple[Any, Any]:
    from scipy.optimize import linear_sum_assignment

    rows, columns, weights = _entries(matrix, full)
    table = np.full((len(matrix.left), len(matrix.right)), -np.inf if full else 0.0)
    table[rows, columns] = weights
    try:
        left, right = linear_sum_assignment(table, maximize=True)
    except ValueError:
        raise ValueError("the graph has no full matching") from None
    chosen = full | (table[left, right] > 0)
    return left[chosen], right[chosen]


def _sparse(matrix: Biadjacency, full: bool) -> tuple[Any, Any]:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    m, n = len(matrix.left), len(matrix.right)
    rows, columns, weights = _entries(matrix, full)
    weights, width = _whole(weights, m + n), n
    if not full:  # column n + i is row i's own
        own, width = np.arange(m), n + m
        rows, columns = np.concatenate([rows, own]), np.concatenate([columns, n + own])
        weights = np.concatenate([weights, np.zeros(m)])
    if min(m, width) == 0:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    least = weights.min() if len(weights) else 0.0
    table = csr_array((weights - least + 1, (rows, columns)), shape=(m, width))
    try:
        left, right = min_weight_full_bipartite_matching(table, maximize=True)
    except ValueError:
        raise ValueError("the graph has no full matching") from None
    return left[right < n], right[right < n]


def _whole(weights: Any, vertices: int) -> Any:
    """Weights as whole numbers, times a power of two that leaves room for sums of them."""
    largest = float(np.abs(weights).max()) if len(weights) else 0.0
    limit = 2.0**52 / (vertices + 1)
    if largest == 0 or (largest <= limit and (weights == np.rint(weights)).all()):
        return weights
    # largest < 2**above, and 2**(below - 1) <= limit
    above, below = np.frexp(largest)[1], np.frexp(limit)[1]
    return np.rint(np.ldexp(weights, below - 1 - above))
