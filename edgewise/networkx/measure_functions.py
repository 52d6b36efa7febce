"""Flows, link prediction, mixing and matrices under NetworkX's names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import networkx as nx
import numpy as np

from edgewise.networkx.compact import Compact, compact
from edgewise.networkx.node_items import every, some

__all__: list[str] = []


def maximum_flow(flowG, _s, _t, capacity="capacity", flow_func=None, **kwargs):
    """The value, and the flow of each edge by its ends."""
    rows, found = _flow(flowG, "maximum_flow", _s, _t, capacity)
    sources, targets, places = rows.edges()
    flow = found.flow[rows.graph.arc_to_edge[places]].tolist() if len(places) else []
    result: dict[Any, dict[Any, Any]] = {u: dict.fromkeys(flowG[u], 0) for u in flowG}
    for u, v, amount in zip(rows.names(sources), rows.names(targets), flow, strict=True):
        if amount > 0:
            result[u][v] = amount
        elif amount < 0:
            result[v][u] = -amount
    return _value(found), result


def maximum_flow_value(flowG, _s, _t, capacity="capacity", flow_func=None, **kwargs):
    """The value of a maximum flow."""
    return _value(_flow(flowG, "minimum_cut", _s, _t, capacity)[1])


def minimum_cut(flowG, _s, _t, capacity="capacity", flow_func=None, **kwargs):
    """The value, and the nodes that cannot reach the target any more, and those that can."""
    rows, found = _flow(flowG, "minimum_cut", _s, _t, capacity)
    side = np.asarray(found.side)
    reached = ({*rows.names(np.flatnonzero(mask))} for mask in (side, ~side))
    return _value(found), tuple(reached)


def minimum_cut_value(flowG, _s, _t, capacity="capacity", flow_func=None, **kwargs):
    """The value of a minimum cut."""
    return maximum_flow_value(flowG, _s, _t, capacity)


def _flow(G: Any, algorithm: str, source: Any, target: Any, capacity: Any) -> tuple[Compact, Any]:
    if G.is_multigraph():
        raise nx.NetworkXError("MultiGraph and MultiDiGraph not supported (yet).")
    rows = compact(G)
    ends = [rows.find(source), rows.find(target)]
    for node, at in zip((source, target), ends, strict=True):
        if at is None:
            raise nx.NetworkXError(f"node {node!s} not in graph")
    if source == target:
        raise nx.NetworkXError("source and sink are the same node")
    graph = rows.weighted(G, capacity, float("inf"))
    if graph.weights is None or not np.isfinite(graph.weights).all():
        raise NotImplementedError("a capacity is infinite")
    return rows, rows.run(algorithm, *ends, graph=graph)


def _value(found: Any) -> Any:
    return found.value.item() if hasattr(found.value, "item") else found.value


def jaccard_coefficient(G, ebunch=None):
    """Common neighbors over all neighbors."""
    return _without_loops(G, ebunch, "jaccard")


def adamic_adar_index(G, ebunch=None):
    """The sum of 1 / log degree over common neighbors."""
    return _without_loops(G, ebunch, "adamic_adar")


def preferential_attachment(G, ebunch=None):
    """The product of the degrees."""
    degrees = compact(G).degrees(G)
    return _predicted(G, ebunch, lambda rows, u, v: degrees[u] * degrees[v])


def _without_loops(G: Any, ebunch: Any, name: str) -> Any:
    if compact(G).graph.num_self_loops:
        raise NotImplementedError("the graph has loops")
    return _predicted(G, ebunch, lambda rows, u, v: rows.run(f"similarity.{name}", pairs=(u, v)))


def _predicted(G: Any, ebunch: Any, score: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Triples of pairs and scores, many pairs at a time."""
    rows = compact(G)
    if ebunch is not None:
        ebunch = list(ebunch)
        for node in (node for pair in ebunch for node in pair):
            if rows.find(node) is None:
                raise nx.NodeNotFound(f"Node {node} not in G.")
    return _in_batches(rows, nx.non_edges(G) if ebunch is None else iter(ebunch), score)


def _in_batches(rows: Compact, pairs: Any, score: Any) -> Iterator[tuple[Any, Any, Any]]:
    while batch := [*islice(pairs, 1 << 16)]:
        u, v = (rows.ids(pair[i] for pair in batch) for i in (0, 1))
        found = score(rows, u, v).tolist()
        yield from ((one[0], one[1], value) for one, value in zip(batch, found, strict=True))


