"""Sorting a few items in place, for every engine: by insertion, by Shell's longer steps before.

`insertion` makes a sort from three functions of what the items are in: one tells which of two comes
first, two read and write an item. `is_less`, `read` and `write` are these functions for an array
of numbers; `read_pair` and `write_pair` are for items of two arrays, of which `has_more` compares
the first numbers. Like `edgewise.base.bisection` it takes the decorator by which an engine compiles
functions. Many numbers are for `edgewise.base.cpu.sort`.

>>> insert, sort = insertion(is_less, read, write, lambda function: function)
>>> values = [5, 3, 8, 1, 4]
>>> sort(values, 0, 5)
>>> values
[1, 3, 4, 5, 8]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["Insertion", "Items", "has_more", "insertion", "is_less", "read", "read_pair", "write",
           "write_pair"]  # fmt: skip

#: More items than this are brought near their places by longer steps first.
_FEW = np.uint64(32)
_1, _5, _11 = np.uint64(1), np.uint64(5), np.uint64(11)


class Items(NamedTuple):
    """Items to be sorted: their keys, and what goes along with each, or None."""

    keys: np.ndarray
    payload: Any


class Insertion(NamedTuple):
    """Sorts by insertion.

    ``insert(data, low, at, item)`` puts an item in its place among those at ``low`` to ``at - 1``,
    which are in order, behind all that it does not come before; it returns the place.
    ``sort(data, low, high)`` sorts the items at ``low`` to ``high - 1``; equal ones stay in their
    order if there are no more than 32.
    """

    insert: Any
    sort: Any


def insertion(before: Any, read: Any, write: Any, compiled: Any) -> Insertion:
    """Return the sorts of items in ``data``, whatever that is: an array, or several.

    ``before(data, item, other)`` tells whether an item comes before another, ``read(data, i)`` is
    the item at place i, a uint64, and ``write(data, i, item)`` puts one there.
    """
    comes_before, item_at, put = compiled(before), compiled(read), compiled(write)

    @compiled
    def put_back(data, low, at, step, item):
        """Put an item among those ``step`` apart; all numbers are unsigned: none is negative."""
        first = low + step
        while at >= first:
            other = item_at(data, at - step)
            if not comes_before(data, item, other):
                break
            put(data, at, other)
            at -= step
        put(data, at, item)
        return at

    @compiled
    def insert(data, low, at, item):
        return np.int64(put_back(data, np.uint64(low), np.uint64(at), _1, item))

    @compiled
    def sort(data, low, high):
        begin, end = np.uint64(low), np.uint64(high)
        step = end - begin
        while step > _1:
            step = step * _5 // _11 if step > _FEW else _1
            at = begin + step
            while at < end:
                put_back(data, begin, at, step, item_at(data, at))
                at += _1

    return Insertion(insert, sort)


def is_less(values, item, other):
    """Is a number less than another? One that is not a number is the greatest, as in NumPy."""
    return item < other or (other != other and item == item)


def has_more(arrays, item, other):
    """Is the first number of an item greater than that of another?"""
    return item[0] > other[0]


def read(values, i):
    """The number at a place."""
    return values[i]


def write(values, i, item):
    """Put a number at a place."""
    values[i] = item


def read_pair(arrays, i):
    """The item at a place of two arrays."""
    return arrays[0][i], arrays[1][i]


def write_pair(arrays, i, item):
    """Put an item at a place of two arrays."""
    arrays[0][i], arrays[1][i] = item
