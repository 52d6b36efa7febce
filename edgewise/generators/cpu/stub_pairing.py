"""Placing vertices in communities, and pairing their edge ends into simple graphs."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.random import bits
from edgewise.base.cpu.team import grab, stopped
from edgewise.generators.cpu.hashing import contains, edge_key, insert, remove
from edgewise.generators.cpu.permutation import below

__all__ = ["pair_up", "place"]

_TRIES = 200
_LOOK = (1 << 12) - 1
_0, _1 = np.uint64(0), np.uint64(1)


@kernel
def place(me, team, control, seed, order, inside, sizes, free, labels):
    """Give each vertex of ``order`` a random free place; for one thread.

    ``sizes`` descend, and so do the numbers of ``inside`` edges along ``order``: a community
    opens when it is large enough for the next vertex, or when no place is left. ``free`` holds
    the communities of the free places.
    """
    opened, places = 0, 0
    for count in range(len(order)):
        if count & _LOOK == 0 and stopped(control):
            return
        v = order[count]
        while opened < len(sizes) and (places == 0 or sizes[opened] > inside[v]):
            free[places : places + sizes[opened]] = opened
            places += sizes[opened]
            opened += 1
        chosen = np.int64(below(bits(seed, np.uint64(v), _0), np.uint64(places)))
        labels[v] = free[chosen]
        places -= 1
        free[chosen] = free[places]


@kernel
def pair_up(me, team, control, seed, n, bounds, labels, ends, good, tables):
    """Pair the ends of every group: pair i is ``ends[2i], ends[2i+1]`` and counts if ``good[i]``.

    Group g has the ends ``bounds[g]..bounds[g+1]``, an even number. With ``labels``, the two
    ends of a pair must differ in label. ``tables`` has a hash table per thread.
    """
    table = tables[me]
    while True:
        group, last = grab(control, 0, 1, len(bounds) - 1)
        if group == last:
            break
        low, high = bounds[group] // 2, bounds[group + 1] // 2
        key = bits(seed, np.uint64(group), _0)
        mask = 1
        while mask <= 2 * (high - low):
            mask *= 2
        mask = min(mask, len(table)) - 1
        table[: mask + 1] = -1
        _shuffle(key, ends, 2 * low, 2 * high)
        for i in range(low, high):
            if _allowed(ends[2 * i], ends[2 * i + 1], n, labels, table, mask):
                insert(table, mask, edge_key(ends[2 * i], ends[2 * i + 1], n))
                good[i] = True
        for i in range(low, high):
            if i & _LOOK == 0 and stopped(control):
                return
            if not good[i]:
                _repair(key, i, low, high, n, labels, ends, good, table, mask)


@helper
def _shuffle(key, ends, low, high):
    for i in range(high - 1, low, -1):
        j = low + np.int64(below(bits(key, np.uint64(i - low), _0), np.uint64(i - low + 1)))
        ends[i], ends[j] = ends[j], ends[i]


@helper
def _allowed(u, v, n, labels, table, mask):
    if u == v or (len(labels) and labels[u] == labels[v]):
        return False
    return not contains(table, mask, edge_key(u, v, n))


@helper
def _repair(key, i, low, high, n, labels, ends, good, table, mask):
    """Exchange an end of pair i with one of a random pair, if both become good."""
    a, b = ends[2 * i], ends[2 * i + 1]
    for turn in range(1, _TRIES + 1):
        word = bits(key, np.uint64(i - low), np.uint64(turn))
        j = low + np.int64(below(word, np.uint64(high - low)))
        side = np.int64(word & _1)
        c, d = ends[2 * j + side], ends[2 * j + 1 - side]
        # From (a, b), (c, d) to (a, c), (b, d).
        if j == i or edge_key(a, c, n) == edge_key(b, d, n):
            continue
        if not _allowed(a, c, n, labels, table, mask):
            continue
        if not _allowed(b, d, n, labels, table, mask):
            continue
        if good[j]:
            remove(table, mask, edge_key(c, d, n))
        insert(table, mask, edge_key(a, c, n))
        insert(table, mask, edge_key(b, d, n))
        ends[2 * i], ends[2 * i + 1] = a, c
        ends[2 * j], ends[2 * j + 1] = b, d
        good[i] = good[j] = True
        return
