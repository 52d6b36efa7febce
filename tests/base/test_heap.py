"""Heaps against Python's `heapq`, compiled and plain."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

from edgewise.base.cache import inner, kernel
from edgewise.base.heap import binary_heap, indexed_heap
from edgewise.base.insertion import is_less, read, read_pair, write, write_pair
from edgewise.base.threads import launch

LEAST, MOST = np.iinfo(np.int64).min, np.iinfo(np.int64).max
ROWS = [
    [],
    [4],
    [2, 2, 2, 2],
    [MOST, 0, LEAST, MOST, LEAST, -1],
    [*range(50)],
    [*range(50, 0, -1)],
    np.random.default_rng(0).integers(-20, 20, 300).tolist(),
]


def plain(function):
    return function


def drained(values, heap, data):
    """All values as the heap gives them; ``data`` is an array of their number."""
    found, size = [], 0
    for value in values:
        heap.rise(data, size, value)
        size += 1
    while size > 0:
        found.append(data[0])
        size -= 1
        if size > 0:
            heap.sink(data, 0, size, data[size])
    return found


@pytest.mark.parametrize("row", ROWS)
def test_plain(row):
    heap = binary_heap(is_less, read, write, plain)
    assert drained(row, heap, [0] * len(row)) == sorted(row)


RISE, SINK = binary_heap(is_less, read, write, inner)


@kernel
def drain(me, team, control, values, data, found):
    for i in range(len(values)):
        RISE(data, i, values[i])
    for i in range(len(values)):
        found[i] = data[0]
        size = len(values) - 1 - i
        if size > 0:
            SINK(data, 0, size, data[size])


@pytest.mark.parametrize("row", ROWS)
def test_compiled(row):
    values = np.array(row, np.int64)
    found = np.empty_like(values)
    launch(drain, values, np.empty_like(values), found, team=1)
    assert found.tolist() == sorted(row)


def test_numbers_that_are_none_come_last():
    values = np.array([3.0, np.nan, -np.inf, np.inf, np.nan, 0.0])
    found = np.empty_like(values)
    launch(drain, values, np.empty_like(values), found, team=1)
    assert np.array_equal(found, np.sort(values), equal_nan=True)


@pytest.mark.parametrize("size", [1, 2, 7, 64])
def test_the_greatest_of_many(size):
    """A heap whose first is replaced whenever a greater one comes, as in `heapq.nlargest`."""
    values = np.random.default_rng(size).integers(0, 1000, 500).tolist()
    heap, kept = binary_heap(is_less, read, write, plain), [-1] * size
    for value in values:
        if value > kept[0]:
            heap.sink(kept, 0, size, value)
    assert sorted(kept, reverse=True) == heapq.nlargest(size, values)


def is_farther(data, item, other):
    return item[0] > other[0]


def test_items_of_two_arrays():
    sink = binary_heap(is_farther, read_pair, write_pair, plain).sink
    far, who = [np.inf] * 3, [-1] * 3
    for u, distance in enumerate([5.0, 1.0, 4.0, 0.5, 9.0]):
        if distance < far[0]:
            sink((far, who), 0, 3, (distance, u))
    assert far[0] == 4.0
    assert sorted(zip(far, who, strict=True)) == [(0.5, 3), (1.0, 1), (4.0, 2)]


def test_numbers_that_know_their_places():
    """Keys that fall and rise, against the least of all that are left."""
    rise, sink = indexed_heap(plain)
    draw, count = np.random.default_rng(1), 60
    heap, place, key = [-1] * count, [-1] * count, draw.random(count).tolist()
    data = heap, place, key
    for c in range(count):
        rise(data, c, c)
    for size in range(count, 0, -1):
        c = heap[int(draw.integers(size))]
        old, key[c] = key[c], float(draw.random())
        if key[c] < old:
            rise(data, place[c], c)
        else:
            sink(data, place[c], size, c)
        assert all(place[heap[i]] == i for i in range(size))
        assert key[heap[0]] == min(key[c] for c in heap[:size])
        sink(data, 0, size - 1, heap[size - 1]) if size > 1 else None
