"""Shortest paths of one's own, in a few lines: delta-stepping by `propagate(..., priority=)`.

Run it: python examples/own_sssp.py
"""

from __future__ import annotations

import heapq

import numpy as np

import edgewise as ew


def sssp(graph, source, delta):
    """The distance of every vertex from ``source``."""
    distance = graph.full(np.inf)
    distance[source] = 0
    start = ew.frontier(graph, source)
    ew.propagate(graph, start, through, distance, reduce=ew.MIN, priority=delta)
    return distance


def through(value, weight):
    return value + weight


def dijkstra(graph, source):
    """The same in plain Python."""
    distance, heap = {}, [(0.0, source)]
    while heap:
        length, u = heapq.heappop(heap)
        if u not in distance:
            distance[u] = length
            row = slice(graph.indptr[u], graph.indptr[u + 1])
            for v, weight in zip(graph.indices[row], graph.weights[row], strict=True):
                heapq.heappush(heap, (length + float(weight), int(v)))
    return np.array([distance.get(v, np.inf) for v in range(graph.num_vertices)])


def main():
    graph = ew.generators.road(80, 80, seed=3)
    distance = sssp(graph, 0, delta=4 * graph.weights.mean())
    assert np.allclose(distance, dijkstra(graph, 0))
    print(f"{graph}: the farthest corner is {distance[np.isfinite(distance)].max():.1f} away")


if __name__ == "__main__":
    main()
