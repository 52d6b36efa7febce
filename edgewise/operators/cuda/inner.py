"""Small device functions that the kernels of several operators share, made for given arguments.

What a kernel reads may be one array, a tuple of two to four, or nothing (`arity` says which: 1,
2 to 4, or 0); the makers here give device functions for one arity and its element types. They are
plain Python underneath, so the simulator runs them too.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add, bit_or, cas, fence, load, store
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, translated
from edgewise.operators.fitting import register, whole
from edgewise.operators.monoids import ADD, Monoid

if not simulated():
    from numba.cuda.core.errors import TypingError  # type: ignore[import-untyped]
    from numba.cuda.extending import overload  # type: ignore[attr-defined]

    register(overload, TypingError)

__all__ = ["arity", "caller", "caster", "changer", "dtypes_of", "each", "edge_reader", "has_bit",
           "merger", "place_of", "putter", "sameness", "sayer", "set_bit", "taker", "updater",
           "weight_reader"]  # fmt: skip


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
    if count < 2:
        return device((lambda values, i: values[i]) if count else (lambda values, i: 0))
    return each(count, lambda k: device(lambda values, i: values[k][i]))


@cache
def putter(count: int) -> Any:
    """``put(values, i, new)``: store what `taker`'s function gives."""
    if count == 1:

        @device
        def put(values, i, new):
            values[i] = new

        return put
    return _put_from(0, count)


def _put_from(k: int, count: int) -> Any:
    """Store the members from ``k`` on."""
    rest = _put_from(k + 1, count) if k + 1 < count else device(lambda values, i, new: None)

    @device
    def put(values, i, new):
        values[k][i] = new[k]
        rest(values, i, new)

    return put


@cache
def caster(dtypes: tuple[np.dtype, ...]) -> Any:
    """``cast(new)``: a number, or a tuple of numbers, in these types."""
    kinds = [_converter(dtype) for dtype in dtypes]
    if len(kinds) == 1:
        return kinds[0]

    def one(k: int) -> Any:
        kind = kinds[k]
        return device(lambda new: kind(new[k]))

    return each(len(kinds), one)


@cache
def _converter(dtype: np.dtype) -> Any:
    kind = dtype.type
    return device((lambda new: kind(new)) if dtype.kind == "f" else (lambda new: kind(whole(new))))


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
def sameness(dtypes: tuple[np.dtype, ...]) -> Any:
    """``same(a, b)``: equal, where a NaN equals a NaN."""
    if len(dtypes) == 1:
        if dtypes[0].kind == "f":
            return device(lambda a, b: a == b or (a != a and b != b))
        return device(lambda a, b: a == b)
    last = len(dtypes) - 1
    first, equal = sameness(dtypes[:1]), sameness(dtypes[-1:])
    before = sameness(dtypes[:-1]) if last > 1 else device(lambda a, b: first(a[0], b[0]))
    return device(lambda a, b: before(a, b) and equal(a[last], b[last]))


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


_callers: dict[Any, Any] = {}


def caller(function: Any, names: tuple[str, ...], given: tuple[str, ...]) -> Any:
    """A user's function of ``names`` as a device function of all that is ``given`` by position.

    Where ``"params"`` is given, a tuple, the names that are not given are its members, in order.
    """
    inside = translated(function)
    if (inside, names, given) not in _callers:
        others = [name for name in names if name not in given]
        chosen = _choosing(
            inside,
            tuple(
                (given.index(name), -1) if name in given
                else (given.index("params"), others.index(name))
                for name in names
            ),
        )  # fmt: skip
        _callers[inside, names, given] = device(lambda *every: chosen(every))
    return _callers[inside, names, given]


def _choosing(inside: Any, places: tuple[tuple[int, int], ...]) -> Any:
    """``call(every)``: call a device function with the members of a tuple at these places.

    Each step adds one argument: a device function may pass arrays on, but return none.
    """
    if not places:
        return device(lambda every, *chosen: inside(*chosen))
    (place, within), rest = places[0], _choosing(inside, places[1:])
    if within < 0:
        return device(lambda every, *chosen: rest(every, *chosen, every[place]))
    return device(lambda every, *chosen: rest(every, *chosen, every[place][within]))


@cache
def sayer(message: Any, weighted: bool, mapped: bool) -> Any:
    """``say(value, u, e, own, rows, ...)``: the message along an edge of rows, and what else it is
    called with."""
    weight, edge = weight_reader(weighted), edge_reader(mapped)
    return device(
        lambda value, u, e, own, rows, *others: message(
            value, weight(rows[2], e), np.int64(u), edge(rows[3], e), own, *others
        )
    )


@cache
def changer(combine: Any, dtype: np.dtype) -> Any:
    """``change(values, v, old, sent) -> (new, changed?)``: combine a message in, atomically.

    For one array of 32- or 64-bit elements; ``combine`` is a device function. ``old`` is what the
    array was seen to hold: if it is not so any more, the exchange fails and tells the latest.
    """
    kind, same = dtype.type, sameness((dtype,))

    @device
    def change(values, v, old, sent):
        while True:
            new = kind(combine(old, sent))
            if same(new, old):
                return new, False
            found = cas(values, v, old, new)
            if same(found, old):
                return new, True
            old = found

    return change


@cache
def updater(combine: Any, dtype: np.dtype) -> Any:
    """``update(values, v, old, sent)``: did what `changer` does change anything?"""
    change = changer(combine, dtype)
    return device(lambda values, v, old, sent: change(values, v, old, sent)[1])


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
        change = changer(combine, dtypes[0])

        @device
        def one(sums, v, sent, locks):
            change(sums, v, load(sums, v), sent)

        return one
    if parts and all(dtype.itemsize >= 4 for dtype in dtypes):
        each_one = zip(parts, dtypes, strict=True)
        return _apart([merger(translated(one.combine), (dtype,)) for one, dtype in each_one], 0)
    return _locked(combine, dtypes)


def _locked(combine: Any, dtypes: tuple[np.dtype, ...]) -> Any:
    """`merger` of sums that one instruction cannot exchange.

    A lock counts what happened at its vertex: it is odd while somebody writes, and who finds it as
    it was has read what belongs together. A message that changes nothing takes no lock, so very
    many threads may have one for the same vertex.
    """
    take, put, cast = taker(len(dtypes)), putter(len(dtypes)), caster(dtypes)
    same = sameness(dtypes)

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
                    total = cast(combine(held, sent))
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
