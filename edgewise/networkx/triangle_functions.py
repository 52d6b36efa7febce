"""Triangles of edges under NetworkX's names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from edgewise.networkx.compact import Compact, compact
from edgewise.networkx.lazy_dict import lazy_dict
from edgewise.networkx.node_items import Some
from edgewise.operators import intersect
from edgewise.operators.sequential import going, sequential

__all__: list[str] = []

#: Triangles whose names are looked up at a time.
_BATCH = 1 << 16


def generalized_degree(G, nodes=None):
    """The number of edges of a node that are in 0, 1, 2 and more triangles."""
    if G.is_multigraph():
        raise nx.NetworkXNotImplemented("not implemented for multigraph type")
    rows = compact(G)
    graph = rows.graph.without_self_loops()
    counts = np.asarray(intersect(graph).counts)
    if nodes in G:
        return _Counters(rows, np.zeros(0, np.int64), graph.indptr, counts).of(rows.find(nodes))
    ids = np.arange(rows.n) if nodes is None else rows.ids(dict.fromkeys(G.nbunch_iter(nodes)))
    return lazy_dict(_Counters(rows, ids, graph.indptr, counts))


class _Counters(Some):
    """How often each number occurs among those of a node's edges; ``values`` are their ends."""

    eager = 100

    def __init__(self, rows: Compact, ids: np.ndarray, indptr: np.ndarray, counts: np.ndarray):
        super().__init__(rows, ids, indptr)
        self.counts = counts

    def of(self, at: Any) -> Counter[int]:
        """The counter of the node at a position."""
        return Counter(self.counts[self.values[at] : self.values[at + 1]].tolist())

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """The nodes and their counters."""
        return zip(self.rows.names(self.ids), map(self.of, self.ids.tolist()), strict=True)

    _value = of


def all_triangles(G, nbunch=None):
    """Triples of nodes in the order of the graph; NetworkX's third nodes follow a set's order."""
    rows = compact(G)
    if rows.n == 0:
        return
    graph = rows.graph.without_self_loops()
    found = intersect(graph, ordered=True, lists=True)
    sizes = np.diff(found.indptr)
    last, middle = (np.repeat(side, sizes) for side in graph.arcs()[:2])
    first, middle, last = (np.asarray(one) for one in (found.members, middle, last))
    order = np.lexsort((last, middle, first))
    for low in range(0, len(order), _BATCH):
        some = order[low : low + _BATCH]
        yield from zip(*(rows.names(side[some]) for side in (first, middle, last)), strict=True)


def weighted_triangles(G: Any, rows: Compact, weight: Any) -> np.ndarray:
    """Over nodes: the sum of the geometric means of the weights of each triangle's edges.

    Weights are fractions of the greatest one, as in NetworkX.
    """
    weights = rows.column(G, weight).astype(np.float64)
    most = weights.max(initial=-np.inf) if len(weights) else 1.0
    if most == 0 or not np.isfinite(weights).all():
        raise NotImplementedError("the greatest weight is 0, or one is not finite")
    found, graph = np.zeros(rows.n), rows.graph
    state = (graph.indptr, graph.indices, weights / most, np.full(rows.n, -1), found)
    degree = np.diff(graph.indptr)
    sequential(_add_triangles, state, steps=rows.n, work=int((degree * degree).sum()))
    return found


def _add_triangles(control, indptr, targets, weights, place, found):
    for u in range(len(found)):
        if u % 16 == 0 and not going(control, u):
            return
        for e in range(indptr[u], indptr[u + 1]):
            place[targets[e]] = e
        for e in range(indptr[u], indptr[u + 1]):
            v = targets[e]
            if v <= u:
                continue
            for f in range(indptr[v], indptr[v + 1]):
                w = targets[f]
                if w > v and place[w] >= indptr[u]:  # a place in this row
                    mean = np.cbrt(weights[e] * weights[f] * weights[place[w]])
                    found[u] += mean
                    found[v] += mean
                    found[w] += mean
