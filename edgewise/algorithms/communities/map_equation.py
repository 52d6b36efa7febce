"""Communities by the map equation: those that make a walk on the graph shortest to tell [1, 2].

`codelength` is the objective. On each level vertices move to the module among their neighbors' that
shortens the code most; then modules become the vertices of the next level's graph. From the top,
all vertices may move once more, and so on until the code gets no shorter (Infomap's core loop).

[1] M. Rosvall, C. Bergstrom. Maps of random walks on complex networks reveal community structure.
    PNAS 105, 2008.
[2] M. Rosvall, D. Axelsson, C. Bergstrom. The map equation. Eur. Phys. J. Special Topics 178, 2009.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.flows import Flows, flows
from edgewise.algorithms.communities.levels import Level, contracted, named
from edgewise.algorithms.communities.map_moves import ONE, length, settled
from edgewise.algorithms.components.connected_components import connected_components
from edgewise.base.checks import check_count
from edgewise.base.random import check_seed, hashed
from edgewise.graph.foreign import takes_graph

__all__ = ["map_equation"]

_TURNS = 10  # from the top back to the vertices, at the most
_TOL = 1e-3  # bits: a turn that shortens the code by less is the last


@takes_graph
def map_equation(
    graph: Any, *, weights: Any = None, alpha: float = 0.85, trials: int = 1, seed: int = 0
) -> Any:
    """Label every vertex with the smallest vertex of its community, by the map equation.

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
    array of vertex ids

    Examples
    --------
    Two cliques joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> map_equation(graph).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    trials, seed = check_count(trials, "trials", least=1, most=100), int(check_seed(seed))
    found = flows(graph, weights, alpha)
    if found is None:
        return graph.xp.arange(graph.num_vertices, dtype=graph.indices.dtype)
    level = _whole(found)
    whole = connected_components(level.graph)  # a walker never leaves one
    tries = [(length(level, whole), whole)]
    tries += [_searched(level, int(hashed(seed, trial))) for trial in range(trials)]
    return named(graph, min(tries, key=lambda one: one[0])[1])


def _whole(found: Flows) -> Level:
    """Flows as whole numbers: those of edges are even."""

    def whole(flow: Any) -> Any:
        return (flow * ONE + 0.5).astype(np.int64)

    graph = found.graph.with_weights(2 * whole(found.graph.weights / 2))
    masses = [found.visits, found.leaving, found.entering]
    directed = found.entering is not found.leaving
    return Level(graph, tuple(whole(one) for one in masses[: 2 + directed]))


def _searched(level: Level, seed: int) -> tuple[float, Any]:
    """The length of the code, less that of the vertices, and the module of every vertex."""
    label, shortest = level.graph.xp.arange(level.size), np.inf
    for turn in range(_TURNS):
        found, labels = _climbed(level, label, seed + turn)
        if found < shortest:
            label = labels
        if not found < shortest - _TOL:
            break
        shortest = found
    return min(shortest, found), label


def _climbed(level: Level, label: Any, seed: int) -> tuple[float, Any]:
    """Move on every level, from the given modules on the first one, and from single vertices."""
    ways: list[Any] = []
    while True:
        found, label, sums = settled(level, label, seed)
        small, vertices, _ = contracted(level, label, sums)
        ways.append(vertices)
        if small.size == level.size:
            break
        level, label = small, small.graph.xp.arange(small.size)
    for vertices in reversed(ways[:-1]):
        label = label[vertices]
    return found, label
