"""One uniform number per edge, the same for both directions of an undirected one."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.random import uniform
from edgewise.base.cpu.team import grab, share

__all__ = ["edge_uniforms", "ends_uniforms"]

_CHUNK = 1 << 10
_HALF_STEP = 0.5 / (1 << 53)


@kernel
def edge_uniforms(me, team, control, seed, directed, indptr, indices, out):
    """Numbers strictly between 0 and 1, in the middle of steps of 2**-53."""
    while True:
        low, high = grab(control, 0, _CHUNK, len(indptr) - 1)
        if low == high:
            break
        for u in range(low, high):
            for e in range(indptr[u], indptr[u + 1]):
                out[e] = _between(seed, directed, np.int64(u), np.int64(indices[e]))


@kernel
def ends_uniforms(me, team, control, seed, directed, sources, targets, out):
    """The same for arcs that are given by their two ends."""
    low, high = share(me, team, len(out))
    for e in range(low, high):
        out[e] = _between(seed, directed, np.int64(sources[e]), np.int64(targets[e]))


@helper
def _between(seed, directed, first, second):
    if not directed and second < first:
        first, second = second, first
    return uniform(seed, np.uint64(first), np.uint64(second)) + _HALF_STEP
