"""Orientation on a grid: every edge once, from the end of higher degree to that of lower.

Ties go by id. Nobody is renumbered: each rank keeps those arcs of its block that run downwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.graph.orient import Oriented

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["DownwardArcs", "orient"]


class DownwardArcs:
    """A rank's oriented arcs, by row and column of its block."""

    engine = "grid"

    def __init__(self, graph: GridGraph, indptr: Any, indices: Any):
        self.graph, self.indptr, self.indices = graph, indptr, indices

    def call(self, function: Any, /, *args: Any, **options: Any) -> Any:
        """See `GridGraph.call`."""
        return self.graph.call(function, *args, **options)

    def alike(self) -> dict[str, Any]:
        """See `GridGraph.alike`."""
        return self.graph.alike()

    @property
    def device(self) -> str:
        return self.graph.device

    @property
    def xp(self) -> Any:
        return self.graph.block.xp


def orient(graph: GridGraph) -> Oriented:
    """See `edgewise.graph.orient`."""
    block, xp = graph.block, graph.block.xp
    degrees, ids = graph.row_lengths().local, graph.ids
    rows = graph.row_of_arcs()
    columns = block.indices
    above, below = degrees[rows], degrees[columns]
    down = (above > below) | ((above == below) & (ids[rows] > ids[columns]))
    place = graph.numbering.slice("row")
    counts = xp.bincount(rows[down] - place.start, minlength=place.stop - place.start)
    indptr = offsets(counts)
    kept = columns[down] - np.int32(graph.numbering.start["column"])
    return Oriented(DownwardArcs(graph, indptr, kept), None)  # type: ignore[arg-type]
