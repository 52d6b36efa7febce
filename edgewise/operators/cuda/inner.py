"""Small device functions that the kernels of several operators share, made for given arguments.

What a kernel reads may be one array, a tuple of two to four, or nothing (`arity` says which: 1,
2 to 4, or 0); the makers here give device functions for one arity and its element types. They are
plain Python underneath, so the simulator runs them too.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add, cas, exch, load, store
from edgewise.base.cuda.kernels import device, translated
from edgewise.operators.monoids import ADD

__all__ = [
    "arity",
    "caster",
    "dtypes_of",
    "edge_reader",
    "merger",
    "messenger",
    "putter",
    "sameness",
    "taker",
    "updater",
    "weight_reader",
]


def arity(values: Any) -> int:
    """0 for None, 1 for an array, else the number of arrays in the tuple."""
    if values is None:
        return 0
    return len(values) if isinstance(values, tuple) else 1


def dtypes_of(values: Any) -> tuple[np.dtype, ...]:
    """The element types of an array or of a tuple of arrays."""
    if values is None:
        return ()
    several = values if isinstance(values, tuple) else (values,)
    return tuple(np.dtype(one.dtype) for one in several)


@cache
def taker(count: int) -> Any:
    """``take(values, i)``: the element, or the tuple of elements; 0 where there is nothing."""
    return device(
        {
            0: lambda values, i: 0,
            1: lambda values, i: values[i],
            2: lambda values, i: (values[0][i], values[1][i]),
            3: lambda values, i: (values[0][i], values[1][i], values[2][i]),
            4: lambda values, i: (values[0][i], values[1][i], values[2][i], values[3][i]),
        }[count]
    )


@cache
def putter(count: int) -> Any:
    """``put(values, i, new)``: store what `taker`'s function gives."""

    def one(values, i, new):
        values[i] = new

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

    return device({1: one, 2: two, 3: three, 4: four}[count])


@cache
def caster(dtypes: tuple[np.dtype, ...]) -> Any:
    """``cast(new)``: a number, or a tuple of numbers, in these types."""
    kinds = [dtype.type for dtype in dtypes]
    if len(kinds) == 1:
        only = kinds[0]
        return device(lambda new: only(new))
    if len(kinds) == 2:
        a, b = kinds
        return device(lambda new: (a(new[0]), b(new[1])))
    if len(kinds) == 3:
        a, b, c = kinds
        return device(lambda new: (a(new[0]), b(new[1]), c(new[2])))
    a, b, c, d = kinds
    return device(lambda new: (a(new[0]), b(new[1]), c(new[2]), d(new[3])))


@cache
def sameness(dtypes: tuple[np.dtype, ...]) -> Any:
    """``same(a, b)``: equal, where a NaN equals a NaN."""
    if len(dtypes) == 1:
        if dtypes[0].kind == "f":
            return device(lambda a, b: a == b or (a != a and b != b))
        return device(lambda a, b: a == b)
    each = [sameness((dtype,)) for dtype in dtypes]
    if len(each) == 2:
        p, q = each
        return device(lambda a, b: p(a[0], b[0]) and q(a[1], b[1]))
    if len(each) == 3:
        p, q, r = each
        return device(lambda a, b: p(a[0], b[0]) and q(a[1], b[1]) and r(a[2], b[2]))
    p, q, r, s = each
    return device(lambda a, b: p(a[0], b[0]) and q(a[1], b[1]) and r(a[2], b[2]) and s(a[3], b[3]))


@cache
def weight_reader(weighted: bool) -> Any:
    """``weight(weights, e)``: the weight of an edge; 1 where there are none, or nobody asks."""
    return device((lambda weights, e: weights[e]) if weighted else (lambda weights, e: 1))


@cache
def edge_reader(mapped: bool) -> Any:
    """``edge(edge_ids, e)``: the id of the edge at a position; the position itself if unmapped."""
    if mapped:
        return device(lambda edge_ids, e: np.int64(edge_ids[e]))
    return device(lambda edge_ids, e: np.int64(e))


_messengers: dict[Any, Any] = {}


def messenger(message: Any, names: tuple[str, ...]) -> Any:
    """A message as a device function of ``(value, weight, source, edge, own)``.

    ``message`` is the user's function as given; ``names`` are its parameters.
    """
    inside = translated(message)
    if inside not in _messengers:
        text = f"lambda value, weight, source, edge, own: inside({', '.join(names)})"
        _messengers[inside] = device(eval(text, {"inside": inside}))
    return _messengers[inside]


def updater(combine: Any, dtype: np.dtype, early_exit: bool) -> Any:
    """``update(values, v, sent, identity) -> changed?``: combine a message in, atomically.

    For one array of 32- or 64-bit elements; ``combine`` is a device function.
    """
    kind, same = dtype.type, sameness((dtype,))

    @device
    def update(values, v, sent, identity):
        old = load(values, v)
        while True:
            if early_exit and not same(old, identity):
                return False
            new = kind(combine(old, sent))
            if same(new, old):
                return False
            found = cas(values, v, old, new)
            if same(found, old):
                return True
            old = found

    return update


def merger(combine: Any, dtypes: tuple[np.dtype, ...]) -> Any:
    """``merge(sums, v, sent, locks)``: combine a message into a sum, atomically.

    One array is updated by compare-and-swap, sums by the GPU's own addition; a tuple of arrays
    under the vertex's lock.
    """
    if len(dtypes) == 1 and combine is translated(ADD.combine) and dtypes[0].char in "ilqLQfd":

        @device
        def added(sums, v, sent, locks):
            add(sums, v, sent)

        return added
    if len(dtypes) == 1:
        update = updater(combine, dtypes[0], False)

        @device
        def one(sums, v, sent, locks):
            update(sums, v, sent, sent)

        return one
    take, put, cast = taker(len(dtypes)), putter(len(dtypes)), caster(dtypes)

    from edgewise.base.cuda.atomics import fence

    @device
    def several(sums, v, sent, locks):
        waiting = True
        while waiting:  # no thread of a warp may spin while another one holds the lock
            if exch(locks, v, np.int32(1)) == 0:
                fence()
                put(sums, v, cast(combine(take(sums, v), sent)))
                fence()
                store(locks, v, np.int32(0))
                waiting = False

    return several
