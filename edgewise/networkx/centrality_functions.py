"""Centralities of groups and currents, efficiency, spectra and link prediction, as in NetworkX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from edgewise.base.errors import ConvergenceError
from edgewise.graph.edges import Arcs
from edgewise.graph.subgraphs import subgraph
from edgewise.networkx.compact import Compact, compact
from edgewise.networkx.component_functions import groups
from edgewise.networkx.measure_functions import _predicted, _without_loops, to_scipy_sparse_array
from edgewise.networkx.node_items import every

__all__: list[str] = []

#: Sources of distances at a time.
_SOURCES = 256


def newman_betweenness_centrality(G, v=None, cutoff=None, normalized=True, weight=None):
    """Load centrality: what passes through nodes, from all sources."""
    rows = compact(G)
    return every(rows, rows.run("load_centrality", normalized=normalized))


def group_betweenness_centrality(G, C, normalized=True, weight=None, endpoints=False):
    """A search from each node that counts the paths around the group."""
    rows, single = compact(G), any(node in G for node in C)
    groups = [{*group} for group in ([C] if single else C)]
    missing = {node for group in groups for node in group if rows.find(node) is None}
    if missing:
        raise nx.NodeNotFound(f"The node(s) {missing} are in C but not in G.")
    if max(map(len, groups), default=0) > 2:
        raise NotImplementedError("NetworkX's formula differs for more than two nodes")
    if rows.directed and not nx.is_strongly_connected(G):
        raise NotImplementedError("NetworkX counts the ends of directed paths otherwise")
    found = []
    for group in groups:
        others = rows.n - len(group)
        if normalized and others < 2:
            raise ZeroDivisionError("division by zero")
        options = {"normalized": normalized, "endpoints": endpoints}
        found.append(rows.run("group_betweenness_centrality", rows.ids(group), **options))
    return found[0] if single else found


def group_closeness_centrality(G, S, weight=None):
    """One search from all nodes of the group."""
    if not S:
        raise ValueError("sources must not be empty")
    rows, group = compact(G), {*S}
    for node in group:
        if rows.find(node) is None:
            raise nx.NodeNotFound(f"Node {node} not found in graph")
    graph = rows.weighted(G, weight, combine=min)
    weights = None if graph.weights is None else "weight"
    found = rows.run("group_closeness_centrality", rows.ids(group), graph=graph, weights=weights)
    return found if found > 0 else 0


def group_degree_centrality(G, S):
    """The share of other nodes that are next to the group."""
    return _group_degree(G, S, compact(G))


def group_in_degree_centrality(G, S):
    """The share of other nodes that lead to the group."""
    return _group_degree(G, S, compact(G, reverse=True))


def group_out_degree_centrality(G, S):
    """The share of other nodes that the group leads to."""
    return _group_degree(G, S, compact(G))


def _group_degree(G: Any, S: Any, rows: Compact) -> float:
    group = [*S]
    for node in group:
        if rows.find(node) is None:
            raise nx.NetworkXError(f"The node {node} is not in the graph.")
    if len(group) != len({*group}):
        raise NotImplementedError("NetworkX counts nodes twice that occur twice")
    if len(group) == rows.n:
        raise ZeroDivisionError("division by zero")
    return rows.run("group_degree_centrality", rows.ids(group))


def current_flow_closeness_centrality(G, weight=None, dtype=float, solver="lu"):
    """Resistances by a sparse factorization."""
    rows, graph = _conductances(G, weight, solver, 2)
    weights = None if graph.weights is None else "weight"
    return every(rows, rows.run("current_flow_closeness_centrality", graph=graph, weights=weights))


def current_flow_betweenness_centrality(
    G, normalized=True, weight=None, dtype=float, solver="full"
):  # fmt: skip
    """Currents by a sparse factorization, of one edge after the other."""
    rows, graph = _conductances(G, weight, solver, 3)
    options = {"normalized": normalized, "weights": None if graph.weights is None else "weight"}
    return every(rows, rows.run("current_flow_betweenness_centrality", graph=graph, **options))


def edge_current_flow_betweenness_centrality(
    G, normalized=True, weight=None, dtype=float, solver="full"
):  # fmt: skip
    """Currents through edges, each named as NetworkX's order of the nodes has its ends."""
    from edgewise.algorithms.centrality.current_flow import edge_currents, pieces

    rows, graph = _conductances(G, weight, solver, 3)
    place = np.empty(rows.n, np.int64)
    place[rows.ids(nx.utils.reverse_cuthill_mckee_ordering(G))] = np.arange(rows.n)
    (piece,) = pieces(graph, None if graph.weights is None else "weight")
    amounts = edge_currents(piece) / ((rows.n - 1) * (rows.n - 2) if normalized else 2)
    ends = np.sort(piece.vertices[np.stack([piece.us, piece.vs])], axis=0)
    found = dict(zip(zip(*ends.tolist(), strict=True), amounts.tolist(), strict=True))
    sources, targets, _ = rows.edges()
    pairs = [*zip(sources.tolist(), targets.tolist(), strict=True)]
    named = ((u, v) if place[u] < place[v] else (v, u) for u, v in pairs)
    values = (found[min(pair), max(pair)] for pair in pairs)
    return {tuple(rows.names(pair)): one for pair, one in zip(named, values, strict=True)}


