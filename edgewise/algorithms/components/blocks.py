"""Blocks of an undirected graph: what bridges and articulation points leave together.

Every vertex but the root of a tree of the graph stands for the edge to its parent. Two edges are in
one block if a simple cycle runs through both; an edge that is alone in its block is a bridge.

"search" is that of Hopcroft and Tarjan [1] on one CPU thread: low[v] is the earliest vertex that an
edge leads to from the part of a depth-first tree below v. Linear work. "trees" is for every device,
see `edgewise.algorithms.components.tree_blocks`; two CPU threads are slower by it than one that
searches.

[1] J. Hopcroft, R. Tarjan. Algorithm 447: efficient algorithms for graph manipulation.
    Communications of the ACM 16(6), 1973.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_one_device, check_undirected
from edgewise.graph import Graph
from edgewise.operators.sequential import going, method_for, sequential

__all__ = ["Blocks", "find_blocks"]


class Blocks(NamedTuple):
    """A spanning forest in which vertices stand for the edges to their parents.

    ``parent`` of a root is itself. ``first`` numbers vertices so that parents come before their
    children, and the greater end of any edge stands for its block. ``block`` of two vertices is
    equal where their edges are in one block, and -1 at a root. ``bridge`` tells which are bridges.
    """

    parent: Any
    first: Any
    block: Any
    bridge: Any


def find_blocks(graph: Graph, method: str | None, name: str) -> Blocks:
    """The blocks of a graph; an error that names the function where it is not for such a graph."""
    check_one_device(graph, name)
    check_undirected(graph, name)
    if method_for(graph, method, "search", "trees") == "trees":
        from edgewise.algorithms.components.tree_blocks import tree_blocks

        return Blocks(*tree_blocks(graph))
    n, dtype = graph.num_vertices, graph.indices.dtype
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
