"""The contract of `mark_duplicates`: which neighbors of a row have a key that a better one has.

Two vertices at distance two meet in the row of a vertex between them. Whether any of them have the
same key is found by a look at every row, in time linear in the edges, where a look from each vertex
at all vertices two steps away takes the sum of squared degrees [1].

[1] M. Tas, K. Kaya, E. Saule. Greed is good: parallel algorithms for bipartite-graph partial
    coloring on multicore architectures. ICPP 2017.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_flag
from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.arguments import check_edges, share_memory, shown, state_arrays
from edgewise.operators.choices import checked_ids
from edgewise.operators.engines import check_graph, run
from edgewise.operators.frontier import Frontier, check_members
from edgewise.operators.requests import Duplicates

__all__ = ["mark_duplicates"]


@on_every_rank
def mark_duplicates(
    graph: AnyGraph,
    frontier: Frontier | None,
    key: Any,
    *,
    rank: Any = None,
    closed: bool = False,
    mode: str = "out",
    out: Any = None,
) -> Any:
    """Return a mask of the vertices whose key a better-ranked vertex has in the same row.

    In the row of each member u, the neighbors are grouped by key. In each group, all vertices but
    the one with the smallest rank are marked. A mark in one row is enough. A negative key means no
    key: vertices with a negative key are neither marked nor compared.

    Parameters
    ----------
    graph : Graph
    frontier : Frontier or None
        The members, whose rows are searched; None means all vertices.
    key : array of int
        The key of each vertex, such as a color.
    rank : array, optional
        The rank of each vertex; the smallest is best. Ties go to the smaller id, and NaN comes
        last. By default the id is the rank.
    closed : bool
        If True, the member u itself belongs to its row, as in a closed neighborhood.
    mode : {"out", "in", "both"}
        The direction of the edges of a row.
    out : array of bool, optional
        The array for the result. Marked vertices become True; all others keep their value.

    Returns
    -------
    array of bool over vertices
        ``out``, or a new array.

    Notes
    -----
    Linear in the edges of the members. The result is the same on every engine and for any number
    of threads. Parallel edges count once. Without ``closed``, a valid partial distance-2 coloring
    of the columns of a matrix has no marks. With ``closed``, a valid distance-2 coloring of a graph
    has none.

    Examples
    --------
    In a distance-2 coloring, the ends of a path of three vertices must have different colors. The
    end with the better rank is not marked:

    >>> from edgewise import Graph
    >>> from edgewise.operators import mark_duplicates
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> colors = np.array([5, 1, 5])
    >>> mark_duplicates(graph, None, colors).tolist()
    [False, False, True]
    >>> mark_duplicates(graph, None, colors, rank=np.array([0.5, 0.2, 0.1])).tolist()
    [True, False, False]
    """
    check_graph(graph)
    check_edges(graph, mode)
    closed = check_flag(closed, "closed")
    if graph.engine == "local":
        check_members(graph, frontier)
    key = checked_ids(graph, key, "key")
    if rank is not None and isinstance(state_arrays(graph, rank, "rank"), tuple):
        raise TypeError("rank must be one array, got a tuple")
    if out is not None:
        _check_out(graph, out, key, rank)
    return run(graph, "mark_duplicates")(graph, Duplicates(frontier, key, rank, closed, mode, out))


def _check_out(graph: AnyGraph, out: Any, *read: Any) -> None:
    """Is it a mask over vertices that nothing else reads?"""
    state_arrays(graph, out, "out", writable=True)
    if isinstance(out, tuple) or out.dtype != np.bool_:
        raise TypeError(f"out must be an array of bool, got {shown(out)}")
    if any(one is not None and share_memory(graph, out, one) for one in read):
        raise ValueError("out must not be an array that the call reads")
