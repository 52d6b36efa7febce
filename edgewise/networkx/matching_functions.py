"""Matchings of weight, and vertex covers, under NetworkX's names."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from edgewise.graph.graph import Graph
from edgewise.networkx.compact import Compact, compact

__all__: list[str] = []


def max_weight_matching(G, maxcardinality=False, weight="weight"):
    """A matching of greatest weight, where all edges have the same or the graph is bipartite."""
    rows = compact(G)
    graph = rows.weighted(G, weight)
    weights = graph.weights
    if weights is not None and len(weights) and not (weights == max(weights[0], 0)).all():
        if maxcardinality or rows.run("bipartition").sides is None:
            raise NotImplementedError("weights differ, or are negative")
        mate = rows.run("matching.maximum_weight_bipartite", graph=graph).mate
        return _pairs(rows, mate)
    if weights is not None and len(weights) and weights[0] == 0 and not maxcardinality:
        raise NotImplementedError("weights are 0")
    return _pairs(rows, rows.run("matching.maximum_cardinality").mate)


def _pairs(rows: Compact, mate: np.ndarray) -> set[Any]:
    first = np.flatnonzero(mate > np.arange(rows.n))
    return {*zip(rows.names(first), rows.names(mate[first]), strict=True)}


def minimum_weight_full_matching(G, top_nodes=None, weight="weight"):
    """A matching of all nodes of the smaller side, of least weight, from both sides."""
    rows = compact(G)
    left, _ = nx.bipartite.sets(G, top_nodes)
    graph, sides = rows.weighted(G, weight), np.zeros(rows.n, bool)
    sides[rows.ids(left)] = True
    if not len(rows.targets):
        raise NotImplementedError("the graph has no edges")
    amounts = np.ones(len(rows.targets)) if graph.weights is None else graph.weights
    graph = Graph(graph.indptr, graph.indices, -amounts)
    name = "matching.maximum_weight_bipartite"
    mate = rows.run(name, graph=graph, sides=sides, full=True).mate
    matched = np.flatnonzero(mate >= 0)
    order = np.concatenate([matched[sides[matched]], matched[~sides[matched]]])
    return dict(zip(rows.names(order), rows.names(mate[order]), strict=True))


def min_weight_matching(G, weight="weight"):
    """A maximum matching, which is one of least weight where all edges have the same."""
    rows = compact(G)
    weights = rows.weighted(G, weight).weights
    if weights is not None and len(weights) and not (weights == weights[0]).all():
        raise NotImplementedError("weights differ")
    return max_weight_matching(G, True, None)


def to_vertex_cover(G, matching, top_nodes=None):
    """The cover that a maximum matching of a bipartite graph proves."""
    from edgewise.algorithms.matching.minimum_vertex_cover import cover_from

    rows = compact(G)
    left, _ = nx.bipartite.sets(G, top_nodes)
    sides, mate = np.zeros(rows.n, bool), np.full(rows.n, -1)
    sides[rows.ids(left)] = True
    try:
        mate[rows.ids(matching)] = rows.ids(matching.values())
    except TypeError:
        raise NotImplementedError("the matching has other nodes") from None
    return {*rows.names(np.flatnonzero(cover_from(rows.graph, sides, mate)))}
