"""Contract of `explore`: breadth-first searches from many sources, beside one another.

A search of its own for each source, each by one worker (a CPU thread, or a block of a GPU), where
`propagate` has all workers share one search. It needs no barrier at every level, so it
is the way for many sources on graphs that are small, or long as road networks are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.base.checks import check_choice, check_count, check_flag, check_one_device
from edgewise.base.threads import get_threads
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices
from edgewise.operators.arguments import check_edges, shown, state_arrays, state_tuple
from edgewise.operators.engines import check_graph, run
from edgewise.operators.functions import check_takes, plain_function
from edgewise.operators.requests import Exploration
from edgewise.operators.sequential import edges_near, in_reach

__all__ = ["beside", "explore", "maybe_beside", "surely_beside"]

_FAR = 2**31 - 1
#: What a search writes stays in a core's second cache up to so many vertices; up to so many it does
#: where edges lead near (betweenness of 8 sources, R-MAT 16 to 20, urand18 and road600).
_CACHED, _LONG = 1 << 17, 1 << 22
#: With fewer arcs than this a search is too short to be shared.
_SHORT = 1 << 15
#: On CPU threads fewer searches than this are faster by themselves, and so are those that go over
#: so many arcs together (multi_source_bfs on R-MAT 12 and 16, roads, citations, coauthors).
_FEW, _LITTLE = 16, 1 << 20
#: From so many vertices, and sources, on it is worth a search to know whether searches share.
_LARGE, _MANY = 1 << 14, 8
#: On a GPU one block takes as long for so many arcs as all blocks for a whole search.
_LAUNCH = 1 << 17


def beside(graph: AnyGraph, count: int) -> bool:
    """Are so many searches faster with `explore` than one after the other, all workers at each?"""
    if not graph.one_device:
        return False
    n, arcs = graph.num_vertices, graph.num_arcs
    if not in_reach(graph):
        return count > 1 and n <= _CACHED and arcs <= count * _LAUNCH
    if arcs >= _SHORT and count < get_threads():
        return False
    return n <= _CACHED or (n <= _LONG and edges_near(graph))


def surely_beside(graph: AnyGraph, count: int) -> bool:
    """Are so many searches faster with `explore`, whatever the distances are?"""
    little = count < _FEW or count * graph.num_arcs <= _LITTLE
    return little and in_reach(graph) and beside(graph, count)


def maybe_beside(graph: AnyGraph, count: int) -> bool:
    """Is it worth a search to know whether so many share their levels, or go by themselves?"""
    if not graph.one_device or count < _MANY:
        return False
    return graph.num_vertices >= _LARGE or beside(graph, count)


def explore(
    graph: AnyGraph,
    sources: Any,
    visit: Callable[..., Any],
    state: Any = (),
    *,
    paths: bool = False,
    each: str = "vertex",
    sums: Any = None,
    mode: str = "out",
    max_depth: int | None = None,
) -> Any:
    """Run a separate breadth-first search from each source and call a function per visited vertex.

    Parameters
    ----------
    graph : Graph
        A graph on one device, not on a grid.
    sources : array of int or str
        The source of each search. A vertex may occur several times.
    visit : callable
        ``visit(v, search, depth, *state)`` is called once for each vertex that a search reaches,
        including its source. ``search`` is the position in ``sources``. With ``paths`` the call is
        ``visit(v, search, depth, paths, share, *state)``. Searches run in parallel, so writes to
        shared elements need `edgewise.atomic`. On a GPU, so do the visits of one search.
    state : array, number or tuple of them
        The arguments passed on to ``visit``.
    paths : bool
        Whether to count shortest paths. ``paths`` is the number of shortest paths to v, times one
        tiny factor that is the same for all vertices. ``share`` is ``1 / paths`` plus the sum of
        ``share`` over the edges to the next level. Then ``paths * share - 1`` is Brandes'
        dependency of v.
    each : {"vertex", "edge"}
        "edge" requires ``paths``. It calls ``visit(u, v, edge, search, paths, share, *state)`` for
        each edge to the next level, with the ``paths`` of u and the ``share`` of v.
    sums : array of float64, optional
        An array over vertices, or over arcs with ``each="edge"``. The return value of ``visit`` is
        added to it. The sums are bitwise reproducible for a fixed device and number of threads.
    mode : {"out", "in", "both"}
        Which edges to follow; only "out" with ``each="edge"``.
    max_depth : int, optional
        The maximum depth of a search.

    Returns
    -------
    array of int64
        The searches that were skipped because they have more than 2**1990 shortest paths. It is
        empty without ``paths``.

    Examples
    --------
    The distance to the farthest vertex from each source, and how often a vertex is in the middle:

    >>> from edgewise import Graph
    >>> from edgewise.operators import explore
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> def farthest(v, search, depth, found):
    ...     ew.atomic.max(found, search, depth)
    >>> import edgewise as ew
    >>> found = np.zeros(2, np.int64)
    >>> explore(graph, [0, 1], farthest, found).tolist()
    []
    >>> found.tolist()
    [3, 2]
    >>> def between(v, search, depth, paths, share):
    ...     return paths * share - 1.0 if depth > 0 else 0.0
    >>> between_all = graph.full(0.0)
    >>> explore(graph, range(4), between, paths=True, sums=between_all).tolist()
    []
    >>> between_all.tolist()
    [0.0, 4.0, 4.0, 0.0]
    """
    check_graph(graph)
    check_one_device(graph, "explore")
    chosen = check_vertices(graph, sources, "sources")
    check_edges(graph, mode)
    check_choice(each, "each", ("vertex", "edge"))
    along = each == "edge"
    if along and not (check_flag(paths, "paths") and mode == "out"):
        raise TypeError('each="edge" requires paths=True and mode="out"')
    arrays = state_tuple(graph, state, "state")
    takes = (6 if along else 5 if check_flag(paths, "paths") else 3) + len(arrays)
    check_takes(plain_function(visit, "visit"), "visit", takes)
    if sums is not None:
        entries = graph.num_arcs if along else graph.num_vertices
        if getattr(sums, "dtype", None) != np.float64 or sums.shape != (entries,):
            raise TypeError(f"sums must be a float64 array of {entries} entries, got {shown(sums)}")
        if not along:
            state_arrays(graph, sums, "sums", writable=True)
    most = _FAR - 1 if max_depth is None else min(check_count(max_depth, "max_depth"), _FAR - 1)
    request = Exploration(chosen, visit, arrays, bool(paths), along, sums, mode, most)
    return run(graph, "explore")(graph, request)
