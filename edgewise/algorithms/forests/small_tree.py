"""The minimum spanning tree of a small graph by Boruvka's rounds on one thread.

The edges between different trees are listed in the order of `graph.edges`, which breaks ties. A
round finds the lightest edge of every tree, then hooks trees along these edges.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.graph import Graph
from edgewise.graph.transfer import row_ids
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import sequential

__all__ = ["small_tree"]


def small_tree(graph: Graph, lengths: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices of the tree's edges, ascending, and their arcs."""
    arcs = graph.edge_to_arc
    weights = np.zeros(len(arcs), np.int64) if lengths is None else lengths[arcs]
    weights = weights.astype(np.float64 if weights.dtype.kind == "f" else np.int64, copy=False)
    ends = row_ids(graph)[arcs].astype(np.int64), graph.indices[arcs].astype(np.int64)
    tree, best = np.arange(graph.num_vertices), np.full(graph.num_vertices, -1)
    taken, alive = np.zeros(len(arcs), np.bool_), np.arange(len(arcs))
    state = (*ends, weights, tree, best, alive, taken)
    sequential(_grow, state, steps=len(arcs), work=graph.num_arcs)
    edges = np.flatnonzero(taken)
    return edges, arcs[edges]


def _grow(control, first, last, weights, tree, best, alive, taken):
    count = len(alive)
    while count > 0:
        kept = 0
        for i in range(count):
            e = alive[i]
            a, b = root(tree, first[e]), root(tree, last[e])
            if a == b:
                continue
            alive[kept] = e
            kept += 1
            if best[a] < 0 or weights[e] < weights[best[a]]:
                best[a] = e
            if best[b] < 0 or weights[e] < weights[best[b]]:
                best[b] = e
        count = kept
        for v in range(len(tree)):
            e = best[v]
            if e >= 0:
                best[v] = -1
                a, b = root(tree, first[e]), root(tree, last[e])
                if a != b:
                    tree[max(a, b)] = min(a, b)
                    taken[e] = True


@inner
def root(tree, v):
    """Return the vertex that represents v's tree, and shorten the path to it."""
    while tree[v] != v:
        tree[v] = tree[tree[v]]
        v = tree[v]
    return v