def _conductances(G: Any, weight: Any, solver: str, least: int) -> tuple[Compact, Any]:
    rows = compact(G)
    if not nx.is_connected(G):
        raise nx.NetworkXError("Graph not connected.")
    if rows.n < least or solver not in ("full", "lu", "cg"):
        raise NotImplementedError("the graph is too small, or the solver is unknown")
    if rows.graph.num_self_loops:
        raise NotImplementedError("NetworkX lets current flow through loops")
    graph = rows.summed(G, weight)
    if graph.weights is not None and not (graph.weights > 0).all():
        raise NotImplementedError("a conductance is not positive")
    return rows, graph


def voterank(G, number_of_nodes=None):
    """Elections in whole numbers, which are exact."""
    rows = compact(G)
    if rows.graph.num_self_loops:
        raise NotImplementedError("the graph has loops")
    if number_of_nodes is not None and number_of_nodes <= 0:
        return []
    return rows.names(rows.run("voterank", k=number_of_nodes))


def global_efficiency(G):
    """All searches at once."""
    rows = compact(G)
    return float(rows.run("global_efficiency")) if rows.n > 1 else 0


def local_efficiency(G):
    """64 searches at once among the neighbors of each node."""
    rows = compact(G)
    if rows.graph.num_self_loops:
        raise NotImplementedError("the graph has loops")
    if rows.n == 0:
        raise ZeroDivisionError("division by zero")
    return rows.run("local_efficiency")


def laplacian_matrix(G, nodelist=None, weight="weight"):
    """The degrees less the adjacency matrix."""
    from scipy.sparse import diags_array

    found = to_scipy_sparse_array(G, weight=weight)
    return (diags_array(found.sum(axis=1), dtype=found.dtype) - found).tocsr()


def normalized_laplacian_matrix(G, nodelist=None, weight="weight"):
    """The same, divided by the roots of the degrees on both sides."""
    from scipy.sparse import diags_array

    found = to_scipy_sparse_array(G, weight=weight)
    degrees = found.sum(axis=1)
    with np.errstate(divide="ignore"):
        root = 1.0 / np.sqrt(degrees)
    root[np.isinf(root)] = 0
    scale = diags_array(root)
    return (scale @ ((diags_array(degrees, dtype=float) - found) @ scale)).tocsr()


def algebraic_connectivity(
    G, weight="weight", normalized=False, tol=1e-8, method="tracemin_pcg", seed=None
):  # fmt: skip
    """By LOBPCG, or a dense solver for few nodes."""
    if len(G) < 2:
        raise nx.NetworkXError("graph has less than two nodes.")
    rows, graph = _absolute(G, weight, method)
    return float(_spectrum(rows, "algebraic_connectivity", graph, normalized))


def fiedler_vector(
    G, weight="weight", normalized=False, tol=1e-8, method="tracemin_pcg", seed=None
):  # fmt: skip
    """By LOBPCG, or a dense solver for few nodes."""
    if len(G) < 2:
        raise nx.NetworkXError("graph has less than two nodes.")
    rows, graph = _absolute(G, weight, method)
    if graph.weights is not None and not (graph.weights > 0).all():
        raise NotImplementedError("a weight is zero")
    if not nx.is_connected(G):
        raise nx.NetworkXError("graph is not connected.")
    if rows.n == 2:
        return np.array([1.0, -1.0])
    return -_spectrum(rows, "fiedler_vector", graph, normalized)


def spectral_ordering(
    G, weight="weight", normalized=False, tol=1e-8, method="tracemin_pcg", seed=None
):  # fmt: skip
    """The Fiedler vectors of all components, sorted."""
    if len(G) == 0:
        raise nx.NetworkXError("graph is empty.")
    rows, graph = _absolute(G, weight, method)
    if graph.weights is not None and not (graph.weights > 0).all():
        raise NotImplementedError("a weight is zero")
    order: list[Any] = []
    for component in groups(rows, rows.run("connected_components")):
        names = [*component]
        if len(names) > 2:  # ties end as the set has its nodes, in NetworkX too
            ids = rows.ids(names)
            part = subgraph(graph, np.sort(ids))
            found = -_spectrum(rows, "fiedler_vector", part, normalized)
            ranks = np.lexsort((np.arange(len(names)), found[np.argsort(np.argsort(ids))]))
            names = [names[rank] for rank in ranks.tolist()]
        order.extend(names)
    return order


