"""Users' functions: what they may name, and what is said when they do not compile."""

from __future__ import annotations

import functools
import inspect

import numba
import numpy as np
import pytest

from edgewise.base.errors import CompileError
from edgewise.operators import ADD, MIN, Monoid
from edgewise.operators.functions import compiled
from tests.operators.engines import (
    ENGINES,
    advance,
    compute,
    filter,
    intersect,
    propagate,
    reduce_all,
    reduce_neighbors,
    sweep,
    unwind,
)
from tests.operators.functions import one, pass_on
from tests.operators.graphs import SMALL

GRAPH = SMALL["two parts"]
TABLE = {"key": 1}


def misspelled(value):
    longer = value + 1
    return longer + wieght  # noqa: F821


def no_such_attribute(value):
    double = value * 2
    return double.shape


def plain_helper(x):
    return x + 1


def calls_a_plain_function(value):
    one = 1
    return plain_helper(value) + one


def holds_a_dict(value):
    return value + TABLE["key"]


def two_types(value):
    if value > 1:
        return "many"
    return value


def adds_text(value):
    return value + "text"


def gives_a_pair(value):
    return value, value


def bad_totals(weight_u):
    return [weight_u]


def bad_score(total, key):
    return total, key


def imports_inside(value):
    import os

    return os.getpid() + value


def uses_with(value):
    with open("file") as file:
        return file


@pytest.mark.parametrize(
    ("function", "part", "reason"),
    [
        (misspelled, "+ wieght", "NameError: name 'wieght' is not defined"),
        (no_such_attribute, ".shape", "Unknown attribute 'shape' of type int64"),
        (
            calls_a_plain_function,
            "plain_helper(value)",
            "plain_helper, a plain Python function; put",
        ),
        (holds_a_dict, "TABLE", "it uses TABLE, a dict, which compiled code cannot hold"),
        (two_types, "return", "Can't unify return type"),
        (adds_text, '"text"', "there is no add(int64, "),
        (imports_inside, "import os", "Use of unsupported opcode (IMPORT_NAME) found"),
        (uses_with, "def uses", "construct is not supported"),
    ],
)
def test_compile_errors_name_the_function_the_line_and_the_reason(engine, function, part, reason):
    exact = engine is ENGINES["cpu"]  # numba-cuda does not tell the line of every failure
    with pytest.raises(CompileError) as caught:
        filter(GRAPH, None, function)
    lines, first = inspect.getsourcelines(function)
    said = str(caught.value)
    assert any(
        said.startswith(f"{function.__name__} ({__file__}:{first + i}) cannot be compiled: ")
        for i, text in enumerate(lines) if part in text or not exact
    )  # fmt: skip
    assert reason in said
    assert "\n" not in said
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


def bad_where(value):
    return value.upper()


def bad_combine(old, new):
    return old.upper()


def bad_visit(source, target, edge, values):
    return values["x"]


def bad_member(member, values):
    return values.nothing


def bad_common(u, v, common, values):
    return values.nothing


def bad_finish(total, own):
    return total.nothing


def bad_sweep_finish(v, total, values):
    return total.nothing, 0.0


def bad_edge_member(source, target, edge, values):
    return values.nothing


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("bad_where", lambda v: propagate(
            GRAPH, None, pass_on, v, reduce=MIN, priority=1.0, where=bad_where)),
        ("bad_combine", lambda v: reduce_all(GRAPH, v, reduce=Monoid(0, bad_combine))),
        ("bad_visit", lambda v: advance(GRAPH, None, bad_visit, v)),
        ("bad_member", lambda v: compute(GRAPH, None, bad_member, v)),
        ("bad_member", lambda v: filter(GRAPH, None, bad_member, v)),
        ("bad_member", lambda v: reduce_all(GRAPH, v, reduce=ADD, function=bad_member)),
        ("bad_common", lambda v: intersect(GRAPH, None, bad_common, v)),
        ("bad_common", lambda v: intersect(GRAPH, ([0], [1]), bad_common, v)),
        ("bad_totals", lambda v: intersect(GRAPH, None, message=bad_totals, reduce=ADD)),
        ("bad_finish", lambda v: unwind(
            GRAPH, np.zeros(8, np.int32), pass_on, v, reduce=ADD, finish=bad_finish)),
        ("bad_sweep_finish", lambda v: sweep(
            GRAPH, pass_on, v, bad_sweep_finish, v, reduce=ADD, out=v.copy())),
    ],
)  # fmt: skip
def test_every_operator_names_the_function(name, run):
    with pytest.raises(CompileError, match=rf"^{name} \(.*test_functions.py:\d+\) cannot be"):
        run(GRAPH.full(0.0))


