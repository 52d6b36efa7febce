"""Greedy coloring in rounds [1]: every vertex whose earlier neighbors all have colors takes one.

The colors are those of a sequential pass in the same order. O(n + m) work, in as many rounds as the
longest chain of neighbors that follow one another in the order.

[1] M. Jones, P. Plassmann. A parallel graph coloring heuristic. SIAM J. Sci. Comput. 1993.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, advance, filter, reduce_neighbors

__all__ = ["color_in_rounds"]


def color_in_rounds(graph: AnyGraph, positions: Any) -> Any:
    """Return the colors of a greedy pass in an order, given as positions, as int64.

    >>> from edgewise.generators import path
    >>> color_in_rounds(path(4), np.array([0, 2, 3, 1])).tolist()
    [0, 1, 2, 0]

    waits[v] is the number of earlier neighbors without a color. Messages that reach v later come
    from later neighbors, and are not counted.
    """
    color, waits = graph.full(-1, np.int64), graph.full(0, np.int64)
    reduce_neighbors(graph, None, _comes_first, positions, reduce=ADD, out=waits)
    ready = filter(graph, None, _waits_for_none, waits)
    choice = {"key": color, "choose": "absent", "out": (color, None)}
    while not ready.empty():
        reduce_neighbors(graph, ready, None, color, **choice)
        reached = advance(graph, ready, _one_less, waits, reduce=ADD, where=_is_waiting)
        ready = filter(graph, reached, _waits_for_none, waits)
    return color


def _comes_first(value, own):
    return np.int64(value < own)


def _one_less():
    return -1


def _is_waiting(value):
    return value > 0


def _waits_for_none(v, waits):
    return waits[v] == 0
