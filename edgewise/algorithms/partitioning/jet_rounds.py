"""Unconstrained label propagation (Jet [1]), on one CPU thread.

In a round, vertices that would lose little are candidates for the part to which they have the
heaviest edges, whether they fit or not. A candidate moves if it still does not lose when all
candidates of higher gain move before it. A vertex that moved rests for a round.

[1] M. Gilbert, K. Madduri, E. Boman, S. Rajamanickam. Jet: multilevel graph partitioning on
    graphics processing units. SIAM J. Sci. Comput. 2024.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.partitioning.balancing import is_near, move
from edgewise.algorithms.partitioning.part_links import link_to
from edgewise.operators.helpers import inner

__all__ = ["jet_round"]


@inner
def jet_round(turn, ratio, level, links, moves, k):
    """One round of unconstrained moves; what it gains."""
    part, n, count = moves.part, len(level.mass), 0
    for v in range(n):
        moves.other[v] = -1
        if moves.age[v] == turn or not is_near(v, part, links):
            continue
        target, high, stay = -1, 0.0, 0.0
        for i in range(links.start[v], links.start[v] + links.count[v]):
            if links.part[i] == part[v]:
                stay = links.link[i]
            elif links.link[i] > high:
                target, high = links.part[i], links.link[i]
        if target >= 0 and stay - high < ratio * stay:
            moves.other[v], moves.loss[v], moves.order[count] = target, stay - high, v
            count += 1
    kept = 0
    for i in range(count):
        v = moves.order[i]
        a, b, own, gain = part[v], moves.other[v], moves.loss[v], 0.0
        for e in range(level.indptr[v], level.indptr[v + 1]):
            u = level.indices[e]
            p = part[u]
            q = moves.other[u]
            if q >= 0 and (moves.loss[u] < own or (moves.loss[u] == own and u < v)):
                p = q
            if p == b:
                gain += level.weight[e]
            elif p == a:
                gain -= level.weight[e]
        if gain >= 0.0:
            moves.log[kept] = v
            kept += 1
    total = 0.0
    for i in range(kept):
        v = np.int64(moves.log[i])
        source, target = np.int64(part[v]), np.int64(moves.other[v])
        total += link_to(v, target, links, k) - link_to(v, source, links, k)
        move(v, target, level, links, moves, k)
        moves.age[v] = turn + 1
    return total
