"""Restoring removed edges that are needed for connectivity."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.team import stopped
from edgewise.generators.cpu.permutation import shuffled, width

__all__ = ["reconnect"]

_LOOK = (1 << 16) - 1


@kernel
def reconnect(me, team, control, seed, sources, targets, keep, parent):
    """Set ``keep`` for removed edges, in random order, that join two parts; for one thread.

    ``parent`` starts as 0, 1, 2, ... and holds union-find trees.
    """
    for e in range(len(sources)):
        if keep[e]:
            _unite(parent, sources[e], targets[e])
    size = np.uint64(len(sources))
    wide = width(size)
    for turn in range(len(sources)):
        if turn & _LOOK == 0 and stopped(control):
            return
        e = np.int64(shuffled(seed, np.uint64(turn), size, wide))
        if not keep[e] and _unite(parent, sources[e], targets[e]):
            keep[e] = True


@helper
def _unite(parent, u, v):
    """Join the trees of u and v; False if they are one already."""
    u, v = _root(parent, u), _root(parent, v)
    if u == v:
        return False
    parent[max(u, v)] = min(u, v)
    return True


@helper
def _root(parent, u):
    while parent[u] != u:
        parent[u] = parent[parent[u]]
        u = parent[u]
    return u
