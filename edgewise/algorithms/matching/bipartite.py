"""Maximum weight matching of a bipartite graph, exactly, by shortest augmenting paths [1].

Rows and columns have prices, u and v, that pay for every edge: u[r] + v[c] >= w(r, c), exactly
where r and c are matched. Columns have prices of zero or more, zero while they are free, and so
have rows, unless all of them must be matched. Then the prices prove that no matching is heavier.

Rows come in one after the other. A search after Dijkstra, over what prices overpay, finds the
cheapest way to a free column, or to a row that might as well be free; along it mates are exchanged,
and the prices of what the search has passed change until the way costs nothing. O(m log n) work for
each row at most, on one CPU thread; most rows find a free column at once.

[1] R. Jonker, A. Volgenant. A shortest augmenting path algorithm for dense and sparse linear
    assignment problems. Computing 38, 1987.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.biadjacency import Biadjacency, as_matching, biadjacency
from edgewise.algorithms.matching.heap import rise, sink
from edgewise.algorithms.matching.result import Matching
from edgewise.graph.foreign import takes_graph_or_matrix
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential, stopped

__all__ = ["enter", "maximum_weight_bipartite"]

_LARGEST = 2.0**1000  # weights up to this can be added up


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
    rows, columns, full = len(matrix.left), len(matrix.right), bool(full)
    if full and rows > columns:
        mate_of_column = _assigned(_turned(matrix), full)
        mate = np.full(rows, -1, np.int64)
        mate[mate_of_column] = np.arange(columns)
    else:
        mate = _assigned(matrix, full)
    return as_matching(matrix, mate, graph.indices.dtype)


def _turned(matrix: Biadjacency) -> Biadjacency:
    """The matrix with rows and columns exchanged."""
    order = np.argsort(matrix.indices, kind="stable")
    rows = np.repeat(np.arange(len(matrix.left)), np.diff(matrix.indptr))
    indptr = np.zeros(len(matrix.right) + 1, np.int64)
    np.cumsum(np.bincount(matrix.indices, minlength=len(matrix.right)), out=indptr[1:])
    weights = None if matrix.weights is None else matrix.weights[order]
    return Biadjacency(matrix.right, matrix.left, indptr, rows[order], weights)


def _assigned(matrix: Biadjacency, full: bool) -> Any:
    """The column of every row; -1 for rows that stay free, which none may if ``full``."""
    rows, columns = len(matrix.left), len(matrix.right)
    worth = np.ones(len(matrix.indices)) if matrix.weights is None else matrix.weights
    worth = worth.astype(np.float64)
    if np.abs(worth).max(initial=0.0) > _LARGEST:
        worth *= 2.0**-64
    mate, mate_of_column = np.full(rows, -1, np.int64), np.full(columns, -1, np.int64)
    paid = (np.zeros(rows), np.zeros(columns))
    places = (np.full(columns, np.inf), *(np.full(columns, -1, np.int64) for _ in range(4)))
    stuck = np.full(1, -1, np.int64)
    state = (
        matrix.indptr,
        matrix.indices,
        worth,
        full,
        mate,
        mate_of_column,
        *paid,
        *places,
        stuck,
    )
    sequential(_assign, state, steps=rows, work=rows * len(matrix.indices))
    if stuck[0] >= 0:
        raise ValueError("the graph has no full matching")
    return mate


def _assign(
    control, indptr, indices, worth, full, mate, mate_of_column, u, v, distance, via, heap, place,
    passed, stuck,
):  # fmt: skip
    """Let the rows in, one after the other; the first that must stay out goes to ``stuck``."""
    for i in range(len(mate)):
        if i % 64 == 0 and not going(control, i):
            return
        gain = enter(control, i, indptr, indices, worth, full, mate, mate_of_column, u, v,
                     distance, via, heap, place, passed)  # fmt: skip
        if not np.isfinite(gain):
            stuck[0] = i if gain < 0.0 else -1
            return
    going(control, len(mate))


@inner
def enter(
    control, i, indptr, indices, worth, full, mate, mate_of_column, u, v, distance, via, heap,
    place, passed,
):  # fmt: skip
    """Let row i in: by how much the greatest weight grows; -inf if it is in no matching that has
    all rows before it, and must be (``full``), nan if stopped.

    ``heap[:size]`` are the columns that the search has seen, by their distances, ``place`` says
    where they are in it (-1: not seen, -2: passed), and ``via`` from which row they were seen.
    Arrays may be longer than there are rows or columns.
    """
    u[i] = -np.inf if full else 0.0
    for e in range(indptr[i], indptr[i + 1]):
        u[i] = max(u[i], worth[e] - v[indices[e]])
    size, count, row, here = 0, 0, np.int64(i), 0.0
    cost, column, leaves = np.inf, np.int64(-1), np.int64(-1)  # of the way, and where it ends
    while True:
        if not full and here + u[row] < cost:
            cost, column, leaves = here + u[row], np.int64(-1), row
        for e in range(indptr[row], indptr[row + 1]):
            c = np.int64(indices[e])
            there = here + max(u[row] + v[c] - worth[e], 0.0)
            if place[c] == -2 or not there < min(distance[c], cost) or not (
                full or worth[e] > 0.0
            ):  # fmt: skip
                continue
            via[c] = row
            if mate_of_column[c] < 0:
                cost, column, leaves = there, c, np.int64(-1)
                continue
            if place[c] < 0:
                place[c], heap[size] = size, c
                size += 1
            distance[c] = there
            rise(place[c], heap, place, distance)
        if size == 0 or distance[heap[0]] >= cost:
            break
        c, size = heap[0], size - 1
        heap[0] = heap[size]
        place[heap[0]] = 0
        sink(size, heap, place, distance)
        place[c], passed[count] = -2, c
        row, here, count = mate_of_column[c], distance[c], count + 1
        if count % 64 == 0 and stopped(control):
            return np.nan
    if cost == np.inf:
        return -np.inf
    gain = u[i] - cost
    u[i] = gain
    for k in range(count):
        c = passed[k]
        v[c] += cost - distance[c]
        u[mate_of_column[c]] -= cost - distance[c]
        distance[c], place[c] = np.inf, -1
    for k in range(size):
        distance[heap[k]], place[heap[k]] = np.inf, -1
    if leaves >= 0:
        column, mate[leaves] = mate[leaves], -1
    while column >= 0:  # every row on the way takes the column that it came to next
        row = via[column]
        mate_of_column[column] = row
        column, mate[row] = mate[row], column
    return gain
