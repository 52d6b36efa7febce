"""Cores, trusses, triangles, cliques, colorings and independent sets."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from edgewise.networkx.compact import Compact, compact
from edgewise.networkx.component_functions import number_of_selfloops
from edgewise.networkx.graph_classes import origin
from edgewise.networkx.node_items import every, some
from edgewise.networkx.triangle_functions import weighted_triangles
from edgewise.operators.sequential import going, sequential

__all__: list[str] = []

_LOOPS = (
    "Input graph has self loops which is not permitted; "
    "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
)


def core_number(G):
    """Peeling by degree."""
    if number_of_selfloops(G) > 0:
        raise nx.NetworkXNotImplemented(_LOOPS)
    rows = compact(G)
    return every(rows, rows.run("core_number"))


def k_truss(G, k):
    """The edges of truss number k and more, with their attributes."""
    if number_of_selfloops(G) > 0:
        raise nx.NetworkXNotImplemented(_LOOPS)
    rows = compact(G)
    sources, targets, _ = rows.graph.edges()
    kept = rows.run("truss_number") >= k if k > 2 else np.ones(len(sources), bool)
    ids = np.unique(np.concatenate([sources[kept], targets[kept]]))
    return _copied(G, rows, ids, sources[kept], targets[kept])


def k_core(G, k=None, core_number=None):
    """The nodes of core number k and more."""
    return _cored(G, k, core_number, np.greater_equal)


def k_shell(G, k=None, core_number=None):
    """The nodes of core number k."""
    return _cored(G, k, core_number, np.equal)


def k_crust(G, k=None, core_number=None):
    """The nodes of core number k and less; by default, of less than the greatest."""
    cores = _cores(G, core_number)
    k = int(cores.max()) - 1 if k is None else k
    return _cored(G, k, core_number, np.less_equal)


def k_corona(G, k, core_number=None):
    """The nodes of core number k that have k neighbors in the k-core."""
    rows, cores = compact(G), _cores(G, core_number)
    sources, targets, _ = rows.graph.arcs()
    near = np.bincount(sources[cores[targets] >= k], minlength=rows.n)
    return _cored(G, k, core_number, lambda cores, k: (cores == k) & (near == k))


def _cored(G: Any, k: Any, given: Any, choose: Any) -> Any:
    """The part of a graph whose nodes have chosen core numbers, by default the greatest."""
    rows, cores = compact(G), _cores(G, given)
    chosen = choose(cores, max(cores) if k is None else k)
    sources, targets, _ = rows.graph.edges()
    kept = chosen[sources] & chosen[targets]
    return _copied(G, rows, np.flatnonzero(chosen), sources[kept], targets[kept])


def _cores(G: Any, given: Any) -> np.ndarray:
    if given is None:
        if number_of_selfloops(G) > 0:
            raise nx.NetworkXNotImplemented(_LOOPS)
        return np.asarray(compact(G).run("core_number"))
    return np.array([given[node] for node in G])


def _copied(G: Any, rows: Compact, ids: Any, sources: Any, targets: Any) -> Any:
    """A part of a graph with its attributes, of the class that the graph was given in."""
    whole = origin(G)
    part, adjacency = whole.__class__(), whole._adj
    part.graph.update(whole.graph)
    part.add_nodes_from((node, whole._node[node]) for node in rows.names(ids))
    ends = zip(rows.names(sources), rows.names(targets), strict=True)
    part.add_edges_from((u, v, adjacency[u][v]) for u, v in ends)
    return part


def triangles(G, nodes=None):
    """Triangles of all nodes at once."""
    if G.is_multigraph() and nodes is not None and nodes not in G:  # several nodes
        raise nx.NetworkXNotImplemented("not implemented for multigraph type")
    rows = compact(G)
    return _chosen(G, rows, rows.run("triangles"), nodes)


def clustering(G, nodes=None, weight=None):
    """Triangles over pairs of neighbors."""
    if G.is_multigraph():
        raise nx.NetworkXNotImplemented("not implemented for multigraph type")
    rows = compact(G)
    if rows.directed:
        return _chosen(G, rows, rows.run("clustering"), nodes)
    if weight is None:
        found, degree = _wedges(rows)
    else:
        found, degree = weighted_triangles(G, rows, weight), _others(rows)
    return _chosen(G, rows, 2 * found / np.maximum(degree * (degree - 1), 1), nodes)


def transitivity(G):
    """Triangles over connected triples."""
    if G.is_multigraph():
        raise nx.NetworkXNotImplemented("not implemented for multigraph type")
    if G.is_directed():
        raise NotImplementedError("the graph is directed")
    found, degree = _wedges(compact(G))
    total = int(2 * found.sum())
    return 0 if total == 0 else total / int((degree * (degree - 1)).sum())


def _wedges(rows: Compact) -> tuple[np.ndarray, np.ndarray]:
    """The triangles of each node, and its neighbors other than itself."""
    return rows.run("triangles"), _others(rows)


def _others(rows: Compact) -> np.ndarray:
    """The number of neighbors of each node other than itself."""
    sources, targets, _ = rows.graph.arcs()
    return np.diff(rows.indptr) - np.bincount(sources[sources == targets], minlength=rows.n)


def _chosen(G: Any, rows: Compact, values: np.ndarray, nodes: Any) -> Any:
    """The values of all nodes, of one, or of several."""
    if nodes is None:
        return every(rows, values)
    try:
        at = rows.find(nodes)
    except TypeError:  # not hashable: several nodes
        at = None
    if at is not None:
        return values[at].item()
    return some(rows, rows.ids(G.nbunch_iter(nodes)), values)


def find_cliques(G, nodes=None):
    """Lists of nodes, in another order than NetworkX's."""
    rows = compact(G)
    if rows.n == 0:
        return
    found = rows.run("maximal_cliques")
    names, ends = rows.names(found.members), found.indptr.tolist()
    for low, high in zip(ends, ends[1:], strict=False):
        yield names[low:high]


