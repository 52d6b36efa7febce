"""Communities of triangles: edges that share a triangle are joined by a union-find structure.

Every triangle is found once, on rows of short length (`edgewise.graph.orient`): O(m √m) work.
"""

from __future__ import annotations

import numpy as np

from edgewise.graph.kinds import AnyGraph
from edgewise.graph.orient import orient
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["find_root", "joined_triangles"]


def joined_triangles(graph: AnyGraph) -> tuple[np.ndarray, np.ndarray]:
    """A community and a member of it, for all: edges are joined that share a triangle."""
    rows, order = orient(graph)
    n = graph.num_vertices
    root, used = np.arange(rows.num_arcs), np.zeros(rows.num_arcs, bool)
    state = (rows.indptr, rows.indices, root, used, np.full(n, -1))
    sequential(_join_edges, state, steps=n, work=16 * rows.num_arcs, phase="percolate")
    while (root[root] != root).any():
        root = root[root]
    found, label = np.flatnonzero(used), root[used]
    low, high = rows.indices[found], np.searchsorted(rows.indptr, found, side="right") - 1
    members = np.concatenate([low, high])
    members = members if order is None else order[members]
    return np.divmod(np.unique(np.concatenate([label, label]) * n + members), n or 1)


def _join_edges(control, indptr, indices, root, used, mark):
    """Join the three edges of each triangle u > v > w; mark[w] is the arc from u to w."""
    done = 0
    for u in range(len(mark)):
        low, high = indptr[u], indptr[u + 1]
        for e in range(low, high):
            if indices[e] < u:
                mark[indices[e]] = e
        for e in range(low, high):
            v = indices[e]
            if v >= u:
                break
            done += indptr[v + 1] - indptr[v]
            for f in range(indptr[v], indptr[v + 1]):
                w = indices[f]
                if w >= v:
                    break
                if mark[w] >= low:
                    g = mark[w]
                    used[e] = used[f] = used[g] = True
                    one, two, three = find_root(root, e), find_root(root, f), find_root(root, g)
                    least = min(one, two, three)
                    root[one] = root[two] = root[three] = least
        if done > 4096:
            done = 0
            if not going(control, u):
                return


@inner
def find_root(root, x):
    """The root of x; the path to it is halved."""
    while root[x] != x:
        root[x] = root[root[x]]
        x = root[x]
    return x
