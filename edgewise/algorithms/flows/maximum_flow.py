"""Maximum flows and minimum cuts: shortest augmenting paths [1], then push-relabel [2].

On the CPU, one thread first sends flow along shortest augmenting paths
(`edgewise.algorithms.flows.dinic`), which usually completes it. Flows that take too long, and all
flows on a GPU, use `edgewise.algorithms.flows.push_relabel`. It saturates the arcs out of the
source and pushes the excess toward the target. Then the vertices that cannot reach the target any
more are the source's side of a minimum cut. The remaining excess returns to the source, which turns
the preflow into a flow.

[1] E. Dinic. Algorithm for solution of a problem of maximum flow in a network with power
    estimation. Soviet Mathematics Doklady 11, 1970.
[2] A. Goldberg, R. Tarjan. A new approach to the maximum-flow problem. J. ACM 35(4), 1988.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from edgewise.algorithms.flows.dinic import augment
from edgewise.algorithms.flows.network import Network, as_network
from edgewise.algorithms.flows.push_relabel import drain, heights_to, start
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators.sequential import sequential_or

__all__ = ["MaximumFlow", "MinimumCut", "maximum_flow", "minimum_cut"]


class MaximumFlow(NamedTuple):
    """A maximum flow, and a minimum cut that proves it.

    ``value`` is the amount that flows from the source to the target. ``flow`` is an array over
    edges, negative against the edge. ``side`` is a boolean mask over vertices, True on the source's
    side of a minimum cut.
    """

    value: float
    flow: Any
    side: Any


class MinimumCut(NamedTuple):
    """A minimum cut: its capacity ``value``, and its source ``side`` as a boolean mask."""

    value: float
    side: Any


@takes_graph
def maximum_flow(
    graph: LocalGraphLike, source: int | str, target: int | str, *, weights: Any = "weight"
) -> Any:
    """Return a maximum flow and its value.

    Parameters
    ----------
    graph : Graph
        On one device. An undirected edge has its capacity in both directions.
    source, target : int or str
        Two different vertices, by id or label.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Weights are the capacities, finite and not negative.

    Returns
    -------
    MaximumFlow
        ``(value, flow, side)``. ``flow`` is an array over edges in the order of ``graph.edges()``.
        On an undirected edge it is negative from the larger id to the smaller. Integer capacities
        give integer flows, without rounding. ``side`` is a boolean mask of the vertices that cannot
        reach the target any more, as in NetworkX. Value and side are the same in every run. With
        integer capacities the flow is, too.

    Raises
    ------
    ValueError
        If source and target are the same vertex, or if a capacity is negative or not finite. Also
        if a flow of integer capacities might exceed int64.

    See Also
    --------
    minimum_cut : The cut without the flow.

    Notes
    -----
    O(n² m) time in the worst case; close to linear on most networks.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> pipes = Graph.from_edges([0, 0, 1, 2, 1], [1, 2, 3, 3, 2], [3, 1, 1, 5, 9], directed=True)
    >>> found = maximum_flow(pipes, 0, 3)
    >>> found.value, found.flow.tolist(), found.side.tolist()
    (4, [3, 1, 2, 1, 3], [True, False, False, False])
    """
    network = as_network(graph, source, target, weights, "maximum_flow")
    value, side, residual = _sent(network, back=True)
    moved = graph.xp.maximum(network.capacity - residual, 0)
    arcs = network.arcs
    if arcs is None:
        arcs = graph.edge_to_arc
        moved = moved - moved[graph.reverse_arc]
    return MaximumFlow(value, moved[arcs], side)


@takes_graph
def minimum_cut(
    graph: LocalGraphLike, source: int | str, target: int | str, *, weights: Any = "weight"
) -> Any:
    """Return a minimum cut between two vertices and its value.

    Parameters
    ----------
    graph, source, target, weights
        As for `maximum_flow`.

    Returns
    -------
    MinimumCut
        ``(value, side)``. ``side`` is a boolean mask over vertices, True on the source's side. The
        edges from there to the other side have the total capacity ``value``, which is the value of
        a maximum flow.

    See Also
    --------
    maximum_flow : The cut together with the flow.

    Notes
    -----
    O(n² m) time in the worst case; close to linear on most networks.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> pipes = Graph.from_edges([0, 0, 1, 2, 1], [1, 2, 3, 3, 2], [3, 1, 1, 5, 9], directed=True)
    >>> cut = minimum_cut(pipes, 0, 3)
    >>> cut.value, cut.side.tolist()
    (4, [True, False, False, False])
    """
    network = as_network(graph, source, target, weights, "minimum_cut")
    return MinimumCut(*_sent(network)[:2])


def _sent(network: Network, back: bool = False) -> tuple[Any, Any, Any]:
    """Return the flow value, a mask of vertices cut off from the target, and the residual.

    With ``back``, the remaining excess returns to the source, so that the residual is that of a
    flow.
    """
    return sequential_or(network.graph, _augmented, _pushed, network, network.capacity.copy(), back)


def _augmented(graph: Graph, network: Network, residual: Any, back: bool) -> tuple[Any, Any, Any]:
    """The same by paths on one thread, and by preflows if these are too many."""
    value, side = augment(graph, residual, network.source, network.target)
    if side is None:
        return _pushed(graph, network, residual, back, value)
    return value, side, residual


def _pushed(
    graph: Graph, network: Network, residual: Any, back: bool, value: Any = 0
) -> tuple[Any, Any, Any]:
    """The same by preflows; ``value`` is there already."""
    source, target = network.source, network.target
    flow = start(graph, residual, source)
    drain(flow, target, source)
    side = heights_to(flow, target, source) == graph.num_vertices
    if back:
        drain(flow, source, target)
    return value + flow.excess[target].item(), side, residual
