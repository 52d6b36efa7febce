"""`deliver` on a grid: owners send their vertices' messages to the owners of the targets."""

from __future__ import annotations

from typing import Any

from edgewise.distributed.arrays import local_state
from edgewise.distributed.frontier import GridFrontier, local_members, owned
from edgewise.distributed.landing import Span, landed, operation_name
from edgewise.distributed.operators.filter import counted
from edgewise.distributed.operators.look_up import check_pointers
from edgewise.distributed.packets import post, publish
from edgewise.operators import deliver as local_deliver
from edgewise.operators.results import several

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
    check_pointers(graph, wanted, least=-1)
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


def _joined(graph: Any, positions: Any, sent: tuple, reduce: Any) -> tuple:
    """Messages to the same vertex combined to one."""
    xp, name = graph.block.xp, operation_name(reduce)
    targets, place = xp.unique(positions, return_inverse=True)
    if len(targets) == len(positions):
        order = xp.argsort(positions)
        return targets, tuple(one[order] for one in sent)
    place = place.ravel()
    if name is None or len(sent) > 1:
        return targets, _combined(graph, place, sent, reduce, len(targets))
    order = xp.argsort(place, kind="stable")  # so that sums of floats are always the same
    place, only = place[order], sent[0][order]
    first = xp.searchsorted(place, xp.arange(len(targets)))
    out = only[first]
    later = xp.ones(len(place), bool)
    later[first] = False
    {"sum": xp.add, "min": xp.minimum, "max": xp.maximum}[name].at(out, place[later], only[later])
    return targets, (out.astype(only.dtype, copy=False),)


def _combined(graph: Any, place: Any, sent: tuple, reduce: Any, count: int) -> tuple:
    """Messages delivered to the first ``count`` places of arrays that begin with the identity."""
    xp = graph.block.xp
    identity = several(reduce.identity_for(*(one.dtype for one in sent)))
    totals = tuple(
        xp.full(len(place), one, new.dtype) for one, new in zip(identity, sent, strict=True)
    )
    span = Span(len(place), graph.device, xp)
    pair = (totals, sent) if len(sent) > 1 else (totals[0], sent[0])
    local_deliver(span, pair[0], place, pair[1], reduce=reduce)
    return tuple(one[:count] for one in totals)
