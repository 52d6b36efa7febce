"""Bounds checks on request, and what is said of functions that cannot be compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import edgewise as ew
from edgewise import atomic
from edgewise.operators.functions import compiled

pytestmark = pytest.mark.host
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def graph():
    return ew.Graph.from_edges([0, 1, 2], [1, 2, 3])


@numba.njit
def peek(values, i):
    return values[i]


@numba.njit
def far(values, i):
    return peek(values, i) if i >= 0 else far(values, i + 1)


def ahead(v, values):
    values[v] = values[v + 1]


def behind(v, values):
    values[v - 9] = 1


def through_another(v, values):
    values[v] = far(values, v + 1)


def by_atomic(v, values):
    ew.atomic.add(values, v + 1, 1)


def by_name(v, values):
    atomic.max(values, v - 1, 1)


@pytest.mark.parametrize("function", [ahead, behind, through_another, by_atomic, by_name])
def test_an_index_outside_is_an_error_that_names_the_function(function, graph):
    line = function.__code__.co_firstlineno
    with ew.check_bounds(), pytest.raises(IndexError, match="outside of its array") as told:
        ew.compute(graph, None, function, graph.full(0))
    assert f"{function.__name__} ({__file__}:{line})" in str(told.value)


def test_of_several_functions_those_that_index_are_named(graph):
    table = np.zeros(2)

    def looks(source):
        return table[source]

    with ew.check_bounds(), pytest.raises(IndexError) as told:
        ew.advance(graph, None, looks, graph.full(0.0), reduce=ew.ADD)
    assert "looks" in str(told.value) and "plus" not in str(told.value)


def test_what_is_right_stays_so(graph):
    def last(v, values):
        values[v] = values[-1] + v

    values = graph.full(0)
    with ew.check_bounds():
        ew.compute(graph, None, last, values)
        distance = ew.bfs(graph, 0).distance
    assert values.tolist()[:3] == [0, 1, 2] and distance.tolist() == [0, 1, 2, 3]


def test_checked_functions_are_kept_apart(graph):
    plain = compiled(ahead, "function", 2)
    with ew.check_bounds():
        looking = compiled(ahead, "function", 2)
        with ew.check_bounds(False):
            assert compiled(ahead, "function", 2) is plain
    assert looking is not plain and looking.targetoptions["boundscheck"] is True
    assert compiled(ahead, "function", 2) is plain
    assert not plain.targetoptions["boundscheck"]


def test_options_of_a_compiled_function_are_its_own():
    def half(v, values):
        values[v] = 1.0 / (v - 1)

    graph = ew.Graph.from_edges([0], [1])
    strict = numba.njit(error_model="python")(half)
    values = graph.full(0.0)
    ew.compute(graph, None, half, values)
    assert values.tolist() == [-1.0, np.inf]
    with pytest.raises(ZeroDivisionError):
        ew.compute(graph, None, strict, values)


PROGRAM = """
import edgewise as ew
graph = ew.Graph.from_edges([0, 1], [1, 2])
def ahead(v, values):
    values[v] = values[v + 1]
try:
    ew.compute(graph, None, ahead, graph.full(0))
except IndexError as error:
    print("told")
"""


def test_the_environment_asks_for_a_whole_process():
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "EDGEWISE_CHECK": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True
    )
    assert done.stdout == "told\n", done.stderr


def comprehension(v, values):
    values[v] = sum([i * i for i in range(v)])


def appends(v, values):
    found = []
    found.append(v)
    values[v] = len(found)


def looks_up(v, values):
    values[v] = {1: 2}[1]


def maps(v, values):
    values[v] = {i: i for i in range(3)}[0]


def gathers(v, values):
    values[v] = len({v, 1})


def writes(v, values):
    values[v] = len(f"{v}")


def allocates(v, values):
    values[v] = np.zeros(3).sum()


def generates(v, values):
    values[v] = sum(i for i in range(3))


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (comprehension, "it makes a list"),
        (appends, "it makes a list"),
        (looks_up, "it makes a dict"),
        (maps, "it makes a dict"),
        (gathers, "it makes a set"),
        (writes, "it makes text"),
        (allocates, "it makes an array or another object"),
        (generates, "it holds a generator expression"),
    ],
    ids=lambda one: getattr(one, "__name__", None),
)
def test_what_takes_memory_is_told_in_plain_words(function, words, graph):
    with pytest.raises(ew.CompileError) as told:
        ew.compute(graph, None, function, graph.full(0))
    assert f"{function.__name__} ({__file__}:" in str(told.value) and words in str(told.value)
    assert "NRT" not in str(told.value)


def test_a_message_without_reduce(graph):
    for message in (lambda value: value, lambda: 1, lambda value, weight, source: value):
        with pytest.raises(TypeError, match="reduce is missing.*reduce=MIN"):
            ew.advance(graph, None, message, graph.full(0.0))
    ew.advance(graph, None, lambda source, target, edge, values: True, graph.full(0.0))


def test_a_combine_of_one_argument(graph):
    one = ew.Monoid(0, lambda old: old)
    calls = [
        lambda: ew.advance(graph, None, lambda value: value, graph.full(0.0), reduce=one),
        lambda: ew.reduce_all(graph, graph.full(True), reduce=one),
        lambda: ew.reduce_neighbors(graph, None, lambda value: value, graph.full(0), reduce=one),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="reduce.combine must take 2 argument"):
            call()


def test_whole_numbers_divided_by_zero(graph):
    def divides(value):
        return 7 // value

    def remainder(value):
        return 7 % value

    nothing = graph.full(0)
    for function in (divides, remainder):
        assert not ew.reduce_neighbors(graph, None, function, nothing, reduce=ew.ADD).any()
        with (
            ew.check_bounds(),
            pytest.raises(ZeroDivisionError, match="divides a whole number") as told,
        ):
            ew.reduce_neighbors(graph, None, function, nothing, reduce=ew.ADD)
        assert function.__name__ in str(told.value)


def test_floats_divided_by_zero_are_as_in_numpy(graph):
    def inverse(value):
        return 1 / value

    with ew.check_bounds():
        found = ew.reduce_neighbors(graph, None, inverse, graph.full(0.0), reduce=ew.MAX)
    assert np.isinf(found).all()
