"""Minimum cost flows by the network simplex method [1, 2], on one CPU thread.

The kernel is in `edgewise.algorithms.flows.network_simplex`. An artificial vertex with expensive
arcs to and from all others makes a first feasible flow. If one of these arcs still carries flow in
the end, no flow meets the demands. The potentials of the last spanning tree prove that the flow is
optimal.

[1] W. Cunningham. A network simplex method. Mathematical Programming 11, 1976.
[2] P. Kovacs. Minimum-cost flow algorithms: an experimental evaluation. Optimization Methods and
    Software 30(1), 2015.
"""

from __future__ import annotations

from operator import mul
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.flows.network_simplex import simplex
from edgewise.algorithms.weighting import edge_weights, refuse, total
from edgewise.base.checks import check_directed, check_vertex
from edgewise.base.ranges import check_whole, most_of, whole_sum
from edgewise.graph import Graph
from edgewise.graph.csr import as_weights
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host

__all__ = ["MinCostFlow", "min_cost_flow"]

#: Flow on artificial arcs beyond this fraction of the demands is none of rounding.
_ROUNDING = 1e-9


class MinCostFlow(NamedTuple):
    """A minimum cost flow, and the potentials that prove it.

    ``cost`` is the total cost and ``flow`` an array over edges. ``potentials`` is an array over
    vertices. The reduced cost of an edge (u, v) is its cost + potentials[u] - potentials[v]. It is
    not negative where the flow is below the capacity, and not positive where there is flow.
    """

    cost: float
    flow: Any
    potentials: Any


@takes_graph
def min_cost_flow(
    graph: LocalGraphLike, *, demand: Any = None, weights: Any = "weight", capacity: Any = None
) -> Any:
    """Return a flow of minimum cost that meets given demands.

    Parameters
    ----------
    graph : Graph
        Directed, in host memory.
    demand : array over vertices, or dict, optional
        The net inflow of each vertex: positive for vertices that receive flow, negative for
        vertices that send it, 0 for all others. The sum must be 0. By default all demands are 0,
        and the flow is a circulation.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Weights are the costs per unit of flow, finite; they may be negative.
    capacity : array over edges, optional
        The largest flow of each edge, not negative; infinity for edges without a limit. By default
        no edge has a limit.

    Returns
    -------
    MinCostFlow
        ``(cost, flow, potentials)``. Integer demands and whole capacities give an integer
        flow, and integer costs an exact cost.

    Raises
    ------
    ValueError
        If no flow meets the demands, or if the cost has no lower bound: edges without a limit form
        a cycle of negative cost. Also if the graph is undirected, if a cost is not finite, if a
        capacity is negative, or if sums of integers might reach 2**53.

    See Also
    --------
    maximum_flow : The largest flow between two vertices, without costs.

    Notes
    -----
    Exponential time in the worst case; usually a few passes over the edges per vertex. With float64
    costs the result is optimal up to rounding.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [3, 1, 1, 2], directed=True)
    >>> found = min_cost_flow(graph, demand=[-5, 0, 0, 5], capacity=[4, 4, 4, 2])
    >>> found.cost, found.flow.tolist()
    (18, [3, 2, 3, 2])
    """
    check_host(graph, "min_cost_flow")
    check_directed(graph, "min_cost_flow")
    wanted, limits, costs = (
        _demands(graph, demand),
        _limits(graph, capacity),
        _costs(graph, weights),
    )
    finite = limits[np.isfinite(limits)]
    whole = wanted.dtype.kind == "i" and bool((finite == np.floor(finite)).all())
    # no flow exceeds this, unless it runs around a cycle without a limit
    most = total(finite) + total(abs(wanted))
    if whole:
        check_whole(2 * most, "flows", "demand", limit=2**53, hint="")
    if costs.dtype.kind == "i":
        check_whole(4 * (graph.num_vertices + 1) * most_of(costs), "costs", limit=2**53)
    bounded = np.where(np.isfinite(limits), limits, 2 * most + 1)
    flow, potentials, left = simplex(graph, wanted, bounded, costs)
    if left > (0 if whole else _ROUNDING * total(abs(wanted))):
        raise ValueError("demand must be met by a flow, but edges and capacities allow none")
    if (flow > most + 0.5).any():
        raise ValueError("weights must give the cost a lower bound, but edges without a limit form "
                         "a cycle of negative cost")  # fmt: skip
    flow = flow.astype(np.int64) if whole else flow
    if costs.dtype.kind == "f":
        return MinCostFlow(total(costs * flow), flow, potentials)
    exact = whole and most_of(costs) * most < 2**62 / max(len(flow), 1)
    paid = (costs * flow).sum() if exact else sum(map(mul, costs.tolist(), flow.tolist()))
    return MinCostFlow(paid.item() if exact else paid, flow, potentials.astype(np.int64))


def _demands(graph: Graph, given: Any) -> Any:
    """The demand of each vertex, as int64 or float64."""
    n = graph.num_vertices
    if given is None:
        return np.zeros(n, np.int64)
    if isinstance(given, dict):
        chosen = [check_vertex(graph, vertex, "demand") for vertex in given]
        values = as_weights([*given.values()], name="demand")
        array = np.zeros(n, values.dtype)
        array[chosen] = values
    else:
        array = as_weights(given, n, "demand", per="vertex")
    array = array.astype(np.int64 if array.dtype.kind == "i" else np.float64, copy=False)
    if not np.isfinite(total(abs(array))):
        raise ValueError("demand must be finite, with a finite sum")
    left = whole_sum(array) if array.dtype.kind == "i" else total(array)
    if abs(left) > (0 if array.dtype.kind == "i" else _ROUNDING * total(abs(array))):
        raise ValueError(f"demand must sum to 0, got {left}")
    return array


def _limits(graph: Graph, given: Any) -> Any:
    """The capacity of each edge, as float64."""
    if given is None:
        return np.full(graph.num_edges, np.inf)
    array = as_weights(given, graph.num_edges, "capacity").astype(np.float64)
    if not (array >= 0).all():
        refuse(graph, array, ~(array >= 0), "not be negative or NaN", "->", "capacity")
    if not np.isfinite(total(array[np.isfinite(array)])):
        raise ValueError("capacity must have a finite sum where there is a limit")
    return array


def _costs(graph: Graph, weights: Any) -> Any:
    """The cost of each edge, as int64 or float64."""
    found = edge_weights(graph, weights)
    found = np.ones(graph.num_edges, np.int64) if found is None else found
    if not np.isfinite(total(abs(found))):
        refuse(graph, found, ~np.isfinite(found), "be finite", "->")
    return found.astype(np.int64 if found.dtype.kind == "i" else np.float64, copy=False)
