"""Centralities under NetworkX's names."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from edgewise.base.errors import ConvergenceError
from edgewise.networkx.compact import Compact, compact
from edgewise.networkx.node_items import every, over_edges

__all__: list[str] = []


def pagerank(
    G, alpha=0.85, personalization=None, max_iter=100, tol=1.0e-6, nstart=None, weight="weight",
    dangling=None,
):  # fmt: skip
    """Power iteration that is accelerated; it stops where NetworkX's does."""
    rows = compact(G)
    if rows.n == 0:
        return {}
    options = {"alpha": alpha, "max_iter": max_iter, "tol": rows.n * tol}
    for name, given in (("personalization", personalization), ("dangling", dangling)):
        options[name] = None if given is None else _amounts(rows, given)
    return every(rows, _iterated(rows, "pagerank", max_iter, rows.weighted(G, weight), **options))


def hits(G, max_iter=100, tol=1.0e-8, nstart=None, normalized=True):
    """Power iteration; NetworkX's ARPACK takes fewer iterations, so more are allowed here."""
    rows = compact(G)
    if rows.n == 0:
        return {}, {}
    if max_iter <= 0:
        raise nx.PowerIterationFailedConvergence(max_iter)
    if not len(rows.targets):
        raise NotImplementedError("the graph has no edges")
    graph = rows.weighted(G, "weight")
    options = {"max_iter": 100 * max_iter, "tol": tol, "normalized": normalized}
    hubs, authorities = _iterated(rows, "hits", max_iter, graph, **options)
    return every(rows, hubs), every(rows, authorities)


def katz_centrality(
    G, alpha=0.1, beta=1.0, max_iter=1000, tol=1.0e-6, nstart=None, normalized=True, weight=None
):
    """Fixed-point iteration; the change is that of the normalized values."""
    rows = compact(G)
    if rows.n == 0:
        return {}
    if hasattr(beta, "keys"):
        if {*beta} != {*G}:
            raise nx.NetworkXError("beta dictionary must have a value for every node")
        beta = _amounts(rows, beta)
    else:
        try:
            beta = float(beta)
        except (TypeError, ValueError, AttributeError) as error:
            raise nx.NetworkXError("beta must be a number") from error
    options = {"alpha": alpha, "beta": beta, "tol": tol, "normalized": normalized}
    graph = rows.weighted(G, weight)
    found = _iterated(rows, "katz_centrality", max_iter, graph, max_iter=max_iter, **options)
    return every(rows, found)


def eigenvector_centrality(G, max_iter=100, tol=1.0e-6, nstart=None, weight=None):
    """Power iteration, as NetworkX's."""
    rows = compact(G)
    if rows.n == 0:
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    options = {"max_iter": max_iter, "tol": rows.n * tol}
    graph = rows.weighted(G, weight)
    return every(rows, _iterated(rows, "eigenvector_centrality", max_iter, graph, **options))


def _iterated(rows: Compact, name: str, limit: int, graph: Any, **options: Any) -> Any:
    weights = None if graph.weights is None else "weight"
    try:
        return rows.run(name, graph=graph, weights=weights, **options)
    except ConvergenceError as error:
        raise nx.PowerIterationFailedConvergence(limit) from error


def _amounts(rows: Compact, given: Any) -> np.ndarray:
    found = np.array([given.get(node, 0) for node in rows.nodes], np.float64)
    if found.sum() == 0:
        raise ZeroDivisionError
    return found


def degree_centrality(G):
    """Degrees over n - 1."""
    return _shares(G, "both")


def in_degree_centrality(G):
    """In-degrees over n - 1."""
    return _shares(G, "in")


def out_degree_centrality(G):
    """Out-degrees over n - 1."""
    return _shares(G, "out")


def _shares(G: Any, mode: str) -> Any:
    rows = compact(G)
    if rows.n <= 1:
        return dict.fromkeys(G, 1)
    return every(rows, rows.degrees(G, mode) * (1.0 / (rows.n - 1.0)))


def betweenness_centrality(
    G, k=None, normalized=True, weight=None, endpoints=False, seed=None
):  # fmt: skip
    """Brandes' accumulation; ``k`` draws the nodes that NetworkX draws."""
    rows = compact(G)
    k = None if k == rows.n else k
    drawn = None if k is None else rows.ids(seed.sample(list(G), k))
    found = _summed(rows, G, "betweenness_centrality", weight, drawn, endpoints=endpoints)
    return every(rows, found * _scale(rows, normalized, endpoints, drawn, endpoints))


def edge_betweenness_centrality(G, k=None, normalized=True, weight=None, seed=None):
    """Brandes' accumulation over edges."""
    rows = compact(G)
    drawn = None if k is None else rows.ids(seed.sample(list(G), k))
    found = _summed(rows, G, "edge_betweenness_centrality", weight, drawn)
    return over_edges(rows, found * _scale(rows, normalized, True, drawn, True))


def _summed(rows: Compact, G: Any, name: str, weight: Any, drawn: Any, **options: Any) -> Any:
    """The sums over pairs of nodes, without any scale: half of them in an undirected graph."""
    graph = rows.weighted(G, weight, combine=min)
    if rows.n == 0:
        return np.empty(0)
    weights = None if weight is None or graph.weights is None else "weight"
    sources = np.arange(rows.n) if drawn is None else drawn
    return rows.run(name, graph=graph, sources=sources, normalized=False, weights=weights,
                    **options)  # fmt: skip


def _scale(rows: Compact, normalized: bool, ends: bool, drawn: Any, together: bool) -> Any:
    """NetworkX's factors, for sums of which an undirected graph has half already."""
    others = rows.n if ends else rows.n - 1
    half = 1 if rows.directed else 2
    if others < 2:
        return 1
    count = others if drawn is None else len(drawn)
    if count == 0:
        raise ZeroDivisionError("division by zero")

    def factor(sources: int) -> float:
        if sources < 1:
            return float("nan")
        if normalized:
            return half / (sources * (others - 1))
        return others / sources

    if drawn is None or together:
        return factor(count)
    scale = np.full(rows.n, factor(count))
    scale[drawn] = factor(count - 1)
    return scale


def closeness_centrality(G, u=None, distance=None, wf_improved=True):
    """All searches at once; distances are those to a node."""
    rows = compact(G)
    options = {"wf_improved": wf_improved, "weights": None if distance is None else "weight"}
    graph = rows.weighted(G, distance, combine=min)
    if u is not None:
        at = rows.find(u)
        if at is None:
            raise nx.NodeNotFound(f"Source {u} is not in G" if distance is None
                                  else f"Node {u} not found in graph")  # fmt: skip
        found = rows.run("closeness_centrality", graph=graph, vertices=[at], **options)
        return found[at].item()
    return every(rows, rows.run("closeness_centrality", graph=graph, **options))


def harmonic_centrality(G, nbunch=None, distance=None, sources=None):
    """All searches at once; distances are those to a node."""
    rows = compact(G)
    if sources is not None:
        raise NotImplementedError("sources of paths are chosen")
    graph = rows.weighted(G, distance, combine=min)
    if graph.weights is not None and not (graph.weights > 0).all():
        raise NotImplementedError("a length is not positive")
    options = {"weights": None if distance is None else "weight"}
    if nbunch is None:
        return every(rows, rows.run("harmonic_centrality", graph=graph, **options))
    nodes = [*dict.fromkeys(G.nbunch_iter(nbunch))]
    ids = rows.ids(nodes)
    found = rows.run("harmonic_centrality", graph=graph, vertices=ids, **options)
    return dict(zip(nodes, found[ids].tolist(), strict=True))
