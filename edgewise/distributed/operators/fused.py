"""A whole algorithm as one kernel on a grid of one rank: the kernel of its device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from edgewise.distributed.arrays import local
from edgewise.operators import engines

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["fused"]


def fused(graph: GridGraph, family: str, algorithm: str, arguments: tuple) -> bool:
    """See `edgewise.operators.engines.fused`; False where several ranks share the graph."""
    return graph.alone and engines.fused(graph.whole, family, algorithm, *map(local, arguments))
