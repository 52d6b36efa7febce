"""Multilevel graph partitioning [1], [2], [3].

Vertices are grouped along heavy edges, level by level, until few are left for each part. The
coarsest graph is partitioned by recursive bisection. On the way back, the partition is improved on
every level: by rounds of unconstrained moves followed by rebalancing (Jet), then by localized
searches that also accept losses. One CPU thread does all of it (`cycles`). On a GPU, and on
request on all CPU threads, groups and rounds are made of operators (`by_rounds`), without searches.
Only a small graph is then left to one thread.

[1] G. Karypis, V. Kumar. A fast and high quality multilevel scheme for partitioning irregular
    graphs. SIAM J. Sci. Comput. 1998.
[2] M. Gilbert, K. Madduri, E. Boman, S. Rajamanickam. Jet: multilevel graph partitioning on
    graphics processing units. SIAM J. Sci. Comput. 2024.
[3] L. Gottesbueren, T. Heuer, P. Sanders, S. Schlag. Scalable shared-memory hypergraph
    partitioning. ALENEX 2021.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.partitioning.by_rounds import by_rounds
from edgewise.algorithms.partitioning.cycles import PLANS, Task, in_cycles, within_limit
from edgewise.algorithms.partitioning.graph_levels import (
    Level,
    level_of,
    masses,
    merged,
    weight_columns,
)
from edgewise.algorithms.partitioning.limits import part_limit
from edgewise.algorithms.partitioning.parts import as_parts
from edgewise.algorithms.partitioning.volume_moves import reduce_volume
from edgewise.algorithms.weighting import balanced
from edgewise.base.checks import (
    check_choice,
    check_count,
    check_number,
    check_one_device,
    check_undirected,
)
from edgewise.base.random import check_seed
from edgewise.graph import Graph
from edgewise.graph.edges import Arcs
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host
from edgewise.operators.sequential import method_for

__all__ = ["multilevel"]


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
    method: str = "auto",
    seed: int = 0,
) -> Any:
    """Return a balanced partition into k parts with few edges between them.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory or on a GPU. Self-loops have no effect.
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
        Finite and nonnegative; 1 for each vertex by default. An array with n rows and several
        columns gives several weights per vertex. Every part keeps the limit of every column.
        Weights that are all 0 count as 1.
    effort : {"fast", "default", "high"}
        Higher effort takes longer and cuts fewer edges.
    method : {"auto", "searches", "rounds"}
        ``"searches"`` is the method of one CPU thread, which also does localized searches. It is
        the default in host memory. ``"rounds"`` moves many vertices at once, on all CPU threads or
        on a GPU, where it is the default.
    seed : int
        The seed of all random choices.

    Returns
    -------
    Parts
        The part of each vertex, from 0 to k - 1; on a GPU, an array there. It is the same for any
        number of threads. It differs between methods, and between a CPU and a GPU.

    Raises
    ------
    ValueError
        If the graph is directed, or no partition within the imbalance exists or is found. If
        ``"rounds"`` is to keep the limits of several weights per vertex.

    Notes
    -----
    About O(m log k) time on common graphs, and O(m) memory. On a GPU, ``objective="volume"`` copies
    the graph to host memory, because one CPU thread makes the last moves.

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
    check_one_device(graph, "multilevel")
    check_undirected(graph, "multilevel")
    k, imbalance = check_count(k, "k", least=1), check_number(imbalance, "imbalance")
    if not imbalance >= 0:
        raise ValueError(f"imbalance must not be negative, got {imbalance!r}")
    check_choice(objective, "objective", ("cut", "volume"))
    plan = PLANS[check_choice(effort, "effort", PLANS)]
    find = _METHODS[method_for(graph, method, "searches", "rounds")]
    columns = [masses(graph, one) for one in weight_columns(vertex_weights)]
    columns = [one for one in columns if one.any()] or [masses(graph, None)]
    limits = np.array([part_limit(one, k, imbalance) for one in columns])
    used, limit = min(k, graph.num_vertices), limits if len(limits) > 1 else float(limits[0])
    task = Task(used, limit, int(check_seed(seed)), plan)
    part = graph.full(0, np.int32)
    if used > 1:
        part = find(graph, balanced(graph, weights)[1], columns, task, objective == "volume")
    return as_parts(part.astype(graph.id_dtype), k)


def _by_searches(
    graph: AnyGraph, weights: Any, columns: list[Any], task: Task, volume: bool
) -> Any:
    level = _finest(graph, weights, columns)
    mass = level.mass if len(columns) == 1 else np.stack(columns, axis=1)
    part = in_cycles(level, mass, task)
    if volume:
        reduce_volume(level, part, task.k, task.limit, mass)
    return part


def _by_rounds(graph: Graph, weights: Any, columns: list[Any], task: Task, volume: bool) -> Any:
    if len(columns) > 1:
        raise ValueError(
            'method must be "searches", with a graph in host memory, if vertices have several '
            f"weights, got {len(columns)} columns of vertex_weights"
        )
    (mass,) = columns
    plain = graph.with_labels(None).with_weights(None if weights is None else Arcs(weights))
    part = by_rounds(plain.without_self_loops(), mass, task)
    heaviest = float(graph.xp.bincount(part, weights=mass).max())
    if volume or heaviest > task.limit:
        level = _finest(graph.to("cpu"), None if weights is None else host(weights), [host(mass)])
        here = within_limit(level, level.mass, host(part), task)
        if volume:
            reduce_volume(level, here, task.k, task.limit, level.mass)
        part = graph.xp.asarray(here)
    return part


def _finest(graph: AnyGraph, weights: Any, columns: list[Any]) -> Level:
    """Return the graph as a level: without loops, and with one edge for each pair.

    Of several weights per vertex, the mass is the sum of their shares.
    """
    mass = columns[0]
    if len(columns) > 1:
        mass = sum(one / max(float(one.sum()), 1e-300) for one in columns)
    level = level_of(graph, weights, mass)
    return merged(level, np.arange(level.n, dtype=np.int32), level.n)


_METHODS = {"searches": _by_searches, "rounds": _by_rounds}
