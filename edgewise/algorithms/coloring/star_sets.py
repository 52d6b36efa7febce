"""Star coloring with the hub of every two-colored star; see `forbidding`."""

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
from edgewise.operators.sequential import going, sequential

__all__ = ["star_colors"]


def star_colors(
    indptr: Any, indices: Any, edge: Any, edges: int, listed: Any, neutral: Any = None,
    most: int | None = None,
) -> TwoColored | None:  # fmt: skip
    """Color greedily in the order of a list, so that paths of four vertices have three colors.

    Return None as soon as more than ``most`` colors are needed.
    """
    n = len(indptr) - 1
    most = n if most is None else most
    neutral = np.zeros(n, bool) if neutral is None else neutral
    colors, marks = np.full(n, -1, np.int32), np.full((3, n + 1), -1, np.int32)
    tree, hub, seen = np.full(edges, -1), np.full(edges, -1, np.int32), np.full(n + 1, -1)
    around, sizes = np.empty((len(indices), 2), np.int64), np.zeros(n, np.int32)
    if n:
        pattern = Pattern(indptr, indices, edge, listed, neutral)
        state = (pattern, Progress(colors, marks, seen, around, sizes), tree, hub, most)
        sequential(_stars, state, steps=n, work=8 * len(indices) + n, phase="star coloring")
    return TwoColored(colors, tree, hub) if colors.max(initial=-1) < most else None


def _stars(control, pattern, progress, tree, hub, most):
    """seen[c] is the first arc of v to a vertex of color c, if marks[1, c] is v."""
    indptr, indices, edge, listed, neutral = pattern
    colors, marks, seen, around, sizes = progress
    forbidden, first, treated = marks[0], marks[1], marks[2]
    stars, steps = np.int64(0), np.int64(0)
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
            c = colors[w]
            if w == v or c < 0:
                continue
            steps += sizes[w]
            if first[c] == v:
                u = np.int64(indices[seen[c]])
                treat(v, u, indptr, around, sizes, forbidden, treated)
                treat(v, w, indptr, around, sizes, forbidden, treated)
                continue
            first[c], seen[c] = v, e
            for s in range(indptr[w], indptr[w] + sizes[w]):
                center = hub[around[s, 1]]
                if center >= 0 and center != w:
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
            joined, new = listed_tree(w, color, indptr, around, sizes), seen[c] == e
            if joined >= 0:
                hub[joined] = w
            else:
                if new:
                    joined = stars
                    stars += 1
                else:
                    joined = tree[edge[seen[c]]]
                    hub[joined] = v
                list_color(w, color, joined, indptr, around, sizes)
            if new:
                list_color(v, c, joined, indptr, around, sizes)
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
