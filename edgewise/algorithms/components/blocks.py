"""Blocks of an undirected graph: its biconnected components, as sets of tree edges.

Every vertex but the root of a spanning tree stands for the edge to its parent. Two edges are in one
block if a simple cycle contains both. A block of a single edge is a bridge.

"search" is the algorithm of Hopcroft and Tarjan [1] on one CPU thread. low[v] is the earliest
vertex that an edge from the subtree below v in a depth-first tree leads to. Linear work. "trees"
runs on every device, see `edgewise.algorithms.components.tree_blocks`, and on a grid in passes over
levels (`level_blocks`). On two CPU threads it is slower than "search".

[1] J. Hopcroft, R. Tarjan. Algorithm 447: efficient algorithms for graph manipulation.
    Communications of the ACM 16(6), 1973.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_undirected
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.engines import by_rows_or
from edgewise.operators.sequential import going, method_for, sequential

__all__ = ["Blocks", "find_blocks"]


class Blocks(NamedTuple):
    """A spanning forest in which each vertex represents the edge to its parent.

    A root is its own ``parent``. ``first`` numbers vertices so that parents come before their
    children; the later end of any edge represents its block. ``block`` is equal for edges of the
    same block, and -1 at a root. ``bridge`` is a boolean mask of the bridges.
    """

    parent: Any
    first: Any
    block: Any
    bridge: Any


def find_blocks(graph: AnyGraph, method: str, name: str) -> Blocks:
    """Return the blocks of a graph; errors name the calling function."""
    check_undirected(graph, name)
    if method_for(graph, method, "search", "trees") == "trees":
        from edgewise.algorithms.components.level_blocks import level_blocks
        from edgewise.algorithms.components.tree_blocks import tree_blocks

        return Blocks(*by_rows_or(graph, tree_blocks, level_blocks)(graph))
    n, dtype = graph.num_vertices, graph.id_dtype
    found = Blocks(*(np.zeros(n, kind) for kind in (dtype, dtype, dtype, np.bool_)))
    rows = (graph.indptr, graph.indices, graph.indptr[:-1].copy())
    work = (np.empty(n, dtype), np.empty(n, dtype))
    sequential(_search, (*rows, *found, *work), steps=n, work=graph.num_arcs + n, phase="search")
    return found


def _search(control, indptr, indices, cursor, parent, first, block, bridge, low, order):
    met = 0
    for root in range(len(parent)):
        if first[root] != 0:
            continue
        v = np.int64(root)
        parent[v] = v
        while v >= 0:
            if first[v] == 0:
                order[met] = v
                met += 1
                first[v] = low[v] = met
                if met % 16384 == 0 and not going(control, met):
                    return
            e, end, lowest, above = cursor[v], indptr[v + 1], low[v], np.int64(parent[v])
            while e < end and first[indices[e]] != 0:
                if indices[e] != above:
                    lowest = min(lowest, first[indices[e]])
                e += 1
            low[v], cursor[v] = lowest, e + 1
            if e < end:
                u = np.int64(indices[e])
                parent[u], v = v, u
                continue
            block[v] = -1
            if above == v:
                break
            if lowest >= first[above]:
                block[v], bridge[v] = v, lowest > first[above]
            low[above] = min(low[above], lowest)
            v = above
    for i in range(met):
        v = order[i]
        if block[v] < 0 and parent[v] != v:
            block[v] = block[parent[v]]
