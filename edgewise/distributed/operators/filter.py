"""`filter` on a grid: every rank decides about its copies, and owners count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.distributed.frontier import GridFrontier, local_members
from edgewise.distributed.operators.compute import local_tuple
from edgewise.operators import filter as local_filter

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["filter"]


def filter(graph, request) -> GridFrontier:
    """See `edgewise.operators.filter`."""
    frontier, predicate, state, work, _ = request
    members = local_members(graph, frontier)
    if graph.grid.world.priced:
        graph.grid.world.work(vertices=graph.numbering.size if members is None else len(members))
    given = local_tuple(graph, state)
    return counted(graph, local_filter(graph.block, members, predicate, given, work=work).ids)


def counted(graph: GridGraph, ids: Any) -> GridFrontier:
    """The frontier of these local numbers, of which every copy is among some rank's."""
    own = graph.own
    mine = np.array([int(((ids >= own.start) & (ids < own.stop)).sum())], np.int64)
    with graph.grid.world.phase("control"):
        return GridFrontier(graph, ids, int(graph.grid.world.allreduce(mine, "sum")[0]))
