"""Applying swaps: many at a time that do not touch, or one after the other.

A row with d entries has d + 1 *slots* for gaps: between its entries, before the first and after the
last. Slot k of row w is entry ``indptr[w] + w + k`` of one array. An entry that leaves touches the
two slots beside it. An entry that arrives touches the slot that contains it. The changes of swaps
without common slots add up, so many swaps can change the row of a hub at once. The terms are those
of `edgewise.algorithms.ordering.swap_change`.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.ordering.swap_change import one_sided, swap_change
from edgewise.base import atomic
from edgewise.operators.helpers import inner, lower_bound, sort_few
from edgewise.operators.sequential import going

__all__ = ["contend", "exchange", "in_turn", "is_moved", "merge", "settle", "stands"]


def stands(u, partner, change, at, least):
    """Is the swap that u wants still worth it? ``change[u]`` is what it comes to now."""
    change[u] = swap_change(u, np.int64(partner[u]), at)
    return change[u] <= -least


def contend(u, partner, at, rank, claims, turn, ask):
    """Claim the slots that the swap of u touches, for the best rank; then ask if it has got all.

    A claim of a later turn goes over all of earlier ones, so nothing need be wiped.

    A row's span depends on its outermost two slots on either side alone, so others are not claimed
    there; but those of u and v in each other's rows, which every swap of one of the two touches.
    """
    indptr, indices, order, places, linear = at
    v, mine = np.int64(partner[u]), (-turn << 40) + np.int64(rank[u])
    i, last_i = np.int64(indptr[u]), np.int64(indptr[u + 1])
    j, last_j = np.int64(indptr[v]), np.int64(indptr[v + 1])
    a, b = np.int64(order[u]), np.int64(order[v])
    w, first, i, j = one_sided(indices, i, last_i, j, last_j)
    while w >= 0:
        low, high = np.int64(indptr[w]), np.int64(indptr[w + 1])
        old, new = (a, b) if first else (b, a)
        leaves, enters = lower_bound(places, low, high, old), lower_bound(places, low, high, new)
        for k in range(3):
            slot = enters if k == 2 else leaves + k
            if linear and low + 1 < slot < high - 1 and w != u and w != v:
                continue
            slot += w
            if not ask:
                atomic.min(claims, slot, mine)
            elif claims[slot] != mine:
                return False
        w, first, i, j = one_sided(indices, i, last_i, j, last_j)
    return True


def exchange(u, partner, order, now):
    """Make the swap of u; ``now`` says of every position where who stood there has gone."""
    v = partner[u]
    a, b = order[u], order[v]
    order[u], order[v] = b, a
    now[a], now[b] = b, a


def settle(u, partner, order, now):
    """The swap of u is told to all rows."""
    a, b = order[u], order[partner[u]]
    now[a], now[b] = a, b


def is_moved(source, order, now):
    """Has this neighbor another position than before?"""
    place = order[source]
    return np.int64(now[place] != place)


def merge(w, moved, indptr, places, now, spare):
    """Put the entries of row w that have moved in their places among those that have not."""
    low, high = np.int64(indptr[w]), np.int64(indptr[w + 1])
    kept, new = low, high
    for e in range(low, high):
        place = places[e]
        if now[place] == place:
            spare[kept] = place
            kept += 1
        else:
            new -= 1
            spare[new] = now[place]
    sort_few(spare, new, high)
    i, j = low, new
    for e in range(low, high):
        if j >= high or (i < kept and spare[i] < spare[j]):
            places[e] = spare[i]
            i += 1
        else:
            places[e] = spare[j]
            j += 1


def in_turn(control, members, partner, at, least, made):
    """One swap after the other, if it is still worth it; how many, and what they changed."""
    indptr, indices, order, places, _ = at
    for k in range(len(members)):
        if k % 64 == 0 and not going(control, k):
            return
        u, v = np.int64(members[k]), np.int64(partner[members[k]])
        change = swap_change(u, v, at)
        if change > -least:
            continue
        i, last_i = np.int64(indptr[u]), np.int64(indptr[u + 1])
        j, last_j = np.int64(indptr[v]), np.int64(indptr[v + 1])
        a, b = order[u], order[v]
        w, first, i, j = one_sided(indices, i, last_i, j, last_j)
        while w >= 0:
            old, new = (a, b) if first else (b, a)
            _move(places, np.int64(indptr[w]), np.int64(indptr[w + 1]), old, new)
            w, first, i, j = one_sided(indices, i, last_i, j, last_j)
        order[u], order[v] = b, a
        made[0] += 1
        made[1] += change


@inner
def _move(places, low, high, old, new):
    """Move one entry of a row; those between its two places shift."""
    e = lower_bound(places, low, high, old)
    while e > low and places[e - 1] > new:
        places[e] = places[e - 1]
        e -= 1
    while e + 1 < high and places[e + 1] < new:
        places[e] = places[e + 1]
        e += 1
    places[e] = new
