"""Compiled functions on the elements of several arrays, for any number of them, by recursion.

One array stands for its numbers, several for tuples of numbers: as in the operators' contracts.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cache import inner
from edgewise.operators.fitting import whole

__all__ = ["caster", "putter", "sameness", "some", "taker", "takes"]


@cache
def taker(width: int) -> Any:
    """``take(arrays, i)``: the element of the only array, or the tuple of those of all."""
    return inner(lambda arrays, i: arrays[0][i]) if width == 1 else takes(width)


@cache
def takes(width: int) -> Any:
    """``take(arrays, i)``: always the tuple, also of one or of none."""
    if width == 0:
        return inner(lambda arrays, i: ())
    last, before = width - 1, takes(width - 1)
    return inner(lambda arrays, i: (*before(arrays, i), arrays[last][i]))


@cache
def caster(kinds: tuple) -> Any:
    """``cast(new)``: a number, or a tuple of numbers, in these types."""
    return _converter(kinds[0]) if len(kinds) == 1 else _casts(kinds)


@cache
def _converter(kind: Any) -> Any:
    return inner((lambda new: kind(new)) if np.dtype(kind).kind == "f" else (
        lambda new: kind(whole(new))))  # fmt: skip


@cache
def _casts(kinds: tuple) -> Any:
    if not kinds:
        return inner(lambda new: ())
    last, kind, before = len(kinds) - 1, _converter(kinds[-1]), _casts(kinds[:-1])
    return inner(lambda new: (*before(new), kind(new[last])))


@cache
def some(width: int, first: int) -> Any:
    """Of a tuple so many members from ``first`` on, as `taker` gives them."""
    last = first + width
    return inner((lambda every: every[first]) if width == 1 else (lambda every: every[first:last]))


@cache
def putter(width: int) -> Any:
    """``put(arrays, i, new)``: store what `taker`'s function gives."""
    return inner(_put_one) if width == 1 else _puts(width)


@cache
def _puts(width: int) -> Any:
    last = width - 1
    if last < 0:
        return inner(_put_nothing)
    before = _puts(last)

    def put(arrays, i, new):
        before(arrays, i, new)
        arrays[last][i] = new[last]

    return inner(put)


def _put_one(arrays, i, new):
    arrays[0][i] = new


def _put_nothing(arrays, i, new):
    return


@cache
def sameness(width: int) -> Any:
    """``same(new, old)``: equal, where a NaN equals a NaN."""
    return inner(_same) if width == 1 else _all_same(width)


@cache
def _all_same(width: int) -> Any:
    last, same = width - 1, sameness(1)
    if last == 0:
        return inner(lambda new, old: same(new[0], old[0]))
    before = _all_same(last)
    return inner(lambda new, old: before(new, old) and same(new[last], old[last]))


def _same(new, old):
    return new == old or (new != new and old != old)
