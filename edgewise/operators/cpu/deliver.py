"""`deliver` on CPU threads: checks, then the calls that all devices share."""

from __future__ import annotations

from edgewise.operators import indirection
from edgewise.operators.cpu.state import state_arrays
from edgewise.operators.frontier import Frontier

__all__ = ["deliver"]


def deliver(graph, values, at, messages, reduce) -> Frontier:
    """See `edgewise.operators.deliver`."""
    n = graph.num_vertices
    values = state_arrays(values, n, "values", writable=True)
    at, messages = state_arrays(at, n, "at"), state_arrays(messages, n, "messages")
    return indirection.deliver(graph, values, at, messages, reduce)
