"""Greedy coloring in rounds [1]: every vertex whose earlier neighbors all have colors takes one.

The colors are those of a sequential pass in the same order. O(n + m) work, in as many rounds as the
longest chain of neighbors that follow one another in the order.

Colors are given in windows of 64, the bits of a word, by one `propagate` each, which runs all of
its rounds inside the engine. A vertex that is no longer waiting sends its color as a bit. A vertex
whose window is full sends no bit, and takes part in the next window.

[1] M. Jones, P. Plassmann. A parallel graph coloring heuristic. SIAM J. Sci. Comput. 1993.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.bits import lowest_bit
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import (
    ADD,
    OR,
    Monoid,
    compute,
    filter,
    propagate,
    reduce_neighbors,
)

__all__ = ["color_in_rounds"]


def color_in_rounds(graph: AnyGraph, positions: Any, members: Any = None) -> Any:
    """Return the colors of a greedy pass in an order, given as positions, as int64.

    With ``members``, a frontier of the first vertices of the order, only these are colored. All
    others have the color -1.

    >>> from edgewise.generators import path
    >>> color_in_rounds(path(4), np.array([0, 2, 3, 1])).tolist()
    [0, 1, 2, 0]

    waits[v] is the number of earlier neighbors that have neither a color nor a full window.
    Messages that reach v later come from later neighbors, and are not counted. turn[v] is the
    position of v, and a number beyond all positions once v has a color.
    """
    color, turn = graph.full(-1, np.int64), positions.astype(np.int64)
    waits, taken = graph.full(0, np.int64), graph.full(0, np.int64)
    waiting, first = filter(graph, members, _is_uncolored, color), 0
    while not waiting.empty():
        reduce_neighbors(graph, waiting, _comes_first, turn, reduce=ADD, out=waits)
        ready = filter(graph, waiting, _waits_for_none, waits)
        propagate(graph, ready, _color_bit, (waits, taken), reduce=_COUNT_AND_MARK,
                  where=_is_waiting, wake=_has_all)  # fmt: skip
        compute(graph, waiting, _take_color, (color, turn, taken, first, graph.num_vertices))
        waiting, first = filter(graph, waiting, _is_uncolored, color), first + 64
    return color


def _combine(old, new):
    return old[0] + new[0], old[1] | new[1]


_COUNT_AND_MARK = Monoid((0, "zeros"), _combine, parts=(ADD, OR))


def _comes_first(value, own):
    return np.int64(value < own)


def _waits_for_none(v, waits):
    return waits[v] == 0


def _color_bit(value):
    """The lowest bit that is free, which is none in a full word."""
    return -1, ~value[1] & (value[1] + 1)


def _is_waiting(value):
    return value[0] > 0


def _has_all(value):
    return value[0] == 0


def _take_color(v, color, turn, taken, first, end):
    if taken[v] != -1:
        color[v] = first + lowest_bit(~taken[v])
        turn[v] = end
    taken[v] = 0


def _is_uncolored(v, color):
    return color[v] < 0
