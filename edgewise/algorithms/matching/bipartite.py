"""Maximum weight matching of a bipartite graph, exactly, by shortest augmenting paths [1].

Rows and columns have dual prices u and v with u[r] + v[c] >= w(r, c), and equality on matched
edges. Column prices are nonnegative, and zero for free columns. The same holds for rows, unless all
of them must be matched. By duality, no matching is heavier.

Rows enter one after the other. A Dijkstra search over the reduced costs finds the cheapest path to
a free column, or to a row that can become free. The path is augmented, and the prices along the
search tree are updated. At most O(m log n) work per row, on one CPU thread; most rows find a free
column at once.

[1] R. Jonker, A. Volgenant. A shortest augmenting path algorithm for dense and sparse linear
    assignment problems. Computing 38, 1987.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.biadjacency import Biadjacency, as_matching, biadjacency
from edgewise.algorithms.matching.entering import Assignment, PathSearch, entering
from edgewise.algorithms.matching.result import Matching
from edgewise.base.offsets import offsets
from edgewise.base.ranges import check_whole, most_of, whole_sum
from edgewise.graph.csr import CSR
from edgewise.graph.foreign import LocalGraphLike, takes_graph_or_matrix
from edgewise.operators.helpers import inlined
from edgewise.operators.sequential import going, sequential

__all__ = ["maximum_weight_bipartite"]

_LARGEST = 2.0**1000  # weights up to this can be added up


@takes_graph_or_matrix
def maximum_weight_bipartite(
    graph: LocalGraphLike | CSR, *, sides: Any = None, weights: Any = "weight", full: bool = False
) -> Matching:
    """Return a maximum weight matching of a bipartite graph.

    Parameters
    ----------
    graph : Graph, or rectangular CSR
        A graph in host memory must be undirected. Row i of a CSR is vertex i, and its column j is
        vertex rows + j.
    sides : array of bool over vertices, optional
        A boolean mask of the left side. By default the two sides are found.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Finite. Edges of weight zero or less are matched only in a full matching.
    full : bool
        Maximize over the matchings that cover every vertex of the smaller side.

    Returns
    -------
    Matching
        The mate of each vertex, the total weight and the number of matched edges.

    Raises
    ------
    ValueError
        If the graph is directed, on a device, or not bipartite (the message names an edge of an odd
        cycle). Also if a weight is not finite, if sums of integer weights may reach 2**53, or if
        there is no full matching.

    See Also
    --------
    heavy_perfect : A perfect matching of large weight, faster.

    Notes
    -----
    O(n m log n) time at most, on one CPU thread.

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
    rows, columns, full = len(matrix.left), len(matrix.right), bool(full)
    if full and rows > columns:
        mate_of_column = _assigned(_turned(matrix), full)
        mate = np.full(rows, -1, np.int64)
        mate[mate_of_column] = np.arange(columns)
    else:
        mate = _assigned(matrix, full)
    return as_matching(matrix, mate, graph.id_dtype)


def _turned(matrix: Biadjacency) -> Biadjacency:
    """The matrix with rows and columns exchanged."""
    order = np.argsort(matrix.indices, kind="stable")
    rows = np.repeat(np.arange(len(matrix.left)), np.diff(matrix.indptr))
    indptr = offsets(np.bincount(matrix.indices, minlength=len(matrix.right)))
    weights = None if matrix.weights is None else matrix.weights[order]
    return Biadjacency(matrix.right, matrix.left, indptr, rows[order], weights)


def _assigned(matrix: Biadjacency, full: bool) -> Any:
    """The column of every row; -1 for rows that stay free, which none may if ``full``."""
    rows, columns = len(matrix.left), len(matrix.right)
    worth = np.ones(len(matrix.indices)) if matrix.weights is None else matrix.weights
    if worth.dtype.kind == "i":  # prices are sums along paths, exact in float64 up to here
        edges = 2 * min(rows, columns)
        check_whole(min(whole_sum(abs(worth)), edges * most_of(worth)), "prices", limit=2**53)
    worth = worth.astype(np.float64)
    if np.abs(worth).max(initial=0.0) > _LARGEST:
        worth *= 2.0**-64
    mate, mate_of_column = np.full(rows, -1, np.int64), np.full(columns, -1, np.int64)
    assignment = Assignment(mate, mate_of_column, np.zeros(rows), np.zeros(columns))
    places = (np.full(columns, -1, np.int64) for _ in range(4))
    search = PathSearch(np.full(columns, np.inf), *places)
    stuck = np.full(1, -1, np.int64)
    state = (matrix.indptr, matrix.indices, worth, full, assignment, search, stuck)
    sequential(_assign, state, steps=rows, work=rows * len(matrix.indices))
    if stuck[0] >= 0:
        raise ValueError("the graph has no full matching")
    return mate


def _assign(control, indptr, indices, worth, full, assignment, search, stuck):
    """Let the rows in, one after the other; the first that must stay out goes to ``stuck``."""
    rows = len(assignment.mate)
    for i in range(rows):
        if i % 64 == 0 and not going(control, i):
            return
        gain = _enter(control, i, indptr, indices, worth, full, assignment, search)
        if not np.isfinite(gain):
            stuck[0] = i if gain < 0.0 else -1
            return
    going(control, rows)


@inlined
def _edges_of(row, indptr, floor):
    return indptr[row], indptr[row + 1], -np.inf


_enter = entering(_edges_of)
