"""Bisection in ascending data, for every engine.

`bisection` makes a search from a function that tells which places come before what is wanted, and
`galloping` one whose steps double first, for what is near. Both take the decorator by which an
engine compiles functions: `inner` of `edgewise.base.cache` (algorithms have it from
`edgewise.operators.helpers`) or `device` of `edgewise.base.cuda.kernels`. `searches` makes those in
plain arrays; each engine has them, in `edgewise.base.cpu.bisection` and
`edgewise.base.cuda.bisection`.

>>> lower_bound, upper_bound, row_of, first_from = searches(lambda function: function)
>>> ids = [2, 3, 3, 7]
>>> [int(search(ids, 0, 4, 3)) for search in (lower_bound, upper_bound, first_from)]
[1, 3, 1]
>>> [int(row_of([0, 2, 2, 5], 0, 3, place)) for place in range(5)]
[0, 0, 2, 2, 2]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["Searches", "bisection", "galloping", "searches"]

_1 = np.uint64(1)


class Searches(NamedTuple):
    """Searches in ``values[low:high]``, which ascend: each takes (values, low, high, wanted)."""

    lower_bound: Any  # the first place whose value is not below
    upper_bound: Any  # the first place whose value is above
    row_of: Any  # of rows that begin at these values, the one that holds a place; the last beyond
    first_from: Any  # `lower_bound`, soon found if it is near ``low``


def searches(compiled: Any) -> Searches:
    """Return the searches in plain arrays, compiled for an engine."""
    upper_bound = bisection(_up_to, compiled)

    @compiled
    def row_of(starts, low, high, place):
        return upper_bound(starts, np.uint64(low) + _1, high, place) - np.int64(1)

    return Searches(bisection(_below, compiled), upper_bound, row_of, galloping(_below, compiled))


def bisection(before: Any, compiled: Any) -> Any:
    """Return ``first(data, low, high, wanted)``: the first place that does not come before.

    It is the first of ``low`` to ``high - 1`` for which ``before(data, place, wanted)`` is false,
    as it must be for all places that follow; ``high`` if there is none. Places are uint64 there.
    """
    comes_before = compiled(before)

    @compiled
    def first(data, low, high, wanted):
        begin, end = np.uint64(low), np.uint64(high)  # unsigned: no place is taken for negative
        while begin < end:
            middle = (begin + end) >> _1
            if comes_before(data, middle, wanted):
                begin = middle + _1
            else:
                end = middle
        return np.int64(begin)

    return first


def galloping(before: Any, compiled: Any, stride: int = 1) -> Any:
    """Return a search as `bisection` does, by steps of ``stride``, and so on doubled, at first.

    Where one thing after the other is looked for, from where the last one was, most are near.
    """
    comes_before, bisect, least = compiled(before), bisection(before, compiled), np.uint64(stride)

    @compiled
    def first(data, low, high, wanted):
        begin, end, step = np.uint64(low), np.uint64(high), least
        if begin >= end or not comes_before(data, begin, wanted):
            return np.int64(begin)
        while begin + step < end and comes_before(data, begin + step, wanted):
            begin += step
            step += step
        return bisect(data, begin + _1, min(begin + step, end), wanted)

    return first


def _below(values, place, wanted):
    return values[place] < wanted


def _up_to(values, place, wanted):
    return values[place] <= wanted
