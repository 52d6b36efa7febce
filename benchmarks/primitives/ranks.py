"""Rows of ranks and centralities; the loops over SciPy's products make the same rounds as ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import edgewise as ew
from benchmarks.primitives.row import Row

__all__ = ["ROWS"]

_GRAPHS = ("kron18", "cnr-2000", "com-dblp")
_ALPHA, _TOL = 0.85, 1e-8


def _busy(graph: Any) -> int:
    """The vertex that most edges leave."""
    return int(graph.degrees().argmax())


def _several(graph: Any) -> list[int]:
    return np.argsort(-graph.degrees(), kind="stable")[:32].tolist()


def _matrix(graph: Any) -> tuple[Any, Any, Any]:
    """The matrix of ones, its transpose, and the graph."""
    from scipy.sparse import csr_array

    n = graph.num_vertices
    a = csr_array((np.ones(graph.num_arcs), graph.indices, graph.indptr), (n, n))
    return a, a.T.tocsr(), graph


def _igraph(graph: Any) -> tuple[Any, Any]:
    return graph.with_weights(None).to_igraph(), graph


def _networkit(graph: Any) -> tuple[Any, Any]:
    import networkit
    from scipy.sparse import coo_matrix

    networkit.setNumberOfThreads(2)
    u, v, _ = graph.edges()
    n = graph.num_vertices
    pairs = coo_matrix((np.ones(len(u)), (u, v)), (n, n))
    return networkit.GraphFromCoo(pairs, n=n, directed=graph.directed), graph


def _hits(given: Any) -> Any:
    a, back, graph = given
    hubs = np.full(graph.num_vertices, 1 / graph.num_vertices)
    while True:
        authorities = back @ hubs
        new = a @ authorities
        new /= new.sum()
        error = np.abs(new - hubs).sum()
        hubs = new
        if error < _TOL:
            return hubs


def _hits_igraph(given: Any) -> Any:
    found = np.array(given[0].hub_score())
    return found / found.sum()


def _walks(starts: Callable[[Any], list[int]]) -> Callable[[Any], Any]:
    """Power iterations over a matrix product, a column per start."""

    def run(given: Any) -> Any:
        a, back, graph = given
        n, degrees = graph.num_vertices, np.diff(a.indptr)[:, None]
        sources = starts(graph)
        jump = np.zeros((n, len(sources)))
        jump[sources, np.arange(len(sources))] = 1
        rank, stuck = jump.copy(), degrees[:, 0] == 0
        while True:
            lost = rank[stuck].sum(axis=0)
            new = back @ (rank / np.maximum(degrees, 1)) + lost * jump
            new = _ALPHA * new + (1 - _ALPHA) * jump
            error = np.abs(new - rank).sum(axis=0).max()
            rank = new
            if error < _TOL:
                return rank.T if len(sources) > 1 else rank[:, 0]

    return run


def _walk_igraph(given: Any) -> Any:
    found, graph = given
    return np.array(found.personalized_pagerank(damping=_ALPHA, reset_vertices=_busy(graph)))


def _walks_igraph(given: Any) -> Any:
    found, graph = given
    ranks = [found.personalized_pagerank(damping=_ALPHA, reset_vertices=v) for v in _several(graph)]
    return np.array(ranks)


def _salsa(given: Any) -> Any:
    """Components of the graph of hubs and authorities, and sums over them."""
    from scipy.sparse import bmat
    from scipy.sparse.csgraph import connected_components

    a, back, graph = given
    n = graph.num_vertices
    label = connected_components(bmat([[None, a], [back, None]], format="csr"), directed=False)[1]
    degrees = np.diff(back.indptr)
    volume = np.bincount(label[n:], degrees, label.max() + 1)
    there = degrees > 0
    sizes = np.bincount(label[n:], there, label.max() + 1)
    share = degrees / np.maximum(volume[label[n:]], 1) * sizes[label[n:]]
    return share / there.sum()


def _money(given: Any) -> Any:
    a, back, graph = given
    followed = np.maximum(np.diff(a.indptr), 1)
    followers = np.maximum(np.diff(back.indptr), 1)
    start = np.zeros(graph.num_vertices)
    start[_busy(graph)] = 1
    similarity = start
    for _ in range(7):
        relevance = back @ (similarity / followed)
        similarity = 0.85 * (a @ (relevance / followers)) + 0.15 * start
    return relevance


def _weak(graph: Any) -> float:
    return 1 / (1 + float(graph.column_lengths().max()))


def _katz(given: Any) -> Any:
    _, back, graph = given
    alpha, rank = _weak(graph), np.zeros(graph.num_vertices)
    while True:
        new = alpha * (back @ rank) + 1
        error, rank = np.abs(new - rank).sum(), new
        if error < graph.num_vertices * 1e-6:
            return rank / np.linalg.norm(rank)


def _katz_networkit(given: Any) -> Any:
    from networkit.centrality import KatzCentrality

    found = KatzCentrality(given[0], _weak(given[1]), 1.0, 1e-6)
    found.run()
    scores = np.array(found.scores())
    return scores / np.linalg.norm(scores)


def _eigenvector_networkit(given: Any) -> Any:
    from networkit.centrality import EigenvectorCentrality

    found = EigenvectorCentrality(given[0], 1e-8)
    found.run()
    return np.array(found.scores())


def _eigenvector_igraph(given: Any) -> Any:
    found = np.array(given[0].eigenvector_centrality())
    return found / np.linalg.norm(found)


def _close(ours: Any, theirs: Any) -> bool:
    """Equal in all but a thousandth of what there is."""
    ours = np.asarray(ours)
    return bool(np.abs(ours - theirs).sum() <= 1e-3 * np.abs(ours).sum())


def _exact(graph: Any) -> Any:
    return ew.eigenvector_centrality(graph, tol=1e-8 * graph.num_vertices**0.5, weights=None)


ROWS = [
    Row(
        "hits", _GRAPHS, lambda graph: ew.hits(graph, weights=None).hubs,
        {"SciPy": (_matrix, _hits), "igraph": (_igraph, _hits_igraph)}, _close,
    ),
    Row(
        "personalized_pagerank", (*_GRAPHS, "road1000"),
        lambda graph: ew.personalized_pagerank(graph, _busy(graph), weights=None),
        {"igraph": (_igraph, _walk_igraph),
         "SciPy": (_matrix, _walks(lambda graph: [_busy(graph)]))}, _close,
    ),
    Row(
        "personalized_pagerank of 32", _GRAPHS,
        lambda graph: ew.personalized_pagerank(graph, _several(graph), weights=None),
        {"igraph": (_igraph, _walks_igraph), "SciPy": (_matrix, _walks(_several))}, _close,
    ),
    Row(
        "salsa", (*_GRAPHS, "road1000"), lambda graph: ew.salsa(graph, weights=None).authorities,
        {"SciPy": (_matrix, _salsa)}, _close,
    ),
    Row(
        "money", (*_GRAPHS, "road1000"), lambda graph: ew.money(graph, _busy(graph)).relevance,
        {"SciPy": (_matrix, _money)}, _close,
    ),
    Row(
        "katz_centrality", (*_GRAPHS, "road1000"),
        lambda graph: ew.katz_centrality(graph, weights=None),
        {"NetworKit": (_networkit, _katz_networkit), "SciPy": (_matrix, _katz)}, _close,
    ),
    Row(
        "eigenvector_centrality", ("kron18", "com-dblp"), _exact,
        {"NetworKit": (_networkit, _eigenvector_networkit),
         "igraph": (_igraph, _eigenvector_igraph)}, _close,
    ),
]  # fmt: skip
