"""`settle` on CUDA: passes by `for_rows`, in parts, because thousands act at once."""

from __future__ import annotations

from edgewise.graph import Graph
from edgewise.operators.passes import in_passes, in_rounds
from edgewise.operators.requests import Settling

__all__ = ["settle"]


def settle(graph: Graph, request: Settling) -> float:
    """See `edgewise.operators.settle`."""
    return (in_rounds if request.synchronous else in_passes)(graph, request)
