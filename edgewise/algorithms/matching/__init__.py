"""Weighted matching, b-matching and edge covers.

All approximate methods rank edges in one order: heavier edges first, and equal weights by
`edgewise.operators.edge_order`. So `locally_dominant`, `greedy` and `suitor` return the same
matching, on every engine and with any number of threads.

The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy, rows

#: Where each public name lives: those of the table, and these.
_HOME: dict[str, str] = {
    **rows(__name__),
    "BoundedMatching": "result",
    "CoverVerdict": "verify_edge_cover",
    "Matching": "result",
    "Selection": "result",
    "TaskAssignment": "assign_tasks",
    "MatchingVerdict": "verify_matching",
    "assign_tasks": "assign_tasks",
    "heavy_diagonal": "heavy_diagonal",
    "paz_schwartzman_stream": "paz_schwartzman",
    "verify_edge_cover": "verify_edge_cover",
    "verify_matching": "verify_matching",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
