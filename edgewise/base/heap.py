"""Binary heaps in arrays, for every engine.

`binary_heap` makes the two moves of a heap from the functions that `edgewise.base.insertion` takes,
too: the first item comes before all others, and those at places 2 i + 1 and 2 i + 2 never come
before the one at place i. `indexed_heap` is one of numbers that know their places.

>>> from edgewise.base.insertion import is_less, read, write
>>> rise, sink = binary_heap(is_less, read, write, lambda function: function)
>>> values = [0] * 5
>>> for size, value in enumerate([5, 3, 8, 1, 4]):
...     rise(values, size, value)
>>> values[0], sink(values, 0, 4, values[4]), values[0]
(1, None, 3)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["Heap", "binary_heap", "indexed_heap"]

_0, _1 = np.uint64(0), np.uint64(1)


class Heap(NamedTuple):
    """The moves of a heap.

    ``rise(data, at, item)`` puts an item at place ``at``, or above it, where it belongs.
    ``sink(data, at, size, item)`` puts one at place ``at``, or below it, in a heap of ``size``.
    """

    rise: Any
    sink: Any


def binary_heap(before: Any, read: Any, write: Any, compiled: Any) -> Heap:
    """Return the moves of a heap in ``data``, whatever that is: an array, or several.

    ``before(data, item, other)`` tells whether an item comes before another, ``read(data, i)`` is
    the item at place i, a uint64, and ``write(data, i, item)`` puts one there. ``compiled`` is the
    decorator by which an engine compiles functions, see `edgewise.base.bisection`.
    """
    comes_before, item_at, put = compiled(before), compiled(read), compiled(write)

    @compiled
    def rise(data, at, item):
        place = np.uint64(at)
        while place > _0:
            above = (place - _1) >> _1
            other = item_at(data, above)
            if not comes_before(data, item, other):
                break
            put(data, place, other)
            place = above
        put(data, place, item)

    @compiled
    def sink(data, at, size, item):
        place, end = np.uint64(at), np.uint64(size)
        below = place + place + _1
        while below < end:
            child = item_at(data, below)
            if below + _1 < end:
                other = item_at(data, below + _1)
                if comes_before(data, other, child):
                    below, child = below + _1, other
            if not comes_before(data, child, item):
                break
            put(data, place, child)
            place, below = below, below + below + _1
        put(data, place, item)

    return Heap(rise, sink)


def indexed_heap(compiled: Any) -> Heap:
    """Return the moves of a heap of numbers, of least keys first: ``data`` is (heap, place, key).

    ``heap[i]`` is the number at place i, ``place[c]`` is where c is, and ``key[c]`` is its key.
    """
    return binary_heap(_has_less, _number_at, _note, compiled)


def _has_less(data, item, other):
    return data[2][item] < data[2][other]


def _number_at(data, i):
    return data[0][i]


def _note(data, i, item):
    data[0][i], data[1][item] = item, i
