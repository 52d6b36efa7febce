"""The object that NetworkX loads as the backend ``edgewise``.

It has an attribute for every function in `FUNCTIONS`. NetworkX asks it whether a call can run here
and whether it should, converts the graphs, and calls the function. Modules with functions load at
their first call.
"""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from time import perf_counter
from typing import Any

import networkx as nx

from _edgewise_networkx import is_automatic
from _edgewise_networkx.names import GRAPH_TO_GRAPH
from edgewise.networkx.choosing import refusal, too_small
from edgewise.networkx.function_table import CLASSES, FUNCTIONS, Row
from edgewise.networkx.recent_calls import note
from edgewise.networkx.shortcut import install

__all__ = ["Backend", "backend"]


class Function:
    """A function of the backend under NetworkX's name."""

    def __init__(self, name: str, row: Row):
        self.__name__, self.row = name, row

    @cached_property
    def __wrapped__(self) -> Any:
        if self.row.module in ("composed", "as_is"):
            return nx.utils.backends._registered_algorithms[self.__name__].orig_func
        return getattr(import_module(f"edgewise.networkx.{self.row.module}"), self.__name__)

    def __call__(self, *args: Any, **options: Any) -> Any:
        began = perf_counter()
        result = self.__wrapped__(*args, **options)
        if self.row.module == "composed":
            result = _like(args, result)
        note(self.__name__, "edgewise", _size(args), perf_counter() - began)
        return result


class Backend:
    """The backend interface of NetworkX."""

    def __getattr__(self, name: str) -> Any:
        if name not in FUNCTIONS:
            if name in nx.utils.backends._registered_algorithms:
                note(name, "networkx", "Edgewise has no such function")
            raise AttributeError(name)
        function = Function(name, FUNCTIONS[name])
        setattr(self, name, function)
        return function

    def can_run(self, name: str, args: Any, kwargs: Any) -> bool | str:
        """True, or why a call must run in NetworkX."""
        reason = refusal(name, args, kwargs)
        if reason is None:
            return True
        note(name, "networkx", reason)
        return reason

    def should_run(self, name: str, args: Any, kwargs: Any) -> bool | str:
        """True, or why a call is faster in NetworkX."""
        reason = too_small(name, args, kwargs)
        if reason is None:
            return True
        note(name, "networkx", reason)
        return reason

    @staticmethod
    def convert_from_nx(graph: Any, **options: Any) -> Any:
        """A NetworkX graph as one of the backend; its arrays are made when a function reads them.

        The options say which attributes are needed. They are not: attributes are read by name.
        """
        from edgewise.networkx.graph_classes import converted

        return converted(graph)

    @staticmethod
    def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
        """A graph of the backend as one of NetworkX; other results as they are."""
        if getattr(result, "__networkx_backend__", None) != "edgewise":
            return result
        from edgewise.networkx.graph_classes import plain

        return plain(result)

    @staticmethod
    def on_start_tests(items: Any) -> None:
        """Mark those tests of NetworkX's own that are known to fail; see tests/networkx."""
        from edgewise.networkx.known_failures import mark

        mark(items)


def _like(args: Any, result: Any) -> Any:
    """A graph that NetworkX's steps made of a converted one: NetworkX's again."""
    if isinstance(result, nx.Graph) and args and "_origin" in args[0].__dict__:
        return Backend.convert_to_nx(result)
    return result


def _size(args: Any) -> str:
    graph = args[0] if args else None
    return f"{len(graph):,} nodes" if isinstance(graph, nx.Graph) else ""


def _make_class(kind: str) -> Any:
    def new(cls: Any, *args: Any, **options: Any) -> Any:
        from edgewise.networkx import graph_classes

        return object.__new__(getattr(graph_classes, CLASSES[kind]))

    return new


for _kind in CLASSES:
    setattr(Backend, _kind, staticmethod(_make_class(_kind)))

backend = Backend()

if is_automatic():
    install()
    # functions from graphs to graphs, which NetworkX counts among generators
    for _name in GRAPH_TO_GRAPH:
        if "edgewise" in (_chosen := nx.config.backend_priority).algos and _name not in _chosen:
            _chosen[_name] = ["edgewise"]
