"""Acyclic coloring with two-colored trees as disjoint sets of edges; see `forbidding`."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.coloring.forbidding import (
    Pattern,
    Progress,
    TwoColored,
    list_color,
    listed_tree,
    lowest,
    treat,
)
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["acyclic_colors"]


def acyclic_colors(
    indptr: Any, indices: Any, edge: Any, edges: int, listed: Any, neutral: Any = None,
    most: int | None = None,
) -> TwoColored | None:  # fmt: skip
    """Color greedily in the order of a list, so that every cycle has three colors.

    Return None as soon as more than ``most`` colors are needed.
    """
    n = len(indptr) - 1
    most = n if most is None else most
    neutral = np.zeros(n, bool) if neutral is None else neutral
    colors, marks = np.full(n, -1, np.int32), np.full((3, n + 1), -1, np.int32)
    parent, visits = np.arange(edges), np.full((2, edges), -1, np.int32)
    tree, hub, seen = np.full(edges, -1), np.full(edges, -1, np.int32), np.full(n + 1, -1)
    around, sizes = np.empty((len(indices), 2), np.int64), np.zeros(n, np.int32)
    if n:
        pattern = Pattern(indptr, indices, edge, listed, neutral)
        progress = Progress(colors, marks, seen, around, sizes)
        state = (pattern, progress, visits, parent, tree, hub, most)
        sequential(_trees, state, steps=n, work=8 * len(indices) + n, phase="acyclic coloring")
    return TwoColored(colors, tree, hub) if colors.max(initial=-1) < most else None


def _trees(control, pattern, progress, visits, parent, tree, hub, most):
    """visits[:, root] are the last vertex that came to a tree, and by which neighbor."""
    indptr, indices, edge, listed, neutral = pattern
    colors, marks, seen, around, sizes = progress
    forbidden, first, treated, steps = marks[0], marks[1], marks[2], np.int64(0)
    for i in range(len(listed)):
        v = np.int64(listed[i])
        if neutral[v]:
            continue
        for e in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[e])
            if neutral[w]:
                steps += sizes[w]
                treat(v, w, indptr, around, sizes, forbidden, treated)
            elif w != v and colors[w] >= 0:
                forbidden[colors[w]] = v
        for e in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[e])
            if w == v or colors[w] < 0:
                continue
            steps += sizes[w]
            for s in range(indptr[w], indptr[w] + sizes[w]):
                if forbidden[around[s, 0]] == v:
                    continue
                root = _find(around[s, 1], parent)
                if visits[0, root] != v:
                    visits[0, root], visits[1, root] = v, w
                elif visits[1, root] != w:
                    forbidden[around[s, 0]] = v
        color = lowest(v, forbidden)
        colors[v] = color
        if color >= most:
            return
        for e in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[e])
            c = colors[w]
            if neutral[w]:
                list_color(w, color, np.int64(-1), indptr, around, sizes)
            if w == v or c < 0:
                continue
            if first[c] == v:
                parent[_find(edge[e], parent)] = _find(edge[seen[c]], parent)
            else:
                first[c], seen[c] = v, e
                list_color(v, c, edge[e], indptr, around, sizes)
            known = listed_tree(w, color, indptr, around, sizes)
            if known >= 0:
                parent[_find(known, parent)] = _find(edge[e], parent)
            else:
                list_color(w, color, edge[e], indptr, around, sizes)
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
