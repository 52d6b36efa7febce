"""`settle` on CUDA: passes by `for_rows`, in parts, because thousands act at once."""

from __future__ import annotations

from typing import Any

from edgewise.operators.passes import in_passes, in_rounds
from edgewise.operators.requests import Settling

__all__ = ["settle"]


def settle(graph: Any, request: Settling) -> float:
    """See `edgewise.operators.settle`."""
    return (in_rounds if request.synchronous else in_passes)(graph, request)
