"""Graph algorithms as sparse algebra, as in LAGraph: a few lines each, equal to built-in ones.

A step of a search is the product of a sparse matrix and a sparse vector, a triangle an entry of
A * A where A has an entry. `edgewise.linalg` has the products, and the semiring says what plus and
times are.

Run it: python examples/graphblas.py
"""

from __future__ import annotations

import numpy as np

import edgewise as ew
from edgewise.linalg import (
    Matrix,
    SparseVector,
    reduce,
    reduce_rows,
    select,
    spgemm,
    spmm,
    spmspv,
    spmv,
)


def bfs_levels(graph, source):
    """Breadth-first search: the frontier is a sparse vector, the mask what was not reached yet."""
    level, depth = np.full(graph.num_vertices, -1), 0
    frontier = SparseVector(graph.num_vertices, np.array([source]), np.array([True]))
    while frontier.nnz:
        level[frontier.indices] = depth
        depth += 1
        frontier = spmspv(graph, frontier, "any_pair", transpose=True, mask=level < 0)
    return level


def betweenness(graph, sources):
    """Betweenness centrality by Brandes' algorithm, a column per source."""
    frontier = np.zeros((graph.num_vertices, len(sources)))
    frontier[sources, np.arange(len(sources))] = 1
    paths, levels = frontier.copy(), []
    while frontier.any():
        levels.append(frontier > 0)
        frontier = spmm(graph, frontier, transpose=True) * (paths == 0)
        paths += frontier
    share = np.zeros_like(paths)
    for near, far in zip(levels[-2::-1], levels[:0:-1], strict=True):
        passed = np.divide(1 + share, paths, out=np.zeros_like(paths), where=far)
        share += np.where(near, paths * spmm(graph, passed), 0)
    share[sources, np.arange(len(sources))] = 0
    return share.sum(axis=1)


def triangles_by_burkhardt(graph):
    """All closed walks of three steps, six for each triangle."""
    return int(reduce(spgemm(graph, graph, "plus_pair", mask=graph))) // 6


def triangles_by_cohen(graph):
    """Paths up and down again that an edge closes, two for each triangle."""
    lower, upper = select(graph, "lower"), select(graph, "upper")
    return int(reduce(spgemm(lower, upper, "plus_pair", mask=graph))) // 2


def triangles_by_sandia(graph):
    """Two steps down that a step down closes, once for each triangle."""
    lower = select(graph, "lower")
    return int(reduce(spgemm(lower, lower, "plus_pair", mask=lower)))


def components_by_fastsv(graph):
    """Connected components by FastSV: trees of parents hook onto smaller ones and get flat."""
    parent = grandparent = np.arange(graph.num_vertices)
    while True:
        lowest = np.minimum(spmv(graph, grandparent, "min_second"), grandparent)
        parent = hooked(parent, at=parent, onto=lowest)
        parent = np.minimum(np.minimum(parent, lowest), grandparent)
        if np.array_equal(grandparent, parent[parent]):
            return parent
        grandparent = parent[parent]


def components_by_lacc(graph):
    """Connected components as LACC: only stars hook, onto smaller roots and then onto any."""
    parent = np.arange(graph.num_vertices)
    while True:
        before = parent
        lowest = spmv(graph, parent, "min_second")
        hook = is_star(parent) & (lowest < parent)
        parent = hooked(parent, at=parent[hook], onto=lowest[hook])
        other = spmv(graph, np.where(is_star(parent), len(parent), parent), "min_second")
        hook = is_star(parent) & (other < len(parent))
        parent = hooked(parent, at=parent[hook], onto=other[hook], force=True)
        parent = parent[parent]
        if np.array_equal(parent, before):
            return parent


def hooked(parent, at, onto, force=False):
    """The parents after roots ``at`` have taken the smallest of what they hook ``onto``."""
    parent = parent.copy()
    if force:
        parent[at] = len(parent)
    np.minimum.at(parent, at, onto)
    return parent


def is_star(parent):
    """A boolean mask of the vertices in trees of depth at most one."""
    grandparent = parent[parent]
    star = grandparent == parent
    star[grandparent[~star]] = False
    return star & star[parent]


def pagerank(graph, alpha=0.85, tol=1e-10):
    """PageRank of a graph without sinks: rank flows along the arcs."""
    n, degree = graph.num_vertices, reduce_rows(graph, dtype=np.float64)
    rank, change = np.full(n, 1 / n), np.inf
    while change > tol:
        flow = alpha * spmv(graph, rank / degree, "plus_first", transpose=True)
        rank, before = (1 - alpha) / n + flow, rank
        change = np.abs(rank - before).sum()
    return rank


def k_truss(graph, k):
    """The entries of the largest subgraph whose edges are each in k - 2 triangles of it."""
    truss, before = Matrix.from_graph(graph), -1
    while truss.nnz != before:
        before = truss.nnz
        support = spgemm(truss, truss, "plus_pair", mask=truss)
        truss = select(support, lambda value, least: value >= least, params={"least": k - 2})
    return truss


def main():
    graph = largest_component(ew.generators.rmat(9, seed=1).without_self_loops())
    n, sources = graph.num_vertices, [0, 5, 9]
    assert np.array_equal(bfs_levels(graph, 0), ew.bfs(graph, 0).distance)
    wanted = ew.betweenness_centrality(graph, sources=sources, normalized=False)
    assert np.allclose(betweenness(graph, sources) / 2, wanted)  # a path has two directions
    triangles = [triangles_by_burkhardt, triangles_by_cohen, triangles_by_sandia]
    counts = {count(graph) for count in triangles}
    assert counts == {int(ew.triangle_count(graph))}
    apart = ew.generators.rmat(9, edge_factor=1, seed=2)
    labels = ew.connected_components(apart).labels
    for components in (components_by_fastsv, components_by_lacc):
        assert same_partition(components(apart), labels)
    assert np.allclose(pagerank(graph), ew.pagerank(graph, tol=1e-12), atol=1e-8)
    truss = k_truss(graph, 5)
    assert truss.nnz == ew.k_truss(graph, k=5).num_arcs
    print(f"{n} vertices, {counts.pop():,} triangles, {truss.nnz // 2:,} edges in the 5-truss")


def largest_component(graph):
    labels = ew.connected_components(graph).labels
    return graph.subgraph(np.flatnonzero(labels == np.bincount(labels).argmax()))


def same_partition(a, b):
    pairs = set(zip(a.tolist(), b.tolist(), strict=True))
    return len(pairs) == len(set(a.tolist())) == len(set(b.tolist()))


if __name__ == "__main__":
    main()
