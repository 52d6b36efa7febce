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

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from edgewise.algorithms.communities.climbing import Step, climb, descend, split
from edgewise.algorithms.communities.constant_potts import constant_potts
from edgewise.algorithms.communities.hierarchy import (
    Hierarchy,
    Level,
    Moved,
    brought,
    first_level,
    named,
    on_host,
    start,
    weighed,
)
from edgewise.algorithms.communities.modularity import modularity
from edgewise.algorithms.communities.moving import Rules, move
from edgewise.algorithms.communities.refining import refined, refined_in_rounds
from edgewise.base.checks import (
    check_choice,
    check_count,
    check_flag,
    check_number,
    check_one_device,
)
from edgewise.base.observe import notify
from edgewise.base.random import check_seed, hashed
from edgewise.graph.edges import Arcs
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["leiden"]


@takes_graph
def leiden(
    graph: GraphLike,
    *,
    objective: str = "modularity",
    weights: Any = None,
    resolution: float = 1.0,
    iterations: int = 100,
    tol: float = 5e-4,
    theta: float = 0.01,
    seed: int = 0,
    deterministic: bool = False,
    hierarchy: bool = False,
) -> Any:
    """Find connected communities of high modularity, or by the constant Potts model.

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
    deterministic : bool
        Give the same for a seed, whatever the number of threads and the device, if weights are
        integers (else up to rounding of sums): vertices then move in rounds. Two to four times
        slower.
    hierarchy : bool
        Give a `Hierarchy`: groups inside the communities, connected too, of ever larger size, and
        last the communities.

    Returns
    -------
    array of vertex ids (the smallest of each community), or Hierarchy
        With ``hierarchy`` also the qualities, as of `modularity` or `constant_potts`.

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
    check_choice(objective, "objective", tuple(_QUALITY))
    resolution, tol = check_number(resolution, "resolution"), check_number(tol, "tol")
    theta, seed = check_number(theta, "theta"), int(check_seed(seed))
    iterations = check_count(iterations, "iterations", least=1)
    for name, flag in {"deterministic": deterministic, "hierarchy": hierarchy}.items():
        check_flag(flag, name)
    level = on_host(first_level(graph, weights))
    all_mass, ways = float(level.masses[0].sum()), len(level.masses)
    rate, mean = resolution / (all_mass or 1), all_mass * ways / max(level.graph.num_arcs, 1)
    if objective == "cpm":
        rate = resolution * ways * level.factor
        level = Level(level.graph, (level.graph.full(1.0),))
    rules = Rules(rate, (3 - ways) / (all_mass or 1), _LEAST, seed=seed, synchronous=deterministic)
    refine = refined_in_rounds if deterministic else refined
    plan, at = _Plan(refine, rules, theta * mean), start(level)
    for turn in range(iterations if all_mass else 0):
        at = move(level, at, rules) if turn == 0 else at
        at = _iterate(level, at, plan, hashed(seed, turn), first=turn == 0)
        notify(turn, phase="iterate", gain=at.gain)
        if at.gain <= tol:
            break
    label = split(level.graph, at.label)
    if not hierarchy:
        return brought(graph, label)
    every = *_groups(level, label, plan, hashed(seed, -1)), label
    found = [brought(graph, one) for one in every]
    rated: dict[str, Any] = {"weights": Arcs(weights), "resolution": resolution}
    return Hierarchy(found, [_QUALITY[objective](graph, one, **rated) for one in found])


_LEAST = 1e-5  # a level is done with when a pass over it adds no more than this
_ENOUGH = 0.97  # of its vertices: a graph that shrinks by less is not worth another level
_QUALITY = {"modularity": modularity, "cpm": constant_potts}


class _Plan(NamedTuple):
    """How vertices move and groups are formed."""

    refine: Callable[..., Moved]
    rules: Rules
    theta: float


def _iterate(level: Level, at: Moved, plan: _Plan, seed: Any, *, first: bool) -> Moved:
    """Up from these communities, and down again to better ones; how much was gained."""
    steps: list[Step] = []
    rules, gain = plan.rules, 0.0
    while first or not steps or at.gain > rules.tol:
        chance = hashed(seed, len(steps))
        groups = plan.refine(level, at.label, rules.rate, plan.theta, chance)
        step, above = climb(level, at, groups)
        if step.above.size > _ENOUGH * level.size:
            break
        steps.append(step)
        level, at = step.above, move(step.above, above, rules)
        gain += at.gain
    for step in reversed(steps):
        lower, active = descend(step, at)
        at = move(step.below, lower, rules, active)
        gain += at.gain
    return at._replace(gain=gain)


def _groups(level: Level, label: Any, plan: _Plan, seed: Any) -> Iterator[Any]:
    """Groups inside the communities, and groups of these, until nothing merges."""
    graph, became = level.graph, level.graph.vertex_ids()
    at = Moved(label, weighed(level, label), 0.0)
    while True:
        groups = plan.refine(level, at.label, plan.rules.rate, plan.theta, seed)
        step, at = climb(level, at, groups)
        if step.above.size == level.size:
            return
        level, became = step.above, brought(graph, step.vertices)[became]
        found = named(graph, became)
        if not (found != label).any():
            return
        yield found
