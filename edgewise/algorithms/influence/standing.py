"""Who stands in the way of most infections: by searches back, as PREEMPT-RR does [1].

From infected vertices of drawn outbreaks, searches go back along the edges that passed it on: all
whom one meets may have been part of this infection. Those are chosen who are part of most, as seeds
are in influence maximization. That counts an infection as prevented though there may be another
way to it; but it is submodular, and one search serves all choices.

The searches run over all outbreaks as one graph, in which each vertex, or edge, is known by a name
that is met from every outbreak in which it occurs.

[1] M. Minutoli, P. Sambaturu, M. Halappanavar, A. Tumeo, A. Kalyanaraman, A. Vullikanti. PREEMPT:
    scalable epidemic interventions using submodular optimization on multi-GPU systems. SC 2020.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.influence.choices import Task
from edgewise.algorithms.influence.outbreaks import Outbreaks
from edgewise.base.random import integer
from edgewise.graph import Graph
from edgewise.graph.device import rows_of
from edgewise.operators import cover, reach

__all__ = ["in_the_way"]

#: The most infections that are searched back from.
_SEARCHES = 100_000
_END = -5  # names the draws of these, apart from those of outbreaks


def in_the_way(task: Task, outbreaks: Outbreaks, width: int) -> Any:
    """The k vertices, or edges, that are part of most infections by so many sources each."""
    xp, rows = task.graph.xp, outbreaks.rows
    joined, names = _joined(task, outbreaks)
    ends = xp.arange(len(outbreaks.vertices))
    if task.sources is not None:
        ends = ends[ends - rows[rows_of(rows, len(ends), np.int64, xp)] >= width]
    if len(ends) > _SEARCHES:
        ends = ends[xp.asarray(integer(len(ends), task.seed, np.arange(_SEARCHES), _END))]
    excluded = xp.concatenate([xp.full(names, True), task.forbidden])
    found = cover(reach(joined, ends, 1.0), task.k, excluded=excluded)
    return found.vertices[found.gains > 0] - names


def _joined(task: Task, outbreaks: Outbreaks) -> tuple[Graph, int]:
    """The outbreaks as one graph, of places, and where names of vertices, or of edges, begin in it.

    A name leads to every place of its vertex; those of edges to a place in the middle of each.
    """
    xp, (rows, vertices, _, begin, targets, edges) = task.graph.xp, outbreaks
    count, passed = len(vertices), len(edges)
    sources = rows_of(begin, passed, np.int64, xp)
    row = rows_of(rows, count, np.int64, xp)
    targets = rows[row[sources]] + targets
    if task.by_edge:
        names, middles = count + passed, xp.arange(count, count + passed)
        arcs = [(sources, middles), (middles, targets), (names + edges, middles)]
    else:
        names = count
        arcs = [(sources, targets), (names + vertices, xp.arange(count))]
    ends = (xp.concatenate(some) for some in zip(*arcs, strict=True))
    total = names + len(task.forbidden)
    return Graph.from_edges(*ends, directed=True, num_vertices=total), names
