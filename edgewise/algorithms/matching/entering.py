"""A row enters a bipartite matching: the step of `maximum_weight_bipartite`, and of joins."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.heap import indexed_heap
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import stopped

__all__ = ["Assignment", "PathSearch", "entering"]


class Assignment(NamedTuple):
    """A matching of rows and columns, and their prices."""

    mate: Any
    mate_of_column: Any
    u: Any  # prices of rows
    v: Any  # prices of columns


class PathSearch(NamedTuple):
    """Arrays over columns, for a search of the cheapest augmenting path.

    ``heap[:size]`` are the columns that the search has seen, by their distances.
    """

    distance: Any
    via: Any  # the row from which a column was seen
    heap: Any
    place: Any  # in the heap; -1: not seen, -2: passed
    passed: Any


_rise, _sink = indexed_heap(inner)


@cache
def entering(edges_of: Callable[..., Any]) -> Any:
    """Return the step, for a graph whose edges stand in ``indices`` and ``worth``.

    ``edges_of(row, graph, floor)`` gives more of a row's edges than those above ``floor``, infinite
    at first: where they begin and end, and the floor now. All edges that weigh more are among them,
    and if the floor is -inf all there are. They need not be there before, nor after the next are
    asked for.
    """

    @inner
    def enter(control, i, graph, indices, worth, full, assignment, search):
        """Let row i in: by how much the greatest weight grows; -inf if it is in no matching that
        has all rows before it, and must be (``full``), nan if stopped.

        Arrays may be longer than there are rows or columns.
        """
        mate, mate_of_column, u, v = assignment
        distance, via, heap, place, passed = search
        u[i] = -np.inf if full else 0.0
        floor = np.inf
        while floor > u[i]:
            low, high, floor = edges_of(i, graph, floor)
            for e in range(low, high):
                u[i] = max(u[i], worth[e] - v[indices[e]])
        size, count, row, here = 0, 0, np.int64(i), 0.0
        cost, column, leaves = np.inf, np.int64(-1), np.int64(-1)  # of the way, and where it ends
        while True:
            if not full and here + u[row] < cost:
                cost, column, leaves = here + u[row], np.int64(-1), row
            floor = np.inf
            while floor > u[row] + here - cost:  # what is lighter is no way that costs less
                low, high, floor = edges_of(row, graph, floor)
                for e in range(low, high):
                    c = np.int64(indices[e])
                    there = here + max(u[row] + v[c] - worth[e], 0.0)
                    if place[c] == -2 or not there < min(distance[c], cost) or not (
                        full or worth[e] > 0.0
                    ):  # fmt: skip
                        continue
                    via[c] = row
                    if mate_of_column[c] < 0:
                        cost, column, leaves = there, c, np.int64(-1)
                        continue
                    at, distance[c] = place[c], there
                    if at < 0:
                        at = size
                        size += 1
                    _rise((heap, place, distance), at, c)
            if size == 0 or distance[heap[0]] >= cost:
                break
            c, size = heap[0], size - 1
            if size > 0:
                _sink((heap, place, distance), 0, size, heap[size])
            place[c], passed[count] = -2, c
            row, here, count = mate_of_column[c], distance[c], count + 1
            if count % 64 == 0 and stopped(control):
                return np.nan
        if cost == np.inf:
            return -np.inf
        u[i] -= cost
        gain = u[i]
        for k in range(count):
            c = passed[k]
            v[c] += cost - distance[c]
            u[mate_of_column[c]] -= cost - distance[c]
            distance[c], place[c] = np.inf, -1
        for k in range(size):
            distance[heap[k]], place[heap[k]] = np.inf, -1
        if leaves >= 0:
            column, mate[leaves] = mate[leaves], -1
        while column >= 0:  # every row on the way takes the column that it came to next
            row = via[column]
            mate_of_column[column] = row
            column, mate[row] = mate[row], column
        return gain

    return enter
