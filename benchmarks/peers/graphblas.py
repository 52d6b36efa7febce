"""SuiteSparse:GraphBLAS through python-graphblas, written after the LAGraph papers [1, 2].

Simpler than LAGraph's own C code in places: shortest paths are rounds of relaxations where theirs
are delta-stepping, and components leave out its sampling. The graph comes with its degrees, which
LAGraph keeps beside the matrix too. Twenty iterations of PageRank are in 32-bit floats, as there.

[1] G. Szarnyas et al. LAGraph: linear algebra, network analysis libraries, and the study of
    graph algorithms. GrAPL 2021.
[2] Y. Zhang, A. Azad, Z. Hu. FastSV: a distributed-memory connected component algorithm. PP 2020.
"""

from __future__ import annotations

import os

import graphblas
import numpy as np
from graphblas import Matrix, Vector, binary, monoid, semiring, unary

from benchmarks.tasks import ALPHA, ITERATIONS

PACKAGE = "python-graphblas"
MISSING = {"read": "it has no reader of its own"}
FORMS = {"sssp": "weighted"}

graphblas.ss.config["nthreads"] = int(os.environ["OMP_NUM_THREADS"])


def convert(data, form):
    n, weighted = data.num_vertices, form == "weighted"
    values = data.weights.astype(np.float32) if weighted else np.ones(1, np.bool_)
    adjacency = Matrix.ss.import_csr(
        nrows=n,
        ncols=n,
        indptr=data.indptr.astype(np.uint64),
        col_indices=data.indices.astype(np.uint64),
        values=values,
        is_iso=not weighted,
        sorted_cols=True,
    )
    degrees = np.diff(data.indptr)
    alone = Vector.from_coo(np.flatnonzero(degrees == 0), True, size=n)
    return adjacency, Vector.from_dense(np.maximum(degrees, 1)), alone


def bfs(graph, source):
    """Parents; pushes from a small frontier, pulls to the unreached from a large one."""
    adjacency, degrees, _ = graph
    n, unexplored = adjacency.nrows, adjacency.nvals
    parent, frontier = Vector(np.int64, n), Vector(np.int64, n)
    parent.ss.config["sparsity_control"] = {"bitmap", "full"}
    parent[source] = frontier[source] = source
    while frontier.nvals:
        edges = int(degrees.ewise_mult(frontier, binary.first).reduce().value)
        unexplored -= edges
        pull = edges > unexplored / 8 or frontier.nvals > n / 8
        frontier.ss.config["sparsity_control"] = "bitmap" if pull else "sparse"
        step = _pull(adjacency, frontier) if pull else _push(adjacency, frontier)
        frontier(~parent.S, replace=True) << step(semiring.ss.any_secondi)
        parent(frontier.S) << frontier
    return lambda: ("parents", np.array([source]), parent.to_dense(-1))


def sssp(graph, source):
    """Rounds of relaxations from the vertices that the round before improved."""
    adjacency, _, _ = graph
    distance = Vector.from_scalar(np.inf, adjacency.nrows, dtype=np.float32)
    frontier = Vector.from_coo([source], [0], size=adjacency.nrows, dtype=np.float32)
    distance[source] = 0
    while frontier.nvals:
        reached = frontier.vxm(adjacency, semiring.min_plus).new()
        better = reached.ewise_mult(distance, binary.lt).new()
        frontier = reached.dup(mask=better.V)
        distance(frontier.S) << frontier
    return distance.to_dense


def pagerank(graph):
    return _pagerank(*graph, tol=0, max_iter=ITERATIONS)


def pagerank_converged(graph):
    return _pagerank(*graph, tol=1e-10, max_iter=1000, dtype=np.float64)


def connected_components(graph):
    """FastSV: hook to the smallest grandparent around, then jump."""
    adjacency, _, _ = graph
    n = adjacency.nrows
    parent = Vector.from_dense(np.arange(n))
    grandparent, lowest = parent.dup(), parent.dup()
    while True:
        before = grandparent.dup()
        lowest(binary.min) << adjacency.mxv(grandparent, semiring.min_second)
        hooks = Vector.from_coo(parent.to_dense(), lowest.to_dense(), size=n, dup_op=binary.min)
        parent(binary.min) << hooks
        parent(binary.min) << lowest
        parent(binary.min) << grandparent
        grandparent << parent[parent.to_dense()]
        if grandparent.isequal(before):
            return parent.to_dense


def triangle_count(graph):
    """The sum of L U' over the places of L, vertices by rising degree where degrees are skewed."""
    adjacency, degrees, _ = graph
    degrees = degrees.to_dense()
    if degrees.mean() > 4 * np.median(degrees):
        order = np.argsort(degrees, kind="stable")
        adjacency = adjacency[order, order].new()
    lower = graphblas.select.tril(adjacency, -1).new()
    upper = graphblas.select.triu(adjacency, 1).new()
    counts = lower.mxm(upper.T, semiring.plus_pair[np.int64]).new(mask=lower.S)
    return int(counts.reduce_scalar(monoid.plus).value or 0)


def betweenness_centrality(graph, source):
    """Brandes: shortest paths counted level by level, then credit handed back."""
    adjacency, _, _ = graph
    n = adjacency.nrows
    paths, frontier = Vector(np.float64, n), Vector(np.float64, n)
    paths[source] = frontier[source] = 1
    levels = []
    while frontier.nvals:
        levels.append(frontier)
        pull = frontier.nvals > n / 16
        step = _pull(adjacency, frontier) if pull else _push(adjacency, frontier)
        op = semiring.plus_second if pull else semiring.plus_first
        frontier = step(op).new(mask=~paths.S)
        paths(binary.plus) << frontier
    credit = Vector.from_scalar(1.0, n)
    for nearer, farther in zip(levels[-2::-1], levels[:0:-1], strict=True):
        share = credit.ewise_mult(paths, binary.truediv).new(mask=farther.S)
        back = adjacency.mxv(share, semiring.plus_second).new(mask=nearer.S)
        credit(binary.plus) << back.ewise_mult(paths, binary.times)
    return lambda: credit.to_dense() - 1


def build(sources, targets, num_vertices):
    n = num_vertices
    graph = Matrix.from_coo(sources, targets, True, nrows=n, ncols=n)
    graph.wait()
    return lambda: graph.nvals


def _pull(adjacency, frontier):
    return lambda op: adjacency.mxv(frontier, op)


def _push(adjacency, frontier):
    return lambda op: frontier.vxm(adjacency, op)


def _pagerank(adjacency, degrees, alone, *, tol, max_iter, dtype=np.float32):
    n, change = adjacency.nrows, np.inf
    scaled = degrees.apply(binary.truediv, right=ALPHA).new(dtype)
    rank = Vector.from_scalar(1 / n, n, dtype=dtype)
    for _ in range(max_iter):
        lost = rank.dup(mask=alone.S).reduce().value or 0
        shares = rank.ewise_mult(scaled, binary.truediv).new()
        before, rank = rank, Vector.from_scalar((1 - ALPHA + ALPHA * lost) / n, n, dtype=dtype)
        rank(binary.plus) << adjacency.mxv(shares, semiring.plus_second)
        if tol:
            change = before.ewise_mult(rank, binary.minus).apply(unary.abs).new().reduce().value
        if change < tol:
            break
    return rank.to_dense
