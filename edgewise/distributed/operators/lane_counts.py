"""Counts by lane on a grid: owners count their members, then all ranks add up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.distributed.arrays import local_state
from edgewise.distributed.frontier import local_members, owned
from edgewise.graph.transfer import host
from edgewise.operators.lanes import counted

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["lane_counts"]


def lane_counts(graph: GridGraph, members: Any, words: Any) -> np.ndarray:
    """See `edgewise.operators.lanes`."""
    ids, words = owned(graph, local_members(graph, members)), local_state(graph, words, "words")
    world = graph.grid.world
    world.work(vertices=len(ids))
    found = host(counted(graph.block, ids, words))
    with world.phase("control"):
        return world.allreduce(found, "sum")
