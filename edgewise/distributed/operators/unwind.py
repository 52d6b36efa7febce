"""`unwind` on a grid: level by level, one reduction each, the deepest first."""

from __future__ import annotations

from functools import cache
from typing import Any

from edgewise.distributed.arrays import VertexArray, local_state
from edgewise.distributed.frontier import block_frontier
from edgewise.distributed.operators.filter import counted
from edgewise.distributed.operators.reduce_neighbors import neighbor_totals
from edgewise.operators import compute
from edgewise.operators.functions import compiled
from edgewise.operators.requests import Unwinding

__all__ = ["unwind"]

_NO_LEVEL = 2**31 - 1


def unwind(graph, request: Unwinding) -> None:
    """See `edgewise.operators.unwind`."""
    if request.message.params or (request.finish is not None and request.finish.params):
        raise NotImplementedError("params on a grid")
    depths, message, values = request.depths, request.message.given, request.values
    reduce, own, edges, weights = request.reduce, request.own, request.edges, request.weights
    finish = None if request.finish is None else request.finish.given
    names = request.message.names
    if "edge" in names:
        raise ValueError("message names edge, but arcs on a grid have no numbers; use weights")
    depth = local_state(graph, depths, "depths")
    state = local_state(graph, values, "values")
    mine = state.copy() if own is None else local_state(graph, own, "own")
    xp = graph.block.xp
    levels = VertexArray(graph, xp.where(depth == _NO_LEVEL, -1, depth))
    deepest = int(levels.max()) if graph.num_vertices else -1
    inner = _one_deeper(compiled(message, "message"), names,
                        reduce.identity_for(state.dtype))  # fmt: skip
    ending = None if finish is None else _ending(compiled(finish, "finish", 2))
    for level in range(deepest, -1, -1):
        members = counted(graph, xp.flatnonzero(depth == level))
        totals = neighbor_totals(
            graph, members, inner, (values, depths), reduce,
            (VertexArray(graph, mine), depths), None, None, edges, weights, state.dtype, None,
        )  # fmt: skip
        if ending is None:
            state[members.local] = totals.local[members.local]
        else:
            compute(graph.block, block_frontier(graph, members.local), ending,
                    (state, totals.local, mine))  # fmt: skip


@cache
def _one_deeper(message: Any, names: tuple[str, ...], nothing: Any) -> Any:
    """The message of a neighbor one level deeper; others say nothing."""
    given = {"value": "value[0]", "own": "own[0]", "weight": "weight", "source": "source"}
    taken = ["value", "own", *(name for name in ("weight", "source") if name in names)]
    call = ", ".join(given[name] for name in names)
    text = f"lambda {', '.join(taken)}: message({call}) if value[1] == own[1] + 1 else nothing"
    return eval(text, {"message": message, "nothing": nothing, "__name__": __name__})


@cache
def _ending(finish: Any) -> Any:
    def end(v, values, totals, own):
        values[v] = finish(totals[v], own[v])

    return end
