"""Drawn edges made into a graph on the device."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.device import array_module
from edgewise.graph import Graph
from edgewise.graph.cuda.build import from_device_edges

__all__ = ["assemble"]


def assemble(
    sources: Any, targets: Any, num_vertices: int, directed: bool, duplicates: str, self_loops: str
) -> Graph:
    """As `edgewise.generators.draws.assemble`, for edges on the device."""
    counted = duplicates == "count"
    return from_device_edges(
        Graph,
        sources,
        targets,
        array_module().ones(len(sources), np.int32) if counted else None,
        directed=directed,
        num_vertices=num_vertices,
        duplicates="sum" if counted else "first",
        self_loops=self_loops,
    )