def find_cliques_recursive(G, nodes=None):
    """Lists of nodes, in another order than NetworkX's."""
    return find_cliques(G)


def max_weight_clique(G, weight="weight"):
    """A clique with the most nodes."""
    rows = compact(G)
    found = rows.names(rows.run("maximum_clique"))
    return found, len(found)


def square_clustering(G, nodes=None):
    """The share of possible squares at each node that exist."""
    rows = compact(G)
    degree = _others(rows)
    found, common = np.zeros(rows.n), np.zeros(rows.n, np.int64)
    state = (rows.graph.indptr, rows.graph.indices, degree, found, common)
    sequential(_count_squares, (*state, np.empty(rows.n, np.int64)), steps=rows.n,
               work=int((degree * degree).sum()))  # fmt: skip
    return _chosen(G, rows, found, nodes)


def _count_squares(control, indptr, targets, degree, found, common, touched):
    for v in range(len(found)):
        if v % 16 == 0 and not going(control, v):
            return
        size, pairs = 0, 0
        for e in range(indptr[v], indptr[v + 1]):
            u = targets[e]
            if u == v:
                continue
            pairs += (degree[u] - 1) * (degree[v] - 1)
            for f in range(indptr[u], indptr[u + 1]):
                x = targets[f]
                if x != u and x != v:
                    if common[x] == 0:
                        touched[size] = x
                        size += 1
                    common[x] += 1
        for e in range(indptr[v], indptr[v + 1]):
            if targets[e] != v:
                pairs -= common[targets[e]]
        squares = 0
        for at in range(size):
            x = touched[at]
            squares += common[x] * (common[x] - 1) // 2
            common[x] = 0
        if degree[v] > 1 and pairs > squares:
            found[v] = squares / (pairs - squares)


def maximal_matching(G):
    """Each edge whose ends are free, in the order of ``G.edges``."""
    rows = compact(G)
    sources, targets, _ = rows.edges()
    free, chosen = np.ones(rows.n, bool), np.zeros(len(sources), bool)
    state = (sources, targets, free, chosen)
    sequential(_match_free, state, steps=len(sources))
    return {*zip(rows.names(sources[chosen]), rows.names(targets[chosen]), strict=True)}


def _match_free(control, sources, targets, free, chosen):
    for e in range(len(sources)):
        if e % 4096 == 0 and not going(control, e):
            return
        u, v = sources[e], targets[e]
        if u != v and free[u] and free[v]:
            free[u], free[v], chosen[e] = False, False, True


def maximal_independent_set(G, nodes=None, seed=None):
    """A random order decides; the numbers are other than NetworkX's."""
    rows = compact(G)
    if rows.n == 0:
        raise IndexError("Cannot choose from an empty sequence")
    first = seed.choice(rows.nodes)
    if G.has_edge(first, first):
        raise nx.NetworkXUnfeasible(f"[{first}] is not an independent set of G")
    mask = rows.run("maximal_independent_set", seed=seed.getrandbits(31))
    return rows.names(np.flatnonzero(mask))


def dominating_set(G, start_with=None):
    """A small set, by greedy choice."""
    rows = compact(G)
    if rows.n == 0:
        raise NotImplementedError("the graph has no nodes")
    return {*rows.names(np.flatnonzero(rows.run("dominating_set")))}


def hopcroft_karp_matching(G, top_nodes=None):
    """A matching of greatest cardinality, from both sides."""
    rows = compact(G)
    left, _ = nx.bipartite.sets(G, top_nodes)
    sides = np.zeros(rows.n, bool)
    sides[rows.ids(left)] = True
    mate = rows.run("matching.hopcroft_karp", sides=sides).mate
    matched = np.flatnonzero(mate >= 0)
    order = np.concatenate([matched[sides[matched]], matched[~sides[matched]]])
    return dict(zip(rows.names(order), rows.names(mate[order]), strict=True))
