"""NetworKit: the time is that of ``run()``."""

from __future__ import annotations

import os

import networkit as nk
import numpy as np

from benchmarks.tasks import ALPHA, ITERATIONS

PACKAGE = "networkit"
MISSING = {"betweenness_centrality": "its source cannot be chosen"}
FORMS = {"sssp": "weighted", "triangle_count": "indexed"}

nk.setNumberOfThreads(int(os.environ["OMP_NUM_THREADS"]))


def convert(data, form):
    low, high, weights = data.edges()
    ends, weighted = (low.astype(np.int64), high.astype(np.int64)), form == "weighted"
    edges = (weights.astype(np.float64), ends) if weighted else ends
    graph = nk.GraphFromCoo(edges, n=data.num_vertices, weighted=weighted)
    graph.sortEdges()
    if form == "indexed":
        graph.indexEdges()
    return graph


def bfs(graph, source):
    search = nk.distance.BFS(graph, source, storePaths=False).run()
    return lambda: np.array(search.getDistances())


def sssp(graph, source):
    search = nk.distance.Dijkstra(graph, source, storePaths=False).run()
    return lambda: np.array(search.getDistances())


def pagerank(graph):
    return _pagerank(graph, tol=1e-300, max_iter=ITERATIONS)


def pagerank_converged(graph):
    return _pagerank(graph, tol=1e-10, max_iter=1000)


def connected_components(graph):
    search = nk.components.ConnectedComponents(graph).run()
    return lambda: np.array(search.getPartition().getVector())


def triangle_count(graph):
    score = nk.sparsification.TriangleEdgeScore(graph).run()
    return lambda: int(np.sum(score.scores())) // 3


def build(sources, targets, num_vertices):
    ends = sources.astype(np.int64), targets.astype(np.int64)  # 32-bit ids end its process
    graph = nk.GraphFromCoo(ends, n=num_vertices, directed=True)
    graph.sortEdges()
    graph.removeMultiEdges()
    return graph.numberOfEdges


def read(path):
    graph = nk.graphio.EdgeListReader(" ", 0).read(path)
    return graph.numberOfEdges


def _pagerank(graph, *, tol, max_iter):
    sinks = nk.centrality.SinkHandling.DistributeSinks
    rank = nk.centrality.PageRank(graph, damp=ALPHA, tol=tol, distributeSinks=sinks)
    rank.norm, rank.maxIterations = nk.centrality.Norm.L1_NORM, max_iter
    rank.run()
    return lambda: np.array(rank.scores())
