"""Which modules run the operators, by the graph's engine and device."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from edgewise.base.balance import balance
from edgewise.base.debug import debugging

__all__ = ["check_graph", "register", "run"]

#: Who runs the operators, by the graph's engine and kind of device.
_ENGINES = {
    ("local", "cpu"): "edgewise.operators.cpu",
    ("local", "cuda"): "edgewise.operators.cuda",
}


def register(engine: str, device: str, package: str) -> None:
    """Let the modules of ``package`` run the operators on graphs of this engine and device."""
    _ENGINES[engine, device] = package


def check_graph(graph: Any) -> None:
    """TypeError unless it is a graph, or other rows, on one of the engines."""
    if not hasattr(graph, "engine"):
        raise TypeError(
            f"graph must be a Graph (Graph.from_edges and edgewise.read make one), "
            f"got {type(graph).__name__}"
        )


def run(graph: Any, operator: str) -> Any:
    """The function that carries out an operator on this graph."""
    check_graph(graph)
    device, _, number = graph.device.partition(":")
    if device == "cpu":
        if balance() != "auto":
            raise ValueError(f"balanced({balance()!r}) is for a GPU; this graph is in host memory")
    elif debugging():
        raise ValueError(
            "debug() and EDGEWISE_CHECK=1 check functions in host memory alone, got a graph on "
            f"{graph.device}: move it with graph.to('cpu')"
        )
    else:
        from edgewise.base.cuda.device import current_device

        if current_device() != int(number or 0):
            raise ValueError(
                f"the graph is on {graph.device}, which is not the current device: "
                f"put the call into a block `with cupy.cuda.Device({number}):`"
            )
    package = _ENGINES[graph.engine, device]
    return getattr(import_module(f"{package}.{operator}"), operator)
