"""Heavy-weight perfect matching of a bipartite graph (HWPM [1]).

There are three steps. First, rows propose to columns along their heaviest edges, and each column
keeps the best proposal. This is the greedy matching, with at least half the maximum weight. Second,
shortest augmenting paths make it perfect; each row first tries the columns of largest gain. Third,
cycles of length four that gain weight are flipped. Rows i and j exchange their columns c and d if
w(i, d) + w(j, c) exceeds w(i, c) + w(j, d). Passes over the rows make the best exchange of each row
until there is none.

The weight is mostly within a few percent of the maximum unless rows are very short. There is no
guarantee. On one CPU thread, O(m log m) to sort rows, O(m sqrt n) for the second step, and
O(m log d) for each pass of the third.

[1] A. Azad, A. Buluc, X. Li, X. Wang, J. Langguth. A distributed-memory algorithm for computing a
    heavy-weight perfect matching on bipartite graphs. SIAM J. Scientific Computing 42(4), 2020.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.biadjacency import Biadjacency, as_matching, biadjacency
from edgewise.algorithms.matching.edge_sort import within_rows
from edgewise.algorithms.matching.hopcroft_karp import augment
from edgewise.algorithms.matching.result import Matching
from edgewise.base.checks import check_count
from edgewise.base.observe import notify
from edgewise.base.ranges import check_whole, most_of
from edgewise.graph.csr import CSR
from edgewise.graph.foreign import LocalGraphLike, takes_graph_or_matrix
from edgewise.operators.helpers import find_edge
from edgewise.operators.sequential import going, sequential

__all__ = ["heavy_perfect"]


@takes_graph_or_matrix
def heavy_perfect(
    graph: LocalGraphLike | CSR, *, sides: Any = None, weights: Any = "weight", max_iter: int = 100
) -> Matching:
    """Return a perfect matching of large weight in a bipartite graph.

    Parameters
    ----------
    graph : Graph, or square CSR
        A graph in host memory must be undirected. Row i of a CSR is vertex i, and its column j is
        vertex rows + j.
    sides : array of bool over vertices, optional
        A boolean mask of the left side. By default the two sides are found.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Finite. They may be negative.
    max_iter : int
        The largest number of passes that improve the weight. Two or three are usually enough.

    Returns
    -------
    Matching
        The mate of each vertex, the total weight and the number of matched edges.

    Raises
    ------
    ValueError
        If the graph is directed, on a device, or not bipartite (the message names an edge of an odd
        cycle). Also if a weight is not finite, or if there is no perfect matching.

    See Also
    --------
    maximum_weight_bipartite : Maximizes the weight exactly.

    Notes
    -----
    O(m sqrt(n) + m log m) time on one CPU thread.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 1], [2, 3, 2, 3], weights=[5.0, 4.0, 4.0, 1.0])
    >>> heavy_perfect(graph).mate.tolist()
    [3, 2, 1, 0]
    """
    max_iter = check_count(max_iter, "max_iter")
    matrix = biadjacency(graph, sides, weights, "heavy_perfect")
    return as_matching(matrix, _heavy(matrix, max_iter), graph.id_dtype)


def _heavy(matrix: Biadjacency, max_iter: int) -> Any:
    """The column of every row."""
    rows, columns = len(matrix.left), len(matrix.right)
    if rows != columns:
        raise ValueError(
            f"a perfect matching needs sides of equal size, got {rows} and {columns} vertices"
        )
    indptr, indices = matrix.indptr, matrix.indices
    weights = np.ones(len(indices)) if matrix.weights is None else matrix.weights
    if weights.dtype.itemsize < 8:  # so that differences fit
        weights = weights.astype(np.float64 if weights.dtype.kind == "f" else np.int64)
    if weights.dtype.kind == "i":
        check_whole(4 * most_of(weights), "sums of four weights")
    row_of = np.repeat(np.arange(rows), np.diff(indptr))
    row_mate, column_mate = np.full(rows, -1, np.int64), np.full(columns, -1, np.int64)
    kept = np.full(columns, weights.min() if len(weights) else 0, weights.dtype)

    def gaining() -> Any:
        """The columns of every row, those first that gain most over what they have now."""
        mine = row_mate[row_of] == indices
        kept[indices[mine]] = weights[mine]
        return indices[within_rows(row_of, kept[indices] - weights)]

    order = within_rows(row_of, -weights)  # the heaviest first in every row
    sorted_rows = (indptr, indices[order], weights[order])
    state = (*sorted_rows, row_mate, column_mate, indptr[:-1].copy(), kept)
    sequential(_propose, state, steps=rows, work=len(indices))
    augment(indptr, indices, row_mate, column_mate, gaining)
    matched = int((row_mate >= 0).sum())
    if matched < rows:
        raise ValueError(
            f"there is no perfect matching: at most {matched} of {rows} rows can be matched"
        )
    changed = np.ones(1, np.int64)
    for turn in range(max_iter):
        mates = (indptr, indices, weights, row_mate, column_mate, changed)
        sequential(_exchange, mates, steps=rows, work=4 * len(indices))
        notify(turn, exchanged=int(changed[0]))
        if changed[0] == 0:
            break
    return row_mate


def _propose(control, indptr, indices, weights, row_mate, column_mate, cursor, kept):
    """Every row asks its heaviest column; who is displaced by a heavier edge asks its next one."""
    for first in range(len(row_mate)):
        r, steps = first, 0
        if first % 256 == 0 and not going(control, first):
            return
        while r >= 0 and cursor[r] < indptr[r + 1]:
            e, steps = cursor[r], steps + 1
            c = indices[e]
            cursor[r] += 1
            if steps % 1024 == 0 and not going(control, first):
                return
            if column_mate[c] < 0 or weights[e] > kept[c]:
                loser = column_mate[c]
                column_mate[c], row_mate[r], kept[c] = r, c, weights[e]
                r = loser
                if r >= 0:
                    row_mate[r] = -1


def _exchange(control, indptr, indices, weights, row_mate, column_mate, changed):
    """Let every row make its best exchange of columns with another row, if it gains by it."""
    changed[0] = 0
    for i in range(len(row_mate)):
        if i % 256 == 0 and not going(control, i):
            return
        c = row_mate[i]
        now = weights[find_edge(indptr, indices, i, c)]
        gain, partner = now - now, -1
        for e in range(indptr[i], indptr[i + 1]):
            j = column_mate[indices[e]]
            back = find_edge(indptr, indices, j, c)
            if j == i or back < 0:
                continue
            d = find_edge(indptr, indices, j, indices[e])
            more = (weights[e] + weights[back]) - (now + weights[d])
            if more > gain:
                gain, partner = more, j
        if partner >= 0:
            d = row_mate[partner]
            row_mate[i], row_mate[partner], column_mate[d], column_mate[c] = d, c, i, partner
            changed[0] += 1
