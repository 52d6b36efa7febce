"""Edges that vertices name, on a grid: owners tell the two ranks that hold the arcs of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.distributed.arrays import ArcArray, local_state
from edgewise.distributed.frontier import local_members, owned
from edgewise.distributed.packet_swap import post

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["mark_edges"]


def mark_edges(graph: GridGraph, members: Any, first: Any, last: Any) -> ArcArray:
    """See `edgewise.operators.edge_marks`."""
    xp, mine = graph.block.xp, owned(graph, local_members(graph, members))
    ends = [
        graph.layout.position(local_state(graph, one, name)[mine].astype(graph.layout.dtype))
        for one, name in ((first, "first"), (last, "last"))
    ]
    us, vs = (xp.concatenate(two) for two in (ends, ends[::-1]))
    arrived = post(graph, graph.layout.rank(us, vs), (us, vs))
    rows, columns = (graph.numbering.local(one).astype(np.int64) for one in arrived)
    size = graph.numbering.size
    keys = graph.row_of_arcs().astype(np.int64) * size + graph.block.indices  # ascending
    marks = xp.zeros(graph.block.num_arcs, bool)
    marks[xp.searchsorted(keys, rows * size + columns)] = True
    return ArcArray(graph, marks)
