"""Strongly connected components of the remaining vertices by depth-first search (Tarjan [1]).

A search numbers vertices in the order of discovery. low[v] is the smallest number that v is known
to reach among vertices whose component is open. It is 0 before v is discovered, and larger than any
number once v's component is known. The first vertex of a component keeps its own number; its
component is everything above it on the stack. Linear work, on one CPU thread.

[1] R. Tarjan. Depth-first search and linear graph algorithms. SIAM J. Computing 1(2), 1972.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.graph.kinds import AnyGraph
from edgewise.operators.adjacency import unsigned
from edgewise.operators.sequential import going, sequential

__all__ = ["close_components"]


def close_components(graph: AnyGraph, label: Any) -> None:
    """Label all vertices that have label -1 with the smallest vertex of their component."""
    dtype = graph.id_dtype
    first, stack, above = (np.empty(graph.num_vertices, dtype) for _ in range(3))
    low = np.where(label < 0, 0, np.iinfo(dtype).max).astype(dtype)
    indptr, indices = unsigned(graph.indptr), unsigned(graph.indices)
    state = (indptr, indices, label, indptr[:-1].copy(), first, low, stack, above)
    work = graph.num_arcs + graph.num_vertices
    sequential(_search, state, steps=graph.num_vertices, work=work, phase="search")


def _search(control, indptr, indices, label, cursor, first, low, stack, above):
    met, top, closed = 0, 0, np.iinfo(low.dtype).max
    for start in range(len(label)):
        if start % 16384 == 0 and not going(control, met):
            return
        v = np.int64(start if low[start] == 0 else -1)
        if v >= 0:
            above[v] = -1
        while v >= 0:
            if low[v] == 0:
                met += 1
                first[v] = low[v] = met
                stack[top] = v
                top += 1
                if met % 16384 == 0 and not going(control, met):
                    return
            e, end, lowest = cursor[v], indptr[np.uint64(v) + np.uint64(1)], low[v]
            while e < end and low[indices[e]] != 0:
                lowest = min(lowest, low[indices[e]])
                e += np.uint64(1)
            cursor[v], low[v] = e, lowest
            if e < end:  # this one is looked at again when it is done
                u = np.int64(indices[e])
                above[u], v = v, u
                continue
            if lowest == first[v]:
                bottom, least = top - 1, v
                while stack[bottom] != v:
                    least = min(least, np.int64(stack[bottom]))
                    bottom -= 1
                for i in range(bottom, top):
                    label[stack[i]], low[stack[i]] = least, closed
                top = bottom
            v = np.int64(above[v])
