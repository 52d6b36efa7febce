"""Vertex similarity by common neighbors, and the most similar vertices of each vertex.

The neighbors of a vertex are the targets of its edges. Self-loops are ignored. The functions load
at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy, rows

#: Where each public name lives: those of the table, and these.
_HOME: dict[str, str] = {
    **rows(__name__),
    "Similar": "top_k",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
