"""Communities by the Leiden method [1], in parallel: all of them connected.

One iteration starts from communities of the graph. Groups are formed inside them (`refining`) and
become the vertices of a smaller graph, which start out in the communities they are part of; there
vertices move to where they gain most (`moving`), and so on, until nothing merges any more. On the
way back down the vertices around those that have changed sides move once more. Every iteration
finds other groups, so it may take apart what an earlier one has joined wrongly. At last communities
that have come apart are split, which gains, too.

[1] V. Traag, L. Waltman, N. J. van Eck. From Louvain to Leiden: guaranteeing well-connected
    communities. Scientific Reports 9, 2019.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.communities.levels import (
    Level,
    contracted,
    first_level,
)
from edgewise.algorithms.communities.moving import Moved, Rules, move, start
from edgewise.algorithms.communities.refining import refined, split
from edgewise.base.checks import (
    check_choice,
    check_count,
    check_number,
    check_one_device,
)
from edgewise.base.observe import notify
from edgewise.base.random import check_seed, hashed
from edgewise.graph.foreign import takes_graph
from edgewise.operators import ADD, MIN, advance, deliver, frontier, look_up

__all__ = ["leiden"]


@takes_graph
def leiden(
    graph: Any,
    *,
    objective: str = "modularity",
    weights: Any = None,
    resolution: float = 1.0,
    iterations: int = 100,
    tol: float = 5e-4,
    theta: float = 0.01,
    seed: int = 0,
) -> Any:
    """Label every vertex with the smallest vertex of its community, which is connected.

    Parameters
    ----------
    graph : Graph
        If it is directed, the modularity is that of directed graphs.
    objective : {"modularity", "cpm"}
        What to make large: the modularity, or of the constant Potts model the weight inside
        communities less ``resolution`` for every pair of their members.
    weights : None, "unit" or array over edges
        Finite and not negative.
    resolution : float
        The larger, the smaller the communities. For "cpm" it is the density that communities have
        at least, and edges between them at most.
    iterations : int
        So many at most.
    tol : float
        Stop when an iteration gains no more than this in modularity; for "cpm" as a share of the
        weight of all edges.
    theta : float
        How much the choice of groups inside communities is left to chance, in mean weights of an
        edge; 0 takes the best.
    seed : int
        Different seeds may give different communities.

    Returns
    -------
    array of vertex ids

    Examples
    --------
    Two cliques joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> leiden(graph).tolist()
    [0, 0, 0, 3, 3, 3]
    >>> leiden(graph, objective="cpm", resolution=0.1).tolist()
    [0, 0, 0, 0, 0, 0]
    """
    check_one_device(graph, "leiden")
    check_choice(objective, "objective", ("modularity", "cpm"))
    resolution, tol = check_number(resolution, "resolution"), check_number(tol, "tol")
    theta, seed = check_number(theta, "theta"), int(check_seed(seed))
    iterations = check_count(iterations, "iterations", least=1)
    level = first_level(graph, weights)
    all_mass, ways = float(level.masses[0].sum()), len(level.masses)
    if all_mass == 0:
        return start(level).label
    rate, mean = resolution / all_mass, all_mass * ways / max(level.graph.num_arcs, 1)
    if objective == "cpm":
        rate = resolution * ways
        level = Level(level.graph, (graph.full(1.0),))
    rules = Rules(rate, (3 - ways) / all_mass, _LEAST, seed=seed)
    at = move(level, start(level), rules)
    for turn in range(iterations):
        at = _iterate(level, at, rules, theta * mean, hashed(seed, [turn])[0], first=turn == 0)
        notify(turn, phase="iterate", gain=at.gain)
        if at.gain <= tol:
            break
    return split(level.graph, at.label)


_LEAST = 1e-5  # a level is done with when a pass over it adds no more than this
_ENOUGH = 0.97  # of its vertices: a graph that shrinks by less is not worth another level


class _Below(NamedTuple):
    """A level that another was made of."""

    level: Level
    vertices: Any  # what its vertices have become
    names: Any  # the vertex of it that each of these is called by
    label: Any  # the communities in which they start


def _iterate(
    level: Level, at: Moved, rules: Rules, theta: float, seed: Any, *, first: bool
) -> Moved:
    """Up from these communities, and down again to better ones; how much was gained."""
    below: list[_Below] = []
    gain = 0.0
    while True:
        groups = refined(level, at.label, rules.rate, theta, seed + np.uint64(len(below)))
        small, vertices = contracted(level, groups.label, groups.sums)
        if small.size > _ENOUGH * level.size:
            break
        names = level.graph.xp.empty(small.size, groups.label.dtype)
        names[vertices] = groups.label
        at = _lifted(level, at, small, vertices, names)
        below.append(_Below(level, vertices, names, at.label.copy()))
        level, at = small, move(small, at, rules)
        gain += at.gain
        if at.gain <= rules.tol and not first:
            break
    for one in reversed(below):
        lower, restless = _lowered(one, at)
        at = move(one.level, lower, rules, restless)
        gain += at.gain
    return at._replace(gain=gain)


def _lifted(level: Level, at: Moved, small: Level, vertices: Any, names: Any) -> Moved:
    """The communities of a level as those of the level above it, whose vertices are parts of them.

    Each is called by the smallest of these.
    """
    smallest = level.graph.full(small.size, small.graph.indices.dtype)
    deliver(level.graph, smallest, at.label, vertices, reduce=MIN)
    label = look_up(level.graph, smallest, at.label)[names]
    return Moved(label, _sums(small, label), 0.0)


def _sums(level: Level, label: Any) -> tuple:
    """What the communities weigh."""
    sums = tuple(level.graph.full(0.0) for _ in level.masses)
    for one, mass in zip(sums, level.masses, strict=True):
        deliver(level.graph, one, label, mass, reduce=ADD)
    return sums


def _lowered(below: _Below, at: Moved) -> tuple[Moved, Any]:
    """The communities of a level for the one below, and who has reason to move there.

    Those are the vertices of what has changed sides, and their neighbors.
    """
    graph = below.level.graph
    sums = tuple(graph.full(0.0) for _ in at.sums)
    for one, mass in zip(sums, at.sums, strict=True):
        one[below.names] = mass
    changed = (at.label != below.label)[below.vertices]
    restless = changed.astype(np.int8)
    advance(graph, frontier(graph, changed), _wake, restless, output=None)
    return Moved(below.names[at.label][below.vertices], sums, 0.0), restless


def _wake(source, target, edge, restless):
    restless[target] = 1
