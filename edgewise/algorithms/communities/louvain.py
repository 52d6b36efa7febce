"""The Louvain method [1] in parallel: communities of high modularity.

On each level, vertices move to the community of largest gain until a pass gains little (see
`moving`). Then every community becomes a vertex of the next level's graph. On the way back down,
vertices of each level move once more (refinement [2]). The heuristics are those of Grappolo [3] and
Vite [4]. O(n + m) time per pass and O(n + m) memory.

[1] V. Blondel, J. Guillaume, R. Lambiotte, E. Lefebvre. Fast unfolding of communities in large
    networks. J. Stat. Mech. 2008.
[2] C. Staudt, H. Meyerhenke. Engineering parallel algorithms for community detection in massive
    networks. IEEE TPDS 27, 2016.
[3] H. Lu, M. Halappanavar, A. Kalyanaraman. Parallel heuristics for scalable community detection.
    Parallel Computing 47, 2015.
[4] S. Ghosh, M. Halappanavar, A. Tumeo et al. Distributed Louvain algorithm for graph community
    detection. IPDPS 2018.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.found_communities import Communities, as_communities
from edgewise.algorithms.communities.hierarchy import (
    Level,
    Moved,
    brought,
    contracted,
    first_level,
    lowered,
    merged,
    named,
    on_host,
    start,
    weighed,
)
from edgewise.algorithms.communities.moving import Rules, move
from edgewise.base.checks import check_count, check_flag, check_number
from edgewise.base.random import check_seed
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import MIN, compute, filter, look_up, reduce_neighbors
from edgewise.operators.engines import by_rows_or

__all__ = ["louvain", "search"]


@takes_graph
def louvain(
    graph: GraphLike,
    *,
    weights: Any = "weight",
    resolution: float = 1.0,
    refine: bool = True,
    deterministic: bool = False,
    vertex_following: bool = False,
    coloring: bool = False,
    minimum_label: bool = False,
    threshold_scaling: bool = True,
    early_termination: float = 0.0,
    max_level: int = 32,
    tol: float = 1e-4,
    seed: int = 0,
) -> Communities:
    """Return communities found by the Louvain method.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Directed graphs use directed modularity.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.
    resolution : float
        Larger values give smaller communities. 1 is the usual modularity.
    refine : bool
        Move vertices once more at each level while the hierarchy is projected back to the graph.
    deterministic : bool
        Give the same result for one seed and any number of threads, by moving vertices in rounds.
        About half as fast. Fractional weights may still round differently. Grids always use it.
    vertex_following : bool
        First merge each vertex of degree 1 with its neighbor.
    coloring : bool
        Process one color class at a time, so that adjacent vertices never move at once.
    minimum_label : bool
        Of two singleton communities, let the one with the higher id join the other, so that they
        never swap. Always on for GPUs.
    threshold_scaling : bool
        Use 100 ``tol`` on the first level and 10 ``tol`` on the second.
    early_termination : float
        From 0 to less than 1. After k passes without a move, a vertex is examined again with
        probability (1 - early_termination)^k. Larger values are faster and less accurate.
    max_level : int
        The largest number of levels.
    tol : float
        A level ends when a pass over it adds no more than this to the modularity.
    seed : int
        Different seeds may give different communities.

    Returns
    -------
    Communities
        An array over vertices. The label of a community is its smallest vertex.
        `louvain_partitions` returns all levels.

    Notes
    -----
    O(n + m) time per pass and O(n + m) memory.

    Examples
    --------
    Two cliques joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> louvain(graph).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    return search(
        graph, weights, resolution=resolution, refine=refine, deterministic=deterministic,
        vertex_following=vertex_following, coloring=coloring, minimum_label=minimum_label,
        threshold_scaling=threshold_scaling, early_termination=early_termination,
        max_level=max_level, tol=tol, seed=seed,
    )[-1]  # fmt: skip


def search(
    graph: AnyGraph, weights: Any, *, resolution: Any, refine: Any, deterministic: Any,
    vertex_following: Any, coloring: Any, minimum_label: Any, threshold_scaling: Any,
    early_termination: Any, max_level: Any, tol: Any, seed: Any, every_level: bool = False,
) -> list[Any]:  # fmt: skip
    """The communities that `louvain` finds, after those of every other level if these are wanted.

    The arguments are checked here; ``weights`` are over arcs.
    """
    resolution, tol = check_number(resolution, "resolution"), check_number(tol, "tol")
    early_termination = check_number(early_termination, "early_termination")
    if not 0 <= early_termination < 1:
        raise ValueError(f"early_termination must lie in [0, 1), got {early_termination!r}")
    max_level, seed = check_count(max_level, "max_level", least=1), int(check_seed(seed))
    flags = {"refine": refine, "deterministic": deterministic,
             "vertex_following": vertex_following, "coloring": coloring,
             "minimum_label": minimum_label, "threshold_scaling": threshold_scaling}  # fmt: skip
    for name, flag in flags.items():
        check_flag(flag, name)
    level = on_host(first_level(graph, weights))
    mass = float(level.masses[0].sum())
    # Gains times the mass of all: those of whole weights are whole, and have no rounding.
    rules = Rules(resolution, (3 - len(level.masses)) / (mass or 1.0) ** 2, tol, seed=seed,
                  scale=mass, coloring=coloring, minimum_label=minimum_label,
                  early_termination=early_termination,
                  synchronous=by_rows_or(graph, deterministic, True))  # fmt: skip
    kept: list[tuple[Level, Any]] = []
    at = start(level)
    for depth in range(max_level):
        if vertex_following and depth == 0:
            at = _followed(level, at)
        else:
            scale = 10.0 ** max(2 - depth, 0) if threshold_scaling else 1.0
            at = move(level, at, rules._replace(tol=tol * scale))
            if at.gain <= tol:  # what has moved stays so, but is not worth a level
                break
        small, vertices, _ = contracted(level, at.label, at.sums)
        kept.append((level, vertices))
        level, at = small, start(small)
    found = merged(graph, [vertices for _, vertices in kept]) if every_level else []
    for level, vertices in reversed(kept):
        at = lowered(level, at, vertices)
        if refine and level.size >= _SMALL * graph.num_vertices:
            at = move(level, at, rules, level.graph.full(1, np.int8))
    label = brought(graph, named(kept[0][0].graph if kept else level.graph, at.label))
    return [as_communities(graph, one, weights) for one in (*found[:-1], label)]


#: Levels of less than this share of the vertices gain nothing when they are refined.
_SMALL = 0.01


def _followed(level: Level, at: Moved) -> Moved:
    """Vertices of degree 1 with their only neighbor; two of them with the lower id."""
    graph, (label, _, _) = level.graph, at
    degree, ids = graph.row_lengths(), graph.vertex_ids()
    ends = filter(graph, None, _is_end, degree)
    only = reduce_neighbors(graph, ends, _source, ids, reduce=MIN, out=ids.copy())
    compute(graph, ends, _follow, (label, ids, only, look_up(graph, degree, only)))
    return Moved(label, weighed(level, label), 0.0)


def _is_end(v, degree):
    return degree[v] == 1


def _source(source):
    return source


def _follow(v, label, ids, only, degree):
    if degree[v] > 1 or only[v] < ids[v]:
        label[v] = only[v]
