"""The ways to group vertices for a coarser graph: see `coarsen`."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.coloring.aggregates import aggregates
from edgewise.algorithms.matching.locally_dominant import match_free
from edgewise.algorithms.partitioning.cluster_rounds import alike, clusters, pairs_alike
from edgewise.algorithms.partitioning.graph_levels import level_of
from edgewise.algorithms.partitioning.grouping import grouped
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import row_ids
from edgewise.operators import ARGMAX, Frontier, reduce_neighbors
from edgewise.operators.sequential import sequential_or

__all__ = ["GROUPS"]

#: Unmatched vertices are paired over two hops if they are a larger share.
_ALONE = 0.1
_POSITIVE = (1 << 63) - 1


def _clusters(graph: AnyGraph, mass: Any, most: float, seed: int) -> Any:
    return sequential_or(graph, _grouped, _clustered, mass, most, seed)


def _grouped(graph: AnyGraph, mass: Any, most: float, seed: int) -> Any:
    level = level_of(graph, graph.weights, mass)
    return grouped(level, np.zeros(level.n, np.int32), np.array([most]), seed)[0]


def _clustered(graph: AnyGraph, mass: Any, most: float, seed: int) -> Any:
    return clusters(graph, mass, most, seed)


def _aggregates(graph: AnyGraph, mass: Any, most: float, seed: int) -> Any:
    root = aggregates(graph, seed=seed & _POSITIVE)
    xp, n = graph.xp, graph.num_vertices
    heavy = xp.bincount(root, weights=mass, minlength=n)[root] > most
    label = xp.where(heavy, xp.arange(n), root)
    alone = graph.row_lengths() == 0
    label[alone] = xp.flatnonzero(alone)
    alike(graph, xp.flatnonzero(heavy | alone), xp.where(alone, -1, root), mass, most, label)
    return label


def _pairs(graph: AnyGraph, mass: Any, most: float, seed: int) -> Any:
    xp, n = graph.xp, graph.num_vertices
    u, v = row_ids(graph), graph.indices
    weight = xp.ones(graph.num_arcs) if graph.weights is None else graph.weights
    rate = weight * weight / xp.maximum(mass[u] * mass[v], 1e-30)
    mate, ids = graph.full(-1, graph.id_dtype), xp.arange(n)
    match_free(graph, mate, xp.where(mass[u] + mass[v] <= most, rate, 0.0))
    first = xp.where(mate < 0, ids, xp.minimum(mate, ids))
    alone = xp.flatnonzero(mate < 0)
    if len(alone) > _ALONE * n:
        _, best = reduce_neighbors(graph, None, _edge, ids, reduce=ARGMAX, mode="out", weights=rate,
                                   dtype=(np.float64, np.int64))  # fmt: skip
        other = pairs_alike(graph, Frontier(n, ids=alone), xp.where(best < 0, n, best), mass, most)
        first = xp.where(other >= 0, other, first)
    return first


def _edge(weight, source):
    return weight, np.int64(source)


GROUPS = {"clustering": _clusters, "matching": _pairs, "aggregates": _aggregates}
