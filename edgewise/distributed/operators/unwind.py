"""`unwind` on a grid: level by level, one reduction each, the deepest first."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.distributed.arrays import VertexArray, local_state
from edgewise.distributed.elementwise import caster
from edgewise.distributed.frontier import block_frontier
from edgewise.distributed.operators.messages import chosen_weights, localized
from edgewise.distributed.operators.reduce_neighbors import gathered
from edgewise.operators import compute
from edgewise.operators.engines import run
from edgewise.operators.functions import Function, compiled, picker
from edgewise.operators.requests import Neighborhood, Unwinding

__all__ = ["unwind"]

_NO_LEVEL = 2**31 - 1


def unwind(graph, request: Unwinding) -> None:
    """See `edgewise.operators.unwind`."""
    depth = local_state(graph, request.depths, "depths")
    state = local_state(graph, request.values, "values")
    own = None if request.own is None else local_state(graph, request.own, "own")
    weights, message = chosen_weights(graph, request.weights), localized(graph, request.message)
    if graph.alone:
        parts = request._replace(depths=depth, values=state, own=own, weights=weights)
        run(graph.whole, "unwind")(graph.whole, parts)
        return
    own = state.copy() if own is None else own
    xp = graph.block.xp
    levels = xp.where(depth == _NO_LEVEL, -1, depth)
    order = xp.argsort(levels, kind="stable").astype(np.int32)
    deepest = int(VertexArray(graph, levels).max()) if graph.num_vertices else -1
    starts = xp.searchsorted(levels[order], xp.arange(deepest + 2)).tolist()
    totals = xp.empty(graph.numbering.size, state.dtype)
    here = Neighborhood(
        None, _one_deeper(message, request.reduce.identity_for(state.dtype)), (state, depth),
        request.reduce, (own, depth), mode=request.mode, weights=weights, out=totals,
    )  # fmt: skip
    finish = request.finish
    for level in range(deepest, -1, -1):
        members = block_frontier(graph, order[starts[level] : starts[level + 1]])
        gathered(graph, here._replace(frontier=members))
        if finish is None:
            state[members.ids] = totals[members.ids]
        else:
            compute(graph.block, members, _ending(compiled(finish.given, "finish")),
                    (state, totals, own, *finish.params))  # fmt: skip


def _one_deeper(message: Function, nothing: Any) -> Function:
    """The message of a neighbor one level deeper; others say nothing."""
    names = ("value", "own", *(name for name in ("weight", "source") if name in message.names))
    kind: Any = type(nothing)  # 0 is not 0.0 here
    guarded = _guarded(picker(message, names), nothing, kind)
    params = [name for name in message.names if name not in names]
    return Function(guarded, (*names, *params), message.params)


@cache
def _guarded(message: Any, nothing: Any, kind: Any) -> Any:
    cast = caster((kind,))

    def call(value, own, *rest):
        if value[1] == own[1] + 1:
            return cast(message((value[0], own[0], *rest)))
        return nothing

    return call


@cache
def _ending(finish: Any) -> Any:
    def end(v, values, totals, own, *params):
        values[v] = finish(totals[v], own[v], *params)

    return end
