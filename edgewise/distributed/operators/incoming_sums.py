"""Running sums over the edges into each vertex on a grid, vertex by vertex at one rank of a column.

The ranks of a column share its vertices. Each rank sends its arcs to those that have their targets,
which sort them by source, and gets the sums back. So no rank holds more than its share of the arcs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.distributed.arrays import ArcArray
from edgewise.distributed.packet_swap import hop
from edgewise.graph.transfer import host
from edgewise.operators.incoming import sums_before

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["incoming_sums"]


def incoming_sums(graph: GridGraph, values: Any) -> ArcArray:
    """See `edgewise.operators.incoming`."""
    xp, group, count = graph.block.xp, graph.grid.along("column"), graph.block.num_arcs
    place = graph.numbering.slice("column")  # local numbers differ along the group, places do not
    bounds = [(place.stop - place.start) * k // group.size for k in range(1, group.size)]
    targets = graph.indices.numbers.astype(np.int64) - place.start
    toward = xp.searchsorted(xp.asarray(bounds, np.int64), targets, side="right")
    fields = (targets, graph.sources.local, values.local.astype(np.int64),
              xp.full(count, group.rank, np.int64), xp.arange(count))  # fmt: skip
    with group.phase("packets"):
        targets, sources, numbers, senders, slots = hop(graph, group, toward, fields)
        sums = xp.asarray(_sums(*map(host, (targets, sources, numbers))))
        slots, sums = hop(graph, group, senders, (slots, sums))
    found = xp.empty(count, np.int64)
    found[slots] = sums
    return ArcArray(graph, found)


def _sums(targets: np.ndarray, sources: np.ndarray, values: np.ndarray) -> np.ndarray:
    """For each arc the sum of the values of those into the same target from smaller sources."""
    order = np.lexsort((sources, targets))
    ends = targets[order]
    rows = offsets(ends[1:] != ends[:-1]) if len(ends) else ends
    indptr = np.searchsorted(rows, np.arange(rows[-1] + 2 if len(ends) else 1))
    found = np.empty(len(order), np.int64)
    found[order] = sums_before(values[order], indptr, rows)
    return found