def overall_reciprocity(G):
    """The share of edges that lead both ways."""
    rows = compact(G)
    if not len(rows.targets):
        raise nx.NetworkXError("Not defined for empty graphs")
    sources, targets, _ = rows.graph.arcs()
    low, high = np.minimum(sources, targets), np.maximum(sources, targets)
    joined = len(np.unique(low.astype(np.int64) * rows.n + high))
    return (len(sources) - joined) * 2 / len(sources)


def degree_assortativity_coefficient(G, x="out", y="in", weight=None, nodes=None):
    """The correlation of the degrees at the ends of edges."""
    return _mixing(compact(G), "degree_assortativity_coefficient", x=x, y=y)


def degree_pearson_correlation_coefficient(G, x="out", y="in", weight=None, nodes=None):
    """The correlation of the degrees at the ends of edges."""
    return degree_assortativity_coefficient(G, x, y)


def attribute_assortativity_coefficient(G, attribute, nodes=None):
    """Newman's coefficient for categories."""
    rows, numbers = compact(G), dict[Any, int]()
    found = (G.nodes[node].get(attribute) for node in rows.nodes)
    labels = np.array([numbers.setdefault(one, len(numbers)) for one in found], np.int64)
    return _mixing(rows, "attribute_assortativity_coefficient", labels)


def numeric_assortativity_coefficient(G, attribute, nodes=None):
    """The correlation of an attribute at the ends of edges."""
    rows = compact(G)
    values = np.array([G.nodes[node][attribute] for node in rows.nodes], np.float64)
    return _mixing(rows, "numeric_assortativity_coefficient", values)


def _mixing(rows: Compact, algorithm: str, *args: Any, **options: Any) -> float:
    found = float(rows.run(algorithm, *args, **options))
    if np.isnan(found):
        raise NotImplementedError("the coefficient is not defined")
    return found


def average_neighbor_degree(G, source="out", target="out", nodes=None, weight=None):
    """The sum of the degrees of the neighbors, over the degree."""
    rows = compact(G)
    if not rows.directed and (source != "out" or target != "out"):
        raise nx.NetworkXError("source and target arguments are only supported for directed graphs")
    modes = {"in": "in", "out": "out", "in+out": "both"}
    for name, given in (("source", source), ("target", target)):
        if given not in modes:
            raise nx.NetworkXError(f"{name} argument {given} must be 'in', 'out' or 'in+out'")
    if weight is not None:
        if (source, target) != ("out", "out") or G.is_multigraph() or nodes is not None:
            raise NotImplementedError("weights with other degrees, of a multigraph or some nodes")
        graph = rows.weighted(G, weight)
        weights = None if graph.weights is None else "weight"
        return every(rows, rows.run("average_neighbor_degree", graph=graph, weights=weights))
    tails, heads, _ = rows.graph.arcs()
    one = rows.degrees(G, modes[source] if rows.directed else "both")
    other = rows.degrees(G, modes[target] if rows.directed else "both")
    sums = np.zeros(rows.n)
    if "out" in source:
        sums += np.bincount(tails, other[heads], rows.n)
    if "in" in source:
        sums += np.bincount(heads, other[tails], rows.n)
    found = np.where(one > 0, sums / np.maximum(one, 1), 0.0)
    if nodes is None:
        return every(rows, found)
    return some(rows, rows.ids(dict.fromkeys(G.nbunch_iter(nodes))), found)


def rich_club_coefficient(G, normalized=True, Q=100, seed=None):
    """The density among nodes of larger degree, for each degree."""
    rows = compact(G)
    sources, targets, _ = rows.graph.arcs()
    if (sources == targets).any():
        raise Exception("rich_club_coefficient is not implemented for graphs with self loops.")
    return dict(enumerate(rows.run("rich_club_coefficient", normalized=False).tolist()))


def to_scipy_sparse_array(G, nodelist=None, dtype=None, weight="weight", format="csr"):
    """The adjacency matrix, in the order of the graph."""
    rows = compact(G)
    if rows.n == 0:
        raise nx.NetworkXError("Graph has no nodes or edges")
    many = rows.multiplicity(G) if weight is None else None
    graph = rows.weighted(G, weight)
    found = graph.to_scipy()
    data = found.data if many is None else many
    if graph.weights is None and many is None:
        data = np.ones(graph.num_arcs, np.int64)
    if not len(data) and dtype is None:
        dtype = np.float64
    found.data = np.array(data, dtype)  # a copy: the graph's arrays are read-only
    found.indices, found.indptr = found.indices.copy(), found.indptr.copy()
    try:
        return found.asformat(format)
    except ValueError as error:
        raise nx.NetworkXError(f"Unknown sparse matrix format: {format}") from error
