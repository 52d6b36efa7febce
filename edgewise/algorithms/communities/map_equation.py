"""Communities by the map equation: those that make a walk on the graph shortest to tell [1, 2].

`codelength` is the objective. On each level vertices move to the module among their neighbors' that
shortens the code most; then modules become the vertices of the next level's graph. On the way back
down the vertices of each level move once more. Then modules are taken apart: groups inside them
become vertices that may move between them, and so on up and down again, until the code gets little
shorter (Infomap's core loop, where this is called coarse and fine tuning).

[1] M. Rosvall, C. Bergstrom. Maps of random walks on complex networks reveal community structure.
    PNAS 105, 2008.
[2] M. Rosvall, D. Axelsson, C. Bergstrom. The map equation. Eur. Phys. J. Special Topics 178, 2009.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.hierarchy import Level, brought, contracted, named, on_host
from edgewise.algorithms.communities.map_moves import Modules, placed, settled
from edgewise.algorithms.communities.map_scores import ONE
from edgewise.algorithms.communities.visit_rates import Flows, flows
from edgewise.algorithms.components.connected_components import connected_components
from edgewise.base.checks import check_count, check_one_device
from edgewise.base.random import check_seed, hashed
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["map_equation"]

_TURNS = 10  # up and down, at the most
_TOL = 5e-3  # bits: a turn that shortens the code by less is the last


@takes_graph
def map_equation(
    graph: GraphLike, *, weights: Any = None, alpha: float = 0.85, trials: int = 1, seed: int = 0
) -> Any:
    """Find communities in which a random walk stays long, by the map equation.

    Parameters
    ----------
    graph : Graph
        Directed or not.
    weights : None, "unit" or array over edges
        Finite and not negative: how often an edge is taken.
    alpha : float
        Of a directed graph: the probability of following an edge, as in `pagerank`. Jumps are not
        counted as steps (unrecorded teleportation).
    trials : int
        Take the best of so many, at most 100.
    seed : int
        The same one gives the same communities, for any number of threads.

    Returns
    -------
    array of vertex ids: the smallest vertex of its community for every vertex

    Examples
    --------
    Two cliques joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> map_equation(graph).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    check_one_device(graph, "map_equation")
    trials, seed = check_count(trials, "trials", least=1, most=100), int(check_seed(seed))
    found = flows(graph, weights, alpha)
    if found is None:
        return graph.vertex_ids(graph.indices.dtype)
    level = on_host(_whole(found))
    whole = placed(level, connected_components(level.graph))  # a walker never leaves one
    tries = [_searched(level, int(hashed(seed, trial))) for trial in range(trials)]
    return named(graph, brought(graph, min(whole, *tries, key=lambda one: one.length).label))


def _whole(found: Flows) -> Level:
    """Flows as whole numbers: those of edges are even."""

    def whole(flow: Any) -> Any:
        return (flow * ONE + 0.5).astype(np.int64)

    graph = found.graph.with_weights(2 * whole(found.graph.weights / 2))
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
