"""`deliver` on a grid: owners send their vertices' messages to the owners of the targets."""

from __future__ import annotations

from typing import Any

from edgewise.distributed.arrays import local_state
from edgewise.distributed.frontier import GridFrontier
from edgewise.distributed.landing import landed, operation_name
from edgewise.distributed.operators.filter import counted
from edgewise.distributed.operators.look_up import check_pointers
from edgewise.distributed.packets import post, publish
from edgewise.operators import deliver as local_deliver

__all__ = ["deliver"]


def deliver(graph, values, at, messages, reduce) -> Any:
    """See `edgewise.operators.deliver`."""
    name, xp = operation_name(reduce), graph.block.xp
    if name is None:
        raise TypeError(f"reduce must be MIN, MAX or ADD to deliver, got {reduce!r}")
    state, pointers = local_state(graph, values, "values"), local_state(graph, at, "at")
    given = local_state(graph, messages, "messages")
    if state.dtype.kind not in "iuf" or state.dtype.itemsize < 4:
        raise TypeError(f"values must be numbers of 32 or 64 bits, got dtype {state.dtype}")
    if graph.alone:
        found = local_deliver(graph.whole, state, pointers, given, reduce=reduce)
        return GridFrontier(graph, found.ids, len(found))
    wanted, sent = pointers[graph.own], given[graph.own]
    check_pointers(graph, wanted, least=-1)
    some = wanted >= 0
    positions = graph.layout.position(wanted[some].astype(graph.layout.dtype))
    positions, sent = _joined(xp, positions, sent[some].astype(state.dtype), name)
    positions, sent = post(graph, graph.layout.piece(positions), (positions, sent))
    positions, sent = _joined(xp, positions, sent, name)
    graph.grid.world.work(vertices=len(wanted))
    places = graph.numbering.local(positions)
    changed = landed(graph, reduce, (state,), places, (sent,))
    return counted(graph, publish(graph, changed, (state,)))


def _joined(xp: Any, positions: Any, sent: Any, name: str) -> tuple:
    """Messages to the same vertex combined to one."""
    targets, place = xp.unique(positions, return_inverse=True)
    if len(targets) == len(positions):
        order = xp.argsort(positions)
        return targets, sent[order]
    place = place.ravel()
    order = xp.argsort(place, kind="stable")
    place, sent = place[order], sent[order]
    first = xp.searchsorted(place, xp.arange(len(targets)))
    out = sent[first]
    later = xp.ones(len(place), bool)
    later[first] = False
    {"sum": xp.add, "min": xp.minimum, "max": xp.maximum}[name].at(out, place[later], sent[later])
    return targets, out.astype(sent.dtype, copy=False)
