"""What is found out once about a frozen thing: ``cached_property`` without a lock, and `once`.

Python 3.11 holds a lock while it computes one, for all objects of the class: a child of a fork
amid that could never compute its own, and ranks that are threads would wait for each other. Newer
Pythons do without. Two threads may then compute it both; what is kept is equal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property", "once"]


def once(thing: Any, name: Hashable, find: Callable[[], Any]) -> Any:
    """What ``find()`` gives, which is called the first time alone; kept with the thing.

    For what those know about a frozen thing who do not define it.

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0], [1])
    >>> once(graph, "answer", lambda: 42), once(graph, "answer", lambda: 43)
    (42, 42)
    """
    kept = thing.__dict__.setdefault("_known", {})
    try:
        return kept[name]
    except KeyError:
        found = kept[name] = find()
        return found


if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property:  # noqa: N801
        """A property that is computed at its first use."""

        def __init__(self, function: Any):
            self.function, self.name, self.__doc__ = function, function.__name__, function.__doc__

        def __get__(self, thing: Any, kind: Any = None) -> Any:
            if thing is None:
                return self
            thing.__dict__[self.name] = found = self.function(thing)
            return found
