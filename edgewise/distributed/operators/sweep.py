"""`sweep` on a grid: totals are reduced along one side, finished there, and handed on."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.distributed.arrays import local_state
from edgewise.distributed.elementwise import putter, some
from edgewise.distributed.exchange import spread
from edgewise.distributed.operators.compute import local_tuple
from edgewise.distributed.operators.messages import chosen_weights, localized
from edgewise.distributed.operators.reduce_neighbors import gathered, side_total
from edgewise.operators import for_each
from edgewise.operators.engines import run
from edgewise.operators.functions import picker
from edgewise.operators.requests import Neighborhood, Sweep

__all__ = ["sweep"]


def sweep(graph, request: Sweep) -> Any:
    """See `edgewise.operators.sweep`."""
    values = local_state(graph, request.values, "values")
    made, sums = local_state(graph, request.out, "out"), request.sums
    state, finish = local_tuple(graph, request.state), request.finish
    message, weights = localized(graph, request.message), chosen_weights(graph, request.weights)
    if graph.alone:
        parts = request._replace(values=values, state=state, out=made, weights=weights)
        return run(graph.whole, "sweep")(graph.whole, parts)
    here = Neighborhood(
        None, message, values, request.reduce, values, mode=request.mode, weights=weights,
        dtype=np.dtype(np.float64) if made.dtype.kind == "f" else made.dtype,
    )  # fmt: skip
    if request.mode == "both" and graph.directed:  # totals of both end up at all copies
        side, place, total = None, slice(0, graph.numbering.size), gathered(graph, here)
    else:
        side, total = side_total(graph, here, made.dtype)
        place = graph.numbering.slice(side)
    xp, width = graph.block.xp, made.shape[1] if made.ndim == 2 else 1
    summed = tuple(xp.empty(made.size, np.float64) for _ in range(sums))
    whole = picker(finish, (*finish.names[: 2 + len(state)], "column"), "finish")
    count = (place.stop - place.start) * width
    given = (place.start, total.reshape(-1), made.reshape(-1), *summed, *state, *finish.params)
    for_each(count, _ending(whole, sums, len(state), width), given, device=graph.device)
    graph.grid.world.work(vertices=count)
    if side is not None:
        spread(graph, side, made)
    mine = graph.own if side is None else graph.once(side)
    mine = slice(mine.start * width, mine.stop * width)
    added = np.array([float(part[mine].sum()) for part in summed])
    with graph.grid.world.phase("control"):
        found = graph.grid.world.allreduce(added, "sum").tolist()
    return found[0] if sums == 1 else tuple(found)


@cache
def _ending(finish: Any, sums: int, width: int, columns: int) -> Any:
    """``finish`` for one number of a row, what it gives put where it belongs."""
    put, summands, ends = putter(sums), some(sums, 1), sums + width

    def end(i, first, total, out, *rest):
        v, column = first + i // columns, i % columns
        at = v * columns + column
        found = finish((v, total[at], *rest[sums:ends], column, *rest[ends:]))
        out[at] = found[0]
        put(rest[:sums], at, summands(found))

    return end
