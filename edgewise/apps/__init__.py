"""Applications: what people do with graphs, from their own data to the answer.

The functions load at their first use.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

#: Where each public name lives.
_HOME: dict[str, str] = {
    "CellClusters": "cell_clusters",
    "Neighbors": "nearest_neighbors",
    "cell_clusters": "cell_clusters",
    "nearest_neighbors": "nearest_neighbors",
    "neighbor_graph": "cell_clusters",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'edgewise.apps' has no attribute {name!r}")
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
