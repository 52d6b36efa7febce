"""`look_up` on CPU threads: checks, then the calls that all devices share."""

from __future__ import annotations

from typing import Any

from edgewise.operators import indirection
from edgewise.operators.cpu.state import state_arrays

__all__ = ["look_up"]


def look_up(graph, values, at, out) -> Any:
    """See `edgewise.operators.look_up`."""
    n = graph.num_vertices
    values, at = state_arrays(values, n, "values"), state_arrays(at, n, "at")
    out = None if out is None else state_arrays(out, n, "out", writable=True)
    return indirection.look_up(graph, values, at, out)
