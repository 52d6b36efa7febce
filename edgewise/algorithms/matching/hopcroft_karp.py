"""Maximum cardinality matching of a bipartite graph (Hopcroft and Karp [1]).

Every row takes its first free column. Searches with tree grafting from all free rows then augment
the matching, see `edgewise.algorithms.matching.grafting`. If they take more than O(sqrt n) rounds,
`augment` does the rest in phases. In each phase, a breadth-first search from all free rows finds
the length of a shortest augmenting path. Depth-first searches along its levels then apply a maximal
set of disjoint paths of that length. There are O(sqrt n) rounds and phases with O(m) work each, on
one CPU thread.

[1] J. Hopcroft, R. Karp. An n^(5/2) algorithm for maximum matchings in bipartite graphs. SIAM J.
    Computing 2(4), 1973.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from edgewise.algorithms.matching.biadjacency import (
    Biadjacency,
    as_matching,
    biadjacency,
    bipartite_rows,
    check_sides,
    rows_of_both,
)
from edgewise.algorithms.matching.grafting import first_free, grafted
from edgewise.algorithms.matching.result import Matching
from edgewise.base.observe import notify
from edgewise.graph.foreign import LocalGraphLike, takes_graph_or_matrix
from edgewise.operators.sequential import going, sequential

__all__ = ["augment", "hopcroft_karp"]


@takes_graph_or_matrix
def hopcroft_karp(graph: LocalGraphLike, *, sides: Any = None) -> Matching:
    """Return a maximum cardinality bipartite matching.

    Parameters
    ----------
    graph : Graph, or rectangular CSR
        A graph in host memory must be undirected; weights are ignored. Row i of a CSR is vertex i,
        and its column j is vertex rows + j.
    sides : array of bool over vertices, optional
        A boolean mask of the left side. By default the two sides are found.

    Returns
    -------
    Matching
        Its weight is its cardinality.

    Raises
    ------
    ValueError
        If the graph is directed, on a device, or not bipartite. The message names an edge of an odd
        cycle.

    See Also
    --------
    maximum_weight_bipartite : Maximizes the weight instead.

    Notes
    -----
    O(m sqrt(n)) time on one CPU thread.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1], [2, 3, 2])
    >>> hopcroft_karp(graph).mate.tolist()
    [3, 2, 1, 0]
    """
    indptr, indices, left = bipartite_rows(graph, sides, "hopcroft_karp")
    mate = first_free(indptr, indices, left)
    if mate is None:
        check_sides(graph, left)
    whole = partial(rows_of_both, graph, indptr, indices)
    if not grafted(indptr, indices, left, mate, whole):
        return _finished(biadjacency(graph, sides, None, "hopcroft_karp"), mate)
    cardinality = int((mate >= 0).sum()) // 2
    return Matching(mate, float(cardinality), cardinality)


def _finished(matrix: Biadjacency, mate: Any) -> Matching:
    """A largest matching, from one that rounds did not finish."""
    number = np.empty(len(mate), np.int64)
    number[matrix.right] = np.arange(len(matrix.right))
    wanted = mate[matrix.left]
    row_mate = np.where(wanted >= 0, number[wanted], -1)
    column_mate, rows = np.full(len(matrix.right), -1, np.int64), np.flatnonzero(row_mate >= 0)
    column_mate[row_mate[rows]] = rows
    augment(matrix.indptr, matrix.indices, row_mate, column_mate)
    return as_matching(matrix, row_mate, mate.dtype)


def augment(
    indptr: Any, indices: Any, row_mate: Any, column_mate: Any, preferred: Any = None
) -> None:
    """Make a matching a largest one.

    Rows try their columns in the order of ``indices``; or, if ``preferred`` is given, in that of
    what it returns before every phase.
    """
    rows, phase = len(row_mate), 0
    level, queue, stack, cursor = (np.empty(rows, np.int64) for _ in range(4))
    found = np.ones(1, np.int64)
    work = (row_mate, column_mate, level, queue, stack, cursor, found)
    while found[0]:
        columns = indices if preferred is None else preferred()
        sequential(_phase, (indptr, columns, *work), steps=2 * rows, work=len(indices))
        notify(phase, augmented=int(found[0]))
        phase += 1


def _phase(control, indptr, indices, row_mate, column_mate, level, queue, stack, cursor, found):
    """Augment along shortest paths that have no row in common; how many is left in ``found``."""
    rows, head, tail, found[0] = len(row_mate), 0, 0, 0
    for r in range(rows):
        level[r], cursor[r] = -1, indptr[r]
        if row_mate[r] < 0:
            level[r], queue[tail] = 0, r
            tail += 1
    free, last = tail, rows  # `last` is the level from which a free column has been seen
    while head < tail and level[queue[head]] <= last:
        if head % 256 == 0 and not going(control, head):
            return
        r = queue[head]
        head += 1
        for e in range(indptr[r], indptr[r + 1]):
            after = column_mate[indices[e]]
            if after < 0:
                last = level[r]
                break
            if level[after] < 0 and last == rows:
                level[after], queue[tail] = level[r] + 1, after
                tail += 1
    if last == rows:
        return
    steps = 0
    for i in range(free):
        stack[0], depth = queue[i], 0
        while depth >= 0:
            if steps % 4096 == 0 and not going(control, rows + i):
                return
            r, steps = stack[depth], steps + 1
            if cursor[r] == indptr[r + 1]:
                depth -= 1
                continue
            c = indices[cursor[r]]
            cursor[r] += 1
            after = column_mate[c]
            if after < 0:
                for at in range(depth, -1, -1):  # every row of the path takes the next column
                    r = stack[at]
                    row_mate[r], column_mate[c], c = c, r, row_mate[r]
                    level[r] = -1  # on no other path of this phase
                found[0] += 1
                break
            if level[r] < last and level[after] == level[r] + 1:
                depth += 1
                stack[depth] = after
