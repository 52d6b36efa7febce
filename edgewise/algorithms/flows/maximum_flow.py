"""Maximum flows and minimum cuts: shortest augmenting paths [1], then push-relabel [2].

On the CPU, one thread sends flow along shortest augmenting paths first
(`edgewise.algorithms.flows.dinic`), which is mostly all. What takes too long, and all on a GPU, is
left to `edgewise.algorithms.flows.push_relabel`: all that can leave the source is pushed to the
target as far as it can get there. Then the vertices that cannot reach the target any more are the
source's side of a minimum cut. What is left over goes back to the source, which makes a flow of it.

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
def maximum_flow(
    graph: LocalGraphLike, source: int | str, *, target: int | str, weights: Any = None
) -> Any:
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
    network = as_network(graph, source, target, weights, "maximum_flow")
    value, side, residual = _sent(network, back=True)
    moved = graph.xp.maximum(network.capacity - residual, 0)
    arcs = network.arcs
    if arcs is None:
        arcs = graph.edge_to_arc
        moved = moved - moved[graph.reverse_edge]
    return MaximumFlow(value, moved[arcs], side)


@takes_graph
def minimum_cut(
    graph: LocalGraphLike, source: int | str, *, target: int | str, weights: Any = None
) -> Any:
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
    network = as_network(graph, source, target, weights, "minimum_cut")
    return MinimumCut(*_sent(network)[:2])


def _sent(network: Network, back: bool = False) -> tuple[Any, Any, Any]:
    """How much gets to the target, who has no way there any more, and what capacity is left.

    With ``back``, what does not get there is back at the source: the residual is that of a flow.
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
