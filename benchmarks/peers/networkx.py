"""NetworkX: for small graphs, as the reference whose names and meanings Edgewise follows."""

from __future__ import annotations

import networkx as nx
import numpy as np

from benchmarks.tasks import ALPHA, ITERATIONS

PACKAGE = "networkx"
MISSING: dict[str, str] = {}
FORMS = {"sssp": "weighted"}


def convert(data, form):
    low, high, weights = data.edges()
    graph = nx.empty_graph(data.num_vertices)
    graph.add_weighted_edges_from(zip(low.tolist(), high.tolist(), weights.tolist(), strict=True))
    return graph


def bfs(graph, source):
    return _scattered(graph, nx.single_source_shortest_path_length(graph, source))


def sssp(graph, source):
    return _scattered(graph, nx.single_source_dijkstra_path_length(graph, source))


def pagerank(graph):
    try:
        nx.pagerank(graph, alpha=ALPHA, tol=0, max_iter=ITERATIONS, weight=None)
    except nx.PowerIterationFailedConvergence:  # it ran them all, but does not hand out the ranks
        return None


def pagerank_converged(graph):
    tol = 1e-10 / len(graph)
    ranks = nx.pagerank(graph, alpha=ALPHA, tol=tol, max_iter=1000, weight=None)
    return _scattered(graph, ranks)


def connected_components(graph):
    labels = {v: i for i, part in enumerate(nx.connected_components(graph)) for v in part}
    return _scattered(graph, labels)


def triangle_count(graph):
    return sum(nx.triangles(graph).values()) // 3


def betweenness_centrality(graph, source):
    return _scattered(graph, nx.betweenness_centrality_subset(graph, [source], list(graph)))


def build(sources, targets, num_vertices):
    graph = nx.empty_graph(num_vertices, create_using=nx.DiGraph)
    graph.add_edges_from(zip(sources.tolist(), targets.tolist(), strict=True))
    return graph.number_of_edges


def read(path):
    graph = nx.read_edgelist(path, nodetype=int)
    return graph.number_of_edges


def _scattered(graph, values):
    result = np.full(len(graph), np.inf)
    result[list(values)] = list(values.values())
    return lambda: result
