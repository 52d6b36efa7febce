"""Multilevel graph partitioning [1], [2], [3].

Vertices are grouped along heavy edges, level by level, until few are left for each part
(`grouping`). The coarsest graph is partitioned by recursive bisection (`halving`). On the way back,
the partition is improved on every level: by rounds of unconstrained moves followed by rebalancing
(`jet_rounds`, `balancing`), then by localized searches that also accept losses (`k_way_moves`).
Further cycles group only vertices of the same part, so that all levels are improved again.

[1] G. Karypis, V. Kumar. A fast and high quality multilevel scheme for partitioning irregular
    graphs. SIAM J. Sci. Comput. 1998.
[2] M. Gilbert, K. Madduri, E. Boman, S. Rajamanickam. Jet: multilevel graph partitioning on
    graphics processing units. SIAM J. Sci. Comput. 2024.
[3] L. Gottesbueren, T. Heuer, P. Sanders, S. Schlag. Scalable shared-memory hypergraph
    partitioning. ALENEX 2021.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.partitioning.descending import descend
from edgewise.algorithms.partitioning.graph_levels import Level, level_of, masses, merged
from edgewise.algorithms.partitioning.halving import bisected
from edgewise.algorithms.partitioning.improving import Effort, improve
from edgewise.algorithms.partitioning.limits import part_limit
from edgewise.algorithms.partitioning.packing import packed
from edgewise.algorithms.partitioning.parts import Parts
from edgewise.algorithms.partitioning.volume_moves import reduce_volume
from edgewise.algorithms.weighting import balanced
from edgewise.base.checks import check_choice, check_count, check_number, check_undirected
from edgewise.base.random import check_seed, hashed
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host

__all__ = ["multilevel"]

#: Coarsening ends with so many vertices per part, and with so many altogether.
_PER_PART, _FEW = 20, 400


class _Plan(NamedTuple):
    """What an effort means."""

    tries: int  # of every bisection, on its coarsest level
    repeats: int  # of the first bisections, on all levels
    cycles: int
    moves: Effort


_PLANS = {
    "fast": _Plan(4, 1, 1, Effort(4, 0, 0, 0.0)),
    "default": _Plan(8, 4, 1, Effort(5, 2, 25, 0.4)),
    "high": _Plan(16, 8, 3, Effort(12, 8, 50, 1.0)),
}


@takes_graph
def multilevel(
    graph: LocalGraphLike,
    k: int,
    *,
    imbalance: float = 0.03,
    objective: str = "cut",
    weights: Any = "weight",
    vertex_weights: Any = None,
    effort: str = "default",
    seed: int = 0,
) -> Parts:
    """Return a balanced partition into k parts with few edges between them.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory. Self-loops have no effect.
    k : int
        The number of parts, at least 1. Some parts are empty if k > n.
    imbalance : float
        No part weighs more than ``(1 + imbalance) * ceil(total / k)``, where ``total`` is the
        weight of all vertices. The ceiling is left out if vertex weights are not integers.
    objective : {"cut", "volume"}
        Minimize the weight of the edges between parts, or the communication volume: the sum over
        vertices of the number of other parts that have a neighbor of the vertex.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.
    vertex_weights : array over vertices or dict, optional
        Finite and nonnegative; 1 for each vertex by default.
    effort : {"fast", "default", "high"}
        Higher effort takes longer and cuts fewer edges.
    seed : int
        The seed of all random choices.

    Returns
    -------
    Parts
        The part of each vertex, from 0 to k - 1. It is the same for any number of threads.

    Raises
    ------
    ValueError
        If the graph is directed, or no partition within the imbalance exists or is found.
    DeviceError
        If the graph is on a GPU.

    Notes
    -----
    About O(m log k) time on common graphs, and O(m) memory.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> parts = multilevel(grid_2d(20, 20), 4)
    >>> parts.sizes().max() <= 103
    np.True_
    >>> u, v = grid_2d(20, 20).edges()[:2]
    >>> (parts[u] != parts[v]).sum() < 60
    np.True_
    """
    check_host(graph, "multilevel")
    check_undirected(graph, "multilevel")
    k, imbalance = check_count(k, "k", least=1), check_number(imbalance, "imbalance")
    if not imbalance >= 0:
        raise ValueError(f"imbalance must not be negative, got {imbalance!r}")
    check_choice(objective, "objective", ("cut", "volume"))
    plan = _PLANS[check_choice(effort, "effort", _PLANS)]
    level = _finest(graph, weights, vertex_weights)
    seed, limit = int(check_seed(seed)), part_limit(level.mass, k, imbalance)
    part, used = np.zeros(level.n, np.int32), min(k, level.n)
    if used > 1:
        part = _partition(level, used, limit, seed, plan)
        if objective == "volume":
            reduce_volume(level, part, used, limit)
    return Parts(part.astype(graph.indices.dtype), k)


def _finest(graph: Any, weights: Any, vertex_weights: Any) -> Level:
    """Return the graph as a level: without loops, and with one edge for each pair."""
    level = level_of(graph, balanced(graph, weights)[1], masses(graph, vertex_weights))
    return merged(level, np.arange(level.n, dtype=np.int32), level.n)


def _partition(level: Level, k: int, limit: float, seed: int, plan: _Plan) -> np.ndarray:
    part = np.zeros(level.n, np.int32)
    for cycle in range(plan.cycles):
        part = _cycle(level, part, cycle > 0, k, limit, int(hashed(seed, cycle)), plan)
    if np.bincount(part, weights=level.mass, minlength=k).max() > limit:
        fitting = packed(level.mass, part, k, limit)
        if fitting is None:
            raise ValueError(
                f"no partition into {k} parts of at most {limit:g} was found: the heaviest vertex "
                f"weighs {level.mass.max():g}, all together {level.mass.sum():g}; give a larger "
                "imbalance or fewer parts"
            )
        part = fitting
        improve(level, part, k, limit, seed, plan.moves)
    return part


def _cycle(
    level: Level, part: np.ndarray, again: bool, k: int, limit: float, seed: int, plan: _Plan
) -> np.ndarray:
    """One way down the levels and back; ``again`` with a partition, which groups respect."""
    fewest = max(_PER_PART * k, _FEW)
    limits = np.full(k if again else 1, 1.5 * level.mass.sum() / fewest)
    found = descend(level, part, lambda part: limits if len(part) > 1.3 * fewest else None, seed)
    levels, parts, up = found
    part = parts[-1] if again else bisected(levels[-1], k, limit, seed, plan.tries, plan.repeats)
    improve(levels[-1], part, k, limit, seed, plan.moves)
    for finer, vertices in zip(levels[-2::-1], reversed(up), strict=True):
        part = part[vertices]
        improve(finer, part, k, limit, seed, plan.moves)
    return part
