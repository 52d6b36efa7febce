"""The messages of a row, reduced: what `rows.Walk` folds in most operators on CUDA."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, translated
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.inner import caller, cast, place_of, put, same, sayer, take
from edgewise.operators.cuda.state import Along
from edgewise.operators.cuda.totals import EVERY_LANE, Totals, joiner
from edgewise.operators.cuda.walk import Walk
from edgewise.operators.functions import MESSAGE_NAMES, Function

__all__ = ["MESSAGE", "Data", "Heard", "columns_of", "flat", "heard_at", "hearing", "keeping",
           "listening",
           "params_of", "some_params"]  # fmt: skip

#: What the device function of a message is called with.
MESSAGE = (*MESSAGE_NAMES, "column", "params")


class Heard(NamedTuple):
    """A message as a device function of `MESSAGE`; have ``value`` and ``own`` columns?"""

    message: Any
    columned: bool = False
    own_columned: bool = False


class Data(NamedTuple):
    """What kernels that reduce messages are given; None for what nobody reads."""

    rows: Any  # indptr, indices, weights, edge ids; they may be `Packed`
    sent: Any
    own: Any
    params: tuple
    identity: Any
    outputs: Any
    width: int = 1


def listening(
    message: Function, rows: Along, values: Any, own: Any, reduce: Any, dtypes: tuple
) -> tuple[Heard, Totals, Data]:
    """A message over rows that reads ``values`` and ``own``, how it is reduced to numbers of these
    types, and the data of a walk, but for its outputs."""
    names = message.names
    sent = values if "value" in names else None
    target = own if "own" in names else None
    said = caller(message.given, names, MESSAGE)
    heard = Heard(said, columns_of(values) > 0, columns_of(target) > 0)
    totals = Totals(translated(reduce.combine), dtypes, reduce.early_exit)
    data = Data(rows.packed, flat(sent), flat(target), params_of(message),
                reduce.identity_for(*dtypes), None, columns_of(values))  # fmt: skip
    return heard, totals, data


def columns_of(values: Any) -> int:
    """The number of columns of a state; 0 for plain ones."""
    return values.shape[1] if getattr(values, "ndim", 1) == 2 else 0


def flat(values: Any) -> Any:
    """A state as kernels see it: one column after the other, row by row."""
    return values.reshape(-1) if columns_of(values) else values


def some_params(params: tuple) -> tuple:
    """The params, or something in the place of none: a kernel takes no empty tuple."""
    return params or (0,)


def params_of(function: Function | None) -> tuple:
    """The params of a function, if there is one."""
    return some_params(() if function is None else function.params)


@cache
def heard_at(heard: Heard) -> Any:
    """``hear(e, row, own, data)``: the message of edge ``e``."""
    say, place = sayer(heard.message), place_of(heard.columned)

    @device
    def hear(e, row, own, data):
        u = data.rows[1][e]
        value = take(data.sent, place(u, row.column, data))
        return say(value, u, e, own, data.rows, row.column, data.params)

    return hear


@cache
def hearing(heard: Heard, totals: Totals) -> Any:
    """The ``fold`` of a `Walk` whose data are `Data`.

    Four totals run side by side, because one alone would wait for each load to end before the next
    could begin; a thread alone has no registers for four tuples. A monoid with early exit stops at
    the first value instead; on a warp all lanes stop when one has a value.
    """
    hear, place = heard_at(heard), place_of(heard.own_columned)
    join, combine = joiner(totals), totals.combine

    @device
    def at(e, row, own, data, total):
        return cast(total, combine(total, cast(total, hear(e, row, own, data))))

    @device
    def every(row, lane, step, data, shared):
        own, identity = take(data.own, place(row.v, row.column, data)), data.identity
        a, b, c, d = identity, identity, identity, identity
        e, high, two = row.low + np.uint64(lane), row.high, step + step
        three, four = two + step, two + two
        while e + three < high:
            a = at(e, row, own, data, a)
            b = at(e + step, row, own, data, b)
            c = at(e + two, row, own, data, c)
            d = at(e + three, row, own, data, d)
            e += four
        if e < high:
            a = at(e, row, own, data, a)
        if e + step < high:
            b = at(e + step, row, own, data, b)
        if e + two < high:
            c = at(e + two, row, own, data, c)
        return join(join(a, b, identity), join(c, d, identity), identity)

    @device
    def in_turn(row, lane, step, data, shared):
        own, total = take(data.own, place(row.v, row.column, data)), data.identity
        e = row.low + np.uint64(lane)
        while e < row.high:
            total = at(e, row, own, data, total)
            e += step
        return total

    def until(some: Any) -> Any:
        """Stop where ``some`` of those who go along have a value."""

        @device
        def found(row, lane, step, data, shared):
            own, total = take(data.own, place(row.v, row.column, data)), data.identity
            e = row.low + np.uint64(lane)
            while some(e < row.high):
                if e < row.high:
                    total = at(e, row, own, data, total)
                if some(not same(total, data.identity)):
                    break
                e += step
            return total

        return found

    alone = until(device(lambda mine: mine))
    by_warp = until(device(lambda mine: cuda.any_sync(EVERY_LANE, mine)))

    def fold(lanes: int) -> Any:
        if not totals.early_exit:
            return in_turn if lanes == 1 and len(totals.dtypes) > 1 else every
        return by_warp if lanes == 32 and not simulated() else alone

    return fold


@cache
def keeping(heard: Heard, totals: Totals) -> Walk:
    """The walk that puts the total of every row into the outputs."""
    place = place_of(heard.columned)

    @device
    def settle(row, total, so_far, data):
        put(data.outputs, place(row.v, row.column, data), total)
        return so_far

    return Walk(hearing(heard, totals), totals, settle, columned=heard.columned)
