"""The vertices that take part in most infections, by reverse searches (PREEMPT-RR [1]).

From infected vertices of simulated outbreaks, searches go back along the transmitting edges. They
reach all vertices that may have taken part in the infection. Those that take part in most are
chosen, as in influence maximization. This counts an infection as prevented even if another path
leads to it, but it is submodular. Vertices are chosen in batches, which are then removed
from the outbreaks. The searches start again from what is still infected.

The searches run over all outbreaks as one graph, in which a vertex or edge has the same name in
every outbreak.

[1] M. Minutoli, P. Sambaturu, M. Halappanavar, A. Tumeo, A. Kalyanaraman, A. Vullikanti. PREEMPT:
    scalable epidemic interventions using submodular optimization on multi-GPU systems. SC 2020.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.influence.heuristics import Task
from edgewise.algorithms.influence.outbreaks import Outbreaks
from edgewise.algorithms.traversal.bfs import bfs
from edgewise.base.random import integer
from edgewise.graph import Graph
from edgewise.graph.transfer import rows_of
from edgewise.operators import cover, reach

__all__ = ["in_the_way"]

#: The most infections that are searched back from at a time, and in how many parts one chooses.
_SEARCHES, _PARTS = 10_000, 16
_END = -5  # names the draws of these, apart from those of outbreaks


class Joined(NamedTuple):
    """Outbreaks as one graph, of places: names of vertices, or of edges, are behind ``names``.

    A name leads to every place of its vertex; those of edges to a place in the middle of each.
    ``infected`` are the places that are reached.
    """

    graph: Graph
    names: int
    infected: Any


def in_the_way(task: Task, outbreaks: Outbreaks, width: int) -> Any:
    """The k vertices, or edges, that are part of most infections by so many sources each."""
    xp, chosen = task.graph.xp, np.zeros(0, np.int64)
    gone = xp.zeros(len(task.forbidden), bool)
    while len(chosen) < task.k:
        joined = _joined(task, outbreaks, width, gone)
        ends = joined.infected
        if len(ends) > _SEARCHES:
            drawn = integer(len(ends), task.seed, np.arange(_SEARCHES), _END, len(chosen))
            ends = ends[xp.asarray(drawn)]
        excluded = xp.concatenate([xp.full(joined.names, True), task.forbidden | gone])
        part = min(-(-task.k // _PARTS), task.k - len(chosen))
        found = cover(reach(joined.graph, ends, 1.0), part, excluded=excluded)
        fresh = found.chosen[found.gains > 0] - joined.names
        if len(fresh) == 0:
            break
        gone[xp.asarray(fresh)] = True
        chosen = np.concatenate([chosen, fresh])
    return chosen


def _joined(task: Task, outbreaks: Outbreaks, width: int, gone: Any) -> Joined:
    """What is left of the outbreaks without those that are gone."""
    xp, (rows, vertices, _, begin, targets, edges) = task.graph.xp, outbreaks
    count, passed, places = len(vertices), len(edges), xp.arange(len(vertices))
    first = rows[rows_of(rows, count, np.int64, xp)]
    sources = rows_of(begin, passed, np.int64, xp)
    targets = first[sources] + targets
    begins, there = places - first < width, xp.full(passed, True)
    if task.by_edge:
        there &= ~gone[edges]
    else:
        begins &= ~gone[vertices]
        there &= ~(gone[vertices[sources]] | gone[vertices[targets]])
    root = xp.full(int(begins.sum()), count)
    whole = _graph(xp, count + 1, [(sources[there], targets[there]), (root, places[begins])])
    reached = bfs(whole, count).distance[:count] <= count
    there &= reached[sources]
    sources, targets, edges = sources[there], targets[there], edges[there]
    if task.by_edge:
        names, middles = count + len(edges), xp.arange(count, count + len(edges))
        arcs = [(sources, middles), (middles, targets), (names + edges, middles)]
    else:
        names = count
        arcs = [(sources, targets), (names + vertices[reached], places[reached])]
    if task.sources is not None:  # they cannot be helped
        reached &= places - first >= width
    return Joined(_graph(xp, names + len(gone), arcs), names, places[reached])


def _graph(xp: Any, n: int, arcs: list[Any]) -> Graph:
    sources, targets = (xp.concatenate(side) for side in zip(*arcs, strict=True))
    return Graph.from_edges(sources, targets, directed=True, num_vertices=n)
