"""Orders of the vertices that bring neighbors together, and measures of how well they do.

An order is an array with the new position of every vertex: what `graph.permute` takes. All orders
hold each position once, are the same for any number of threads and for one seed, and read the edges
of a directed graph both ways; so do the measures.

The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "arrange": "arrange",
    "suggest": "suggest",
    "spy": "spy",
    "linear_arrangement": "arrangement",
    "log_arrangement": "arrangement",
    "bandwidth": "arrangement",
    "profile": "arrangement",
    "linear_gap": "gaps",
    "log_gap": "gaps",
    "line_span": "gaps",
    "page_span": "gaps",
    "fill": "fill",
    "random": "random",
    "degree": "degree",
    "degree_groups": "degree_groups",
    "hub_sort": "hubs",
    "hub_cluster": "hubs",
    "bfs": "bfs",
    "dfs": "dfs",
    "reverse_cuthill_mckee": "reverse_cuthill_mckee",
    "shingle": "shingle",
    "layered_label_propagation": "layered_label_propagation",
    "rabbit": "rabbit",
    "gorder": "gorder",
    "nested_dissection": "nested_dissection",
    "refine": "refine",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
