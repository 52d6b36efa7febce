"""The network of a flow: a symmetric graph with a capacity for every arc.

An undirected edge has its capacity in both directions. A directed graph gets the reverse of every
arc, with capacity 0 if it had none. The arguments of `maximum_flow` are checked here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.weighting import finite_amounts
from edgewise.base.checks import check_one_device, check_vertex
from edgewise.base.once import once
from edgewise.base.ranges import check_whole, whole_sum
from edgewise.graph import Graph
from edgewise.graph.transfer import row_ids
from edgewise.operators.sequential import sequential_or

__all__ = ["Network", "as_network", "capacities", "split_network", "unit_network"]


class Network(NamedTuple):
    """A symmetric graph, its capacities, and the positions of the given graph's arcs in it."""

    graph: Graph
    capacity: Any
    arcs: Any
    source: int
    target: int


def as_network(graph: Graph, source: Any, target: Any, weights: Any, name: str) -> Network:
    """Return the network of checked arguments; ``arcs`` is None if the graph is symmetric."""
    check_one_device(graph, name)
    ends = check_vertex(graph, source), check_vertex(graph, target, "target")
    if ends[0] == ends[1]:
        raise ValueError(f"target must differ from source, got {graph.label(ends[1])!r} for both")
    given, arcs = capacities(graph, weights), None
    kind = given.dtype
    if graph.directed:
        both, arcs = _both_ways(graph)
        capacity = graph.xp.zeros(both.num_arcs, kind)
        capacity[arcs] = given
        graph, given = both, capacity
    if kind.kind == "i" and whole_sum(given) >= 2**62:
        given = _clipped(graph, given, *ends)
    return Network(graph, given, arcs, *ends)


def capacities(graph: Graph, weights: Any) -> Any:
    """Return the capacities over arcs, as int64 or float64."""
    given = finite_amounts(graph, weights)
    if given is None:
        return graph.xp.ones(graph.num_arcs, np.int64)
    return given.astype(np.int64 if given.dtype.kind == "i" else np.float64, copy=False)


def unit_network(graph: Graph, source: int = 0, target: int = 0) -> Network:
    """Return the network in which every edge has capacity 1."""
    if not graph.directed:
        return Network(graph, np.ones(graph.num_arcs, np.int64), None, source, target)
    both, arcs = _both_ways(graph)
    capacity = np.zeros(both.num_arcs, np.int64)
    capacity[arcs] = 1
    return Network(both, capacity, arcs, source, target)


def split_network(graph: Graph, source: int = 0, target: int = 0) -> Network:
    """Return the network in which every vertex and every edge has capacity 1.

    Arcs enter vertex v at v and leave it at n + v, and an arc leads from v to n + v. Flows run from
    n + source to target. Self-loops are left out.
    """
    n, (u, v, _) = graph.num_vertices, graph.arcs()
    plain, own = u != v, np.arange(n)
    leaving = np.concatenate((u[plain].astype(np.int64) + n, own))
    entering = np.concatenate((v[plain].astype(np.int64), own + n))
    both = Graph.from_edges(leaving, entering, num_vertices=2 * n)
    tails, heads = row_ids(both).astype(np.int64), both.indices
    capacity = np.where(tails < n, heads == tails + n, heads != tails - n).astype(np.int64)
    return Network(both, capacity, None, n + source, target)


def _both_ways(graph: Graph) -> tuple[Any, Any]:
    """The graph with every arc's reverse, and where its own arcs are there; a small one is kept."""
    return sequential_or(graph, _kept, _symmetric, times=2)


def _kept(graph: Graph) -> tuple[Any, Any]:
    return once(graph, "both ways", lambda: _symmetric(graph))


def _symmetric(graph: Graph) -> tuple[Any, Any]:
    both = graph.with_weights(None).to_undirected()
    return both, graph.xp.searchsorted(_keys(both), _keys(graph))


def _clipped(graph: Graph, capacity: Any, source: int, target: int) -> Any:
    """The same where no capacity is beyond one more than can flow; refused if sums do not fit.

    So a capacity that stands for "without limit" may be as large as it likes.
    """
    leaving, there = (slice(*graph.indptr[v : v + 2].tolist()) for v in (source, target))
    entering = capacity[graph.reverse_arc[there]]
    most = min(whole_sum(capacity[leaving]), whole_sum(entering))
    clipped = graph.xp.minimum(capacity, min(most, 2**62) + 1)
    check_whole(max(2 * most + 2, whole_sum(clipped[leaving])), "flows")
    return clipped


def _keys(graph: Graph) -> Any:
    """One number for each arc, ascending."""
    return row_ids(graph).astype(np.int64) * graph.num_vertices + graph.indices
