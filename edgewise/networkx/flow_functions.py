"""Connectivity, disjoint paths, cuts, min-cost flows and matchings under NetworkX's names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import BinaryHeap

from edgewise.algorithms import ALGORITHMS
from edgewise.networkx.compact import Compact, compact

__all__: list[str] = []


def stoer_wagner(G, weight="weight", heap=BinaryHeap):
    """The value of a global minimum cut, and its two sides."""
    rows = compact(G)
    if rows.n < 2:
        raise nx.NetworkXError("graph has less than two nodes.")
    if not rows.run("is_connected"):
        raise nx.NetworkXError("graph is not connected.")
    graph = rows.weighted(G, weight)
    sources, targets, weights = graph.arcs()
    if weights is not None and (weights[sources != targets] < 0).any():
        raise nx.NetworkXError("graph has a negative-weighted edge.")
    found = rows.run("global_minimum_cut", graph=graph)
    sides = (rows.names(np.flatnonzero(mask)) for mask in (found.side, ~found.side))
    return found.value, tuple(sides)


def edge_connectivity(G, s=None, t=None, flow_func=None, cutoff=None):
    """The smallest number of edges whose removal disconnects the graph, or two nodes."""
    ends = _ends(G, s, t)
    if ends is not None:
        return local_edge_connectivity(G, s, t, cutoff=cutoff)
    rows, most = _simple(G), _cutoff(cutoff)
    if rows.directed and rows.n == 1:
        raise nx.NetworkXError("source and sink are the same node")
    found = rows.run("edge_connectivity")
    return found if most is None else min(found, most)


def node_connectivity(G, s=None, t=None, flow_func=None):
    """The smallest number of nodes whose removal disconnects the graph, or two nodes."""
    ends = _ends(G, s, t)
    if ends is not None:
        return local_node_connectivity(G, s, t)
    if G.is_directed():
        raise NotImplementedError("the graph is directed")
    return _simple(G).run("node_connectivity")


def local_edge_connectivity(G, s, t, flow_func=None, auxiliary=None, residual=None, cutoff=None):
    """The number of edge-disjoint paths between two nodes."""
    rows, most = compact(G), _cutoff(cutoff)
    ends = [rows.find(node) for node in (s, t)]
    for node, at in zip((s, t), ends, strict=True):
        if at is None:
            raise nx.NetworkXError(f"node {node!s} not in graph")
    if s == t:
        raise nx.NetworkXError("source and sink are the same node")
    found = rows.run("edge_connectivity", source=ends[0], target=ends[1])
    return found if most is None else min(found, most)


def local_node_connectivity(G, s, t, flow_func=None, auxiliary=None, residual=None, cutoff=None):
    """The number of node-disjoint paths between two nodes."""
    rows, most = compact(G), _cutoff(cutoff)
    ends = [rows.find(node) for node in (s, t)]
    for node, at in zip((s, t), ends, strict=True):
        if at is None:
            raise KeyError(node)
    if s == t:
        raise NotImplementedError("source and target are the same node")
    found = rows.run("node_connectivity", source=ends[0], target=ends[1])
    return found if most is None else min(found, most)


def all_pairs_node_connectivity(G, nbunch=None, flow_func=None):
    """The numbers of node-disjoint paths between all pairs of some nodes."""
    nodes = [*(G if nbunch is None else {*nbunch})]
    found: dict[Any, dict[Any, int]] = {node: {} for node in nodes}
    for u, v in (permutations if G.is_directed() else combinations)(nodes, 2):
        found[u][v] = local_node_connectivity(G, u, v)
        if not G.is_directed():
            found[v][u] = found[u][v]
    return found


def average_node_connectivity(G, flow_func=None):
    """The mean number of node-disjoint paths between two nodes."""
    pairs = (permutations if G.is_directed() else combinations)(G, 2)
    found = [local_node_connectivity(G, u, v) for u, v in pairs]
    return sum(found) / len(found) if found else 0


def minimum_st_edge_cut(G, s, t, flow_func=None, auxiliary=None, residual=None):
    """The edges of a minimum cut between two nodes."""
    rows = compact(G)
    ends = [rows.find(node) for node in (s, t)]
    for node, at in zip((s, t), ends, strict=True):
        if at is None:
            raise nx.NetworkXError(f"node {node!s} not in graph")
    if s == t:
        raise nx.NetworkXError("source and sink are the same node")
    return _crossing(rows, np.asarray(rows.run("minimum_cut", *ends, weights=None).side))


def minimum_edge_cut(G, s=None, t=None, flow_func=None):
    """The fewest edges whose removal disconnects the graph, or two nodes."""
    ends = _ends(G, s, t)
    if ends is not None:
        return minimum_st_edge_cut(G, s, t)
    rows = _simple(G)
    if rows.directed or rows.n < 2:
        raise NotImplementedError("the graph is directed, or has fewer than two nodes")
    if not rows.run("is_connected"):
        raise nx.NetworkXError("Input graph is not connected")
    return _crossing(rows, rows.run("global_minimum_cut", weights=None).side)


def minimum_st_node_cut(G, s, t, flow_func=None, auxiliary=None, residual=None):
    """The fewest nodes whose removal leaves no path between two nodes that are not adjacent."""
    rows = compact(G)
    ends = [rows.find(node) for node in (s, t)]
    for node, at in zip((s, t), ends, strict=True):
        if at is None:
            raise KeyError(node)
    if s == t:
        raise NotImplementedError("source and target are the same node")
    if G.has_edge(s, t) or G.has_edge(t, s):
        return set()
    mask = rows.run("minimum_node_cut", source=ends[0], target=ends[1])
    return {*rows.names(np.flatnonzero(mask))}


def minimum_node_cut(G, s=None, t=None, flow_func=None):
    """The fewest nodes whose removal disconnects the graph, or two nodes."""
    if _ends(G, s, t) is not None:
        return minimum_st_node_cut(G, s, t)
    rows = _simple(G)
    if rows.directed:
        raise NotImplementedError("the graph is directed")
    if not rows.run("is_connected"):
        raise nx.NetworkXError("Input graph is not connected")
    return {*rows.names(np.flatnonzero(rows.run("minimum_node_cut")))}


def _ends(G: Any, s: Any, t: Any) -> tuple[Any, Any] | None:
    """Both nodes, or None if none is given."""
    if (s is None) != (t is None):
        raise nx.NetworkXError("Both source and target must be specified.")
    if s is None:
        return None
    for node in (s, t):
        if node not in G:
            raise nx.NetworkXError(f"node {node} not in graph")
    return s, t


def _simple(G: Any) -> Compact:
    rows = compact(G)
    if rows.n == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    if rows.graph.num_self_loops:
        raise NotImplementedError("the graph has loops")
    return rows


def _cutoff(cutoff: Any) -> int | None:
    if cutoff is None or (type(cutoff) is int and cutoff > 0):
        return cutoff
    raise NotImplementedError("cutoff is not a positive integer")


def _crossing(rows: Compact, side: Any) -> set[tuple[Any, Any]]:
    """The edges that lead from a side to the other."""
    sources, targets, _ = rows.graph.arcs()
    chosen = side[sources] & ~side[targets]
    return {*zip(rows.names(sources[chosen]), rows.names(targets[chosen]), strict=True)}


def edge_disjoint_paths(G, s, t, flow_func=None, cutoff=None, auxiliary=None, residual=None):
    """Paths of which no two share an edge."""
    return _disjoint(G, s, t, cutoff, "edge_disjoint_paths")


def node_disjoint_paths(G, s, t, flow_func=None, cutoff=None, auxiliary=None, residual=None):
    """Paths of which no two share a node except their ends."""
    return _disjoint(G, s, t, cutoff, "node_disjoint_paths")


def _disjoint(G: Any, s: Any, t: Any, cutoff: Any, algorithm: str) -> Iterator[list[Any]]:
    rows, most = compact(G), _cutoff(cutoff)
    if s == t:
        raise NotImplementedError("source and target are the same node")
    return _paths(rows, s, t, most, algorithm)


def _paths(rows: Compact, s: Any, t: Any, most: Any, algorithm: str) -> Iterator[list[Any]]:
    ends = [rows.find(node) for node in (s, t)]
    for node, at in zip((s, t), ends, strict=True):
        if at is None:
            raise nx.NetworkXError(f"node {node} not in graph")
    found = rows.run(algorithm, *ends, k=most)
    if found.num_paths == 0:
        raise nx.NetworkXNoPath
    for path in found.lists():
        yield rows.names(path)


def gomory_hu_tree(G, capacity="capacity", flow_func=None):
    """A tree whose edges are minimum cuts of all pairs of nodes."""
    if len(G) == 0:
        raise nx.NetworkXError("Empty Graph does not have a Gomory-Hu tree representation")
    if G.is_multigraph():
        raise nx.NetworkXError("MultiGraph and MultiDiGraph not supported (yet).")
    rows = compact(G)
    graph = rows.weighted(G, capacity, float("inf"))
    if rows.graph.num_edges and (graph.weights is None or not np.isfinite(graph.weights).all()):
        raise NotImplementedError("a capacity is infinite")
    sources, targets, values = rows.run("gomory_hu_tree", graph=graph).edges()
    tree = nx.Graph()
    tree.add_nodes_from(G)
    ends = (rows.names(side) for side in (sources, targets))
    tree.add_weighted_edges_from(zip(*ends, values.tolist(), strict=True))
    return tree


def network_simplex(G, demand="demand", capacity="capacity", weight="weight"):
    """The cost of a flow of minimum cost, and the flow of each edge by its ends."""
    wanted = {node: G.nodes[node].get(demand, 0) for node in G}
    return _cheapest(G, wanted, capacity, weight)


def min_cost_flow(G, demand="demand", capacity="capacity", weight="weight"):
    """The flow of each edge by its ends."""
    return network_simplex(G, demand, capacity, weight)[1]


def min_cost_flow_cost(G, demand="demand", capacity="capacity", weight="weight"):
    """The cost of a flow of minimum cost."""
    return network_simplex(G, demand, capacity, weight)[0]


def max_flow_min_cost(G, s, t, capacity="capacity", weight="weight"):
    """The cheapest of all maximum flows between two nodes."""
    from edgewise.networkx.measure_functions import maximum_flow_value

    if not G.is_directed():
        raise NotImplementedError("the graph is undirected")
    most = maximum_flow_value(G, s, t, capacity)
    wanted = {node: G.nodes[node].get("demand", 0) for node in G}
    return _cheapest(G, wanted | {s: -most, t: most}, capacity, weight)[1]


def _cheapest(G: Any, wanted: dict[Any, Any], capacity: Any, weight: Any) -> tuple[Any, Any]:
    if not G.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for undirected type")
    if len(G) == 0:
        raise nx.NetworkXError("graph has no nodes")
    rows = compact(G)
    demand = np.array([*wanted.values()])
    costs = rows.column(G, weight, 0) if len(rows.targets) else np.zeros(0, np.int64)
    limits = rows.column(G, capacity, float("inf")) if len(rows.targets) else np.zeros(0)
    if demand.dtype.kind not in "iuf" or np.isnan(demand).any() or np.isnan(limits).any():
        raise NotImplementedError("a demand or a capacity is not a number")
    if np.isinf(demand).any():
        node = rows.names([int(np.isinf(demand).argmax())])[0]
        raise nx.NetworkXError(f"node {node!r} has infinite demand")
    _refuse(rows, np.isinf(costs), "infinite weight", nx.NetworkXError)
    if sum(demand.tolist()) != 0:
        raise nx.NetworkXUnfeasible("total node demand is not zero")
    _refuse(rows, limits < 0, "negative capacity", nx.NetworkXUnfeasible)
    try:
        found = ALGORITHMS["min_cost_flow"].load()(
            rows.graph, demand=demand, capacity=limits, weights=costs
        )
    except ValueError as error:
        if "met by a flow" in str(error):
            raise nx.NetworkXUnfeasible("no flow satisfies all node demands") from error
        if "lower bound" in str(error):
            raise nx.NetworkXUnbounded("negative cycle with infinite capacity found") from error
        raise NotImplementedError(str(error)) from error
    return found.cost, _by_ends(rows, found.flow, limits)


def capacity_scaling(
    G, demand="demand", capacity="capacity", weight="weight", heap=BinaryHeap
):  # fmt: skip
    """The cost of a flow of minimum cost, and the flow of each edge by its ends."""
    rows = compact(G)
    wanted = {node: G.nodes[node].get(demand, 0) for node in G}
    if not {*map(type, wanted.values())} <= {int}:
        raise NotImplementedError("a demand is no integer")
    if sum(wanted.values()) != 0:
        raise nx.NetworkXUnfeasible("Sum of the demands should be 0.")
    sources, targets, places = rows.edges()
    if not len(places):
        raise NotImplementedError("the graph has no edges")
    costs = rows.column(G, weight, 0)[places]
    limits = rows.column(G, capacity, float("inf"))[places]
    finite = np.isfinite(limits)
    if costs.dtype.kind != "i" or (limits < 0).any() or (limits[finite] % 1).any():
        raise NotImplementedError("a cost or a capacity is no integer, or a capacity is negative")
    if not ((sources != targets) & (limits > 0)).any():
        raise NotImplementedError("no edge has a capacity")
    try:
        cost, flow = _cheapest(G, wanted, capacity, weight)
    except nx.NetworkXUnfeasible as error:
        if (~finite & (costs < 0)).any():
            raise NotImplementedError("a negative cost has no capacity") from error
        raise nx.NetworkXUnfeasible("No flow satisfying all demands.") from error
    return int(cost), {u: {v: int(flow[u][v]) for v in G._adj[u]} for u in flow}


def _refuse(rows: Compact, wrong: Any, what: str, error: Any) -> None:
    """An error that names the first edge that is wrong, as ``G.edges`` lists them."""
    if wrong.any():
        sources, targets, places = rows.edges()
        at = [int(wrong[places].argmax())]
        edge = (rows.names(sources[at])[0], rows.names(targets[at])[0])
        raise error(f"edge {edge!r} has {what}")


def _by_ends(rows: Compact, flow: Any, limits: Any) -> dict[Any, dict[Any, Any]]:
    """The flow of all edges; loops and those without capacity are the last of their node."""
    sources, targets, places = rows.edges()
    result: dict[Any, dict[Any, Any]] = {node: {} for node in rows.nodes}
    last = (sources == targets) | (limits[places] == 0)
    for some in (~last, last):
        ends = (rows.names(side[some]) for side in (sources, targets))
        for u, v, amount in zip(*ends, flow[places[some]].tolist(), strict=True):
            result[u][v] = amount
    return result
