"""Keyed reductions over two steps, a part of the vertices at a time, so that memory is bounded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from edgewise.graph.transfer import host
from edgewise.operators import ADD, Frontier, reduce_neighbors

__all__ = ["parts"]

#: How many candidates are looked at together, at the most, but for a vertex that has more.
BUFFER = 1 << 22


def parts(rows: Any, via: Any, members: np.ndarray) -> Iterator[tuple[int, int]]:
    """Positions from and to: members who together have few enough vertices two steps away.

    The first step is an edge out of a member, the second one of ``via``.

    >>> from edgewise.graph import Graph
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> list(parts(star, star, np.arange(4)))
    [(0, 4)]
    """
    onward, paths = rows.xp.diff(via.indptr), rows.full(0, np.int64)
    asked = Frontier._trusted(rows.num_vertices, ids=rows.xp.asarray(members))
    reduce_neighbors(rows, asked, _value, onward, reduce=ADD, mode="out", out=paths)
    bounds = np.minimum(host(paths[asked.ids]), via.shape[1])
    ends, low = np.cumsum(bounds), 0
    while low < len(members):
        before = ends[low] - bounds[low]
        high = max(int(np.searchsorted(ends, before + BUFFER, side="right")), low + 1)
        yield low, high
        low = high


def _value(value):
    return value
