"""Simple graphs of given degrees: a first one, and random exchanges of ends between its edges."""

from __future__ import annotations

import numpy as np

from edgewise.base.bisection import bisection
from edgewise.base.cache import helper, inner, kernel
from edgewise.base.cpu.random import bits
from edgewise.base.cpu.team import grab, stopped
from edgewise.generators.cpu.hashing import contains, edge_key, insert, remove
from edgewise.generators.cpu.permutation import below, shuffled_block, width

__all__ = ["exchange", "join_largest", "pair_stubs"]

_BLOCK = 1 << 10
_LOOK = (1 << 12) - 1
_1 = np.uint64(1)


@kernel
def pair_stubs(me, team, control, seed, stubs, sources, targets):
    """A random perfect matching of the stubs: two neighbors in a random order form a pair."""
    size = np.uint64(len(stubs))
    wide = width(size)
    images, waiting = np.empty(2 * _BLOCK, np.uint64), np.empty(2 * _BLOCK, np.uint64)
    slots = np.empty(2 * _BLOCK, np.int64)
    while True:
        low, high = grab(control, 0, _BLOCK, len(sources))
        if low == high:
            break
        block = images[: 2 * (high - low)]
        shuffled_block(seed, np.uint64(2 * low), size, wide, block, waiting, slots)
        for e in range(low, high):
            sources[e], targets[e] = stubs[block[2 * (e - low)]], stubs[block[2 * (e - low) + 1]]


@kernel
def join_largest(me, team, control, order, degrees, ends):
    """Join the vertex of the largest degree to the next ones, and so on (Havel and Hakimi).

    ``degrees`` falls and is graphical; position i stands for vertex ``order[i]``. Of equal degrees,
    the last ones are reduced, so that the order stays. For one thread.
    """
    at = 0
    for first in range(len(order)):
        if first & _LOOK == 0 and stopped(control):
            return
        wanted = degrees[first]
        if wanted == 0:
            return
        least = degrees[first + wanted]
        start = _first_at_most(degrees, first + 1, len(degrees), least)
        end = _first_at_most(degrees, start, len(degrees), least - 1)
        equal = first + 1 + wanted - start  # how many of the equal ones are joined
        for i in range(first + 1, start):
            at = _join(first, i, order, degrees, ends, at)
        for i in range(end - equal, end):
            at = _join(first, i, order, degrees, ends, at)


@helper
def _join(first, i, order, degrees, ends, at):
    degrees[i] -= 1
    ends[at], ends[at + 1] = order[first], order[i]
    return at + 2


def _is_above(degrees, position, value):
    return degrees[position] > value


#: The first position whose degree is at most a value; degrees fall.
_first_at_most = bisection(_is_above, inner)


@kernel
def exchange(me, team, control, seed, n, sweeps, ends, table):
    """Try to exchange ends between every pair and a random one, in each sweep; for one thread.

    Exchanges that would make a loop or a repeat are left out. ``table`` has at least 8 places per
    pair, so that removed keys never fill it.
    """
    m, mask = len(ends) // 2, len(table) - 1
    for sweep in range(sweeps):
        table[:] = -1
        for i in range(m):
            insert(table, mask, edge_key(ends[2 * i], ends[2 * i + 1], n))
        for i in range(m):
            if i & _LOOK == 0 and stopped(control):
                return
            word = bits(seed, np.uint64(i), np.uint64(sweep))
            j, side = np.int64(below(word, np.uint64(m))), np.int64(word & _1)
            a, b, c, d = ends[2 * i], ends[2 * i + 1], ends[2 * j + side], ends[2 * j + 1 - side]
            # From (a, b), (c, d) to (a, c), (b, d).
            if i == j or a == c or b == d or edge_key(a, c, n) == edge_key(b, d, n):
                continue
            if contains(table, mask, edge_key(a, c, n)):
                continue
            if contains(table, mask, edge_key(b, d, n)):
                continue
            remove(table, mask, edge_key(a, b, n))
            remove(table, mask, edge_key(c, d, n))
            insert(table, mask, edge_key(a, c, n))
            insert(table, mask, edge_key(b, d, n))
            ends[2 * i + 1], ends[2 * j], ends[2 * j + 1] = c, b, d
