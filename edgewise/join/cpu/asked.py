"""What one left set asks for: how much another one must share with it, by its size.

What a pair must share is convex in the size of the other set: the sizes for which a given rest is
enough are a range, which shrinks along the prefix.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.bisection import bisection
from edgewise.base.cache import inlined, inner

__all__ = ["Ask", "bound_of", "depth_of", "need_of", "sizes_of"]


class Ask(NamedTuple):
    """One left set that asks, for sets of ``low`` to ``high`` elements.

    A set of ``n`` elements must share ``share * (size + n) - spare * min(size, n)``.
    """

    me: int  #: the thread
    one: int
    size: int
    low: int
    high: int
    share: float
    spare: float
    slack: float  #: for rounding


@inlined
def need_of(ask, size):
    """What a set of this size must share at the least, but for shifts and rounding."""
    return ask.share * (ask.size + size) - ask.spare * min(ask.size, size) - ask.slack


@inlined
def bound_of(ask, size, shared):
    """The highest score of a pair that shares so much."""
    weight = (shared + ask.spare * min(ask.size, size)) / (ask.spare + 1.0)
    return weight / (ask.size + size - weight)


@inner
def sizes_of(ask, rest):
    """The sizes in the range asked for to which ``rest`` is enough, as (least, most)."""
    size, share, spare = ask.size, ask.share, ask.spare
    low, high = ask.low, np.float64(ask.high)
    above = (rest - (share - spare) * size) / share  # of sizes not below `size`
    if above >= size:
        most = np.int64(min(np.floor(above), high))
    elif share > spare:
        below = np.floor((rest - share * size) / (share - spare))
        most = np.int64(max(min(below, high), -1.0))
    else:
        return np.int64(1), np.int64(0)
    if share < spare:
        least = np.ceil((share * size - rest) / (spare - share))
        low = np.int64(min(max(least, np.float64(low)), high + 1.0))
    return low, most


def _is_searched(ranges, place, size):
    return ranges[0][place] <= size <= ranges[1][place]


#: How many places of the prefix were searched for sets of a size: the ranges are nested.
depth_of = bisection(_is_searched, inner)
