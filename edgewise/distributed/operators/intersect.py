"""`intersect` on a grid: triangles of oriented arcs, counted block by block (2D, after [1]).

The triangles over an arc (u, v) of block (r, c) are the common targets of u and v. Targets are
taken one column block k at a time: rank (r, k) broadcasts its arcs along the row group, which gives
the targets of every u of row block r; of those, each rank passes on the rows that are vertices of
its column block, which gives the targets of every v. No rank holds more than its own arcs and one
block of either kind.

[1] A. Tom, G. Karypis. A 2D parallel triangle counting algorithm for distributed-memory
    architectures. ICPP 2019.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.distributed.orient import DownwardArcs
from edgewise.graph.csr import CSR
from edgewise.graph.device import like, row_ids
from edgewise.operators import intersect as local_intersect
from edgewise.operators.requests import Intersection
from edgewise.operators.results import Common

__all__ = ["intersect"]


def intersect(rows: Any, request: Intersection) -> Common:
    """See `edgewise.operators.intersect`."""
    asked = (request.pairs, request.function, request.message)
    if not isinstance(rows, DownwardArcs) or request.each or any(one is not None for one in asked):
        raise ValueError(
            "intersect on a grid gives the total over all edges of an oriented graph alone: "
            "edgewise.graph.orient makes one, each=False asks for the total"
        )
    graph = rows.graph
    grid, xp = graph.grid, graph.block.xp
    numbering, layout = graph.numbering, graph.layout
    height, width = numbering.of["row"].size, numbering.of["column"].size
    us = row_ids(rows)
    vs = rows.indices.astype(np.int64) + height
    sizes = grid.row.counts(len(rows.indices))
    total = 0
    for k in range(grid.row.size):
        with grid.world.phase("broadcast"):
            own = k == grid.row.rank
            indptr = rows.indptr if own else xp.empty(height + 1, np.int64)
            indices = rows.indices if own else xp.empty(sizes[k], rows.indices.dtype)
            indptr = grid.row.broadcast(indptr, k)
            indices = grid.row.broadcast(indices, k)
        more, targets = _of_columns(graph, indptr, indices)
        starts = xp.concatenate([indptr, more[1:] + indptr[-1]])
        both = xp.concatenate([indices, targets])
        size = max(height + width, layout.columns(k).size)
        starts = xp.concatenate([starts, xp.full(size + 1 - len(starts), len(both), np.int64)])
        block = like(graph.block, starts, both, directed=True)
        if grid.world.priced:
            grid.world.work(edges=_steps(block, us, vs), vertices=len(us))
        if len(us):
            total += local_intersect(block, (us, vs)).total
    with grid.world.phase("control"):
        found = grid.world.allreduce(np.array([total], np.int64), "sum")
    return Common(int(found[0]), None)


def _of_columns(graph: Any, indptr: Any, indices: Any) -> tuple[Any, Any]:
    """Of rows that the whole row group has, those of this rank's column vertices, in order."""
    numbering, layout, group = graph.numbering, graph.layout, graph.grid.column
    mine, columns = numbering.of["row"], numbering.of["column"]
    both = mine.common(columns)
    low, high = both.low - mine.low, both.high - mine.low
    if both.size == 0:
        low = high = 0
    lengths = graph.block.xp.diff(indptr[low : high + 1])
    part = indices[int(indptr[low]) : int(indptr[high])]
    with graph.grid.world.phase("gather"):
        counts = [layout.rows(r).common(columns).size for r in range(group.size)]
        lengths, _ = group.allgatherv(lengths, counts)
        targets, _ = group.allgatherv(part)
    xp = graph.block.xp
    return xp.concatenate([xp.zeros(1, np.int64), lengths.cumsum()]), targets


def _steps(block: CSR, us: Any, vs: Any) -> int:
    """Neighbors looked at: the shorter list of every pair."""
    lengths = block.xp.diff(block.indptr)
    return int(block.xp.minimum(lengths[us], lengths[vs]).sum())
