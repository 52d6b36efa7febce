"""Louvain's method, written with public names alone: as fast as the built-in one.

label[v] is the community of v, named by a vertex; size[c] is what community c weighs, the sum of
its members' weighted degrees. A vertex moves to the community among its neighbors' where it gains
most modularity: `ew.settle` makes such moves until a pass gains little. Then communities become the
vertices of a smaller graph, and all starts again.

Run it: python examples/own_louvain.py
"""

from __future__ import annotations

import time
from itertools import count

import numpy as np

import edgewise as ew


def louvain(graph, tol=1e-4, seed=0):
    """Return a community for every vertex of an undirected graph without self-loops."""
    degree = ew.reduce_neighbors(graph, None, along, graph.full(0.0), reduce=ew.ADD)
    community, everything = np.arange(graph.num_vertices), float(degree.sum())
    for depth in count():
        least = tol * everything**2 / 2 * 10 ** max(2 - depth, 0)  # first levels need not be exact
        label, size = np.arange(graph.num_vertices, dtype=graph.indices.dtype), degree.copy()
        gained = ew.settle(
            graph, np.ones(graph.num_vertices, np.int8), along, move, label, reduce=ew.ADD,
            key=label, stay=label, choose=gain, own=(label, degree), by_key={"there": size},
            masses={"there": degree}, params={"everything": everything}, dtype=np.float64,
            tol=least, parts=4, seed=seed,
        )  # fmt: skip
        if gained <= least:
            return community
        graph, vertex = graph.contract(label, self_loops="drop")
        community, degree = vertex[community], graph.full(0.0)
        degree[vertex] = size[label]


def along(weight):
    return weight


def gain(total, staying, key, own, there, staying_there, everything):
    """The gain of moving to community ``key``, in units of 2 / everything ** 2."""
    home, degree = own
    if key == home:
        return 0.0
    return everything * (total - staying) - degree * (there - staying_there + degree)


def move(v, key, gain, label):
    if not gain > 0:
        return 0.0
    label[v] = key
    return gain


def main():
    graph, planted = ew.generators.planted_partition(200, 100, p_in=0.2, p_out=0.0005, seed=1)
    builtin = ew.communities.louvain
    for name, call in (("own", louvain), ("built in", lambda g: builtin(g, refine=False))):
        call(graph)  # compiled, once
        start = time.perf_counter()
        found = call(graph)
        took, quality = time.perf_counter() - start, ew.communities.modularity(graph, found)
        assert quality > 0.99 * ew.communities.modularity(graph, planted)
        number = len(np.unique(found))
        print(f"{name}: {number} communities, modularity {quality:.3f}, {1000 * took:.1f} ms")


if __name__ == "__main__":
    main()
