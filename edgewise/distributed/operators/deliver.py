"""`deliver` on a grid: owners send their vertices' messages to the owners of the targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from edgewise.distributed.arrays import local_state
from edgewise.distributed.frontier import GridFrontier, local_members, owned
from edgewise.distributed.landing import joined, landed
from edgewise.distributed.operators.filter import counted
from edgewise.distributed.operators.look_up import check_pointers
from edgewise.distributed.packet_swap import post, publish
from edgewise.operators import deliver as local_deliver
from edgewise.operators.results import several

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["deliver"]


def deliver(graph, request) -> Any:
    """See `edgewise.operators.deliver`."""
    values, at, messages, reduce, frontier = request
    state, pointers = local_state(graph, values, "values"), local_state(graph, at, "at")
    given, members = local_state(graph, messages, "messages"), local_members(graph, frontier)
    reduce.identity_for(*(one.dtype for one in several(state)))
    if graph.alone:
        found = local_deliver(graph.whole, state, pointers, given, reduce=reduce, frontier=members)
        return GridFrontier(graph, found.ids, len(found))
    mine = owned(graph, members)
    wanted = pointers[mine]
    check_pointers(graph, mine, wanted, nothing=True)
    graph.grid.world.work(vertices=len(mine))
    mine, wanted = mine[wanted >= 0], wanted[wanted >= 0]
    positions = graph.layout.position(wanted.astype(graph.layout.dtype))
    sent = tuple(
        new[mine].astype(old.dtype) for old, new in zip(several(state), several(given), strict=True)
    )
    positions, sent = _joined(graph, positions, sent, reduce)
    positions, *arrived = post(graph, graph.layout.piece(positions), (positions, *sent))
    positions, sent = _joined(graph, positions, tuple(arrived), reduce)
    places = graph.numbering.local(positions)
    changed = landed(graph, reduce, several(state), places, sent)
    return counted(graph, publish(graph, changed, several(state)))


def _joined(graph: GridGraph, positions: Any, sent: tuple, reduce: Any) -> tuple:
    """Messages to the same vertex combined to one."""
    xp = graph.block.xp
    order = xp.argsort(positions, kind="stable")
    positions, sent = positions[order], tuple(one[order] for one in sent)
    fresh = xp.ones(len(positions), bool)
    fresh[1:] = positions[1:] != positions[:-1]
    first = joined(graph, reduce, fresh, sent)
    return positions[first], tuple(one[first] for one in sent)
