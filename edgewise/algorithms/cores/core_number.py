"""Core numbers by peeling [1] in rounds.

The k-core is what is left when vertices of less than k neighbors are removed until there are none.
slack[v] is how many neighbors v has left beyond k: a vertex without slack goes, and costs each
neighbor that stays one of its own. When all that are left have slack, k grows by the least of it.
O(m + n * kmax) work, and as many rounds as removals come one after another.

[1] V. Batagelj, M. Zaversnik. An O(m) algorithm for cores decomposition of networks. 2003.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.checks import check_undirected
from edgewise.base.observe import notify
from edgewise.graph.foreign import takes_graph
from edgewise.operators import (
    ADD,
    MIN,
    advance,
    compute,
    filter,
    propagate,
    reduce_all,
    reduce_neighbors,
)

__all__ = ["core_number"]

#: Rounds for each k in which only vertices that go send; the few that follow are left to one call.
_ROUNDS = 8


@takes_graph
def core_number(graph: Any) -> Any:
    """The largest k for every vertex such that it is in the k-core.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops do not count (NetworkX refuses them), weights do not matter.

    Returns
    -------
    array of int64

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> core_number(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], num_vertices=5)).tolist()
    [2, 2, 2, 1, 0]
    """
    check_undirected(graph, "core_number")
    n, xp = graph.num_vertices, graph.xp
    core, slack = graph.full(0, xp.int64), graph.full(0, xp.int64)
    reduce_neighbors(graph, None, _other, xp.arange(n), reduce=ADD, out=slack)
    k, left = 0, filter(graph, None, _stays, slack)
    while not left.empty():
        step = reduce_all(graph, slack, reduce=MIN, frontier=left)
        k += step
        compute(graph, left, _raise, (slack, core, step, k))
        _peel(graph, filter(graph, left, _goes, slack), slack)
        left = filter(graph, left, _stays, slack)
        notify(k, phase="peel")
    return core


def _peel(graph: Any, gone: Any, slack: Any) -> None:
    """Take vertices away, and all that have no slack without them."""
    for _ in range(_ROUNDS):
        fewer = advance(graph, gone, _one_less, slack, reduce=ADD, where=_has_slack)
        gone = filter(graph, fewer, _goes, slack)
        if gone.empty():
            return
    propagate(graph, gone, _one_less, slack, reduce=ADD, where=_has_slack)


def _other(source, own):
    return 1 if source != own else 0


def _raise(v, slack, core, step, k):
    slack[v] -= step
    core[v] = k


def _one_less(value):
    return -1 if value <= 0 else 0


def _has_slack(value):
    return value > 0


def _goes(v, slack):
    return slack[v] <= 0


def _stays(v, slack):
    return slack[v] > 0
