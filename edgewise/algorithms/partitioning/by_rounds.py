"""A multilevel partition in rounds of all vertices at once: many CPU threads, or a GPU.

The graph shrinks by `cluster_rounds` until it is small. That graph is partitioned on the host, with
all means of one CPU thread. On the way back, `unconstrained` improves the partition of each level.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.partitioning.cluster_rounds import clusters
from edgewise.algorithms.partitioning.cycles import Task, cycle
from edgewise.algorithms.partitioning.eviction import Balance
from edgewise.algorithms.partitioning.graph_levels import level_of
from edgewise.algorithms.partitioning.unconstrained import refine
from edgewise.base.observe import notify
from edgewise.base.random import hashed
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host

__all__ = ["by_rounds"]

#: A graph of fewer arcs goes to the host, and one of few vertices, in all or for each part.
SMALL, FEW, PER_PART = 1 << 20, 500, 25
#: Coarsening ends when more than this share of the vertices is left.
_STUCK = 0.95
#: The share of its weight inside that a candidate may lose, on the finest level and on others.
_RATIO = 0.25, 0.75


def by_rounds(graph: AnyGraph, mass: Any, task: Task) -> Any:
    """Return the part of each vertex; parts may be too heavy if heavy vertices allow no other."""
    k, limit, seed, plan = task
    levels, most = [(graph, mass)], 1.5 * float(mass.sum()) / max(20 * k, 400)
    up: list[Any] = []
    while graph.num_arcs > SMALL and graph.num_vertices > max(PER_PART * k, FEW):
        group = clusters(graph, mass, most, int(hashed(seed, len(up))))
        smaller, mapping = graph.contract(group, self_loops="drop")
        if smaller.num_vertices > _STUCK * graph.num_vertices:
            break
        graph = smaller.with_labels(None)
        mass = graph.xp.bincount(mapping, weights=mass)
        levels.append((graph, mass))
        up.append(mapping)
        notify(len(up), phase="coarsen", vertices=graph.num_vertices, arcs=graph.num_arcs)
    small, heavy = graph.to("cpu"), host(mass)
    level = level_of(small, small.weights, heavy)
    part = graph.xp.asarray(cycle(level, heavy, np.zeros(level.n, np.int32), False, task))
    for i in range(len(up), -1, -1):
        graph, mass = levels[i]
        part = part[up[i]] if i < len(up) else part
        ratio = _RATIO[0 if i == 0 else 1]
        part = refine(graph, part, Balance(mass, k, limit), ratio, plan.moves.stalled)
    return part
