"""`sweep` on a grid: totals are reduced along one side, finished there, and handed on."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.distributed.arrays import local_state
from edgewise.distributed.elements import putter, some
from edgewise.distributed.exchange import spread
from edgewise.distributed.frontier import block_frontier
from edgewise.distributed.operators.compute import local_tuple
from edgewise.distributed.operators.messages import chosen_weights
from edgewise.distributed.operators.reduce_neighbors import (
    gathering_view,
    neighbor_totals,
    side_total,
)
from edgewise.operators import compute, sweep as local_sweep
from edgewise.operators.functions import compiled
from edgewise.operators.requests import Sweep

__all__ = ["sweep"]


def sweep(graph, request: Sweep) -> Any:
    """See `edgewise.operators.sweep`."""
    if "own" in request.message.names or request.message.params or request.finish.params:
        raise NotImplementedError("own and params on a grid")
    message, finish = request.message.given, request.finish.given
    values, state, reduce, out = request.values, request.state, request.reduce, request.out
    edges, weights, sums = request.edges, request.weights, request.sums
    seen, made = local_state(graph, values, "values"), local_state(graph, out, "out")
    given = local_tuple(graph, state)
    if graph.alone:
        return local_sweep(
            graph.whole, message, seen, finish, given, reduce=reduce, out=made, edges=edges,
            weights=chosen_weights(graph, weights), sums=sums,
        )  # fmt: skip
    kind = np.dtype(np.float64) if made.dtype.kind == "f" else made.dtype
    if edges == "both" and graph.directed:  # totals of both directions end up at all copies
        side, place = None, slice(0, graph.numbering.size)
        total = neighbor_totals(graph, None, message, values, reduce, None, None, None, edges,
                                 weights, kind, None).local  # fmt: skip
    else:
        view = gathering_view(graph, edges, weights)
        side, place = view.side, graph.numbering.slice(view.side)
        total = side_total(graph, view, message, seen, reduce, kind, made.dtype)
    xp = graph.block.xp
    ids = xp.arange(place.start, place.stop, dtype=np.int32)
    parts = tuple(xp.zeros(graph.numbering.size, np.float64) for _ in range(sums))
    ending = _ending(compiled(finish, "finish", 2 + len(given)), sums)
    compute(graph.block, block_frontier(graph, ids), ending, (total, made, *parts, *given))
    graph.grid.world.work(vertices=len(ids))
    if side is not None:
        spread(graph, side, made)
    mine = graph.own if side is None else graph.once(side)
    added = np.array([float(part[mine].sum()) for part in parts])
    with graph.grid.world.phase("control"):
        found = graph.grid.world.allreduce(added, "sum").tolist()
    return found[0] if sums == 1 else tuple(found)


@cache
def _ending(finish: Any, sums: int) -> Any:
    """``finish`` for one vertex, its value and its summands put where they belong."""
    put, summands = putter(sums), some(sums, 1)

    def end(v, total, out, *rest):
        found = finish(v, total[v], *rest[sums:])
        out[v] = found[0]
        put(rest[:sums], v, summands(found))

    return end
