"""Small compiled functions that the kernels of several operators share.

Arrays of vertex ids and offsets reach kernels as unsigned views, so that indexing needs no check
for negative numbers; ids are handed to users' functions as int64.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.core.errors import TypingError

from edgewise.base.cache import inlined, inner
from edgewise.base.compiler import overload
from edgewise.base.cpu.atomics import compare_and_swap, exchange, load, pause, store
from edgewise.base.cpu.bit_blocks import nearby, reach
from edgewise.operators import element_access
from edgewise.operators.fitting import bucket_number, register

__all__ = [
    "bucket_number",
    "cast",
    "changer",
    "edge_at",
    "get_bit",
    "merger",
    "pointless",
    "put",
    "row_folder",
    "same",
    "set_bit",
    "stamped",
    "take",
    "weight_at",
]

take, put = element_access.access(overload)
cast, same = element_access.casting(overload, TypingError), element_access.sameness(overload)
weight_at, edge_at = element_access.edge_access(overload)
register(overload, TypingError, take, put, cast)


def pointless(sent, identity):
    """Is it a tuple that changes nothing, so that nobody need wait for a lock? Never a number."""
    raise TypeError("only for compiled code")


@overload(pointless)
def _pointless(sent, identity):
    if isinstance(sent, types.BaseTuple):
        return lambda sent, identity: same(sent, identity)
    return lambda sent, identity: False


@inner
def get_bit(bits, i):
    """The bit ``i`` of a bitmap in words of 64."""
    return (bits[np.uint64(i) >> np.uint64(6)] >> (np.uint64(i) & np.uint64(63))) & np.uint64(1)


@inner
def set_bit(bits, i):
    """Set a bit in a word that no other thread writes."""
    bits[np.uint64(i) >> np.uint64(6)] |= np.uint64(1) << (np.uint64(i) & np.uint64(63))


def changer(combine, early_exit=False):
    """``change`` of `element_access.changer` on CPU threads."""
    return element_access.changer(combine, early_exit, same, compare_and_swap, inlined)


def merger(combine):
    """``merge(sums, v, sent, locks)``: combine a message into a sum, atomically.

    One array is updated by compare-and-swap; a tuple of arrays under the vertex's lock.
    """
    change = changer(combine)

    def merge(sums, v, sent, locks):
        raise TypeError("only for compiled code")

    @overload(merge)
    def _merge(sums, v, sent, locks):
        if isinstance(sums, types.Array):

            def one(sums, v, sent, locks):
                change(sums, v, load(sums, v), sent, sent)

            return one

        def several(sums, v, sent, locks):
            while exchange(locks, v, 1) != 0:
                pause()
            put(sums, v, cast(sums, combine(take(sums, v), sent)))
            store(locks, v, 0)

        return several

    return merge


@inner
def stamped(stamps, v, turn):
    """Has ``v`` been stamped in this turn already? If not, it is now."""
    return load(stamps, v) == turn or exchange(stamps, v, turn) == turn


def row_folder(message, combine, ahead=False):
    """``fold``: reduce the messages along the edges ``low..high`` of a row.

    Up to four edges are taken in one step, without a loop: short rows are the many. Along a longer
    row four totals run side by side, because one alone would wait for each addition to end before
    the next could begin. What is added to what depends on the row alone, so the sum is always the
    same.
    """

    @inlined
    def at(e, near, rows, sent, own, total, params):
        _, _, weights, edge_ids = rows
        u = np.int64(near[e])
        new = message(take(sent, u), weight_at(weights, e), u, edge_at(edge_ids, e), own, params)
        return cast(total, combine(total, cast(total, new)))

    @inlined
    def joined(a, b, c, d):
        return cast(a, combine(cast(a, combine(a, b)), cast(a, combine(c, d))))

    @inlined
    def few(low, high, near, rows, sent, own, identity, params):
        a = b = c = d = identity
        one = np.uint64(1)
        if low < high:
            a = at(low, near, rows, sent, own, a, params)
            if high - low > one:
                b = at(low + one, near, rows, sent, own, b, params)
                if high - low > np.uint64(2):
                    c = at(low + np.uint64(2), near, rows, sent, own, c, params)
                    if high - low > np.uint64(3):
                        d = at(low + np.uint64(3), near, rows, sent, own, d, params)
        return joined(a, b, c, d)

    @inlined
    def fold(low, high, rows, sent, own, identity, params):
        a = b = c = d = identity
        e, one, four, near = low, np.uint64(1), np.uint64(4), rows[1]
        if high - low <= four:
            return few(low, high, near, rows, sent, own, identity, params)
        while high - e >= four:
            a = at(e, near, rows, sent, own, a, params)
            b = at(e + one, near, rows, sent, own, b, params)
            c = at(e + np.uint64(2), near, rows, sent, own, c, params)
            d = at(e + np.uint64(3), near, rows, sent, own, d, params)
            e += four
        while e < high:
            a = at(e, near, rows, sent, own, a, params)
            e += one
        return joined(a, b, c, d)

    @inlined
    def fold_ahead(low, high, near, stop, rows, sent, own, identity, params):
        """Of the row ``near`` holds what lies before ``stop``, as far as `reach` goes."""
        a = b = c = d = identity
        e, one, four = low, np.uint64(1), np.uint64(4)
        if high - low <= four:
            return few(low, high, near, rows, sent, own, identity, params)
        while True:
            while stop - e >= four:
                a = at(e, near, rows, sent, own, a, params)
                b = at(e + one, near, rows, sent, own, b, params)
                c = at(e + np.uint64(2), near, rows, sent, own, c, params)
                d = at(e + np.uint64(3), near, rows, sent, own, d, params)
                e += four
            while e < stop:
                a = at(e, near, rows, sent, own, a, params)
                e += one
            if stop == high:
                return joined(a, b, c, d)
            stop = reach(rows[1], e, high)
            near = nearby(rows[1], e, stop)

    return fold_ahead if ahead else fold
