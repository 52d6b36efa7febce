"""Ensemble clustering for graphs (ECG [1]): a consensus of many weak clusterings.

Each clustering of the ensemble is the first level of the Louvain method in a random vertex order.
An edge of the 2-core then has the weight

    min_weight + (1 - min_weight) * (number of clusterings that join its ends) / runs

Every other edge has the weight ``min_weight``, because all clusterings join the edges of trees.
`leiden` then clusters the graph with these weights. The result depends less on chance than a single
run, and less on the scale that modularity prefers. The cost is one pass over the edges per run,
plus that of `leiden`.

[1] V. Poulin, F. Theberge. Ensemble clustering for graphs. Complex Networks 2018.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.found_communities import Communities, as_communities
from edgewise.algorithms.communities.hierarchy import brought, first_level, on_host, start
from edgewise.algorithms.communities.leiden import leiden
from edgewise.algorithms.communities.moving import Rules, move
from edgewise.algorithms.cores.core_number import core_number
from edgewise.base.checks import (
    check_count,
    check_flag,
    check_fraction,
    check_number,
    check_undirected,
)
from edgewise.base.observe import notify
from edgewise.base.random import check_seed, hashed
from edgewise.graph.edges import Arcs
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import advance
from edgewise.operators.engines import by_rows_or

__all__ = ["ecg"]

_ONE = 1 << 20  # a weight of 1: whole numbers add up to the same in any order
_PARTS = 16  # in which vertices are drawn, so that no two runs are alike


@takes_graph
def ecg(
    graph: GraphLike,
    *,
    weights: Any = "weight",
    resolution: float = 1.0,
    runs: int = 16,
    min_weight: float = 0.05,
    seed: int = 0,
    deterministic: bool = False,
) -> Communities:
    """Return communities found by ensemble clustering (ECG), all of them connected.

    Parameters
    ----------
    graph : Graph
        Undirected.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Finite and nonnegative. The ensemble uses them; the final clustering uses only its votes.
    resolution : float
        Larger values give smaller communities. 1 is the usual modularity.
    runs : int
        The number of clusterings in the ensemble. More runs give more stable communities.
    min_weight : float
        The weight, from 0 to 1, of an edge that no clustering votes for.
    seed : int
        Different seeds may give different communities.
    deterministic : bool
        Give the same result for one seed on any device and number of threads, as in `leiden`.
        Fractional weights may still round differently. Grids always use it.

    Returns
    -------
    Communities
        An array over vertices. The label of a community is its smallest vertex.

    See Also
    --------
    leiden : Finds the final communities.

    Notes
    -----
    O(n + m) time for each run, then one weighted Leiden clustering.

    Examples
    --------
    Two cliques joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> ecg(graph).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    check_undirected(graph, "ecg")
    resolution, runs = check_number(resolution, "resolution"), check_count(runs, "runs", 1, 10**6)
    min_weight, seed = check_fraction(min_weight, "min_weight"), int(check_seed(seed))
    check_flag(deterministic, "deterministic")
    level = on_host(first_level(graph, weights))
    all_mass = float(level.masses[0].sum())
    if all_mass == 0:
        return as_communities(graph, brought(graph, start(level).label), weights)
    together = level.graph.full_arcs(0, np.int32)
    deterministic = by_rows_or(graph, deterministic, True)
    rules = Rules(resolution / all_mass, 2 / all_mass, 1e-3, parts=_PARTS,
                  synchronous=deterministic)  # fmt: skip
    for run in range(runs):
        chance = int(hashed(seed, run) >> np.uint64(1))
        found = move(level, start(level), rules._replace(seed=chance))
        advance(level.graph, None, _vote, (found.label, together), output=None)
        notify(run, phase="vote")
    share = level.graph.full_arcs(round(_ONE * min_weight), np.int64)
    state = (core_number(level.graph), together, share, min_weight, runs)
    advance(level.graph, None, _weigh, state, output=None)
    label = leiden(
        level.graph, weights=Arcs(share), resolution=resolution, seed=seed,
        deterministic=deterministic,
    )  # fmt: skip
    return as_communities(graph, brought(graph, label), weights)


def _vote(source, target, edge, label, together):
    if label[source] == label[target]:
        together[edge] += 1


def _weigh(source, target, edge, core, together, share, least, runs):
    if core[source] > 1 and core[target] > 1:
        share[edge] = round(_ONE * (least + (1 - least) * together[edge] / runs))
