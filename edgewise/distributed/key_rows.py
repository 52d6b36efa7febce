"""Rows of totals by key on a grid: each rank has those of its share of the vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.graph.transfer import host
from edgewise.operators.results import Grouped

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["KeyRows"]


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
        world = self.graph.grid.world
        lengths = self.graph.block.xp.diff(self.indptr)
        parts = (self.vertices, lengths, self.keys, self.totals)
        vertices, lengths, keys, totals = (host(world.allgatherv(one)[0]) for one in parts)
        order, starts = np.argsort(vertices), offsets(lengths)[:-1]
        indptr = offsets(lengths[order])
        at = np.repeat(starts[order] - indptr[:-1], lengths[order]) + np.arange(indptr[-1])
        return Grouped(indptr, keys[at], totals[at])

    def __repr__(self) -> str:
        return f"KeyRows({len(self.vertices):,} rows, {len(self.keys):,} keys here)"
