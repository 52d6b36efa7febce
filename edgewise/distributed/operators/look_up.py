"""`look_up` on a grid: owners ask for what their vertices point at, by packet swapping."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.distributed.arrays import VertexArray, local_state
from edgewise.distributed.exchange import spread
from edgewise.distributed.frontier import local_members, owned
from edgewise.distributed.packets import ask, publish
from edgewise.operators import look_up as local_look_up
from edgewise.operators.indirection import results
from edgewise.operators.results import several

__all__ = ["check_pointers", "look_up"]


def look_up(graph, request) -> Any:
    """See `edgewise.operators.look_up`."""
    values, at, frontier, out = request
    state, pointers = local_state(graph, values, "values"), local_state(graph, at, "at")
    given = None if out is None else local_state(graph, out, "out")
    members = local_members(graph, frontier)
    if graph.alone:
        found = local_look_up(graph.whole, state, pointers, frontier=members, out=given)
        return _spread_over(graph, found) if out is None else out
    made = results(graph.block, state, given, members is None)
    mine = owned(graph, members)
    wanted = pointers[mine]
    check_pointers(graph, wanted, least=0)
    positions = graph.layout.position(wanted.astype(graph.layout.dtype))
    found = [ask(graph, one, positions) for one in several(state)]
    graph.grid.world.work(vertices=len(mine))
    for result, new in zip(several(made), found, strict=True):
        if members is None:
            _share_all(graph, result, new)
        else:
            result[mine] = new
    if members is not None:
        publish(graph, mine, several(made))
    return _spread_over(graph, made) if out is None else out


def _share_all(graph: Any, result: Any, mine: Any) -> None:
    """Tell all copies what every owner has found: the pieces of a row group are its row block."""
    group, columns = graph.grid.row, graph.grid.shape[1]
    counts = [graph.layout.owned(graph.grid.r * columns + c).size for c in range(columns)]
    with group.phase("share"):
        result[graph.numbering.slice("row")] = group.allgatherv(mine, counts)[0]
    spread(graph, "row", result)


def _spread_over(graph: Any, found: Any) -> Any:
    if isinstance(found, tuple):
        return tuple(VertexArray(graph, one) for one in found)
    return VertexArray(graph, found)


def check_pointers(graph: Any, pointers: Any, *, least: int) -> None:
    """An error on every rank, if a pointer on one of them is no vertex."""
    ends = np.array([0, 0], np.int64)
    if len(pointers):
        ends[:] = min(0, int(pointers.min()) - least), -max(0, int(pointers.max()))
    low, high = graph.grid.world.allreduce(ends, "min").tolist()
    if low < 0 or (graph.num_vertices and -high >= graph.num_vertices):
        wrong = low + least if low < 0 else -high
        also = "" if least == 0 else ", or -1 to send nothing"
        raise ValueError(
            f"at must hold vertex ids from 0 to {graph.num_vertices - 1}{also}, got {wrong}"
        )
