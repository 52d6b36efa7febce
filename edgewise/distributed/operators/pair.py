"""`pair` on a grid: pointers by a reduction over ranks of edges, mates where two pointers meet.

Every free vertex points at its best free neighbor: ranks reduce (weight, tie, id) of the best arc
in their blocks along the row group. The rank that holds the arc between two vertices which point at
each other makes them mates, and tells the others. Only vertices that point at one who has found
another mate look again.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.observe import notify
from edgewise.base.random import mix
from edgewise.distributed.arrays import VertexArray, local_state
from edgewise.distributed.frontier import block_frontier, local_members
from edgewise.distributed.operators.filter import counted
from edgewise.operators import (
    ANY,
    MAX,
    Monoid,
    compute,
    filter,
    pair as local_pair,
    pairing,
    reduce_neighbors,
)

__all__ = ["pair"]

# `tie` over a compiled `mix`: engines translate compiled functions, and only those.
_scope = {**pairing.tie.__globals__, "mix": inner(mix)}
_tie = inner(FunctionType(pairing.tie.__code__, _scope, "tie"))
_NOBODY = np.int64(2**62)


def _better(old, new):
    if new[0] != old[0]:
        return new if new[0] > old[0] else old
    if new[1] != old[1]:
        return new if new[1] > old[1] else old
    return new if new[2] < old[2] else old


#: Values are (weight, tie, neighbor): the highest ranking edge wins.
_BEST = Monoid((0, 0, int(_NOBODY)), _better, idempotent=True)


def pair(graph, mates, weights) -> None:
    """See `edgewise.operators.pair`."""
    if graph.directed:
        raise ValueError("pair needs an undirected graph")
    state = local_state(graph, mates, "mates")
    if state.dtype != graph.layout.dtype:
        raise TypeError(f"mates must have dtype {graph.layout.dtype}, got {state.dtype}")
    if graph.alone:
        from edgewise.distributed.operators.messages import chosen_weights

        local_pair(graph.whole, state, weights=chosen_weights(graph, weights))
        return
    xp, ids = graph.block.xp, VertexArray(graph, graph.ids)
    pointer = xp.full(graph.numbering.size, -1, state.dtype)
    taken = xp.zeros(graph.numbering.size, bool)
    looking: Any = counted(graph, xp.flatnonzero(state < 0))
    types = (_weight_type(graph, weights), np.uint64, np.int64)
    turn = 0
    while not looking.empty():
        best = reduce_neighbors(graph, looking, _offer, (mates, ids), reduce=_BEST, own=ids,
                                edges="out", weights=weights, dtype=types)  # fmt: skip
        members = local_members(graph, looking)
        compute(graph.block, members, _point, (pointer, best[0].local, best[2].local))
        # Two that point at each other, seen by the rank that has the arc between them.
        hopeful: Any = counted(graph, xp.flatnonzero((state < 0) & (pointer >= 0)))
        towards = VertexArray(graph, pointer)
        found = reduce_neighbors(graph, hopeful, _meets, (towards, ids), reduce=MAX,
                                 own=(towards, ids), edges="out", weights="unit",
                                 dtype=state.dtype)  # fmt: skip
        compute(graph.block, None, _marry, (state, found.local))
        # Whoever still points at somebody taken looks again.
        waiting = filter(graph.block, None, _waits, (state, pointer))
        some: Any = counted(graph, waiting.ids)
        taken[:] = state >= 0
        lost = reduce_neighbors(graph, some, _is_taken, (VertexArray(graph, taken), ids),
                                reduce=ANY, own=towards, edges="out", weights="unit",
                                dtype=np.int32)  # fmt: skip
        again = filter(graph.block, block_frontier(graph, waiting.ids), _left, lost.local)
        committed = int((VertexArray(graph, found.local) >= 0).sum()) // 2
        notify(turn, committed=committed, free=len(some))
        looking, turn = counted(graph, again.ids), turn + 1


def _weight_type(graph: Any, weights: Any) -> Any:
    if isinstance(weights, str) or (weights is None and graph.weights is None):
        return np.int64
    return (graph.weights if weights is None else weights).dtype


def _offer(value, weight, own):
    """The edge to a free neighbor; of no weight if it may not be chosen."""
    if value[0] >= 0 or not weight > 0 or value[1] == own:
        return weight * 0, np.uint64(0), _NOBODY
    return weight, _tie(np.uint64(value[1]), np.uint64(own)), np.int64(value[1])


def _point(v, pointer, weight, neighbor):
    pointer[v] = neighbor[v] if weight[v] > 0 else -1


def _meets(value, own):
    """The neighbor, if it points here and is pointed at."""
    return value[1] if value[0] == own[1] and own[0] == value[1] else -1


def _marry(v, mates, found):
    if found[v] >= 0:
        mates[v] = found[v]


def _waits(v, mates, pointer):
    return mates[v] < 0 and pointer[v] >= 0


def _is_taken(value, own):
    return 1 if value[0] and value[1] == own else -1


def _left(v, lost):
    return lost[v] > 0
