"""Maximum flows and minimum cuts by push-relabel [1], see `edgewise.algorithms.flows.push_relabel`.

First all that can leave the source is pushed to the target as far as it can get there: then the
vertices that cannot reach the target any more are the source's side of a minimum cut. What is left
over goes back to the source, which makes a flow of it.

[1] A. Goldberg, R. Tarjan. A new approach to the maximum-flow problem. J. ACM 35(4), 1988.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.flows.push_relabel import Preflow, drain, heights_to, start
from edgewise.algorithms.weighting import finite_amounts
from edgewise.base.checks import check_one_device, check_vertex
from edgewise.base.ranges import check_whole, whole_sum
from edgewise.graph.device import row_ids
from edgewise.graph.foreign import takes_graph

__all__ = ["MaximumFlow", "MinimumCut", "maximum_flow", "minimum_cut"]


class MaximumFlow(NamedTuple):
    """A flow and the cut that proves that there is no greater one.

    ``value`` is how much gets from the source to the target, ``flow`` how much runs along every
    edge (negative against it), and ``side`` tells which vertices are on the source's side of a
    minimum cut.
    """

    value: float
    flow: Any
    side: Any


class MinimumCut(NamedTuple):
    """What crosses a cut, and which vertices are on the source's ``side`` of it."""

    value: float
    side: Any


@takes_graph
def maximum_flow(graph: Any, source: int | str, *, target: int | str, weights: Any = None) -> Any:
    """The most that can flow from ``source`` to ``target`` along edges of limited capacity.

    Parameters
    ----------
    graph : Graph
        On one device. An undirected edge takes its capacity in either direction.
    source, target : int or str
        Two vertices: positions, or labels.
    weights : None, "unit" or array over edges
        The capacities: the graph's own, all one, or others; finite, not negative.

    Returns
    -------
    MaximumFlow
        ``(value, flow, side)``. ``flow`` is an array over edges in the order of ``graph.edges()``;
        along an undirected edge it is negative where it runs from the greater end to the smaller.
        Whole capacities give whole numbers, without rounding. ``side`` holds all vertices that
        cannot reach the target any more, as NetworkX has it. Value and side are always the same;
        which of several flows is given is the same every time where capacities are whole.

    Raises
    ------
    ValueError
        If source and target are one vertex, a capacity is negative or not finite, or a flow of
        whole capacities might not fit int64.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> pipes = Graph.from_edges([0, 0, 1, 2, 1], [1, 2, 3, 3, 2], [3, 1, 1, 5, 9], directed=True)
    >>> found = maximum_flow(pipes, 0, target=3)
    >>> found.value, found.flow.tolist(), found.side.tolist()
    (4, [3, 1, 2, 1, 3], [True, False, False, False])
    """
    flow, capacity, arcs, (source, target) = _pushed(graph, source, target, weights, "maximum_flow")
    value, side = _cut(flow, source, target)
    drain(flow, source, target)
    moved = graph.xp.maximum(capacity - flow.room, 0)
    if arcs is None:
        arcs = graph.edge_to_arc
        moved = moved - moved[graph.reverse_edge]
    return MaximumFlow(value, moved[arcs], side)


@takes_graph
def minimum_cut(graph: Any, source: int | str, *, target: int | str, weights: Any = None) -> Any:
    """The least capacity that parts ``target`` from ``source`` when it is taken away.

    Parameters
    ----------
    graph, source, target, weights
        As of `maximum_flow`.

    Returns
    -------
    MinimumCut
        ``(value, side)``; ``side[v]`` is True on the source's side. The edges that lead from there
        to the other side have the total capacity ``value``, the value of a maximum flow.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> pipes = Graph.from_edges([0, 0, 1, 2, 1], [1, 2, 3, 3, 2], [3, 1, 1, 5, 9], directed=True)
    >>> cut = minimum_cut(pipes, 0, target=3)
    >>> cut.value, cut.side.tolist()
    (4, [True, False, False, False])
    """
    flow, _, _, (source, target) = _pushed(graph, source, target, weights, "minimum_cut")
    return MinimumCut(*_cut(flow, source, target))


def _pushed(
    graph: Any, source: Any, target: Any, weights: Any, name: str
) -> tuple[Preflow, Any, Any, tuple[int, int]]:
    """The first push, the capacities, where the graph's arcs are among them, and the two ends."""
    check_one_device(graph, name)
    ends = check_vertex(graph, source), check_vertex(graph, target, "target")
    if ends[0] == ends[1]:
        raise ValueError(
            f"target must be another vertex than source, got {graph.label(ends[1])!r} for both"
        )
    given = finite_amounts(graph, weights)
    kind = np.dtype(np.int64 if given is None or given.dtype.kind == "i" else np.float64)
    given = graph.xp.ones(graph.num_arcs, kind) if given is None else given.astype(kind)
    arcs = None
    if graph.directed:
        both = graph.with_weights(None).symmetrize()
        arcs = graph.xp.searchsorted(_keys(both), _keys(graph))
        capacity = graph.xp.zeros(both.num_arcs, kind)
        capacity[arcs] = given
        graph, given = both, capacity
    if kind.kind == "i" and whole_sum(given) >= 2**62:
        given = _clipped(graph, given, *ends)
    return start(graph, given, ends[0]), given, arcs, ends


def _clipped(graph: Any, capacity: Any, source: int, target: int) -> Any:
    """The same where no capacity is beyond one more than can flow; refused if sums do not fit.

    So a capacity that stands for "without limit" may be as large as it likes.
    """
    leaving, there = (slice(*graph.indptr[v : v + 2].tolist()) for v in (source, target))
    entering = capacity[graph.reverse_edge[there]]
    most = min(whole_sum(capacity[leaving]), whole_sum(entering))
    clipped = graph.xp.minimum(capacity, min(most, 2**62) + 1)
    check_whole(max(2 * most + 2, whole_sum(clipped[leaving])), "flows")
    return clipped


def _keys(graph: Any) -> Any:
    """One number for each arc, ascending."""
    return row_ids(graph).astype(np.int64) * graph.num_vertices + graph.indices


def _cut(flow: Preflow, source: int, target: int) -> tuple[Any, Any]:
    """How much gets to the target, and who has no way there any more."""
    drain(flow, target, source)
    side = heights_to(flow, target, source) == flow.graph.num_vertices
    return flow.excess[target].item(), side
