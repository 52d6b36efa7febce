"""Triads, structural holes, projections, cycles and isomorphism under NetworkX's names."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from edgewise.algorithms.traversal.paton import basis_of
from edgewise.graph.graph import Graph
from edgewise.networkx.compact import Compact, compact
from edgewise.networkx.component_functions import number_of_selfloops
from edgewise.networkx.graph_classes import origin
from edgewise.networkx.node_items import every, some

__all__: list[str] = []

#: Cycles of the first batch, and how many times as many each next one has.
_FIRST, _GROWTH = 1000, 8


def triadic_census(G, nodelist=None):
    """The census of all nodes."""
    return compact(G).run("triad_census")


def constraint(G, nodes=None, weight=None):
    """The constraint of all nodes, or of some."""
    return _holes(G, "constraint", nodes, weight)


def effective_size(G, nodes=None, weight=None):
    """The effective size of all nodes, or of some.

    NetworkX's formula for all nodes at once agrees without weights alone.
    """
    if nodes is None and (G.is_directed() or weight is not None):
        raise NotImplementedError("the graph is directed or weighted, and no nodes are given")
    return _holes(G, "effective_size", nodes, weight)


def _holes(G: Any, algorithm: str, nodes: Any, weight: Any) -> Any:
    if len(G) == 0 or number_of_selfloops(G) > 0:
        raise NotImplementedError("the graph has self-loops, or no nodes")
    if nodes is not None and G.is_multigraph():
        raise NotImplementedError("NetworkX reads no weights of parallel edges")
    rows = compact(G)
    graph = rows.summed(G, weight)
    if nodes is None:
        return every(rows, rows.run(algorithm, graph=graph, weights="weight"))
    if graph.weights is not None and not (graph.weights > 0).all():
        raise NotImplementedError("a weight is not positive")
    chosen = {node: rows.find(node) for node in nodes}
    for node, at in chosen.items():
        if at is None:
            raise KeyError(node)
    found = rows.run(algorithm, graph=graph, weights="weight")
    found = np.where(np.diff(rows.indptr) > 0, found, np.nan)  # nodes without successors
    return some(rows, np.array([*chosen.values()], np.int64), found)


def projected_graph(B, nodes, multigraph=False):
    """The pairs of nodes with a common neighbor."""
    if B.is_multigraph():
        raise nx.NetworkXError("not defined for multigraphs")
    return _projected(B, nodes, "none")


def weighted_projected_graph(B, nodes, ratio=False):
    """The pairs of nodes with the number of their common neighbors, or its fraction."""
    if hasattr(nodes, "__len__") and len(nodes) >= len(B):
        for node in nodes:
            B.nodes[node]  # a missing one is a KeyError first
        raise nx.NetworkXAlgorithmError(
            f"the size of the nodes to project onto ({len(nodes)}) is >= the graph size ({len(B)})."
            "\nThey are either not a valid bipartite partition or contain duplicates"
        )
    return _projected(B, nodes, "ratio" if ratio else "count")


def collaboration_weighted_projected_graph(B, nodes):
    """The pairs of nodes with Newman's weights."""
    return _projected(B, nodes, "newman")


def overlap_weighted_projected_graph(B, nodes, jaccard=True):
    """The pairs of nodes with Jaccard's index, or the overlap coefficient."""
    return _projected(B, nodes, "jaccard" if jaccard else "overlap")


def _projected(B: Any, nodes: Any, weighting: str) -> Any:
    rows, side = compact(B), np.zeros(len(B), bool)
    ids: Any = [rows.find(node) for node in nodes] if hasattr(nodes, "__len__") else [None]
    if None in ids:
        raise NotImplementedError("nodes are not all in the graph, or an iterator")
    side[ids] = True
    sources, targets, _ = rows.graph.arcs()
    if side.sum() < len(ids) or (side[sources] == side[targets]).any():
        raise NotImplementedError("nodes are not one side of a bipartite graph")
    found = rows.run("projection", side, weighting=weighting)
    whole = origin(B)
    made = nx.DiGraph() if rows.directed else nx.Graph()
    made.graph.update(whole.graph)
    made.add_nodes_from((node, whole._node[node]) for node in nodes)
    chosen = np.flatnonzero(side)
    u, v, weights = found.edges()
    ends = rows.names(chosen[u]), rows.names(chosen[v])
    if weights is None:
        made.add_edges_from(zip(*ends, strict=True))
    else:
        made.add_weighted_edges_from(zip(*ends, weights.tolist(), strict=True))
    return made


