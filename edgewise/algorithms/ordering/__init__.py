"""Vertex orders that improve locality, and measures of how good an order is.

An order is an array over vertices with the new position of each vertex, as `Graph.permute` takes
it. Orders and measures treat a directed graph as undirected. An order is the same for any number of
threads and for one seed.

The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy, rows

#: Where each public name lives: those of the table, and these.
_HOME: dict[str, str] = {
    **rows(__name__),
    "reorder": "reorder",
    "bandwidth": "arrangement",
    "fill_in": "fill_in",
    "line_span": "gaps",
    "linear_arrangement": "arrangement",
    "linear_gap": "gaps",
    "log_arrangement": "arrangement",
    "log_gap": "gaps",
    "page_span": "gaps",
    "profile": "arrangement",
    "spy": "spy",
    "suggest_method": "suggest_method",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
