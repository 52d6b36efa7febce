"""Small device functions that the kernels of several operators share, made for given arguments.

What a kernel reads may be one array, a tuple of two to four, or None: see `elements`. All are plain
Python underneath, so the simulator runs them too.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add, bit_or, cas, fence, load, store
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, translated
from edgewise.operators import element_access
from edgewise.operators.fitting import register
from edgewise.operators.functions import calling
from edgewise.operators.monoids import ADD, Monoid

__all__ = ["caller", "cast", "changer", "dtypes_of", "each", "edge_at", "has_bit", "merger",
           "place_of", "put", "same", "sayer", "set_bit", "take", "weight_at"]  # fmt: skip

if simulated():
    overload, error = (lambda function: lambda typed: typed), TypeError  # nothing is compiled
else:
    from numba.cuda.core import errors  # type: ignore[import-untyped]
    from numba.cuda.extending import overload  # type: ignore[attr-defined,no-redef]

    error = errors.TypingError

take, put = element_access.access(overload)
cast, same = element_access.casting(overload, error), element_access.sameness(overload)
weight_at, edge_at = element_access.edge_access(overload)
if not simulated():
    register(overload, error, take, put, cast)


def dtypes_of(values: Any) -> tuple[np.dtype, ...]:
    """The element types of an array or of a tuple of arrays."""
    several = values if isinstance(values, tuple) else (values,)
    return tuple(np.dtype(one.dtype) for one in several)


def each(count: int, one: Any, first: int = 0) -> Any:
    """A device function that gives the tuple of what ``one(k)``, for each k, gives."""
    if count == 0:
        return device(lambda *args: ())
    here = one(first)
    if first + 1 == count:
        return device(lambda *args: (here(*args),))
    rest = each(count, one, first + 1)
    return device(lambda *args: (here(*args), *rest(*args)))


@cache
def place_of(columned: bool) -> Any:
    """``place(v, column, data)``: where a vertex has its number of a column."""
    if columned:
        return device(
            lambda v, column, data: np.uint64(v) * np.uint64(data.width) + np.uint64(column)
        )
    return device(lambda v, column, data: v)


@device
def has_bit(bitmap, v):
    """Is a vertex in a bitmap of 32-bit words?"""
    return (bitmap[v >> np.uint64(5)] >> np.uint32(v & np.uint64(31))) & np.uint32(1) != 0


@device
def set_bit(bitmap, v):
    """Put a vertex into a bitmap, atomically."""
    bit_or(bitmap, v >> np.uint64(5), np.uint32(1) << np.uint32(v & np.uint64(31)))


def caller(function: Any, names: tuple[str, ...], given: tuple[str, ...]) -> Any:
    """`calling` of a user's function as a device function."""
    return calling(translated(function), names, given, device)


@cache
def sayer(message: Any) -> Any:
    """``say(value, u, e, own, rows, ...)``: the message along an edge of rows, and what else it is
    called with."""
    return device(
        lambda value, u, e, own, rows, *others: message(
            value, weight_at(rows[2], e), np.int64(u), edge_at(rows[3], e), own, *others
        )
    )


@cache
def changer(combine: Any, early_exit: bool = False) -> Any:
    """``change`` of `element_access.changer` on CUDA, for elements of 32 or 64 bits."""
    return element_access.changer(combine, early_exit, same, _swap, device)


@device
def _swap(values, v, old, new):
    """Exchange an element if it is as it was: (was it? what was there)."""
    found = cas(values, v, old, new)
    return same(found, old), found


def merger(combine: Any, dtypes: tuple[np.dtype, ...], parts: tuple[Monoid, ...] = ()) -> Any:
    """``merge(sums, v, sent, locks)``: combine a message into a sum, atomically.

    One array is updated by compare-and-swap, sums by the GPU's own addition; so is each of a tuple
    whose ``parts`` are known. Another tuple of arrays, and types of less than 32 bits, are under
    the vertex's lock.
    """
    if len(dtypes) == 1 and dtypes[0].char in "ilqLQfd" and combine is translated(ADD.combine):

        @device
        def added(sums, v, sent, locks):
            if sent != 0:
                add(sums, v, sent)

        return added
    if len(dtypes) == 1 and dtypes[0].itemsize >= 4:
        change = changer(combine)

        @device
        def one(sums, v, sent, locks):
            change(sums, v, load(sums, v), sent, sent)

        return one
    if parts and all(dtype.itemsize >= 4 for dtype in dtypes):
        each_one = zip(parts, dtypes, strict=True)
        return _apart([merger(translated(one.combine), (dtype,)) for one, dtype in each_one], 0)
    return _locked(combine)


def _locked(combine: Any) -> Any:
    """`merger` of sums that one instruction cannot exchange.

    A lock counts what happened at its vertex: it is odd while somebody writes, and who finds it as
    it was has read what belongs together. A message that changes nothing takes no lock, so very
    many threads may have one for the same vertex.
    """

    @device
    def several(sums, v, sent, locks):
        waiting = True
        while waiting:  # no thread of a warp may spin while another one holds the lock
            turn = load(locks, v)
            if turn & 1 == 0:
                fence()
                held = take(sums, v)
                fence()
                if load(locks, v) == turn:
                    total = cast(sums, combine(held, sent))
                    if same(total, held):
                        waiting = False
                    elif cas(locks, v, turn, np.int32(turn + 1)) == turn:
                        put(sums, v, total)
                        fence()
                        store(locks, v, np.int32(turn + 2))
                        waiting = False

    return several


def _apart(mergers: list[Any], k: int) -> Any:
    """Combine the members of a message from ``k`` on, each for itself, into the sums."""
    merge = mergers[k]
    if k + 1 == len(mergers):
        return device(lambda sums, v, sent, locks: merge(sums[k], v, sent[k], locks))
    rest = _apart(mergers, k + 1)

    @device
    def merged(sums, v, sent, locks):
        merge(sums[k], v, sent[k], locks)
        rest(sums, v, sent, locks)

    return merged
