"""The matrix of one step of a random walk on a graph on a grid, with a loop at every vertex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.distributed.arrays import ArcArray, VertexArray
from edgewise.distributed.matrix import GridMatrix
from edgewise.linalg.matrix import Matrix

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["walk_matrix"]


def walk_matrix(graph: GridGraph, weights: ArcArray | None, loops: VertexArray) -> GridMatrix:
    """Edges by their weights and loops as given, in rows of sum 1, as float32.

    Self-loops of the graph and edges of weight 0 are left out. Each loop lies with the rank that
    has the vertex in both of its blocks.
    """
    xp, numbering = graph.block.xp, graph.numbering
    first = {side: numbering.start[side] for side in ("row", "column")}
    height, width = (numbering.of[side].size for side in ("row", "column"))
    rows, columns = graph.row_of_arcs().astype(np.int64), graph.block.indices.astype(np.int64)
    values = xp.ones(len(rows)) if weights is None else weights.local.astype(np.float64)
    kept = (rows != columns) & (values > 0)
    both = numbering.of["row"].common(numbering.of["column"])
    own = numbering.local(xp.arange(both.low, both.high))
    rows = xp.concatenate([own, rows[kept]]) - first["row"]
    columns = xp.concatenate([own, columns[kept]]) - first["column"]
    values = xp.concatenate([loops.local[own], values[kept]])
    sums = xp.bincount(rows, values, minlength=height).astype(np.float64)  # of nothing: integers
    sums = graph.grid.row.allreduce(sums)
    order = xp.argsort(rows, kind="stable")  # the loop is the first entry of its row
    flow = (values[order] / sums[rows[order]]).astype(np.float32)
    starts = offsets(xp.bincount(rows, minlength=height))
    block = Matrix(starts, columns[order], flow, num_columns=width, sorted_rows=False,
                   device=graph.device)  # fmt: skip
    return GridMatrix(graph.grid, graph.layout, graph.layout, block)
