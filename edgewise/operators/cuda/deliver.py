"""`deliver` on CUDA: checks, then the calls that all devices share."""

from __future__ import annotations

from edgewise.operators import indirection
from edgewise.operators.cuda.state import state_arrays
from edgewise.operators.frontier import Frontier

__all__ = ["deliver"]


def deliver(graph, values, at, messages, reduce) -> Frontier:
    """See `edgewise.operators.deliver`."""
    values = state_arrays(graph, values, "values")
    at, messages = state_arrays(graph, at, "at"), state_arrays(graph, messages, "messages")
    return indirection.deliver(graph, values, at, messages, reduce)
