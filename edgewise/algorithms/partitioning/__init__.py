"""Balanced graph partitioning: divide the vertices into k parts with few edges between them.

The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy, rows

#: Where each public name lives: those of the table, and these.
_HOME: dict[str, str] = {
    **rows(__name__),
    "Coarsening": "coarsen",
    "Parts": "result",
    "coarsen": "coarsen",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
