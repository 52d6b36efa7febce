"""`look_up` on a grid: owners ask for what their vertices point at, by packet swapping."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.distributed.arrays import VertexArray, local_state
from edgewise.distributed.exchange import spread
from edgewise.distributed.packets import ask
from edgewise.operators import look_up as local_look_up

__all__ = ["check_pointers", "look_up"]


def look_up(graph, values, at, out) -> Any:
    """See `edgewise.operators.look_up`."""
    state, pointers = local_state(graph, values, "values"), local_state(graph, at, "at")
    made = None if out is None else local_state(graph, out, "out")
    if made is not None and made.dtype != state.dtype:
        raise TypeError(f"out must have the dtype of values ({state.dtype}), got {made.dtype}")
    if graph.alone:
        found = local_look_up(graph.whole, state, pointers, out=made)
        return VertexArray(graph, found) if out is None else out
    wanted = pointers[graph.own]
    check_pointers(graph, wanted, least=0)
    found = ask(graph, state, graph.layout.position(wanted.astype(graph.layout.dtype)))
    result = graph.block.xp.empty(graph.numbering.size, state.dtype)
    graph.grid.world.work(vertices=len(found))
    group, columns = graph.grid.row, graph.grid.shape[1]
    counts = [graph.layout.owned(graph.grid.r * columns + c).size for c in range(columns)]
    with group.phase("share"):  # the pieces of a row group are its row block, in order
        result[graph.numbering.slice("row")] = group.allgatherv(found, counts)[0]
    spread(graph, "row", result)
    if made is None:
        return VertexArray(graph, result)
    made[:] = result
    return out


def check_pointers(graph: Any, pointers: Any, *, least: int) -> None:
    """An error on every rank, if a pointer on one of them is no vertex."""
    if pointers.dtype.kind not in "iu":
        raise TypeError(f"at must hold vertex ids, got dtype {pointers.dtype}")
    ends = np.array([0, 0], np.int64)
    if len(pointers):
        ends[:] = min(0, int(pointers.min()) - least), -max(0, int(pointers.max()))
    low, high = graph.grid.world.allreduce(ends, "min").tolist()
    if low < 0 or (graph.num_vertices and -high >= graph.num_vertices):
        wrong = low + least if low < 0 else -high
        also = "" if least == 0 else " or -1"
        raise ValueError(
            f"at must hold vertex ids from 0 to {graph.num_vertices - 1}{also}, got {wrong}"
        )
