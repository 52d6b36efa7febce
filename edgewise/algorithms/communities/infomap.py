"""Infomap: communities that minimize the map equation [1, 2].

The objective is `codelength`. On each level, vertices move to the neighboring module that shortens
the code most. Then modules become the vertices of the next level's graph. On the way back down, the
vertices of each level move once more. After that, groups inside the modules become vertices that
may move between modules. This repeats until the code hardly shortens. It is Infomap's core loop,
which calls these two steps fine and coarse tuning.

[1] M. Rosvall, C. Bergstrom. Maps of random walks on complex networks reveal community structure.
    PNAS 105, 2008.
[2] M. Rosvall, D. Axelsson, C. Bergstrom. The map equation. Eur. Phys. J. Special Topics 178, 2009.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.found_communities import Communities, as_communities
from edgewise.algorithms.communities.hierarchy import Level, brought, contracted, named, on_host
from edgewise.algorithms.communities.map_moves import Modules, placed, settled
from edgewise.algorithms.communities.map_scores import ONE
from edgewise.algorithms.communities.visit_rates import Flows, flows
from edgewise.algorithms.components.connected_components import component_labels
from edgewise.base.checks import check_count, check_one_device
from edgewise.base.random import check_seed, hashed
from edgewise.graph.edges import Arcs
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["infomap"]

_TURNS = 10  # up and down, at the most
_TOL = 5e-3  # bits: a turn that shortens the code by less is the last


@takes_graph
def infomap(
    graph: GraphLike,
    *,
    weights: Any = "weight",
    alpha: float = 0.85,
    runs: int = 1,
    seed: int = 0,
) -> Communities:
    """Return communities found by Infomap, in which a random walk stays long.

    Parameters
    ----------
    graph : Graph
        Directed or undirected.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Relative transition rates, finite and nonnegative.
    alpha : float
        The probability of following an edge of a directed graph, as in `pagerank`. Teleportation
        steps are not recorded.
    runs : int
        Repeat the search up to 100 times and return the partition of shortest codelength.
    seed : int
        The same seed gives the same communities for any number of threads.

    Returns
    -------
    Communities
        An array over vertices. The label of a community is its smallest vertex.

    See Also
    --------
    codelength : The objective that Infomap minimizes.

    Notes
    -----
    O(n + m) time per pass and O(n + m) memory.

    Examples
    --------
    Two cliques joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> infomap(graph).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    check_one_device(graph, "infomap")
    runs, seed = check_count(runs, "runs", least=1, most=100), int(check_seed(seed))
    found = flows(graph, weights, alpha)
    if found is None:
        return as_communities(graph, graph.vertex_ids(graph.id_dtype), weights)
    level = on_host(_whole(found))
    whole = placed(level, component_labels(level.graph))  # a walker never leaves one
    tries = [_searched(level, int(hashed(seed, trial))) for trial in range(runs)]
    best = min(whole, *tries, key=lambda one: one.length).label
    return as_communities(graph, named(graph, brought(graph, best)), weights)


def _whole(found: Flows) -> Level:
    """Flows as whole numbers: those of edges are even."""

    def whole(flow: Any) -> Any:
        return (flow * ONE + 0.5).astype(np.int64)

    graph = found.graph.with_weights(Arcs(2 * whole(found.graph.weights / 2)))
    masses = [found.visits, found.leaving, found.entering]
    directed = found.entering is not found.leaving
    return Level(graph, tuple(whole(one) for one in masses[: 2 + directed]))


def _searched(level: Level, seed: int) -> Modules:
    """Infomap's core loop: the modules of every vertex."""
    graph: Any = level.graph
    single = placed(level)
    at, sources = _tuned(level, single, [], seed), graph.arcs()[0]
    for turn in range(1, _TURNS):
        inside = at.label[sources] == at.label[graph.indices]
        groups = settled(level, single, seed + turn, graph.weights * inside)
        above, vertices, names = contracted(level, groups.label, groups.sums)
        _, homes = graph.xp.unique(at.label[names], return_inverse=True)
        start = placed(above, brought(above.graph, homes))
        found = _tuned(above, start, [(level, vertices)], seed + turn)
        gain = at.length - found.length
        if gain > 0:
            at = found
        if gain < _TOL:
            break
    return at


def _tuned(level: Level, at: Modules, steps: list[tuple[Level, Any]], seed: int) -> Modules:
    """Move on a level, up from there as modules merge, and down again, by ``steps``, to the first.

    A step is the level below and what its vertices have become.
    """
    while True:
        at = settled(level, at, seed)
        small, vertices, _ = contracted(level, at.label, at.sums)
        if small.size == level.size:
            break
        steps.append((level, vertices))
        level, at = small, placed(small)
    for below, vertices in reversed(steps):
        at = settled(below, placed(below, brought(below.graph, at.label)[vertices]), seed)
    return at
