"""Communities of high modularity by the Louvain method [1], in parallel.

On each level vertices move to the community where they gain most, until little is gained (see
``moving``); then every community becomes a vertex of the next level's graph. On the way back down
vertices may move once more, from where the higher levels have put them (refinement [2]).

[1] V. Blondel, J. Guillaume, R. Lambiotte, E. Lefebvre. Fast unfolding of communities in large
    networks. J. Stat. Mech. 2008.
[2] C. Staudt, H. Meyerhenke. Engineering parallel algorithms for community detection in massive
    networks. IEEE TPDS 27, 2016.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.communities.levels import contracted, first_level, named
from edgewise.algorithms.communities.moving import Moved, Rules, move, start
from edgewise.base.checks import check_count, check_flag, check_number
from edgewise.graph.foreign import takes_graph

__all__ = ["louvain"]


@takes_graph
def louvain(
    graph: Any,
    *,
    weights: Any = None,
    resolution: float = 1.0,
    refine: bool = True,
    max_levels: int = 32,
    tol: float = 1e-4,
) -> Any:
    """Label every vertex with the smallest vertex of its community.

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
    max_levels : int
        Merge communities so many times at most.
    tol : float
        A level is done with when a pass over it adds no more than this to the modularity.

    Returns
    -------
    array of vertex ids

    Examples
    --------
    Two cliques joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> louvain(graph).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    resolution = check_number(resolution, "resolution")
    max_levels = check_count(max_levels, "max_levels", least=1)
    check_flag(refine, "refine")
    level, kept = first_level(graph, weights), []
    all_mass = float(level.masses[0].sum())
    if all_mass == 0:
        return named(graph, start(level).label)
    rules = Rules(resolution / all_mass, (3 - len(level.masses)) / all_mass, tol)
    for _ in range(max_levels):
        moved = move(level, start(level), rules)
        small, vertices = contracted(level, moved.label, moved.sums)
        kept.append((level, vertices))
        if small.size == level.size:
            break
        level = small
    label = start(small).label
    for level, vertices in reversed(kept):
        label = label[vertices]
        if refine:
            label = _refined(level, label, rules)
    return named(graph, label)


def _refined(level: Any, label: Any, rules: Rules) -> Any:
    """Labels after vertices moved once more, from where they are."""
    xp = level.graph.xp
    label = label.astype(level.graph.indices.dtype)
    sums = tuple(xp.bincount(label, one, minlength=level.size) for one in level.masses)
    return move(level, Moved(label, sums, 0.0), rules).label
