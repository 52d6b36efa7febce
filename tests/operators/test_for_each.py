"""`for_each`: one call for every number below a count, without a graph."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import edgewise as ew
from edgewise import operators
from edgewise.base import atomic
from edgewise.base.threads import threads
from tests.operators.engines import for_each

TEAMS = pytest.mark.parametrize("team", [1, 2, 3])


class Line(NamedTuple):
    """A line, and its values."""

    slope: float
    shift: Any
    values: Any


def count_call(i, calls, factor):
    calls[i] += factor


def on_line(i, line):
    line.values[i] = line.slope * i + line.shift[0]


def below_line(i, line, bounds, below):
    below[i] = line.slope * i + line.shift[0] < bounds[i]


def double(i, values):
    values[i] *= 2


def ahead(i, values):
    values[i] = values[i + 1]


@TEAMS
@pytest.mark.parametrize("count", [0, 1, 7, 3000, 20_000])
def test_one_call_per_item(team, count):
    with threads(team):
        for work in (None, 0, 1 << 15, 1 << 40):  # on one thread, and in ever smaller parts
            calls = np.zeros(count + 1, np.int64)
            assert for_each(count, count_call, (calls, 2), work=work) is None
            assert (calls[:count] == 2).all() and calls[count] == 0


def test_counts_of_any_integer_type():
    for count in (np.int32(3), np.uint8(3), np.int64(3)):
        values = np.ones(4)
        for_each(count, double, values)
        assert values.tolist() == [2, 2, 2, 1]


@TEAMS
def test_records(team):
    line, bounds, below = Line(2.0, np.ones(1), np.zeros(50)), np.full(50, 9.0), np.zeros(50, bool)
    with threads(team):
        for_each(50, on_line, line)
        for_each(50, below_line, (line, bounds, below))
    assert line.values.tolist() == [2 * i + 1 for i in range(50)]
    assert np.flatnonzero(below).tolist() == [0, 1, 2, 3]


@TEAMS
def test_atomics(team):
    def tally(i, counts):
        atomic.add(counts, i % 3, 1)

    counts = np.zeros(3, np.int64)
    with threads(team):
        for_each(10_000, tally, counts)
    assert counts.tolist() == [3334, 3333, 3333]


def test_arrays_of_two_dimensions_and_types():
    def sums(i, table, out):
        for j in range(table.shape[1]):
            out[i] += table[i, j]

    table, out = np.arange(12, dtype=np.int32).reshape(4, 3), np.zeros(4, np.float32)
    for_each(4, sums, (table, out))
    assert out.tolist() == [3, 12, 21, 30]


@pytest.mark.host
def test_strided_and_read_only_arrays():
    numbers, out = np.arange(10), np.zeros(10, np.int64)

    def square(i, numbers, out):
        out[i] = numbers[i] ** 2

    numbers.flags.writeable = False
    for_each(5, square, (numbers[::2], out[::2]))
    assert out.tolist() == [0, 0, 4, 0, 16, 0, 36, 0, 64, 0]


@pytest.mark.host
def test_the_public_name_and_the_device():
    values = np.ones(3)
    ew.for_each(3, double, values)
    operators.for_each(3, double, values, device="cpu")
    assert ew.for_each is operators.for_each and values.tolist() == [4, 4, 4]
    ew.for_each(3, lambda i: None)


@pytest.mark.host
def test_errors():
    values = np.zeros(3)
    with pytest.raises(ValueError, match="count must be at least 0, got -1"):
        for_each(-1, double, values)
    for wrong in (2.0, True, None, "3"):
        with pytest.raises(TypeError, match="count must be a whole number"):
            for_each(wrong, double, values)
    with pytest.raises(TypeError, match="function must be a function, got 3"):
        for_each(3, 3, values)
    with pytest.raises(TypeError, match=r"function must take 3 argument\(s\), got double"):
        for_each(3, double, (values, values))
    with pytest.raises(TypeError, match=r"state\[1\] must be an array or a number, .* got list"):
        for_each(3, count_call, (values, [2]))
    with pytest.raises(TypeError, match=r"an array on cpu, got str"):
        for_each(3, double, "abc")
    with pytest.raises(TypeError, match=r"state\.shift must be .* got list"):
        for_each(3, on_line, Line(1.0, [1], values))
    for wrong in (2**63, -(2**63) - 1):
        with pytest.raises(ValueError, match=r"state\[0\] must fit in 64 bits with a sign, got"):
            for_each(3, lambda i, number: None, wrong)
    with pytest.raises(TypeError, match=r"state\[0\]\.shift must be .* got a tuple"):
        for_each(3, below_line, (Line(1.0, (1, 2), values), values, values))
    with pytest.raises(TypeError, match=r"state\[0\] must .*float16"):
        for_each(3, double, np.zeros(3, np.float16))
    with pytest.raises(ValueError, match="work must be at least 0"):
        for_each(3, double, values, work=-1)
    for wrong in ("gpu", 0, "cuda:x"):
        with pytest.raises(ValueError, match="device must be 'cpu', 'cuda' or 'cuda:<number>'"):
            for_each(3, double, values, device=wrong)
    with pytest.raises(ew.CompileError, match="double"):
        for_each(3, double, np.zeros((3, 2, 2))[0, 0, 0])


@pytest.mark.host
def test_masked_arrays_are_refused():
    with pytest.raises(TypeError, match=r"state\[0\].*mask"):
        for_each(3, double, np.ma.masked_array(np.zeros(3), [True, False, False]))


@pytest.mark.host
def test_debugging():
    with ew.check_bounds(), pytest.raises(IndexError, match="ahead .* uses an index outside"):
        for_each(3, ahead, np.zeros(3))


@pytest.mark.gpu
def test_the_device_is_that_of_the_arrays():
    cupy = pytest.importorskip("cupy")
    values = cupy.ones(3)
    operators.for_each(3, double, values)
    operators.for_each(3, double, values, device="cuda")
    assert values.get().tolist() == [4, 4, 4]
    line = Line(2.0, cupy.ones(1), cupy.zeros(3))
    operators.for_each(3, on_line, line)
    assert line.values.get().tolist() == [1, 3, 5]
    with pytest.raises(TypeError, match=r"state\[1\] .* an array on cuda:0, got ndarray"):
        operators.for_each(3, count_call, (values, np.ones(3)))
    with pytest.raises(TypeError, match=r"state\[0\] .* an array on cpu, got ndarray"):
        operators.for_each(3, double, values, device="cpu")
    with ew.check_bounds(), pytest.raises(ValueError, match="got arrays on cuda:0"):
        operators.for_each(3, double, values)
