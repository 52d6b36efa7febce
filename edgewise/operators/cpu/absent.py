"""`reduce_neighbors` with ``choose="absent"`` on CPU threads: the least key that no neighbor has.

Of d neighbors the least absent key is at most d, so each thread marks those up to d in a bitmap:
the first 64 in a register, the others in memory, which is cleaned as far as it may be marked. Very
long rows are marked by all threads together, each in its own bitmap.
"""

from __future__ import annotations

import numpy as np
from numba import types

from edgewise.base.cache import inlined, inner
from edgewise.base.compiler import overload
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.team import barrier, share
from edgewise.base.threads import launch
from edgewise.operators.cpu.gather import Hops, Plan, bound_of
from edgewise.operators.cpu.inner import set_bit
from edgewise.operators.cpu.walk import member, over

__all__ = ["absent"]

#: From this many edges on a row is walked by all threads.
_LONG = 1 << 14
_ALL = ~np.uint64(0)


def absent(walk: Hops, plan: Plan, key: np.ndarray, result: np.ndarray) -> None:
    """Write the least absent key of every member to ``result``."""
    most, work, team = plan
    bitmaps = np.zeros((team, most // 64 + 8), np.uint64)
    long, tallies = np.empty(len(walk.rows.indices) // _LONG + 1, np.int64), np.zeros(1, np.int64)
    data = (walk, most, key, bitmaps, (long, tallies, team > 1), result)
    launch(absent_kernel, walk.size, 64 if walk.size > 4096 else 8, data, work=work, team=team)


@inlined
def _find(i, me, control, data):
    """The least absent key of a member, unless its row is very long."""
    walk, most, key, bitmaps, (long, tallies, shared), result = data
    starts, v, bits = walk[0][0], member(walk[2], i), bitmaps[me]
    first, last = starts[v], starts[v + 1]
    if shared and last - first > np.uint64(_LONG):
        long[fetch_add(tallies, 0, 1)] = v
        return
    bound = bound_of(walk, v, most)
    bits[0] = mark(v, first, last, walk, key, bits, bound)
    result[v] = least_zero(bitmaps[me : me + 1])
    bits[: (bound >> 6) + 1] = 0


@inner
def _find_together(me, team, control, data):
    """Those of very long rows, each by all threads."""
    walk, most, key, bitmaps, (long, tallies, shared), result = data
    starts, bits = walk[0][0], bitmaps[me]
    if not shared or not barrier(control, team):
        return
    for i in range(tallies[0]):
        v = long[i]
        degree = np.int64(starts[v + 1] - starts[v])
        low, high = share(me, team, degree)
        bound = bound_of(walk, v, most)
        bits[0] = mark(v, starts[v] + np.uint64(low), starts[v] + np.uint64(high), walk, key, bits,
                       bound)  # fmt: skip
        if not barrier(control, team):
            return
        if me == 0:
            result[v] = least_zero(bitmaps)
        if not barrier(control, team):
            return
        bits[: (bound >> 6) + 1] = 0


def mark(v, low, high, walk, key, bits, bound):
    """Mark the keys from 64 to ``bound`` along the edges ``low..high``; return those below."""
    raise TypeError("only for compiled code")


@overload(mark)
def _mark(v, low, high, walk, key, bits, bound):
    def one_step(v, low, high, walk, key, bits, bound):
        indices, few = walk[0][1], np.uint64(0)
        for e in range(low, high):
            few |= mark_one(key[indices[e]], bits, bound)
        return few

    def two_steps(v, low, high, walk, key, bits, bound):
        indices, onward, ends, few = walk[0][1], walk[1][0], walk[1][1], np.uint64(0)
        for e in range(low, high):
            u = np.uint64(indices[e])
            for f in range(onward[u], onward[u + np.uint64(1)]):
                if np.int64(ends[f]) != v:
                    few |= mark_one(key[ends[f]], bits, bound)
        return few

    return one_step if isinstance(walk[1], types.NoneType) else two_steps


@inner
def mark_one(key, bits, bound):
    """The bit of a key below 64; a greater one, up to ``bound``, is marked in memory."""
    place = np.uint64(key)
    if place < np.uint64(64):
        return np.uint64(1) << place
    if place <= np.uint64(bound):
        set_bit(bits, place)
    return np.uint64(0)


@inner
def least_zero(bitmaps):
    """The first bit that is set in none of several bitmaps."""
    at, word = 0, np.uint64(0)
    while True:
        word = np.uint64(0)
        for i in range(len(bitmaps)):
            word |= bitmaps[i, at]
        if word != _ALL:
            break
        at += 1
    place = np.int64(64 * at)
    while word & np.uint64(1):
        word >>= np.uint64(1)
        place += 1
    return place


absent_kernel = over(_find, _find_together)
