"""Sorting the elements of a cell by their values: see `color_cells`."""

from __future__ import annotations

from edgewise.operators.helpers import inner

__all__ = ["sort", "swap"]


@inner
def swap(one, i, j):
    """Exchange two elements."""
    u, v = one.elements[i], one.elements[j]
    one.elements[i], one.elements[j] = v, u
    one.place[u], one.place[v] = j, i


@inner
def sort(one, low, high):
    """Heapsort a range of elements by value."""
    count = high - low
    for first in range(count // 2 - 1, -1, -1):
        _sink(one, low, first, count)
    for last in range(count - 1, 0, -1):
        swap(one, low, low + last)
        _sink(one, low, 0, last)


@inner
def _sink(one, low, at, count):
    while True:
        child = 2 * at + 1
        if child >= count:
            return
        value = one.value[one.elements[low + child]]
        if child + 1 < count and one.value[one.elements[low + child + 1]] > value:
            child += 1
            value = one.value[one.elements[low + child]]
        if one.value[one.elements[low + at]] >= value:
            return
        swap(one, low + at, low + child)
        at = child
