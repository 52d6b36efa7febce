"""Rows of vertices on a grid, totals by key or samples: each rank has those of its share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.graph.transfer import host
from edgewise.operators.results import Grouped
from edgewise.operators.sampling import Sample

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["KeyRows", "SampleRows"]


class KeyRows:
    """What `reduce_neighbors` by key returns on a grid: a `Grouped` in parts.

    The row of ``vertices[i]`` is at positions ``indptr[i]`` to ``indptr[i + 1] - 1`` of ``keys``
    and ``totals``. Every vertex is with one rank.
    """

    def __init__(self, graph: GridGraph, vertices: Any, rows: Grouped):
        self.graph, self.vertices = graph, vertices
        self.indptr, self.keys, self.totals = rows

    def gather(self) -> Grouped:
        """The rows of all vertices, in the host memory of every rank: a collective."""
        return Grouped(*_whole(self, self.keys, self.totals))

    def __repr__(self) -> str:
        return f"KeyRows({len(self.vertices):,} rows, {len(self.keys):,} keys here)"


class SampleRows:
    """What `sample` returns on a grid: a `Sample` in parts, without the numbers of arcs.

    The sampled neighbors of ``vertices[i]`` are at positions ``indptr[i]`` to ``indptr[i + 1] - 1``
    of ``neighbors``. Every member is with the rank that owns it.
    """

    def __init__(self, graph: GridGraph, vertices: Any, indptr: Any, neighbors: Any):
        self.graph, self.vertices = graph, vertices
        self.indptr, self.neighbors = indptr, neighbors

    def gather(self) -> Sample:
        """The rows of all members, by ascending id, in the host memory of every rank."""
        indptr, neighbors = _whole(self, self.neighbors)
        return Sample(indptr, None, neighbors)

    def __repr__(self) -> str:
        return f"SampleRows({len(self.vertices):,} members, {len(self.neighbors):,} neighbors here)"


def _whole(rows: Any, *columns: Any) -> tuple[np.ndarray, ...]:
    """Where each vertex's row begins, by ascending id, and the columns, on every rank."""
    world, xp = rows.graph.grid.world, rows.graph.block.xp
    parts = (rows.vertices, xp.diff(rows.indptr), *columns)
    vertices, lengths, *found = (
        host(world.allgatherv(xp.ascontiguousarray(one))[0]) for one in parts
    )
    order, starts = np.argsort(vertices), offsets(lengths)[:-1]
    indptr = offsets(lengths[order])
    at = np.repeat(starts[order] - indptr[:-1], lengths[order]) + np.arange(indptr[-1])
    return indptr, *(one[at] for one in found)
