"""Searches in ascending arrays, compiled and plain, against Python's own `bisect`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import numpy as np
import pytest

from edgewise.base.bisection import Searches, bisection, galloping, searches
from edgewise.base.cache import inner, kernel
from edgewise.base.cpu import bisection as on_cpu
from edgewise.base.threads import launch

PLAIN = searches(lambda function: function)
COMPILED = Searches(on_cpu.lower_bound, on_cpu.upper_bound, on_cpu.row_of, on_cpu.first_from)
LEAST, MOST = np.iinfo(np.int64).min, np.iinfo(np.int64).max
ROWS = [
    [],
    [5],
    [5, 5, 5, 5],
    [LEAST, LEAST, -1, 0, MOST - 1, MOST, MOST],
    sorted(np.random.default_rng(0).integers(0, 99, 200).tolist()),
]


def asked(row: list) -> list[int]:
    return [LEAST, -1, 0, MOST, *row, *(value + 1 for value in row if value < MOST)]


@kernel
def search(me, team, control, values, wanted, low, found):
    high = len(values)
    for i in range(len(wanted)):
        found[i, 0] = on_cpu.lower_bound(values, low, high, wanted[i])
        found[i, 1] = on_cpu.upper_bound(values, low, high, wanted[i])
        found[i, 2] = on_cpu.first_from(values, low, high, wanted[i])


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("low", [0, 1, 3])
def test_compiled(row, low):
    low = min(low, len(row))
    wanted = asked(row)
    found = np.zeros((len(wanted), 3), np.int64)
    launch(search, np.array(row, np.int64), np.array(wanted, np.int64), low, found, team=1)
    for one, (lower, upper, near) in zip(wanted, found.tolist(), strict=True):
        assert lower == near == bisect_left(row, one, low)
        assert upper == bisect_right(row, one, low)


@pytest.mark.parametrize("row", ROWS)
def test_plain(row):
    for wanted in asked(row):
        assert PLAIN.lower_bound(row, 0, len(row), wanted) == bisect_left(row, wanted)
        assert PLAIN.upper_bound(row, 0, len(row), wanted) == bisect_right(row, wanted)
        assert PLAIN.first_from(row, 0, len(row), wanted) == bisect_left(row, wanted)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32, np.uint64, np.float64])
def test_types(dtype):
    values = np.array([1, 1, 4, 9], dtype)
    found = np.zeros((1, 3), np.int64)
    launch(search, values, np.array([4], dtype), 0, found, team=1)
    assert found.tolist() == [[2, 3, 2]]


@kernel
def rows_of(me, team, control, starts, found):
    for place in range(len(found)):
        found[place] = on_cpu.row_of(starts, 0, len(starts) - 1, place)


@pytest.mark.parametrize("sizes", [[1], [3], [2, 0, 0, 3, 1, 0], [0, 0, 4]])
def test_the_row_that_holds_a_place(sizes):
    starts = np.concatenate([[0], np.cumsum(sizes)])
    expected = np.repeat(np.arange(len(sizes)), sizes).tolist()
    found = np.zeros(len(expected) + 1, np.int64)
    launch(rows_of, starts, found, team=1)
    assert found.tolist()[:-1] == expected
    assert found[-1] == len(sizes) - 1  # beyond the end, the last one
    assert [PLAIN.row_of(starts, 0, len(sizes), i) for i in range(len(expected))] == expected


def is_below_sum(data, place, wanted):
    return data[0][place] + data[1][place] < wanted


SUMS = bisection(is_below_sum, inner)
FAR = galloping(is_below_sum, inner, 4)


@kernel
def search_sums(me, team, control, one, other, wanted, found):
    for i in range(len(wanted)):
        found[i, 0] = SUMS((one, other), 0, len(one), wanted[i])
        found[i, 1] = FAR((one, other), 0, len(one), wanted[i])


def test_a_condition_of_ones_own():
    one, other = np.arange(50), np.arange(50) // 7
    wanted, found = np.arange(-1, 70), np.zeros((71, 2), np.int64)
    launch(search_sums, one, other, wanted, found, team=1)
    expected = np.searchsorted(one + other, wanted)
    assert (found == expected[:, None]).all()
