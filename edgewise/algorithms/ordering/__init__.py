"""Orders of the vertices that bring neighbors together, and measures of how well they do.

An order is an array with the new position of every vertex: what `graph.permute` takes. All orders
hold each position once, are the same for any number of threads and for one seed, and read the edges
of a directed graph both ways; so do the measures.

The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy, rows

#: Where each public name lives: those of the table, and these.
_HOME: dict[str, str] = {
    **rows(__name__),
    "arrange": "arrange",
    "bandwidth": "arrangement",
    "fill": "fill",
    "line_span": "gaps",
    "linear_arrangement": "arrangement",
    "linear_gap": "gaps",
    "log_arrangement": "arrangement",
    "log_gap": "gaps",
    "page_span": "gaps",
    "profile": "arrangement",
    "spy": "spy",
    "suggest": "suggest",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
