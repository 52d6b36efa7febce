"""`look_up` on a grid: owners ask for what their vertices point at, by packet swapping."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.distributed.arrays import VertexArray, local_state
from edgewise.distributed.exchange import spread
from edgewise.distributed.frontier import local_members, owned
from edgewise.distributed.packet_swap import ask, publish
from edgewise.operators import look_up as local_look_up
from edgewise.operators.indirection import no_vertex, results
from edgewise.operators.results import several

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["check_pointers", "look_up", "share_all"]


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
    check_pointers(graph, mine, wanted)
    positions = graph.layout.position(wanted.astype(graph.layout.dtype))
    found = [ask(graph, one, positions) for one in several(state)]
    graph.grid.world.work(vertices=len(mine))
    for result, new in zip(several(made), found, strict=True):
        if members is None:
            share_all(graph, result, new)
        else:
            result[mine] = new
    if members is not None:
        publish(graph, mine, several(made))
    return _spread_over(graph, made) if out is None else out


def share_all(graph: GridGraph, result: Any, mine: Any) -> None:
    """Tell all copies what every owner has found: the pieces of a row group are its row block."""
    group, columns = graph.grid.row, graph.grid.shape[1]
    counts = [graph.layout.owned(graph.grid.r * columns + c).size for c in range(columns)]
    with group.phase("share"):
        result[graph.numbering.slice("row")] = group.allgatherv(mine, counts)[0]
    spread(graph, "row", result)


def _spread_over(graph: GridGraph, found: Any) -> Any:
    if isinstance(found, tuple):
        return tuple(VertexArray(graph, one) for one in found)
    return VertexArray(graph, found)


def check_pointers(graph: GridGraph, mine: Any, pointers: Any, *, nothing: bool = False) -> None:
    """An error on every rank, if a pointer of a vertex of one of them leads to none.

    With ``nothing``, -1 stands for that.
    """
    world, n = graph.grid.world, graph.num_vertices
    wrong = (pointers < (-1 if nothing else 0)) | (pointers >= n)
    vertices = graph.ids[mine][wrong]
    first = int(vertices.min()) if len(vertices) else n
    least = int(world.allreduce(np.array([first], np.int64), "min")[0])
    if least < n:
        at = int(pointers[wrong][vertices == first][0]) if first == least < n else -(2**62)
        found = world.allreduce(np.array([at], np.int64), "max")
        raise no_vertex(n, least, {least: found[0]}, nothing=nothing)
