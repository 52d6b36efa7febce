"""Spanning trees under NetworkX's names, with its edges in its order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from edgewise.algorithms import ALGORITHMS
from edgewise.base.heap import binary_heap
from edgewise.graph.arrays import RowArrays
from edgewise.networkx.compact import Compact, compact
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__: list[str] = []


def minimum_spanning_edges(
    G, algorithm="kruskal", weight="weight", keys=True, data=True, ignore_nan=False
):
    """The edges in the order of Kruskal's algorithm, or of Prim's."""
    return _spanning(G, algorithm, weight, data, 1)


def maximum_spanning_edges(
    G, algorithm="kruskal", weight="weight", keys=True, data=True, ignore_nan=False
):
    """The edges in the order of Kruskal's algorithm, or of Prim's."""
    return _spanning(G, algorithm, weight, data, -1)


def kruskal_mst_edges(
    G, minimum, weight="weight", keys=True, data=True, ignore_nan=False, partition=None
):
    """Kruskal's edges in Kruskal's order."""
    return _spanning(G, "kruskal", weight, data, 1 if minimum else -1)


def prim_mst_edges(G, minimum, weight="weight", keys=True, data=True, ignore_nan=False):
    """Prim's edges in Prim's order."""
    return _spanning(G, "prim", weight, data, 1 if minimum else -1)


def _spanning(G: Any, algorithm: str, weight: Any, data: bool, sign: int) -> Iterator[Any]:
    rows = compact(G)
    if weight is None or rows.lacks(G, weight):
        weights = np.ones(len(rows.targets), np.int64)
    else:
        weights = rows.column(G, weight)
    if np.isnan(weights).any():
        raise NotImplementedError("a weight is NaN")
    method = _by_kruskal if algorithm == "kruskal" else _by_prim
    sources, targets = method(rows, sign * weights)
    pairs = zip(rows.names(sources), rows.names(targets), strict=True)
    if not data:
        return pairs
    return ((u, v, G._adj[u][v]) for u, v in pairs)


def _by_kruskal(rows: Compact, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The tree of the edges' ranks: each has its own, so that ties end as Kruskal's do."""
    sources, targets, places = rows.edges()
    order = np.argsort(weights[places], kind="stable")
    edge_of = rows.graph.arc_to_edge[places]
    ranks = np.empty(len(order), np.int64)
    ranks[edge_of[order]] = np.arange(len(order))
    tree = ALGORITHMS["minimum_spanning_tree"].load()(rows.graph, weights=ranks)
    ends = order[np.sort(ranks[tree.edges])]
    return sources[ends], targets[ends]


def _by_prim(rows: Compact, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of edges with equal weights, the one that was found first; NetworkX pops nodes of a set."""
    starts = np.fromiter(map(rows.find, {*iter(rows.nodes)}), np.int64)
    m, count = len(rows.targets), np.zeros(1, np.int64)
    found = np.empty((2, rows.n), np.int64)
    arcs = RowArrays(rows.indptr, rows.targets, rows.in_order(weights))
    heap, keys = np.empty(m, np.uint64), np.empty(m, weights.dtype)
    ends, done = np.empty((2, m), np.int64), np.zeros(rows.n, bool)
    state = (arcs, starts, heap, keys, ends, done, found, count)
    sequential(_grow, state, steps=rows.n, work=16 * m)
    return found[0, : count[0]], found[1, : count[0]]


def _lighter(data, item, other):
    return data[1][item] < data[1][other] or (data[1][item] == data[1][other] and item < other)


def _item(data, place):
    return data[0][place]


def _put(data, place, item):
    data[0][place] = item


_rise, _sink = binary_heap(_lighter, _item, _put, inner)


def _grow(control, rows, starts, heap, keys, ends, done, found, count):
    # The heap holds numbers of the edges seen so far; keys are their weights.
    indptr, targets, weights = rows
    waiting, size, steps = (heap, keys), 0, 0
    for start in starts:
        if done[start]:
            continue
        v, filled, seen = start, 0, 0
        while True:
            done[v] = True
            for e in range(indptr[v], indptr[v + 1]):
                if not done[targets[e]]:
                    ends[0, seen], ends[1, seen], keys[seen] = v, targets[e], weights[e]
                    _rise(waiting, filled, np.uint64(seen))
                    seen, filled = seen + 1, filled + 1
            while filled > 0:
                steps += 1
                if steps % 1024 == 0 and not going(control, size):
                    return
                edge, filled = heap[0], filled - 1
                _sink(waiting, 0, filled, heap[filled])
                if not done[ends[1, edge]]:
                    break
            else:
                break
            v = ends[1, edge]
            found[0, size], found[1, size] = ends[0, edge], v
            size += 1
    count[0] = size
