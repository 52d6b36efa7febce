"""Triangles at every vertex, from the triangles that have an edge of the batch.

A triangle with k edges in the batch is found k times, and counts 6 / k sixths each time, so all
sums are whole. Work: for every edge of the batch, the shorter row of its ends, by bisection in the
other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.triangles.triangle_count import triangles
from edgewise.base import atomic
from edgewise.base.checks import check_undirected
from edgewise.dynamic.slack_rows import ARC
from edgewise.operators import for_each
from edgewise.operators.helpers import first_from, inner, lower_bound

__all__ = ["TriangleRepair"]


class TriangleRepair:
    """The answer of `triangles`, kept up to date."""

    #: A batch of more than this share of the edges is not repaired: computing anew is faster.
    share = 1 / 32

    def __init__(self, stream: Any):
        check_undirected(stream, "triangles")
        self.rows, self.xp = stream.out, stream.out.xp
        self.sixths = 6 * self.xp.asarray(triangles(stream.bare)).astype(np.int64)
        self.touched = self.xp.zeros(len(self.sixths), np.int8)

    def start(self) -> None:
        """Nothing is needed but the numbers."""

    def grow(self, n: int) -> None:
        """Add vertices."""
        more = self.xp.zeros(n - len(self.sixths), np.int64)
        self.sixths = self.xp.concatenate([self.sixths, more])
        self.touched = self.xp.zeros(n, np.int8)

    def removing(self, change: Any) -> None:
        """Count the triangles that are about to go."""
        self._count(change, -1)

    def added(self, change: Any) -> None:
        """Count the triangles that have come."""
        self._count(change, 1)

    def _count(self, change: Any, sign: int) -> None:
        (us, vs, _), n = change.edges, len(self.sixths)
        ends, others, _ = change.arcs
        self.touched[ends] = 1
        keys = ends * n + others
        state = (us, vs, self.rows.rows, keys, self.touched, sign, self.sixths)
        for_each(len(us), _meet, state, device=self.rows.device, work=ARC * len(us))
        self.touched[ends] = 0

    def answer(self) -> Any:
        """The number of triangles of each vertex now."""
        return self.sixths // 6


def _meet(i, us, vs, rows, keys, touched, sign, sixths):
    """All triangles on one edge of the batch."""
    u, v = us[i], vs[i]
    if u == v:
        return
    if rows.length[u] > rows.length[v]:
        u, v = v, u
    at, end, mine = rows.start[v], rows.start[v] + rows.length[v], 0
    for e in range(rows.start[u], rows.start[u] + rows.length[u]):
        w = np.int64(rows.targets[e])
        at = first_from(rows.targets, at, end, rows.targets[e])
        if at == end:
            break
        if rows.targets[at] == w and w != u and w != v:
            new = 1
            if touched[w]:
                new += _holds(keys, u * len(touched) + w) + _holds(keys, v * len(touched) + w)
            share = sign * (6 // new)
            mine += share
            atomic.add(sixths, w, share)
    if mine:
        atomic.add(sixths, u, mine)
        atomic.add(sixths, v, mine)


@inner
def _holds(keys, key):
    at = lower_bound(keys, 0, len(keys), key)
    return 1 if at < len(keys) and keys[at] == key else 0
