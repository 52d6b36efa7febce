"""The stationary distribution of a random walk: visit rates of vertices and flows over edges.

On an undirected graph, the walk follows edges in proportion to their weights, and both directions
of an edge have the same flow. On a directed graph, it follows an edge with probability alpha and
otherwise jumps to a random vertex, as in PageRank. Jumps affect the position of the walk but are
not recorded as steps (unrecorded teleportation [1]). So the flows over edges sum to one, and the
visit rate of a vertex is the flow into it.

[1] R. Lambiotte, M. Rosvall. Ranking and clustering of nodes in networks with smart teleportation.
    Physical Review E 85, 2012.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from edgewise.algorithms.communities.hierarchy import first_level, strengths
from edgewise.algorithms.ranking.pagerank import pagerank
from edgewise.algorithms.weighting import edge_weights
from edgewise.base.checks import check_fraction
from edgewise.graph.edges import Arcs, arc_ends
from edgewise.graph.kinds import AnyGraph

__all__ = ["Flows", "flows"]

_TOL = 1e-12  # of the ranks


class Flows(NamedTuple):
    """Flows of a graph: arrays over vertices, and over the edges of an undirected graph."""

    graph: AnyGraph  # without loops; the weights are the flows in both directions together
    visits: Any
    leaving: Any  # to other vertices
    entering: Any  # from other vertices; the same array as ``leaving`` if it is undirected


def flows(graph: AnyGraph, weights: Any, alpha: float) -> Flows | None:
    """The flows of a graph; None where no edge has any weight. The weights are checked."""
    alpha = check_fraction(alpha, "alpha")
    level = first_level(graph, weights)
    whole = float(level.masses[0].sum())
    if whole == 0:
        return None
    if not graph.directed:
        plain = level.graph
        lengths = plain.full_arcs(1.0) if plain.weights is None else plain.weights
        plain = plain.with_weights(Arcs(lengths / whole * 2))
        visits = leaving = level.masses[0] / whole
        if graph.num_self_loops:
            leaving = strengths(level.graph) / whole
        return Flows(plain, visits, leaving, leaving)
    rank = pagerank(graph, alpha=alpha, weights=weights, tol=_TOL)
    lengths = edge_weights(graph, weights)
    sources, _ = arc_ends(graph)
    strength = level.masses[0]
    rate = rank / graph.xp.where(strength > 0, strength, 1.0)
    followed = rate[sources] if lengths is None else rate[sources] * lengths
    steps = graph.with_weights(Arcs(followed / followed.sum()))
    visits = strengths(steps, "in")
    if steps.num_self_loops:
        steps = steps.without_self_loops()
    leaving, entering = strengths(steps), strengths(steps, "in")
    return Flows(steps.to_undirected(duplicates="sum"), visits, leaving, entering)
