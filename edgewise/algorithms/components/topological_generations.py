"""Topological generations of an acyclic graph by peeling (Kahn [1]).

left[v] is the number of v's in-neighbors without a generation. In each round all vertices with none
left are removed, which lowers the count of each out-neighbor by one. The round in which v is
removed is the length of the longest path to v. Linear work, in as many rounds as the longest path
has edges.

[1] A. Kahn. Topological sorting of large networks. Communications of the ACM 5(11), 1962.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_directed
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, MIN, compute, filter, look_up, propagate, reduce_neighbors

__all__ = ["peel", "topological_generations"]

#: As many vertices of a cycle are named.
_NAMED = 8


@takes_graph
def topological_generations(graph: GraphLike) -> Any:
    """Return the topological generation of each vertex: the length of the longest path to it.

    Every edge leads to a higher generation. Vertices in ascending order of their generation are
    therefore in topological order.

    Parameters
    ----------
    graph : Graph
        Directed, without cycles.

    Returns
    -------
    array of int32 over vertices
        0 for vertices without in-edges.

    Raises
    ------
    ValueError
        If there is a cycle; the message lists its vertices.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 3], [1, 2, 2, 2], directed=True)
    >>> topological_generations(graph).tolist()
    [0, 1, 2, 0]
    >>> topological_generations(Graph.from_edges([0, 1, 2], [1, 2, 1], directed=True))
    Traceback (most recent call last):
    ValueError: graph must have no cycle, got 1 -> 2 -> 1
    """
    check_directed(graph, "topological_generations")
    level, rest = peel(graph)
    if not rest.empty():
        raise ValueError(f"graph must have no cycle, got {_cycle(graph, rest)}")
    return level


def peel(graph: AnyGraph) -> tuple[Any, Any]:
    """Return the generations, and the vertices that have none: on cycles, or behind them."""
    level = graph.full(0, graph.xp.int32)
    left = graph.in_degrees().astype(np.int64)
    start = filter(graph, None, _is_free, left)
    propagate(graph, start, _one_less, left, reduce=ADD, wake=_at_zero, depths=level)
    return level, filter(graph, None, _waits, left)


def _cycle(graph: AnyGraph, rest: Any) -> str:
    """A cycle among the vertices that are left, each of which has an in-neighbor among them."""
    n = graph.num_vertices
    ids = graph.vertex_ids(graph.id_dtype)
    waiting, before = graph.full(n, ids.dtype), graph.vertex_ids(ids.dtype)
    compute(graph, rest, _keep, (waiting, ids))
    reduce_neighbors(graph, rest, _pass_on, waiting, reduce=MIN, out=before)
    far = before
    for _ in range(n.bit_length()):  # so far back that it is on a cycle
        far = look_up(graph, far, far)
    last = at = int(far[int(rest.ids[0])])
    named = [at]
    while len(named) <= _NAMED:
        at = int(before[at])
        named.append(at)
        if at == last:
            break
    words = [str(graph.label(v)) for v in reversed(named)]
    return " -> ".join(words if at == last else ["...", *words, "..."])


def _is_free(v, left):
    return left[v] == 0


def _waits(v, left):
    return left[v] > 0


def _one_less():
    return -1


def _at_zero(value):
    return value == 0


def _keep(v, waiting, ids):
    waiting[v] = ids[v]


def _pass_on(value):
    return value
