"""Communities of high modularity by the Louvain method [1], in parallel.

On each level vertices move to the community where they gain most, until little is gained (see
``moving``); then every community becomes a vertex of the next level's graph. On the
way back down vertices move once more, from where the higher levels have put them (refinement [2]).
The heuristics are those of Grappolo [3] and Vite [4].

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

from edgewise.algorithms.communities.hierarchy import (
    Hierarchy,
    Level,
    Moved,
    brought,
    contracted,
    first_level,
    lowered,
    named,
    on_host,
    start,
    weighed,
)
from edgewise.algorithms.communities.modularity import modularity
from edgewise.algorithms.communities.moving import Rules, move
from edgewise.base.checks import check_count, check_flag, check_number
from edgewise.base.random import check_seed
from edgewise.graph.edges import Arcs
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import MIN, compute, filter, look_up, reduce_neighbors
from edgewise.operators.engines import by_rows_or

__all__ = ["louvain"]


@takes_graph
def louvain(
    graph: GraphLike,
    *,
    weights: Any = None,
    resolution: float = 1.0,
    refine: bool = True,
    deterministic: bool = False,
    vertex_following: bool = False,
    colouring: bool = False,
    minimum_label: bool = False,
    threshold_scaling: bool = True,
    early_termination: float = 0.0,
    max_levels: int = 32,
    tol: float = 1e-4,
    hierarchy: bool = False,
    seed: int = 0,
) -> Any:
    """Find communities of high modularity by moves and merges on many levels.

    Parameters
    ----------
    graph : Graph
        If it is directed, the modularity is that of directed graphs.
    weights : None, "unit" or array over edges
        Finite and not negative.
    resolution : float
        Above 1 communities get smaller, below 1 larger.
    refine : bool
        Whether vertices move once more on every level on the way back.
    deterministic : bool
        Give the same for a seed, whatever the number of threads, if weights are integers (or up to
        rounding of sums): vertices then move in rounds. About half as fast. On a grid it is always
        so.
    vertex_following : bool
        Put vertices of degree 1 with their neighbor before all else.
    colouring : bool
        Let no two neighbors look at the same time: a pass goes over the classes of a colouring.
    minimum_label : bool
        A vertex that is alone joins another that is only if that has the lower id: no two swap.
        On a GPU, where thousands move at once, it is always so.
    threshold_scaling : bool
        Go on to the next level already when a pass adds no more than 100 ``tol``, then 10 ``tol``.
    early_termination : float
        From 0 to 1: after k looks without a move a vertex looks again only with probability
        (1 - early_termination)^k.
    max_levels : int
        Merge communities so many times at most.
    tol : float
        A level is done with when a pass over it adds no more than this to the modularity.
    hierarchy : bool
        Give the communities of every level, and their modularity.
    seed : int
        Different seeds may give different communities.

    Returns
    -------
    array of vertex ids; with ``hierarchy`` a `Hierarchy` ``(levels, quality)``, the finest level
    first, last what is given without it.

    Examples
    --------
    Two cliques joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> louvain(graph).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    resolution, tol = check_number(resolution, "resolution"), check_number(tol, "tol")
    early_termination = check_number(early_termination, "early_termination")
    if not 0 <= early_termination < 1:
        raise ValueError(f"early_termination must lie in [0, 1), got {early_termination!r}")
    max_levels, seed = check_count(max_levels, "max_levels", least=1), int(check_seed(seed))
    flags = {"refine": refine, "deterministic": deterministic, "hierarchy": hierarchy,
             "vertex_following": vertex_following, "colouring": colouring,
             "minimum_label": minimum_label, "threshold_scaling": threshold_scaling}  # fmt: skip
    for name, flag in flags.items():
        check_flag(flag, name)
    level = on_host(first_level(graph, weights))
    mass = float(level.masses[0].sum())
    # Gains times the mass of all: those of whole weights are whole, and have no rounding.
    rules = Rules(resolution, (3 - len(level.masses)) / (mass or 1.0) ** 2, tol, seed=seed,
                  scale=mass, colouring=colouring, minimum_label=minimum_label,
                  early_termination=early_termination,
                  synchronous=by_rows_or(graph, deterministic, True))  # fmt: skip
    kept: list[tuple[Level, Any]] = []
    at = start(level)
    for depth in range(max_levels):
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
    found = _merged(graph, kept) if hierarchy else []
    for level, vertices in reversed(kept):
        at = lowered(level, at, vertices)
        if refine and level.size >= _SMALL * graph.num_vertices:
            at = move(level, at, rules, level.graph.full(1, np.int8))
    label = brought(graph, named(kept[0][0].graph if kept else level.graph, at.label))
    if not hierarchy:
        return label
    found = [*found[:-1], label] if found else [label]
    given: dict[str, Any] = {"weights": Arcs(weights), "resolution": resolution}
    return Hierarchy(found, [modularity(graph, one, **given) if mass else 0.0 for one in found])


#: Levels of less than this share of the vertices gain nothing when they are refined.
_SMALL = 0.01


def _followed(level: Level, at: Moved) -> Moved:
    """Vertices of degree 1 with their only neighbor; two of them with the lower id."""
    graph, (label, _, _) = level.graph, at
    degree, ids = graph.degrees(), graph.vertex_ids()
    ends = filter(graph, None, _is_end, degree)
    only = reduce_neighbors(graph, ends, _source, ids, reduce=MIN, out=ids.copy())
    compute(graph, ends, _follow, (label, ids, only, look_up(graph, degree, only)))
    return Moved(label, weighed(level, label), 0.0)


def _merged(graph: AnyGraph, kept: list[tuple[Level, Any]]) -> list[Any]:
    """The communities of the graph after every merge."""
    found, became = [], None
    for _, vertices in kept:
        vertices = brought(graph, vertices)
        became = vertices if became is None else vertices[became]
        found.append(named(graph, became))
    return found


def _is_end(v, degree):
    return degree[v] == 1


def _source(source):
    return source


def _follow(v, label, ids, only, degree):
    if degree[v] > 1 or only[v] < ids[v]:
        label[v] = only[v]
