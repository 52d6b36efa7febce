"""Communities by an ensemble (ECG [1]): what many weak clusterings agree on counts more.

Vertices move to their best community, on the first level alone and drawn in another order, several
times. An edge of the 2-core then weighs

    least + (1 - least) * (in how many of them its ends are together) / runs

and any other edge ``least``: on an edge to a tree they agree whatever is there. What `leiden`
finds by these weights depends less on chance than what one run finds, and is less bound to the
scale that modularity prefers. As many passes over the edges as there are runs, and those of
`leiden`.

[1] V. Poulin, F. Theberge. Ensemble clustering for graphs. Complex Networks 2018.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.hierarchy import brought, first_level, on_host, start
from edgewise.algorithms.communities.leiden import leiden
from edgewise.algorithms.communities.moving import Rules, move
from edgewise.algorithms.cores.core_number import core_number
from edgewise.base.checks import (
    check_count,
    check_flag,
    check_fraction,
    check_number,
    check_one_device,
    check_undirected,
)
from edgewise.base.observe import notify
from edgewise.base.random import check_seed, hashed
from edgewise.graph.edges import Arcs
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import advance

__all__ = ["ensemble"]

_ONE = 1 << 20  # a weight of 1: whole numbers add up to the same in any order
_PARTS = 16  # in which vertices are drawn, so that no two runs are alike


@takes_graph
def ensemble(
    graph: GraphLike,
    *,
    weights: Any = None,
    resolution: float = 1.0,
    runs: int = 16,
    least: float = 0.05,
    seed: int = 0,
    deterministic: bool = False,
) -> Any:
    """Find connected communities on which many weak clusterings agree.

    Parameters
    ----------
    graph : Graph
        Undirected.
    weights : None, "unit" or array over edges
        Finite and not negative. Those that the runs go by; the last one knows their votes alone.
    resolution : float
        Above 1 communities get smaller, below 1 larger.
    runs : int
        How many clusterings vote.
    least : float
        The weight of an edge that none of them votes for, from 0 to 1.
    seed : int
        Different seeds may give different communities.
    deterministic : bool
        Give the same for a seed, whatever the number of threads and the device, if weights are
        integers (else up to rounding of sums); as in `leiden`.

    Returns
    -------
    array of vertex ids: the smallest vertex of its community for every vertex

    Examples
    --------
    Two cliques joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> ensemble(graph).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    check_one_device(graph, "ensemble")
    check_undirected(graph, "ensemble")
    resolution, runs = check_number(resolution, "resolution"), check_count(runs, "runs", 1, 10**6)
    least, seed = check_fraction(least, "least"), int(check_seed(seed))
    check_flag(deterministic, "deterministic")
    level = on_host(first_level(graph, weights))
    all_mass = float(level.masses[0].sum())
    if all_mass == 0:
        return brought(graph, start(level).label)
    together = level.graph.xp.zeros(level.graph.num_arcs, np.int32)
    rules = Rules(resolution / all_mass, 2 / all_mass, 1e-3, parts=_PARTS,
                  synchronous=deterministic)  # fmt: skip
    for run in range(runs):
        chance = int(hashed(seed, run) >> np.uint64(1))
        found = move(level, start(level), rules._replace(seed=chance))
        advance(level.graph, None, _vote, (found.label, together), output=None)
        notify(run, phase="vote")
    share = level.graph.xp.full(level.graph.num_arcs, round(_ONE * least), np.int64)
    state = (core_number(level.graph), together, share, least, runs)
    advance(level.graph, None, _weigh, state, output=None)
    label = leiden(
        level.graph, weights=Arcs(share), resolution=resolution, seed=seed,
        deterministic=deterministic,
    )  # fmt: skip
    return brought(graph, label)


def _vote(source, target, edge, label, together):
    if label[source] == label[target]:
        together[edge] += 1


def _weigh(source, target, edge, core, together, share, least, runs):
    if core[source] > 1 and core[target] > 1:
        share[edge] = round(_ONE * (least + (1 - least) * together[edge] / runs))
