"""The locally dominant matching on a grid of one rank: the kernel of its engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from edgewise.distributed.arrays import local_state
from edgewise.distributed.operators.messages import chosen_weights
from edgewise.operators.engines import fused

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["locally_dominant"]


def locally_dominant(graph: GridGraph, mates: Any, weights: Any) -> bool:
    """See `edgewise.operators.engines.fused`; False where several ranks share the graph."""
    return graph.alone and fused(
        graph.whole, "locally_dominant", local_state(graph, mates, "mates"),
        chosen_weights(graph, weights),
    )  # fmt: skip
