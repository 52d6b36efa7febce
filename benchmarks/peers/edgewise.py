"""Edgewise itself."""

from __future__ import annotations

import edgewise
from benchmarks.tasks import ALPHA, ITERATIONS

PACKAGE = "edgewise"
MISSING: dict[str, str] = {}
FORMS = {"sssp": "weighted"}


def convert(data, form):
    weights = data.weights if form == "weighted" else None
    return edgewise.Graph(data.indptr, data.indices, weights)


def bfs(graph, source):
    return edgewise.bfs(graph, source)


def sssp(graph, source):
    return edgewise.sssp(graph, source)


def pagerank(graph):
    try:
        return edgewise.pagerank(graph, alpha=ALPHA, tol=0, max_iter=ITERATIONS)
    except edgewise.ConvergenceError as error:  # a tolerance of 0 asks for every iteration
        return error.best


def pagerank_converged(graph):
    return edgewise.pagerank(graph, alpha=ALPHA, tol=1e-10)


def connected_components(graph):
    return edgewise.connected_components(graph)


def triangle_count(graph):
    return edgewise.triangle_count(graph)


def betweenness_centrality(graph, source):
    return edgewise.betweenness_centrality(graph, sources=[source], normalized=False)


def build(sources, targets, num_vertices):
    graph = edgewise.Graph.from_edges(sources, targets, directed=True, num_vertices=num_vertices)
    return lambda: (graph.indptr, graph.indices)


def read(path):
    graph = edgewise.read(path)
    return lambda: graph.num_edges