def test_a_result_of_the_wrong_kind(engine):
    wanted = r"gives_a_pair .* it returns a tuple \(float64 x 2\), where float64 is wanted"
    with pytest.raises(CompileError, match=wanted):
        reduce_neighbors(GRAPH, None, gives_a_pair, GRAPH.full(0.0), reduce=ADD)


@pytest.mark.host
def test_a_score_of_the_wrong_kind():
    with pytest.raises(CompileError, match=r"bad_score .* it returns a tuple \(int64 x 2\)"):
        reduce_neighbors(GRAPH, None, one, GRAPH.full(0), reduce=ADD, key=GRAPH.full(0),
                         choose=bad_score)  # fmt: skip


@pytest.mark.host
def test_writing_to_an_array_that_is_read_only():
    def write(v, values):
        values[v] = 1.0

    values = GRAPH.full(0.0)
    values.flags.writeable = False
    with pytest.raises(CompileError, match="writes to an array that is read-only"):
        compute(GRAPH, None, write, values)
    assert (values == 0).all()


@pytest.mark.parametrize(
    ("pattern", "run"),
    [
        (r"where must take 1 argument\(s\), got bad_combine\(old, new\)",
         lambda v: advance(GRAPH, None, pass_on, v, reduce=ADD, where=bad_combine)),
        (r"reduce.combine must take 2 argument\(s\), got bad_where\(value\)",
         lambda v: advance(GRAPH, None, pass_on, v, reduce=Monoid(0, bad_where))),
        (r"function must take 5 argument\(s\), got bad_visit",
         lambda v: advance(GRAPH, None, bad_visit, (v, v))),
        (r"function must take 1 argument\(s\), got bad_member",
         lambda v: compute(GRAPH, None, bad_member, ())),
        (r"predicate must take 3 argument\(s\)", lambda v: filter(GRAPH, None, bad_member, (v, v))),
        (r"function must take 2 argument\(s\)",
         lambda v: reduce_all(GRAPH, v, reduce=ADD, function=bad_common)),
        (r"function must take 3 argument\(s\)", lambda v: intersect(GRAPH, None, bad_common)),
        (r"finish must take 2 argument\(s\)", lambda v: unwind(
            GRAPH, np.zeros(8, np.int32), pass_on, v, reduce=ADD, finish=bad_where)),
        (r"finish must take 4 argument\(s\)", lambda v: sweep(
            GRAPH, pass_on, v, bad_sweep_finish, (v, v), reduce=ADD, out=v.copy())),
    ],
)  # fmt: skip
def test_a_wrong_number_of_parameters(pattern, run):
    with pytest.raises(TypeError, match=pattern):
        run(GRAPH.full(0.0))


@pytest.mark.parametrize("message", [max, functools.partial(pass_on, 1), Monoid, abs])
def test_what_is_no_plain_function(message):
    values = GRAPH.full(0.0)
    with pytest.raises(TypeError, match="message must be a plain Python function, got"):
        reduce_neighbors(GRAPH, None, message, values, reduce=ADD)
    with pytest.raises(TypeError, match="function must be a plain Python function, got"):
        advance(GRAPH, None, message, values)


def test_a_message_names_what_it_needs_in_any_order():
    values = np.arange(8.0)

    def first(weight, value):
        return value - weight

    def second(value, weight):
        return value - weight

    results = [
        reduce_neighbors(GRAPH, None, message, values, reduce=ADD)
        for message in (first, second, numba.njit(second))
    ]
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


def test_equal_functions_are_compiled_once():
    def make(factor):
        return lambda value: value * factor

    assert compiled(make(2), "message") is compiled(make(2), "message")
    assert compiled(make(2), "message") is not compiled(make(3), "message")
    assert compiled(None, "where") is None


def test_functions_may_call_compiled_ones():
    @numba.njit
    def twice(x):
        return 2 * x

    values = np.arange(8.0)
    doubled = reduce_neighbors(GRAPH, None, lambda value: twice(value), values, reduce=ADD)
    np.testing.assert_array_equal(
        doubled, 2 * reduce_neighbors(GRAPH, None, pass_on, values, reduce=ADD)
    )
