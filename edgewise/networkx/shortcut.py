"""A short way for calls that stay in NetworkX, part of ``NX_EDGEWISE_AUTOCONFIG``.

With a backend in its priorities, NetworkX takes 7 to 15 microseconds to choose where a call runs,
which is longer than many functions take on graphs of 20 nodes. NetworkX has two ways to call a
function: `_call_if_any_backends_installed` chooses, and `_call_if_no_backends_installed` just calls
it. `install` makes the choice between the two depend on the first graph of the call: graphs that
are too small for a conversion go the short way. Calls with ``backend=``, graphs of other classes,
and programs with other backends installed always go the long way.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import networkx as nx

from edgewise.networkx.choosing import cheaper_there
from edgewise.networkx.function_table import FUNCTIONS
from edgewise.networkx.recent_calls import note
from edgewise.networkx.settings import setting

__all__ = ["install"]

_PLAIN = frozenset((nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph))


def install() -> bool:
    """Put the short way before NetworkX's choice; return whether that was possible."""
    kind = nx.utils.backends._dispatchable
    chosen = getattr(kind, "_call_if_any_backends_installed", None)
    others = {*nx.utils.backends.backends} - {"edgewise", "networkx"}
    known = (getattr(chosen, "__module__", None), "_edgewise_networkx")
    if chosen is None or kind.__call__.__module__ not in known or others or kind._is_testing:
        return False

    def call(self: Any, /, *args: Any, backend: Any = None, **kwargs: Any) -> Any:
        if backend is None and args and type(args[0]) in _PLAIN and _stays(self, args, kwargs):
            return self.orig_func(*args, **kwargs)
        return chosen(self, *args, backend=backend, **kwargs)

    kind.__call__ = call
    return True


def _stays(function: Any, args: Any, kwargs: Any) -> bool:
    """Does a call stay in NetworkX, whatever its other arguments are?"""
    name = function.name
    more = _more_graphs(name)
    if more is None or (more and not _are_plain(more, args, kwargs)):
        return False
    if name not in FUNCTIONS:
        note(name, "networkx", "Edgewise has no such function")
        return True
    reason = None if setting("always") else cheaper_there(name, args[0])
    if reason is None:
        return False
    note(name, "networkx", reason)
    return True


@cache
def _more_graphs(name: str) -> tuple[tuple[str, int], ...] | None:
    """Names and places of a function's further graphs; None if the first argument is no graph."""
    function = nx.utils.backends._registered_algorithms[name]
    graphs = function.graphs or {}
    if 0 not in graphs.values() or function.list_graphs or "networkx" not in function.backends:
        return None
    return tuple((key, place) for key, place in graphs.items() if place)


def _are_plain(more: Any, args: Any, kwargs: Any) -> bool:
    given = (args[at] if at < len(args) else kwargs.get(key) for key, at in more)
    return all(one is None or type(one) in _PLAIN for one in given)
