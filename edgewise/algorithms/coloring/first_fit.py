"""Greedy coloring: every vertex takes the smallest color that no earlier neighbor has.

One CPU thread visits the vertices in their order. The orders of `bucket_order` come with lists of
earlier neighbors, so that only these are read. On other engines a vertex is colored as soon as all
its earlier neighbors are, many at a time [1]: the colors are the same. O(n + m) work.

[1] M. Jones, P. Plassmann. A parallel graph coloring heuristic. SIAM J. Sci. Comput. 1993.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.coloring.orders import positions_for
from edgewise.algorithms.coloring.result import as_coloring
from edgewise.algorithms.ordering.bucket_order import BUCKET_ORDERS, remove_all
from edgewise.base.checks import check_undirected
from edgewise.base.random import check_seed
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, advance, filter, reduce_neighbors
from edgewise.operators.sequential import going, sequential, sequential_or

__all__ = ["color_listed", "first_fit", "greedy"]

#: Up to so many threads, one alone is faster than all of them in rounds.
_FEW_THREADS = 8


@takes_graph
def greedy(graph: LocalGraphLike, *, order: Any = "smallest_last", seed: int = 0) -> Any:
    """Return a coloring in which no two neighbors share a color, found greedily in an order.

    Each vertex in turn gets the smallest color that none of its neighbors has yet.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops are ignored.
    order : str or array of int over vertices
        The order in which vertices are colored:

        - ``"smallest_last"``: as `edgewise.ordering.smallest_last`. It needs at most one color more
          than the largest core number, and mostly the fewest colors.
        - ``"incidence_degree"``: next comes a vertex with the most colored neighbors.
        - ``"dynamic_largest_first"``: next comes a vertex with the most uncolored neighbors.
        - ``"largest_first"``: by falling degree.
        - ``"natural"``: by id.
        - ``"random"``: by a hash of ``seed``.

        An array holds the position of each vertex, as functions of `edgewise.ordering` return it.
    seed : int
        The seed of the random order.

    Returns
    -------
    Coloring
        The color of each vertex, from 0 on: the same on every engine and for any number of
        threads. On a GPU it is that engine's own array.

    Raises
    ------
    ValueError
        If the graph is directed, or ``order`` is unknown or no permutation.

    See Also
    --------
    jones_plassmann : Greedy coloring in orders that suit many threads, GPUs and grids.
    speculative : Colors all vertices at once and repairs conflicts.
    improve : Reduces the number of colors.

    Notes
    -----
    O(n + m) time. On CPU threads it runs on one thread. The orders smallest last, incidence degree
    and dynamic largest first are always found on one CPU thread: a graph on a GPU is copied for
    them. On a grid, the other orders and arrays are allowed.

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
    return as_coloring(sequential_or(graph, _alone, _anywhere, order, seed), graph)


def first_fit(graph: AnyGraph, positions: Any) -> Any:
    """Return the colors of a greedy pass in an order, given as positions, as int64."""
    return sequential_or(graph, _in_order, _in_rounds, positions, team=_FEW_THREADS)


def _alone(graph: Graph, order: Any, seed: int) -> Any:
    """By names, on one CPU thread: the rows that are read depend on the order."""
    if isinstance(order, str) and order in BUCKET_ORDERS:
        return _pass(graph, *remove_all(graph, order), listed=True)
    if isinstance(order, str) and order == "natural":
        return color_listed(graph, graph.vertex_ids(graph.indices.dtype), natural=True)
    return _in_order(graph, positions_for(graph, order, seed))


def _anywhere(graph: AnyGraph, order: Any, seed: int) -> Any:
    return _in_rounds(graph, positions_for(graph, order, seed))


def _in_order(graph: Graph, positions: Any) -> Any:
    """One vertex after the other, on one CPU thread."""
    order = np.empty(len(positions), graph.indices.dtype)
    order[positions] = np.arange(len(order), dtype=order.dtype)
    return color_listed(graph, order)


def color_listed(graph: Graph, order: Any, *, natural: bool = False) -> Any:
    """Return the colors of a greedy pass over a list of all vertices, on one CPU thread.

    >>> from edgewise.generators import path
    >>> color_listed(path(4), np.array([0, 3, 1, 2], np.int32)).tolist()
    [0, 1, 2, 0]
    """
    return _pass(graph, order, graph.indptr, graph.indices, natural=natural)


def _pass(
    graph: Graph, order: Any, ends: Any, others: Any, *, listed: bool = False, natural: bool = False
) -> Any:
    n, color = graph.num_vertices, graph.full(0, np.int32)
    mark = np.full(int(graph.row_lengths().max(initial=0)) + 2, -1, order.dtype)
    state = (order, ends, others, color, mark, listed, natural)
    sequential(_color, state, steps=n, work=n + graph.num_arcs, phase="greedy")
    return color.astype(np.int64) - 1


def _color(control, order, ends, others, color, mark, listed, natural):
    """Colors count from 1 on here; 0 is none. mark[c] is the last vertex with a neighbor of c.

    Row i is that of the i-th vertex of the order (``listed``), or of vertex i. In the natural order
    only smaller neighbors have a color.
    """
    for i in range(len(order)):
        v = np.uint64(order[i])
        row = np.uint64(i) if listed else v
        bound = v if natural else np.uint64(len(order))
        for e in range(ends[row], ends[row + np.uint64(1)]):
            u = np.uint64(others[e])
            if u < bound:
                mark[color[u]] = v
        c = 1
        while mark[c] == v:
            c += 1
        color[v] = c
        if i % 4096 == 0 and not going(control, i):
            return


def _in_rounds(graph: AnyGraph, positions: Any) -> Any:
    """All vertices at once that wait for no earlier neighbor, until none is left.

    waits[v] is the number of earlier neighbors without a color. Messages that reach v later come
    from later neighbors, and are not counted.
    """
    color, waits = graph.full(-1, np.int64), graph.full(0, np.int64)
    reduce_neighbors(graph, None, _comes_first, positions, reduce=ADD, out=waits)
    ready = filter(graph, None, _waits_for_none, waits)
    choice = {"key": color, "choose": "absent", "out": (color, None)}
    while not ready.empty():
        reduce_neighbors(graph, ready, None, color, **choice)
        reached = advance(graph, ready, _one_less, waits, reduce=ADD, where=_is_waiting)
        ready = filter(graph, reached, _waits_for_none, waits)
    return color


def _comes_first(value, own):
    return np.int64(value < own)


def _one_less():
    return -1


def _is_waiting(value):
    return value > 0


def _waits_for_none(v, waits):
    return waits[v] == 0
