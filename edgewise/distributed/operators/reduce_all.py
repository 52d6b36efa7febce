"""`reduce_all` on a grid: owners reduce their pieces, then all ranks their results."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.distributed.frontier import block_frontier, local_members
from edgewise.distributed.landing import host_combined, operation_name
from edgewise.distributed.operators.compute import local_tuple
from edgewise.operators import reduce_all as local_reduce_all
from edgewise.operators.monoids import check_monoid

__all__ = ["reduce_all"]


def reduce_all(graph, values, reduce, frontier, function, dtype) -> Any:
    """See `edgewise.operators.reduce_all`."""
    check_monoid(reduce, single=True)
    xp, own = graph.block.xp, graph.own
    members = local_members(graph, frontier)
    ids = xp.arange(own.start, own.stop, dtype=np.int32)
    if members is not None:
        ids = members.ids[(members.ids >= own.start) & (members.ids < own.stop)]
    state = local_tuple(graph, values)
    if graph.grid.world.priced:
        graph.grid.world.work(vertices=len(ids))
    if function is None and len(state) > 1:
        raise TypeError("values must be one array, unless a function takes several")
    found = local_reduce_all(
        graph.block, state if function is not None else state[0], reduce=reduce,
        frontier=block_frontier(graph, ids), function=function, dtype=dtype,
    )  # fmt: skip
    return combined(graph, found, reduce)


def combined(graph: Any, number: Any, reduce: Any) -> Any:
    """One number of every rank, reduced."""
    world, name = graph.grid.world, operation_name(reduce)
    part = np.asarray([number])
    with world.phase("control"):
        if name is not None:
            return world.allreduce(part, name)[0].item()
        every, _ = world.allgatherv(part, [1] * world.size)
    return host_combined(reduce, list(every)).item()