def cycle_basis(G, root=None):
    """NetworkX's cycles in its order: from the last node, or from the root."""
    rows = compact(G)
    roots = np.arange(rows.n - 1, -1, -1)
    if root is not None:
        at = rows.find(root)
        if at is None:
            raise NotImplementedError("the root is not in the graph")
        roots = np.append(at, roots)
    return _named(rows, basis_of(rows.indptr, rows.targets, rows.graph.indices, roots), 0)


def simple_cycles(G, length_bound=None):
    """The cycles in another order than NetworkX's, in batches of growing size."""
    if length_bound is not None and length_bound < 0:
        raise ValueError("length bound must be non-negative")
    bound = None if length_bound is None else int(length_bound)
    rows, done, limit = compact(G), 0, _FIRST
    complete = False
    while not complete:
        found = rows.run("simple_cycles", max_length=bound, max_cycles=limit)
        yield from _named(rows, found, done)
        done, complete, limit = found.num_paths, found.complete, _GROWTH * limit


def _named(rows: Compact, found: Any, first: int) -> list[list[Any]]:
    """Lists of nodes, from some number on."""
    ends = found.indptr[first:].tolist()
    names = rows.names(found.vertices[ends[0] :])
    return [
        names[low - ends[0] : high - ends[0]] for low, high in zip(ends, ends[1:], strict=False)
    ]


def is_isomorphic(G1, G2, node_match=None, edge_match=None):
    """Refinement, then a search; parallel edges must agree in number."""
    if G1.is_directed() != G2.is_directed():
        raise nx.NetworkXError("Graphs G1 and G2 are not of the same type.")
    one, two = _counted(G1), _counted(G2)
    return compact(G1).run("is_isomorphic", two, graph=one, match_weights=True)


def vf2pp_is_isomorphic(G1, G2, node_label=None, default_label=None):
    """The same; graphs without nodes have no mapping."""
    if G1.is_directed() != G2.is_directed() or number_of_selfloops(G1) or number_of_selfloops(G2):
        raise NotImplementedError("the graphs are of two types, or have self-loops")
    return len(G1) > 0 and len(G2) > 0 and is_isomorphic(G1, G2)


def vf2pp_isomorphism(G1, G2, node_label=None, default_label=None):
    """A mapping of the nodes in the order of the first graph, or None."""
    if G1.is_directed() != G2.is_directed() or number_of_selfloops(G1) or number_of_selfloops(G2):
        raise NotImplementedError("the graphs are of two types, or have self-loops")
    if len(G1) != len(G2) or len(G1) == 0:
        return None
    one, two = _counted(G1), _counted(G2)
    found = compact(G1).run("isomorphism", two, graph=one, match_weights=True)
    if found is None:
        return None
    return dict(zip(compact(G1).nodes, compact(G2).names(found), strict=True))


def _counted(G: Any) -> Graph:
    """The graph, with the numbers of parallel edges as weights."""
    rows = compact(G)
    many = rows.multiplicity(G)
    if many is None:
        return rows.graph
    return Graph(rows.graph.indptr, rows.graph.indices, many, directed=rows.directed)


def faster_could_be_isomorphic(G1, G2):
    """True if the degrees are the same."""
    if len(G1) != len(G2):
        return False
    degrees = (np.sort(compact(one).degrees(one)) for one in (G1, G2))
    return bool(np.array_equal(*degrees))
