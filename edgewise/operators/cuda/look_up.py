"""`look_up` on CUDA: checks, then the calls that all devices share."""

from __future__ import annotations

from typing import Any

from edgewise.operators import indirection
from edgewise.operators.cuda.state import state_arrays

__all__ = ["look_up"]


def look_up(graph, values, at, out) -> Any:
    """See `edgewise.operators.look_up`."""
    values, at = state_arrays(graph, values, "values"), state_arrays(graph, at, "at")
    out = None if out is None else state_arrays(graph, out, "out")
    return indirection.look_up(graph, values, at, out)
