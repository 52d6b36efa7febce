"""Community detection, and measures of how good communities are.

A partition is an array over vertices: vertices with equal values form a community. Functions that
find communities label each of them by its smallest vertex. The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy, rows

#: Where each public name lives: those of the table, and these.
_HOME: dict[str, str] = {
    **rows(__name__),
    "Communities": "found_communities",
    "Dendrogram": "dendrograms",
    "Hierarchy": "dendrograms",
    "OverlappingCommunities": "overlapping",
    "adjusted_rand_score": "agreement",
    "normalized_mutual_info_score": "agreement",
    "overlapping_nmi_score": "overlapping_agreement",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
