"""Communities: who belongs together, and how well.

A labelling is an array with one number per vertex: those with the same one are a community. What
finds communities gives the smallest vertex of each as its label. The functions load at their first
use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy, rows

#: Where each public name lives: those of the table, and these.
_HOME: dict[str, str] = {
    **rows(__name__),
    "Hierarchy": "hierarchy",
    "adjusted_rand_index": "agreement",
    "normalized_mutual_information": "agreement",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
