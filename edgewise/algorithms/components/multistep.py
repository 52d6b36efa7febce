"""The method "multistep" of `connected_components` [1]: a search, then propagation.

Most real graphs have one giant component that contains the vertex of highest degree. A
direction-optimizing breadth-first search from that vertex
finds the giant component at less than linear cost. Among the remaining vertices, labels spread
along edges until each is the smallest of its component. Small components finish after a few rounds.

Best if one component holds nearly all vertices and paths are short. The number of rounds is the
length of the longest path of a label, so road networks are slow. Linear work but for the
propagation.

[1] G. Slota, S. Rajamanickam, K. Madduri. BFS and coloring-based parallel algorithms for strongly
    connected components and related problems. IPDPS 2014.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.observe import notify
from edgewise.graph.anywhere import hub
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ANY, MIN, advance, compute, filter, frontier, propagate, reduce_all

__all__ = ["in_steps"]


def in_steps(
    graph: AnyGraph, label: Any, mode: str, others: Any = None, levels: int | None = None
) -> None:
    """Lower every label, at first the vertex itself, to the smallest vertex of its component.

    ``mode`` is "both" for a directed graph, whose directions do not matter, else "out". After the
    search, ``others(graph, label, mode, rest)`` is called for the vertices that are not done with;
    by default labels spread. ``levels`` bounds the search; if it ends before all are reached, no
    vertex is done with.
    """
    ids, center = graph.vertex_ids(), hub(graph)
    reached = graph.full(False)
    reached[center] = True
    open_ends = propagate(graph, frontier(graph, center), _arrive, reached, reduce=ANY, mode=mode,
                          max_iter=levels)  # fmt: skip
    giant = filter(graph, None, _is_set, reached)
    smallest = int(reduce_all(graph, ids, reduce=MIN, frontier=giant))
    compute(graph, giant, _name, (label, smallest))
    notify(0, phase="search")
    rest = frontier(graph)
    if open_ends.empty():  # the others that have neighbors, who are others, too
        apart, met = filter(graph, None, _is_apart, reached), graph.full(False)
        rest = advance(graph, apart, _arrive, met, reduce=ANY, mode=mode)
    if not rest.empty():
        (others or _spread)(graph, label, mode, rest)
    notify(1, phase="propagation")


def _spread(graph: AnyGraph, label: Any, mode: str, rest: Any) -> None:
    propagate(graph, rest, _pass_on, label, reduce=MIN, mode=mode)


def _arrive():
    return True


def _is_set(v, reached):
    return reached[v]


def _name(v, label, smallest):
    label[v] = smallest


def _is_apart(v, reached):
    return not reached[v]


def _pass_on(value):
    return value
