"""Trusses by counting triangles anew, where ranks share the rows.

The triangles of all edges that are left are counted after every round of removals. The rounds are
those of `edgewise.algorithms.cores.truss_number`, which updates the counts instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.similarity.link_prediction import common_neighbors
from edgewise.base.observe import notify
from edgewise.graph.edges import arc_ends, at_kept
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.subgraphs import only_edges

__all__ = ["recounted_numbers", "recounted_truss"]


def recounted_numbers(graph: AnyGraph) -> Any:
    """Return the truss number of every arc; self-loops have 0."""
    sources, targets = arc_ends(graph)
    kept = sources != targets
    part, truss, level = only_edges(graph, kept), graph.full_arcs(0, np.int64), 0
    while part.num_edges:
        support = common_neighbors(part)
        level = max(level, int(support.min()))
        gone = support <= level
        truss += at_kept(graph, kept, gone * np.int64(level + 2))
        kept, part = at_kept(graph, kept, ~gone), only_edges(part, ~gone)
        notify(level, phase="peel", edges=part.num_edges)
    return truss


def recounted_truss(graph: AnyGraph, k: int) -> AnyGraph:
    """Return the graph with the edges of the k-truss alone."""
    part, turn = graph.without_self_loops(), 0
    while part.num_edges:
        enough = common_neighbors(part) >= k - 2
        notify(turn, phase="peel", edges=part.num_edges)
        if enough.all():
            break
        part, turn = only_edges(part, enough), turn + 1
    return part
