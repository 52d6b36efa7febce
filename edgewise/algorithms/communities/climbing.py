"""Moves between the levels of Leiden: communities of one level as communities of the next.

Groups inside communities become the vertices of the level above. On either level, a community is
named by one of its vertices.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.communities.hierarchy import Level, Moved, brought, contracted
from edgewise.algorithms.components.connected_components import component_labels
from edgewise.algorithms.components.linking import link, shorten
from edgewise.graph.anywhere import put, read, whole
from edgewise.graph.edges import arc_ends
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.subgraphs import only_edges
from edgewise.operators import MAX, MIN, advance, compute, deliver, frontier
from edgewise.operators.engines import by_rows_or

__all__ = ["Step", "climb", "descend", "split"]


class Step(NamedTuple):
    """A level and the one above it."""

    below: Level
    above: Level
    vertices: Any  # what the vertices below have become
    names: Any  # the vertex below that each group is called by
    label: Any  # the communities that the groups are parts of


def climb(level: Level, at: Moved, groups: Moved) -> tuple[Step, Moved]:
    """The level whose vertices are the groups, parts of the communities there are, and these there.

    They are called by the smallest of their groups.
    """
    graph, (label, sums, _) = level.graph, at
    above, vertices, names = contracted(level, groups.label, groups.sums)
    homes, smallest = label[names], graph.full(above.size, above.graph.id_dtype)
    deliver(graph, smallest, label, vertices, reduce=MIN)
    inside = brought(above.graph, smallest[homes])
    masses = tuple(above.graph.full(0.0) for _ in sums)
    for one, mass in zip(masses, sums, strict=True):
        put(above.graph, one, inside, brought(above.graph, mass[homes]))
    inside = above.graph.xp.asarray(inside)
    return Step(level, above, vertices, names, inside), Moved(inside.copy(), masses, 0.0)


def descend(step: Step, at: Moved) -> tuple[Moved, Any]:
    """Communities of the level above for the one below, and who has reason to move there.

    Those are the vertices of what has changed sides since `climb`, and their neighbors.
    """
    graph = step.below.graph
    sums = tuple(graph.full(0.0) for _ in at.sums)
    for one, mass in zip(sums, at.sums, strict=True):
        put(graph, one, step.names, brought(graph, whole(mass)))
    changed = brought(graph, at.label != step.label)[step.vertices]
    active = changed.astype(np.int8)
    by_rows_or(graph, _wake_along_edges, _wake_by_messages)(graph, changed, active)
    label = read(step.names, brought(graph, at.label))[step.vertices]
    return Moved(label, sums, 0.0), active


def _wake_along_edges(graph: AnyGraph, changed: Any, active: Any) -> None:
    advance(graph, frontier(graph, changed), _wake, active, output=None)


def _wake_by_messages(graph: AnyGraph, changed: Any, active: Any) -> None:
    advance(graph, frontier(graph, changed), _one, active, reduce=MAX)


def split(graph: AnyGraph, label: Any) -> Any:
    """The smallest vertex that each can reach inside its community: the pieces of communities."""
    return by_rows_or(graph, _split_by_links, _split_by_components)(graph, label)


def _split_by_links(graph: AnyGraph, label: Any) -> Any:
    piece = graph.vertex_ids(graph.id_dtype)
    advance(graph, None, _link_inside, (piece, label), output=None)
    compute(graph, None, shorten, piece)
    return piece


def _split_by_components(graph: AnyGraph, label: Any) -> Any:
    sources, targets = arc_ends(graph)
    return component_labels(only_edges(graph, label[sources] == label[targets]))


def _wake(source, target, edge, active):
    active[target] = 1


def _one():
    return 1


def _link_inside(source, target, edge, piece, label):
    if label[source] == label[target]:
        link(source, target, piece)
