"""Star coloring with the hub of every two-colored star; see `forbidding`."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.coloring.forbidding import TwoColored, lowest, treat
from edgewise.operators.sequential import going, sequential

__all__ = ["star_colors"]


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
                treat(v, w, indptr, indices, colors, forbidden, treated)
            elif w != v and colors[w] >= 0:
                forbidden[colors[w]] = v
        for e in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[e])
            c = colors[w]
            if w == v or c < 0:
                continue
            steps += indptr[w + 1] - indptr[w]
            if first[c] == v:
                treat(v, np.int64(indices[seen[c]]), indptr, indices, colors, forbidden, treated)
                treat(v, w, indptr, indices, colors, forbidden, treated)
                continue
            first[c], seen[c] = v, e
            for f in range(indptr[w], indptr[w + 1]):
                x = indices[f]
                if x != w and colors[x] >= 0 and hub[tree[edge[f]]] == x:
                    forbidden[colors[x]] = v
        color = lowest(v, forbidden)
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
