"""Running sums over the edges into each vertex on a grid: a column's ranks tell each other theirs.

Every rank orders the arcs of its whole column of blocks, and keeps the sums of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.distributed.arrays import ArcArray
from edgewise.graph.transfer import host
from edgewise.operators.incoming import sums_before

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["incoming_sums"]


def incoming_sums(graph: GridGraph, values: Any) -> ArcArray:
    """See `edgewise.operators.incoming`."""
    group = graph.grid.along("column")
    with group.phase("gather"):
        targets, sources, numbers = (
            group.allgatherv(np.ascontiguousarray(host(one.local), np.int64))
            for one in (graph.indices, graph.sources, values)
        )
    counts, first = targets[1], sum(targets[1][: group.rank])
    order = np.lexsort((sources[0], targets[0]))
    ends = targets[0][order]
    rows = offsets(ends[1:] != ends[:-1]) if len(ends) else ends
    indptr = np.searchsorted(rows, np.arange(rows[-1] + 2 if len(ends) else 1))
    found = np.empty(len(order), np.int64)
    found[order] = sums_before(numbers[0][order], indptr, rows)
    mine = found[first : first + counts[group.rank]]
    return ArcArray(graph, graph.block.xp.asarray(mine))
