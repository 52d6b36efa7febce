"""Widest paths: the route whose narrowest edge is widest.

Think of weights as capacities, of pipes or of roads for high loads: width[v] is the greatest load
that can get from the source to v. A path is as wide as its narrowest edge, and among paths the
widest counts, so the message is a minimum and the monoid is MAX.

Run it: python examples/widest_path.py
"""

from __future__ import annotations

import heapq

import numpy as np

import edgewise as ew


def widest_path(graph, source):
    """The width of the widest path from ``source`` to every vertex; -inf where none leads."""
    width = graph.full(-np.inf)
    width[source] = np.inf
    ew.propagate(graph, ew.frontier(graph, source), narrowest, width, reduce=ew.MAX, priority=0.1)
    return width


def narrowest(value, weight):
    return min(value, weight)


def one_by_one(graph, source):
    """The same in plain Python: settle the widest vertex that is left, as Dijkstra would."""
    width, heap = {}, [(-np.inf, source)]
    while heap:
        load, u = heapq.heappop(heap)
        if u not in width:
            width[u] = -load
            row = slice(graph.indptr[u], graph.indptr[u + 1])
            for v, weight in zip(graph.indices[row], graph.weights[row], strict=True):
                heapq.heappush(heap, (-min(-load, weight), int(v)))
    return np.array([width.get(v, -np.inf) for v in range(graph.num_vertices)])


def main():
    graph = ew.generators.random_weights(ew.generators.rmat(12, edge_factor=8, seed=1), seed=2)
    source = int(np.argmax(graph.degrees()))
    width = widest_path(graph, source)
    assert np.array_equal(width, one_by_one(graph, source))
    reached = np.isfinite(width)
    print(f"{graph}: {reached.sum():,} vertices can be reached from vertex {source};")
    print(f"a load of {np.median(width[reached]):.3f} gets to half of them")


if __name__ == "__main__":
    main()
