"""Which modules run the operators, by the graph's engine and device."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["register", "run"]

#: Who runs the operators, by the graph's engine and kind of device.
_ENGINES = {
    ("local", "cpu"): "edgewise.operators.cpu",
    ("local", "cuda"): "edgewise.operators.cuda",
}


def register(engine: str, device: str, package: str) -> None:
    """Let the modules of ``package`` run the operators on graphs of this engine and device."""
    _ENGINES[engine, device] = package


def run(graph: Any, operator: str) -> Any:
    """The function that carries out an operator on this graph."""
    package = _ENGINES[graph.engine, graph.device.partition(":")[0]]
    return getattr(import_module(f"{package}.{operator}"), operator)
