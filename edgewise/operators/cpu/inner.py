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
from edgewise.operators.fitting import bucket_number, cut_off, register

__all__ = [
    "alike",
    "bucket_number",
    "cast",
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
    "updater",
    "weight_at",
]


def same(a, b):
    """Equal, where a NaN equals a NaN: an endless round of NaN to NaN is no change."""
    raise TypeError("only for compiled code")


@overload(same)
def _same(a, b):
    if isinstance(a, types.BaseTuple):
        return {
            2: lambda a, b: same(a[0], b[0]) and same(a[1], b[1]),
            3: lambda a, b: same(a[0], b[0]) and same(a[1], b[1]) and same(a[2], b[2]),
            4: lambda a, b: same(a[:2], b[:2]) and same(a[2:], b[2:]),
        }[len(a)]
    if isinstance(a, types.Float):
        return lambda a, b: a == b or (a != a and b != b)
    return lambda a, b: a == b


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


def weight_at(weights, e):
    """The weight of edge ``e``; 1 where there are none, or where nobody asks."""
    raise TypeError("only for compiled code")


@overload(weight_at)
def _weight_at(weights, e):
    if isinstance(weights, types.NoneType):
        return lambda weights, e: 1
    return lambda weights, e: weights[e]


def edge_at(edge_ids, e):
    """The id of the edge at position ``e`` of an adjacency; the position itself where it is it."""
    raise TypeError("only for compiled code")


@overload(edge_at)
def _edge_at(edge_ids, e):
    if isinstance(edge_ids, types.NoneType):
        return lambda edge_ids, e: np.int64(e)
    return lambda edge_ids, e: np.int64(edge_ids[e])


def take(values, i):
    """``values[i]``, or the tuple of its members' elements at ``i``."""
    raise TypeError("only for compiled code")


@overload(take)
def _take(values, i):
    if isinstance(values, types.NoneType):
        return lambda values, i: 0
    if isinstance(values, types.Array):
        return lambda values, i: values[i]
    return {
        1: lambda values, i: (values[0][i],),
        2: lambda values, i: (values[0][i], values[1][i]),
        3: lambda values, i: (values[0][i], values[1][i], values[2][i]),
        4: lambda values, i: (values[0][i], values[1][i], values[2][i], values[3][i]),
    }[len(values)]


def put(values, i, new):
    """Store what `take` gives, cast to the arrays' types."""
    raise TypeError("only for compiled code")


@overload(put)
def _put(values, i, new):
    if isinstance(values, types.Array):

        def one(values, i, new):
            values[i] = new

        return one

    def two(values, i, new):
        values[0][i] = new[0]
        values[1][i] = new[1]

    def three(values, i, new):
        values[0][i] = new[0]
        values[1][i] = new[1]
        values[2][i] = new[2]

    def four(values, i, new):
        values[0][i] = new[0]
        values[1][i] = new[1]
        values[2][i] = new[2]
        values[3][i] = new[3]

    return {2: two, 3: three, 4: four}[len(values)]


def cast(values, new):
    """A value, or a tuple of values, in the types of the arrays ``values``."""
    raise TypeError("only for compiled code")


@overload(cast)
def _cast(values, new):
    if isinstance(values, types.Array):
        _check_fits(new, values.dtype)
        return lambda values, new: values.dtype.type(new)
    return {
        2: lambda values, new: (cast(values[0], new[0]), cast(values[1], new[1])),
        3: lambda values, new: (
            cast(values[0], new[0]), cast(values[1], new[1]), cast(values[2], new[2])),
        4: lambda values, new: (
            cast(values[0], new[0]), cast(values[1], new[1]),
            cast(values[2], new[2]), cast(values[3], new[3])),
    }[len(values)]  # fmt: skip


def alike(new, old):
    """A value, or a tuple of values, in the types of another."""
    raise TypeError("only for compiled code")


@overload(alike)
def _alike(new, old):
    if isinstance(old, types.BaseTuple):
        return {
            2: lambda new, old: (alike(new[0], old[0]), alike(new[1], old[1])),
            3: lambda new, old: (alike(new[0], old[0]), *alike(new[1:], old[1:])),
            4: lambda new, old: (*alike(new[:2], old[:2]), *alike(new[2:], old[2:])),
        }[len(old)]
    kind = old
    _check_fits(new, kind)

    def one(new, old):
        return kind(new)

    return one


register(overload, TypingError)


def _check_fits(new, kind):
    """Raise, when it is compiled, if fractions would be cut off."""
    if isinstance(new, types.Float) and isinstance(kind, (types.Integer, types.Boolean)):
        raise TypingError(cut_off(new, kind))


def updater(combine, early_exit):
    """``update(values, v, sent, identity) -> changed?``: combine a message in, atomically."""

    @inlined
    def update(values, v, sent, identity):
        old = load(values, v)
        while True:
            if early_exit and not same(old, identity):
                return False
            new = values.dtype.type(combine(old, sent))
            if same(new, old):
                return False
            done, old = compare_and_swap(values, v, old, new)
            if done:
                return True

    return update


def merger(combine):
    """``merge(sums, v, sent, locks)``: combine a message into a sum, atomically.

    One array is updated by compare-and-swap; a tuple of arrays under the vertex's lock.
    """
    update = updater(combine, False)

    def merge(sums, v, sent, locks):
        raise TypeError("only for compiled code")

    @overload(merge)
    def _merge(sums, v, sent, locks):
        if isinstance(sums, types.Array):

            def one(sums, v, sent, locks):
                update(sums, v, sent, sent)

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


def row_folder(message, combine):
    """``fold``: reduce the messages along the edges ``low..high`` of a row.

    Up to four edges are taken in one step, without a loop: short rows are the many. Along a longer
    row four totals run side by side, because one alone would wait for each addition to end before
    the next could begin. What is added to what depends on the row alone, so the sum is always the
    same.
    """

    @inlined
    def at(e, rows, sent, own, total, params):
        _, indices, weights, edge_ids = rows
        u = np.int64(indices[e])
        new = message(take(sent, u), weight_at(weights, e), u, edge_at(edge_ids, e), own, params)
        return alike(combine(total, alike(new, total)), total)

    @inlined
    def joined(a, b, c, d):
        return alike(combine(alike(combine(a, b), a), alike(combine(c, d), a)), a)

    @inlined
    def fold(low, high, rows, sent, own, identity, params):
        a = b = c = d = identity
        e, one, four = low, np.uint64(1), np.uint64(4)
        if high - low <= four:
            if low < high:
                a = at(low, rows, sent, own, a, params)
                if high - low > one:
                    b = at(low + one, rows, sent, own, b, params)
                    if high - low > np.uint64(2):
                        c = at(low + np.uint64(2), rows, sent, own, c, params)
                        if high - low > np.uint64(3):
                            d = at(low + np.uint64(3), rows, sent, own, d, params)
            return joined(a, b, c, d)
        while high - e >= four:
            a = at(e, rows, sent, own, a, params)
            b = at(e + one, rows, sent, own, b, params)
            c = at(e + np.uint64(2), rows, sent, own, c, params)
            d = at(e + np.uint64(3), rows, sent, own, d, params)
            e += four
        while e < high:
            a = at(e, rows, sent, own, a, params)
            e += one
        return joined(a, b, c, d)

    return fold
