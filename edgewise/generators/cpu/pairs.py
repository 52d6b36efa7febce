"""One uniform number per edge, the same for both directions of an undirected one."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import kernel
from edgewise.base.cpu.random import uniform
from edgewise.base.cpu.team import grab

__all__ = ["edge_uniforms"]

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
                first, second = np.int64(u), np.int64(indices[e])
                if not directed and second < first:
                    first, second = second, first
                out[e] = uniform(seed, np.uint64(first), np.uint64(second)) + _HALF_STEP
