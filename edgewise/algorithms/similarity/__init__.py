"""How similar two vertices are, by the neighbors that they share; and the most similar ones.

A vertex's neighbors are those that its edges lead to; self-loops do not count. The functions load
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
