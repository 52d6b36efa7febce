"""Weighted matching, b-matching and edge covers.

All approximate methods look at edges in one order: the heavier first, equal weights by
`edgewise.operators.edge_order`. So `locally_dominant`, `greedy` and `suitor` give the same
matching, on every engine and with any number of threads.

The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "Matching": "result",
    "Selection": "result",
    "Verdict": "verify",
    "verify_matching": "verify",
    "suitor": "suitor",
    "locally_dominant": "locally_dominant",
    "greedy": "greedy",
    "b_suitor": "b_suitor",
    "b_edge_cover": "b_edge_cover",
    "CoverVerdict": "verify_edge_cover",
    "verify_edge_cover": "verify_edge_cover",
    "hopcroft_karp": "hopcroft_karp",
    "maximum_weight_bipartite": "bipartite",
    "heavy_perfect": "heavy_perfect",
    "heavy_diagonal": "heavy_diagonal",
    "two_thirds": "two_thirds",
    "path_growing": "path_growing",
    "paz_schwartzman": "paz_schwartzman",
    "paz_schwartzman_stream": "paz_schwartzman",
    "BoundedMatching": "result",
    "vertex_weighted": "vertex_weighted",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
