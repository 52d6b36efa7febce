"""The Leiden method [1] in parallel: connected communities of high quality.

An iteration first forms groups inside the communities (`refining`). The groups become the vertices
of a smaller graph and start in the communities that contain them. There vertices move to the
community of largest gain (`moving`). This repeats until nothing merges any more. On the way back
down, the vertices around those that changed community move once more. Each iteration forms other
groups, so it can undo poor merges of earlier ones. Finally, disconnected communities are split,
which also raises the quality.

[1] V. Traag, L. Waltman, N. J. van Eck. From Louvain to Leiden: guaranteeing well-connected
    communities. Scientific Reports 9, 2019.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from edgewise.algorithms.communities.climbing import climb, split
from edgewise.algorithms.communities.found_communities import Communities, as_communities
from edgewise.algorithms.communities.hierarchy import (
    Level,
    Moved,
    brought,
    first_level,
    named,
    on_host,
    start,
    weighed,
)
from edgewise.algorithms.communities.iterating import Plan, iterate
from edgewise.algorithms.communities.moving import Rules, move
from edgewise.algorithms.communities.refining import refined, refined_in_rounds
from edgewise.base.checks import (
    check_choice,
    check_count,
    check_flag,
    check_number,
)
from edgewise.base.observe import notify
from edgewise.base.random import check_seed, hashed
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.engines import by_rows_or

__all__ = ["leiden", "search"]


@takes_graph
def leiden(
    graph: GraphLike,
    *,
    objective: str = "modularity",
    weights: Any = "weight",
    resolution: float = 1.0,
    max_iter: int = 100,
    tol: float = 5e-4,
    theta: float = 0.01,
    seed: int = 0,
    deterministic: bool = False,
) -> Communities:
    """Return communities found by the Leiden method, all of them connected.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Directed graphs use directed modularity.
    objective : {"modularity", "constant_potts"}
        The quality function to maximize. The constant Potts model scores the weight inside
        communities minus ``resolution`` for every pair of their members.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.
    resolution : float
        Larger values give smaller communities. For "constant_potts" it is a density: communities
        are at least that dense, and the edges between them at most.
    max_iter : int
        The largest number of iterations.
    tol : float
        Stop when an iteration gains no more than this in modularity. For "constant_potts" the gain
        is divided by the total edge weight.
    theta : float
        The randomness of the refinement, in units of the mean edge weight. 0 always takes the best.
    seed : int
        Different seeds may give different communities.
    deterministic : bool
        Give the same result for one seed on any device and number of threads, by moving vertices in
        rounds. Two to four times slower. Fractional weights may still round differently. Grids
        always use it.

    Returns
    -------
    Communities
        An array over vertices. The label of a community is its smallest vertex.

    See Also
    --------
    leiden_partitions : Returns the nested groups inside the communities, too.

    Notes
    -----
    O(n + m) time per pass and O(n + m) memory.

    Examples
    --------
    Two cliques joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> leiden(graph).tolist()
    [0, 0, 0, 3, 3, 3]
    >>> leiden(graph, objective="constant_potts", resolution=0.1).tolist()
    [0, 0, 0, 0, 0, 0]
    """
    return search(
        graph, weights, objective=objective, resolution=resolution, max_iter=max_iter, tol=tol,
        theta=theta, seed=seed, deterministic=deterministic,
    )[-1]  # fmt: skip


def search(
    graph: AnyGraph, weights: Any, *, objective: Any, resolution: Any, max_iter: Any, tol: Any,
    theta: Any, seed: Any, deterministic: Any, every_level: bool = False, thorough: bool = False,
) -> list[Any]:  # fmt: skip
    """The communities that `leiden` finds, after the groups inside them if these are wanted.

    The arguments are checked here; ``weights`` are over arcs. ``thorough`` as in `iterating`.
    """
    check_choice(objective, "objective", ("modularity", "constant_potts"))
    resolution, tol = check_number(resolution, "resolution"), check_number(tol, "tol")
    theta, seed = check_number(theta, "theta"), int(check_seed(seed))
    max_iter = check_count(max_iter, "max_iter", least=1)
    check_flag(deterministic, "deterministic")
    level = on_host(first_level(graph, weights))
    all_mass, ways = float(level.masses[0].sum()), len(level.masses)
    rate, mean = resolution / (all_mass or 1), all_mass * ways / max(level.graph.num_arcs, 1)
    if objective == "constant_potts":
        rate = resolution * ways * level.factor
        level = Level(level.graph, (level.graph.full(1.0),))
    deterministic = by_rows_or(graph, deterministic, True)
    rules = Rules(rate, (3 - ways) / (all_mass or 1), _LEAST, seed=seed, synchronous=deterministic)
    refine = refined_in_rounds if deterministic else refined
    plan, at = Plan(refine, rules, theta * mean, thorough), start(level)
    for turn in range(max_iter if all_mass else 0):
        at = move(level, at, rules) if turn == 0 else at
        at = iterate(level, at, plan, hashed(seed, turn), first=turn == 0)
        notify(turn, phase="iterate", gain=at.gain)
        if at.gain <= tol:
            break
    label = split(level.graph, at.label)
    finer = _groups(level, label, plan, hashed(seed, -1)) if every_level else ()
    return [as_communities(graph, brought(graph, one), weights) for one in (*finer, label)]


_LEAST = 1e-5  # a level is done with when a pass over it adds no more than this


def _groups(level: Level, label: Any, plan: Plan, seed: Any) -> Iterator[Any]:
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