def eigenvector_centrality_numpy(G, weight=None, max_iter=50, tol=0):
    """NetworkX's call of ARPACK, on a matrix from arrays."""
    from scipy.sparse.linalg import eigs

    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    if not (nx.is_strongly_connected if G.is_directed() else nx.is_connected)(G):
        raise nx.AmbiguousSolution(
            "`eigenvector_centrality_numpy` does not give consistent results for disconnected "
            "graphs"
        )
    matrix = to_scipy_sparse_array(G, weight=weight, dtype=float)
    _, found = eigs(matrix.T, k=1, which="LR", maxiter=max_iter, tol=tol)
    largest = found.flatten().real
    return every(compact(G), largest / (np.sign(largest.sum()) * np.linalg.norm(largest)))


def _spectrum(rows: Compact, name: str, graph: Any, normalized: bool) -> Any:
    try:
        return rows.run(name, graph=graph, normalized=normalized, tol=1e-6)
    except ConvergenceError as error:
        raise NotImplementedError(str(error)) from error


def _absolute(G: Any, weight: Any, method: str) -> tuple[Compact, Any]:
    """The arrays, and the graph with the sizes of its weights."""
    if method not in ("tracemin_pcg", "tracemin_lu", "lanczos", "lobpcg"):
        raise NotImplementedError("the method is unknown")
    rows = compact(G)
    graph = rows.summed(G, weight, _sizes)
    return rows, graph if graph.weights is None else graph.with_weights(Arcs(abs(graph.weights)))


def _sizes(values: list[Any]) -> Any:
    return sum(map(abs, values))


def resource_allocation_index(G, ebunch=None):
    """The sum of 1 / degree over common neighbors."""
    return _without_loops(G, ebunch, "resource_allocation")


def common_neighbor_centrality(G, ebunch=None, alpha=0.8):
    """Common neighbors and inverse distances."""
    rows = compact(G)
    found = _predicted(G, ebunch, lambda rows, u, v: _near(rows, u, v, alpha))
    return _until_loop(found) if rows.n else found


def _near(rows: Compact, u: np.ndarray, v: np.ndarray, alpha: float) -> np.ndarray:
    """Scores of pairs; NaN for a node and itself."""
    common = rows.run("similarity.common_neighbors", pairs=(u, v))
    if alpha == 1:
        return common if (u != v).all() else np.where(u == v, np.nan, common)
    sources, places = np.unique(u, return_inverse=True)
    distance = np.full(len(u), np.nan)
    for low in range(0, len(sources), _SOURCES):
        here = (low <= places) & (places < low + _SOURCES)
        depths = rows.run("multi_source_bfs", sources[low : low + _SOURCES])
        distance[here] = depths[places[here] - low, v[here]]
    distance[distance == np.iinfo(np.int32).max] = np.inf
    distance[u == v] = np.nan
    return alpha * common + (1 - alpha) * rows.n / distance


def _until_loop(triples: Iterator[Any]) -> Iterator[Any]:
    for one in triples:
        if one[2] != one[2]:
            raise nx.NetworkXAlgorithmError("Self loops are not supported")
        yield one


def cn_soundarajan_hopcroft(G, ebunch=None, community="community"):
    """Common neighbors; those of the same community count twice."""
    return _by_community(G, ebunch, community, lambda all_, own, _: all_ + own)


def ra_index_soundarajan_hopcroft(G, ebunch=None, community="community"):
    """The sum of 1 / degree over common neighbors of the same community."""
    return _by_community(G, ebunch, community, lambda all_, own, parts: parts)


def within_inter_cluster(G, ebunch=None, delta=0.001, community="community"):
    """Common neighbors of the same community, over the others."""
    if delta <= 0:
        raise nx.NetworkXAlgorithmError("Delta must be greater than zero")
    return _by_community(G, ebunch, community, lambda all_, own, _: own / (all_ - own + delta))


def _by_community(G: Any, ebunch: Any, community: Any, score: Any) -> Iterator[Any]:
    """Scores from the common neighbors, those of the same community, and their 1 / degree."""
    from scipy.sparse import csr_array

    rows, numbers, missing = compact(G), dict[Any, int](), object()
    found = [G.nodes[node].get(community, missing) for node in rows.nodes]
    if missing in found or rows.graph.num_self_loops:
        raise NotImplementedError("a node has no community, or the graph has loops")
    group = np.array([numbers.setdefault(one, len(numbers)) for one in found], np.int64)
    sources, targets, _ = rows.graph.arcs()
    inside = group[sources] == group[targets]
    ends = sources[inside], targets[inside]
    matrix = csr_array((np.ones(len(ends[0]), np.int64), ends), shape=(rows.n, rows.n))
    worth = 1.0 / np.maximum(rows.degrees(G), 1)

    def scores(rows: Compact, u: np.ndarray, v: np.ndarray) -> Any:
        both = matrix[u].multiply(matrix[v]).tocsr()
        own = (group[u] == group[v]) * both.sum(axis=1)
        parts = (group[u] == group[v]) * (both @ worth)
        return score(rows.run("similarity.common_neighbors", pairs=(u, v)), own, parts)

    return _predicted(G, ebunch, scores)
