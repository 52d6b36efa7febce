"""Greedy coloring: every vertex takes the smallest color that no earlier neighbor has.

One CPU thread visits the vertices in their order. The orders of `bucket_order` come with lists of
earlier neighbors, so that only these are read. On other engines a vertex is colored as soon as all
its earlier neighbors are, many at a time [1]: the colors are the same. O(n + m) work.

[1] M. Jones, P. Plassmann. A parallel graph coloring heuristic. SIAM J. Sci. Comput. 1993.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.coloring import priorities
from edgewise.algorithms.coloring.colored import as_coloring
from edgewise.algorithms.coloring.dependency_rounds import color_in_rounds
from edgewise.algorithms.coloring.orders import positions_for
from edgewise.algorithms.ordering.bucket_order import BUCKET_ORDERS, remove_all
from edgewise.base.bits import lowest_bit
from edgewise.base.checks import check_undirected
from edgewise.base.random import check_seed
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, prefetch, sequential, sequential_or

__all__ = ["color_listed", "first_fit", "greedy"]

#: How many vertices ahead the starts of rows, rows, and colors are asked for; of how many arcs.
_FAR, _NEAR, _SOON, _FEW = 24, 12, 6, 16


@takes_graph
def greedy(
    graph: LocalGraphLike, *, order: str | np.ndarray = "smallest_last", seed: int = 0
) -> Any:
    """Return a coloring in which no two neighbors share a color, found greedily in an order.

    Each vertex in turn gets the smallest color that none of its neighbors has yet.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops are ignored.
    order : str or array of int over vertices
        The order in which vertices are colored:

        - ``"smallest_last"``: as `edgewise.ordering.smallest_last`. It uses at most one color more
          than the largest core number, and usually the fewest colors of all orders.
        - ``"incidence_degree"``: the next vertex is one with the most colored neighbors.
        - ``"dynamic_largest_first"``: the next vertex is one with the most uncolored neighbors.
        - ``"largest_first"``: by descending degree.
        - ``"natural"``: by id.
        - ``"random"``: by a hash of ``seed`` and the id.

        An array has the position of each vertex, as the functions of `edgewise.ordering` return it.
    seed : int
        The seed of the random order.

    Returns
    -------
    Coloring
        The color of each vertex, numbered from 0. It is the same on every engine and for any number
        of threads. On a GPU, it is an array of that engine.

    Raises
    ------
    ValueError
        If the graph is directed, or ``order`` is unknown or not a permutation.

    See Also
    --------
    jones_plassmann : Greedy coloring in orders that suit many threads, GPUs and grids.
    speculative : Colors many vertices at once and repairs conflicts.
    improve : Reduces the number of colors.

    Notes
    -----
    O(n + m) time, on one CPU thread. For smallest last, incidence degree and dynamic largest first,
    a graph on a GPU is copied to host memory and colored there. For all other orders, a GPU or a
    grid colors it in rounds, as `jones_plassmann` does.

    References
    ----------
    A. Gebremedhin, D. Nguyen, M. Patwary, A. Pothen. ColPack: software for graph coloring and
    related problems in scientific computing. ACM TOMS 2013.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> wheel = Graph.from_edges([0, 0, 0, 0, 1, 2, 3, 4], [1, 2, 3, 4, 2, 3, 4, 1])
    >>> greedy(wheel)
    Coloring(3 colors of 5 vertices, lower bound 3)
    [0 2 1 2 1]
    """
    check_undirected(graph, "greedy")
    check_seed(seed)
    if isinstance(order, str) and order in BUCKET_ORDERS:
        found = graph.xp.asarray(_pass(graph, *remove_all(graph, order), listed=True))
    elif isinstance(order, str) and order == "natural":
        found = sequential_or(graph, _by_id, color_in_rounds, positions_for(graph, order))
    else:
        found = sequential_or(graph, _in_order, color_in_rounds, positions_for(graph, order, seed))
    return as_coloring(found, graph)


def first_fit(graph: AnyGraph, positions: Any) -> Any:
    """Return the colors of a greedy pass in an order, given as positions, as int64."""
    return sequential_or(graph, _in_order, color_in_rounds, positions, team=priorities.FEW_THREADS)


def color_listed(graph: Graph, order: Any) -> Any:
    """Return the colors of a greedy pass over a list of all vertices, on one CPU thread.

    >>> from edgewise.generators import path
    >>> color_listed(path(4), np.array([0, 3, 1, 2], np.int32)).tolist()
    [0, 1, 2, 0]
    """
    return _pass(graph, order, graph.indptr, graph.indices)


def _in_order(graph: Graph, positions: Any) -> Any:
    order = np.empty(len(positions), graph.id_dtype)
    order[positions] = np.arange(len(order), dtype=order.dtype)
    return color_listed(graph, order)


def _by_id(graph: Graph, positions: Any) -> Any:
    return _pass(graph, positions, graph.indptr, graph.indices, natural=True)


def _pass(
    graph: AnyGraph,
    order: Any,
    ends: Any,
    others: Any,
    *,
    listed: bool = False,
    natural: bool = False,
) -> Any:
    """One vertex after the other, on one CPU thread; all arrays are in host memory."""
    n, color = len(order), np.zeros(len(order), np.int32)
    mark = np.full(graph.max_degree + 66, -1, order.dtype)
    state = (order, ends, others, color, mark, listed, natural)
    sequential(_color, state, steps=n, work=n + graph.num_arcs, phase="greedy")
    return color.astype(np.int64) - 1


@inner
def _fetch(order, ends, others, color, listed, i, n):
    """Ask for what vertices read that come soon: where rows start, rows, colors of neighbors."""
    if not listed:
        if i + _FAR < n:
            prefetch(ends, order[i + _FAR])
        if i + _NEAR < n:
            prefetch(others, ends[order[i + _NEAR]])
    if i + _SOON < n:
        row = np.uint64(i + _SOON) if listed else np.uint64(order[i + _SOON])
        low, high = np.uint64(ends[row]), np.uint64(ends[row + np.uint64(1)])
        for e in range(low, min(high, low + np.uint64(_FEW))):
            prefetch(color, others[e])


def _color(control, order, ends, others, color, mark, listed, natural):
    """Colors count from 1 on here; 0 is none.

    The bits of a word mark colors of neighbors below 64, and mark[c] == v the others. Row i is that
    of the i-th vertex of the order (``listed``), or of vertex i. In the natural order only smaller
    neighbors have a color.
    """
    one, n = np.uint64(1), len(order)
    for i in range(n):
        if not natural:
            _fetch(order, ends, others, color, listed, i, n)
        v = np.uint64(order[i])
        row = np.uint64(i) if listed else v
        bound, few = v if natural else np.uint64(len(order)), one
        for e in range(np.uint64(ends[row]), np.uint64(ends[row + one])):
            u = np.uint64(others[e])
            if u >= bound:
                break
            c = np.uint64(color[u])
            if c < np.uint64(64):
                few |= one << c
            else:
                mark[c] = v
        c = np.int64(64)
        if few != ~np.uint64(0):
            c = lowest_bit(~few)
        else:
            while mark[c] == v:
                c += 1
        color[v] = c
        if i % 4096 == 0 and not going(control, i):
            return
