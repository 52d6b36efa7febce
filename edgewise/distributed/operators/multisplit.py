"""`multisplit` on a grid: every rank splits its copies, and owners count."""

from __future__ import annotations

import numpy as np

from edgewise.distributed.frontier import GridFrontier, local_members
from edgewise.distributed.operators.compute import local_tuple
from edgewise.operators import multisplit as local_multisplit

__all__ = ["multisplit"]


def multisplit(graph, request) -> tuple[GridFrontier, ...]:
    """See `edgewise.operators.multisplit`."""
    frontier, bucket, state, count, work = request
    members, world, own = local_members(graph, frontier), graph.grid.world, graph.own
    if world.priced:
        world.work(vertices=graph.numbering.size if members is None else len(members))
    found = local_multisplit(graph.block, members, bucket, local_tuple(graph, state),
                             num_buckets=count, work=work)  # fmt: skip
    ids = [one.ids for one in found]
    mine = np.array([int(((one >= own.start) & (one < own.stop)).sum()) for one in ids], np.int64)
    with world.phase("control"):
        totals = world.allreduce(mine, "sum").tolist()
    return tuple(GridFrontier(graph, one, total) for one, total in zip(ids, totals, strict=True))
