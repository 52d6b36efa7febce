"""Acyclic coloring with two-colored trees as disjoint sets of edges; see `forbidding`."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.coloring.forbidding import TwoColored, lowest, treat
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["acyclic_colors"]


def acyclic_colors(
    indptr: Any, indices: Any, edge: Any, edges: int, listed: Any, neutral: Any = None
) -> TwoColored:
    """Color greedily in the order of a list, so that every cycle has three colors."""
    n = len(indptr) - 1
    neutral = np.zeros(n, bool) if neutral is None else neutral
    colors, marks = np.full(n, -1, np.int32), np.full((3, n + 1), -1, np.int32)
    parent, visits = np.arange(edges), np.full((2, edges), -1, np.int32)
    tree, hub, seen = np.full(edges, -1), np.full(edges, -1, np.int32), np.full(n + 1, -1)
    if n:
        state = (
            indptr,
            indices,
            edge,
            listed,
            neutral,
            colors,
            marks,
            seen,
            visits,
            parent,
            tree,
            hub,
        )
        sequential(_trees, state, steps=n, work=8 * len(indices) + n, phase="acyclic coloring")
    return TwoColored(colors, tree, hub)


def _trees(
    control, indptr, indices, edge, listed, neutral, colors, marks, seen, visits, parent, tree, hub
):  # fmt: skip
    """visits[:, root] are the last vertex that came to a tree, and by which neighbor."""
    forbidden, first, treated, steps = marks[0], marks[1], marks[2], np.int64(0)
    for i in range(len(listed)):
        v = np.int64(listed[i])
        if neutral[v]:
            continue
        for e in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[e])
            if neutral[w]:
                treat(v, w, indptr, indices, colors, forbidden, treated)
            elif w != v and colors[w] >= 0:
                forbidden[colors[w]] = v
        for e in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[e])
            if w == v or colors[w] < 0:
                continue
            steps += indptr[w + 1] - indptr[w]
            for f in range(indptr[w], indptr[w + 1]):
                x = indices[f]
                if x == w or colors[x] < 0 or forbidden[colors[x]] == v:
                    continue
                root = _find(edge[f], parent)
                if visits[0, root] != v:
                    visits[0, root], visits[1, root] = v, w
                elif visits[1, root] != w:
                    forbidden[colors[x]] = v
        color = lowest(v, forbidden)
        colors[v] = color
        for e in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[e])
            c = colors[w]
            if w == v or c < 0:
                continue
            if first[c] == v:
                parent[_find(edge[e], parent)] = _find(edge[seen[c]], parent)
            else:
                first[c], seen[c] = v, e
            for f in range(indptr[w], indptr[w + 1]):
                if colors[indices[f]] == color and indices[f] != v:
                    parent[_find(edge[f], parent)] = _find(edge[e], parent)
        steps += 1
        if steps > 100_000:
            steps = 0
            if not going(control, i):
                return
    _find_hubs(indptr, indices, edge, parent, tree, hub, visits)


@inner
def _find(e, parent):
    while parent[e] != e:
        parent[e] = parent[parent[e]]
        e = parent[e]
    return e


@inner
def _find_hubs(indptr, indices, edge, parent, tree, hub, ends):
    """The tree of each edge, and the vertex that all edges of a tree have in common."""
    ends[:] = -1
    for v in range(len(indptr) - 1):
        for e in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[e])
            if w <= v:
                continue
            root = _find(edge[e], parent)
            tree[edge[e]] = root
            a, b, center = np.int64(ends[0, root]), np.int64(ends[1, root]), np.int64(hub[root])
            if a < 0:
                ends[0, root], ends[1, root] = v, w
            elif center == -1:
                hub[root] = a if a in (v, w) else b if b in (v, w) else -2
            elif center not in (v, w):
                hub[root] = -2
