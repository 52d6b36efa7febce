"""Orders of the vertices that bring neighbors together, and measures of how well they do.

An order is an array with the new position of every vertex: what `graph.permute` takes. All orders
hold each position once, are the same for any number of threads and for one seed, and read the edges
of a directed graph both ways; so do the measures.

The functions load at their first use.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

#: Where each public name lives.
_HOME: dict[str, str] = {
    "linear_arrangement": "arrangement",
    "log_arrangement": "arrangement",
    "bandwidth": "arrangement",
    "profile": "arrangement",
    "linear_gap": "gaps",
    "log_gap": "gaps",
    "line_span": "gaps",
    "page_span": "gaps",
    "random": "random",
    "degree": "degree",
    "hub_sort": "hubs",
    "hub_cluster": "hubs",
    "bfs": "bfs",
    "dfs": "dfs",
    "reverse_cuthill_mckee": "reverse_cuthill_mckee",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'edgewise.ordering' has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)


class _Package(ModuleType):
    """Keeps a module that is imported by its full name off the name of the function in it."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
