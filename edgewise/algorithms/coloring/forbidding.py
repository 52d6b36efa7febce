"""Kernels of star and acyclic coloring [1], for graphs and for patterns of matrices.

A two-colored star is known by its hub, and a two-colored tree by a disjoint set of edges. Both are
kept per edge while vertices are colored one after another. A vertex looks at its neighbors and at
their neighbors, so the work is the sum of the squared degrees.

Neutral vertices of a bicoloring are never colored. No two neighbors of one have the same color, and
no two neutral vertices are adjacent. Their edges are trees of their own.

[1] A. Gebremedhin, A. Tarafdar, F. Manne, A. Pothen. New acyclic and star coloring algorithms with
    application to computing Hessians. SIAM J. Sci. Comput. 29(3), 2007.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["TwoColored", "acyclic_colors", "star_colors"]


class TwoColored(NamedTuple):
    """Colors, and the two-colored star or tree of each edge.

    ``hub[tree]`` is the center of a star of two edges or more, -1 for a single edge, and -2 for a
    tree that is no star. Numbers of trees are below the number of edges.
    """

    colors: Any
    tree: Any
    hub: Any


def star_colors(
    indptr: Any, indices: Any, edge: Any, edges: int, listed: Any, neutral: Any = None
) -> TwoColored:
    """Color greedily in the order of a list, so that paths of four vertices have three colors."""
    n = len(indptr) - 1
    neutral = np.zeros(n, bool) if neutral is None else neutral
    colors, marks = np.full(n, -1, np.int32), np.full((3, n + 1), -1, np.int32)
    tree, hub, seen = np.full(edges, -1), np.full(edges, -1, np.int32), np.full(n + 1, -1)
    if n:
        state = (indptr, indices, edge, listed, neutral, colors, marks, seen, tree, hub)
        sequential(_stars, state, steps=n, work=8 * len(indices) + n, phase="star coloring")
    return TwoColored(colors, tree, hub)


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


def _stars(control, indptr, indices, edge, listed, neutral, colors, marks, seen, tree, hub):
    """seen[c] is the first arc of v to a vertex of color c, if marks[1, c] is v."""
    forbidden, first, treated = marks[0], marks[1], marks[2]
    stars, steps = np.int64(0), np.int64(0)
    for i in range(len(listed)):
        v = np.int64(listed[i])
        if neutral[v]:
            continue
        for e in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[e])
            if neutral[w]:
                _treat(v, w, indptr, indices, colors, forbidden, treated)
            elif w != v and colors[w] >= 0:
                forbidden[colors[w]] = v
        for e in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[e])
            c = colors[w]
            if w == v or c < 0:
                continue
            steps += indptr[w + 1] - indptr[w]
            if first[c] == v:
                _treat(v, np.int64(indices[seen[c]]), indptr, indices, colors, forbidden, treated)
                _treat(v, w, indptr, indices, colors, forbidden, treated)
                continue
            first[c], seen[c] = v, e
            for f in range(indptr[w], indptr[w + 1]):
                x = indices[f]
                if x != w and colors[x] >= 0 and hub[tree[edge[f]]] == x:
                    forbidden[colors[x]] = v
        color = _lowest(v, forbidden)
        colors[v] = color
        for e in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[e])
            c = colors[w]
            if w == v or c < 0:
                continue
            joined = np.int64(-1)
            for f in range(indptr[w], indptr[w + 1]):
                if colors[indices[f]] == color and indices[f] != v:
                    joined = tree[edge[f]]
                    hub[joined] = w
                    break
            if joined < 0 and seen[c] != e:
                joined = tree[edge[seen[c]]]
                hub[joined] = v
            if joined < 0:
                joined = stars
                stars += 1
            tree[edge[e]] = joined
        steps += 1
        if steps > 100_000:
            steps = 0
            if not going(control, i):
                return
    for e in range(len(tree)):
        if tree[e] < 0:
            tree[e] = stars
            stars += 1


@inner
def _treat(v, w, indptr, indices, colors, forbidden, treated):
    """Forbid v the colors of all neighbors of w."""
    if treated[w] == v:
        return
    treated[w] = v
    for f in range(indptr[w], indptr[w + 1]):
        if colors[indices[f]] >= 0:
            forbidden[colors[indices[f]]] = v


@inner
def _lowest(v, forbidden):
    color = 0
    while forbidden[color] == v:
        color += 1
    return color


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
                _treat(v, w, indptr, indices, colors, forbidden, treated)
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
        color = _lowest(v, forbidden)
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
