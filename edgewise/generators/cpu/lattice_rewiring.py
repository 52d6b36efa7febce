"""Moving the second ends of chosen lattice edges to free vertices."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.random import bits
from edgewise.base.cpu.team import stopped
from edgewise.generators.cpu.hashing import contains, edge_key, insert
from edgewise.generators.cpu.permutation import below

__all__ = ["rewire"]

_LOOK = (1 << 12) - 1


@kernel
def rewire(me, team, control, seed, k, chosen, targets, moved, degrees, table):
    """Draw new ends for the ``chosen`` edges of the ring, in order; for one thread.

    Edge ``(d - 1) * n + u`` joins u to u + d. ``moved`` marks the rewired ones, ``table`` holds
    them. An edge of a vertex that knows all others stays, as in NetworkX.
    """
    n, mask = len(degrees), len(table) - 1
    for count in range(len(chosen)):
        if count & _LOOK == 0 and stopped(control):
            return
        e = chosen[count]
        u, v = e % n, targets[e]
        if degrees[u] == n - 1:
            continue
        turn, w = 0, u
        while w == u or _joined(u, w, n, k, moved, table, mask):
            w = np.int64(below(bits(seed, np.uint64(e), np.uint64(turn)), np.uint64(n)))
            turn += 1
        moved[e], targets[e] = True, w
        degrees[v] -= 1
        degrees[w] += 1
        insert(table, mask, edge_key(u, w, n))


@helper
def _joined(u, w, n, k, moved, table, mask):
    ahead = (w - u) % n
    if ahead <= k // 2 and not moved[(ahead - 1) * n + u]:
        return True
    if n - ahead <= k // 2 and not moved[(n - ahead - 1) * n + w]:
        return True
    return contains(table, mask, edge_key(u, w, n))
