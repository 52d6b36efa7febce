"""The method "multistep" of `connected_components` [1]: trimming, a search, then propagation.

Isolated vertices are components of their own. Most real graphs have one giant component that
contains the vertex of highest degree. A direction-optimizing breadth-first search from that vertex
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
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import (
    ANY,
    ARGMAX,
    MIN,
    compute,
    filter,
    frontier,
    propagate,
    reduce_all,
)

__all__ = ["in_steps"]


def in_steps(graph: AnyGraph, label: Any, mode: str) -> None:
    """Lower every label, at first the vertex itself, to the smallest vertex of its component.

    ``mode`` is "both" for a directed graph, whose directions do not matter, else "out".
    """
    ids, degrees = graph.vertex_ids(), graph.row_lengths()
    if mode == "both":
        degrees = degrees + graph.column_lengths()
    hub = int(reduce_all(graph, (degrees, ids), reduce=ARGMAX)[1])
    reached = graph.full(False)
    reached[hub] = True
    propagate(graph, frontier(graph, hub), _arrive, reached, reduce=ANY, mode=mode)
    giant = filter(graph, None, _is_set, reached)
    smallest = int(reduce_all(graph, ids, reduce=MIN, frontier=giant))
    compute(graph, giant, _name, (label, smallest))
    notify(0, phase="search")
    rest = filter(graph, None, _is_apart, (reached, degrees))
    if not rest.empty():
        propagate(graph, rest, _pass_on, label, reduce=MIN, mode=mode)
    notify(1, phase="propagation")


def _arrive():
    return True


def _is_set(v, reached):
    return reached[v]


def _name(v, label, smallest):
    label[v] = smallest


def _is_apart(v, reached, degrees):
    return not reached[v] and degrees[v] > 0


def _pass_on(value):
    return value
