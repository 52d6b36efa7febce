"""Sorts of a few items against Python's `sorted`, compiled and plain."""

from __future__ import annotations

from bisect import insort

import numpy as np
import pytest

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.insertion import insert, sort_few
from edgewise.base.insertion import insertion, is_less, read, read_pair, write, write_pair
from edgewise.base.threads import launch

LEAST, MOST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


def rows() -> list[list[int]]:
    draw = np.random.default_rng(0)
    sizes = (0, 1, 2, 3, 10, 31, 32, 33, 40, 200, 5000)
    some = [draw.integers(0, size + 1, size).tolist() for size in sizes]
    return [*some, [MOST, LEAST, 0, MOST, LEAST], [*range(100)], [*range(100, 0, -1)], [7] * 100]


@kernel
def sort_part(me, team, control, values, low, high):
    sort_few(values, low, high)


@pytest.mark.parametrize("row", rows(), ids=len)
def test_sort(row):
    values = np.array([9, 9, *row, -9], np.int64)
    launch(sort_part, values, 2, 2 + len(row), team=1)
    assert values.tolist() == [9, 9, *sorted(row), -9]
    there = list(row)
    insertion(is_less, read, write, lambda function: function).sort(there, 0, len(there))
    assert there == sorted(row)


@pytest.mark.parametrize("dtype", [np.int32, np.uint64, np.float32])
def test_types(dtype):
    values = np.array([5, 0, 3, 3, 9], dtype)
    launch(sort_part, values, 0, 5, team=1)
    assert values.tolist() == [0, 3, 3, 5, 9]


@pytest.mark.parametrize("size", [6, 100])
def test_numbers_that_are_none_come_last(size):
    values = np.random.default_rng(size).permutation(size).astype(np.float64)
    values[::3], values[1], values[2] = np.nan, np.inf, -np.inf
    expected = np.sort(values)
    launch(sort_part, values, 0, size, team=1)
    assert np.array_equal(values, expected, equal_nan=True)


@kernel
def insert_all(me, team, control, given, values, low, places):
    for i in range(len(given)):
        places[i] = insert(values, low, low + i, given[i])


def test_insert():
    given = np.random.default_rng(2).integers(0, 30, 60)
    values, places = np.full(63, -1), np.empty(60, np.int64)
    launch(insert_all, given, values, 3, places, team=1)
    expected: list[int] = []
    for value, place in zip(given.tolist(), places.tolist(), strict=True):
        assert place == 3 + sum(one <= value for one in expected)  # behind those that are equal
        insort(expected, value)
    assert values.tolist() == [-1, -1, -1, *expected]


def has_less(data, item, other):
    return item[0] < other[0]


SORT = insertion(has_less, read_pair, write_pair, inner).sort


@kernel
def sort_pairs(me, team, control, keys, payload):
    SORT((keys, payload), 0, len(keys))


def test_few_equal_items_stay_in_their_order():
    keys, payload = np.random.default_rng(3).integers(0, 5, 32), np.arange(32)
    order = np.argsort(keys, kind="stable")
    expected = keys[order].tolist()
    launch(sort_pairs, keys, payload, team=1)
    assert keys.tolist() == expected
    assert payload.tolist() == order.tolist()
