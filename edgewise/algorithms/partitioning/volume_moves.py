"""Moves that reduce the communication volume, on one CPU thread.

The volume is the sum over vertices of the number of other parts that they have neighbors in.
Vertices of the boundary move, in ascending order, to the part next to them that reduces it most and
in which they fit; of equals, the one that reduces the cut most. Passes follow while they gain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.partitioning.balancing import is_near, move, moves_of
from edgewise.algorithms.partitioning.holding import fits
from edgewise.algorithms.partitioning.part_links import fill, link_to, links_of
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["reduce_volume"]

_PASSES = 10


def reduce_volume(level: Any, part: np.ndarray, k: int, limit: Any, mass: np.ndarray) -> None:
    """Improve the partition in place; edges count, not their weights."""
    level = level._replace(weight=np.ones(len(level.indices)))
    state = level, links_of(level, k), moves_of(level, part, k, mass, limit), k
    sequential(_reduce, state, steps=_PASSES, work=16 * (level.n + len(level.indices)))


def _reduce(control, level, links, moves, k):
    part, n = moves.part, len(level.mass)
    for v in range(n):
        fill(v, level, part, links, k)
    for turn in range(_PASSES):
        moved = 0
        for v in range(n):
            if v & 255 == 0 and not going(control, turn):
                return
            if not is_near(v, part, links):
                continue
            best, volume, cut = -1, 0, 0.0
            for i in range(links.start[v], links.start[v] + links.count[v]):
                p = links.part[i]
                if p == part[v] or links.link[i] <= 0.0:
                    continue
                if not fits(v, p, moves.mass, moves.load, moves.limit):
                    continue
                less = _saved(v, p, level, links, part, k)
                gain = links.link[i] - link_to(v, part[v], links, k)
                if less > volume or (less == volume and gain > cut):
                    best, volume, cut = p, less, gain
            if best >= 0:
                move(np.int64(v), best, level, links, moves, k)
                moved += 1
        if moved == 0:
            break


@inner
def _saved(v, p, level, links, part, k):
    """By how much the volume falls if v moves to part p, which it has a neighbor in."""
    own = part[v]
    saved = 1 if link_to(v, own, links, k) <= 0.0 else 0  # v no longer pays for p, but for its own
    for e in range(level.indptr[v], level.indptr[v + 1]):
        u = level.indices[e]
        if part[u] != own and link_to(u, own, links, k) == 1.0:
            saved += 1
        if part[u] != p and link_to(u, p, links, k) <= 0.0:
            saved -= 1
    return saved
