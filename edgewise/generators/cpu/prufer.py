"""A uniform random labeled tree from its Prufer code."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import kernel
from edgewise.base.cpu.random import bits
from edgewise.base.cpu.team import stopped
from edgewise.generators.cpu.permutation import below

__all__ = ["decode"]

_LOOK = (1 << 12) - 1
_0 = np.uint64(0)


@kernel
def decode(me, team, control, seed, degrees, sources, targets):
    """The edges of the tree whose code is a hash of (seed, place); for one thread.

    ``degrees`` is all ones. Edge i joins the smallest leaf of the remaining tree to code[i].
    """
    n = len(degrees)
    for i in range(n - 2):
        targets[i] = below(bits(seed, np.uint64(i), _0), np.uint64(n))
        degrees[targets[i]] += 1
    targets[n - 2] = n - 1
    last = 0  # no vertex before it is a leaf, except the one at hand
    while degrees[last] != 1:
        last += 1
    leaf = last
    for i in range(n - 1):
        if i & _LOOK == 0 and stopped(control):
            return
        sources[i], v = leaf, targets[i]
        degrees[v] -= 1
        if degrees[v] == 1 and v < last:
            leaf = v
        elif i < n - 2:
            last += 1
            while degrees[last] != 1:
                last += 1
            leaf = last
