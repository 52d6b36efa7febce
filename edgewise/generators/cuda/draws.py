"""Where edges are drawn, and how they are made into a graph there."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.device import array_module, device_number
from edgewise.graph import Graph
from edgewise.graph.cuda.build import from_device_edges
from edgewise.graph.transfer import on

__all__ = ["assemble", "at"]


def at(device: str) -> Any:
    """A context in which arrays are made on the device of this name: ``"cuda"``, ``"cuda:1"``."""
    return on(device_number(device))


def assemble(
    sources: Any,
    targets: Any,
    num_vertices: int,
    directed: bool,
    count_duplicates: bool,
    self_loops: str,
) -> Graph:
    """As `edgewise.generators.draws.assemble`, for edges on the device."""

    return from_device_edges(
        Graph,
        sources,
        targets,
        array_module().ones(len(sources), np.int32) if count_duplicates else None,
        directed=directed,
        num_vertices=num_vertices,
        duplicates="sum" if count_duplicates else "first",
        self_loops=self_loops,
    )
