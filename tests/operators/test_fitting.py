"""Messages that do not fit the type of what is kept are an error, for every operator."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import CompileError, Graph, check_bounds, pagerank
from edgewise.distributed import Grid, distribute
from edgewise.distributed.rank_threads import run_threads
from edgewise.operators import (
    ADD,
    ARGMIN,
    MIN,
    Monoid,
    advance,
    compute,
    deliver,
    for_rows,
    frontier,
    intersect,
    propagate,
    reduce_all,
    reduce_neighbors,
    sweep,
    unwind,
)
from tests.operators import engines
from tests.tiers import later

TRIANGLE = Graph.from_edges([0, 1, 2], [1, 2, 0])
ONES = np.ones(3, np.int64)
HOPS = np.array([0, 1, 1], np.int32)


def half(value):
    return value * 0.5


def same(value):
    return value


def two_halves(value):
    return value * 0.5, value * 0.5


def kept(v, total, values):
    return total, 0.0


def halved(v, total, values):
    return total * 0.5, 0.0


def smaller(total, own):
    return total * 0.5


def nothing(v, total, values):
    pass


def half_of(source):
    return source * 0.5


def half_sum(old, new):
    return (old + new) * 0.5


CALLS = {
    "reduce_neighbors": lambda x: reduce_neighbors(TRIANGLE, None, half, x, reduce=ADD),
    "key": later(lambda x: reduce_neighbors(TRIANGLE, None, half, x, reduce=ADD, key=ONES)),
    "choose": later(lambda x: reduce_neighbors(TRIANGLE, None, half, x, reduce=ADD, key=ONES,
                                               choose="max")),
    "via": later(lambda x: reduce_neighbors(TRIANGLE, None, half, x, reduce=ADD, via=TRIANGLE)),
    "product": later(lambda x: reduce_neighbors(TRIANGLE, None, half, x, reduce=ADD, via=TRIANGLE,
                                                key="source")),
    "columns": later(lambda x: reduce_neighbors(TRIANGLE, None, half, np.ones((3, 2), int),
                                                reduce=ADD)),
    "tuple": later(lambda x: reduce_neighbors(TRIANGLE, None, two_halves, x, reduce=ARGMIN)),
    "combine": later(lambda x: reduce_neighbors(TRIANGLE, None, same, x,
                                                reduce=Monoid(0, half_sum))),
    "bool": later(lambda x: reduce_neighbors(TRIANGLE, None, half, x > 0, reduce=MIN)),
    "advance": lambda x: advance(TRIANGLE, None, half, x, reduce=ADD),
    "in place": later(lambda x: advance(TRIANGLE, None, half, x, reduce=MIN)),
    "advance, columns": later(lambda x: advance(TRIANGLE, None, half, np.ones((3, 2), int),
                                                reduce=MIN)),
    "priority": later(lambda x: propagate(TRIANGLE, frontier(TRIANGLE, 0), half, x, reduce=MIN,
                                          priority=1.0)),
    "levels": later(lambda x: propagate(TRIANGLE, None, half, x, reduce=ADD, levels=x.copy())),
    "sweep": lambda x: sweep(TRIANGLE, half, x, kept, x, reduce=ADD, out=x.copy()),
    "sweep, finish": later(lambda x: sweep(TRIANGLE, same, x, halved, x, reduce=ADD,
                                           out=x.copy())),
    "unwind": later(lambda x: unwind(TRIANGLE, HOPS, half, x, reduce=ADD)),
    "unwind, finish": later(lambda x: unwind(TRIANGLE, HOPS, same, x, reduce=ADD, finish=smaller)),
    "for_rows": later(lambda x: for_rows(TRIANGLE, None, half, nothing, x, values=x, reduce=ADD)),
    "intersect": later(lambda x: intersect(TRIANGLE, None, message=half_of, reduce=ADD, dtype=int)),
}  # fmt: skip
FIRST = {name: call for name, call in CALLS.items() if callable(call)}
SECOND = {name: call.values[0] for name, call in CALLS.items() if name not in FIRST}


@pytest.mark.host
@pytest.mark.parametrize("name", [*FIRST, *map(later, SECOND)])
def test_floats_where_whole_numbers_are_kept(name):
    call, before = {**FIRST, **SECOND}[name], ONES.copy()
    with pytest.raises(CompileError, match="it returns float64, which .* cannot hold; give dtype="):
        call(before)
    assert before.tolist() == [1, 1, 1]


def test_on_every_engine(engine):
    if engine is not engines.ENGINES["cpu"]:
        from edgewise.base.cuda.device import simulated

        if simulated():
            pytest.skip("the simulator compiles nothing")
    with pytest.raises(CompileError, match="half .* it returns float64, which .* cannot hold"):
        engines.reduce_neighbors(TRIANGLE, None, half, ONES, reduce=ADD)


def test_on_a_grid():
    def program(comm):
        graph = distribute(TRIANGLE, grid=Grid(comm))
        with pytest.raises(CompileError, match="it returns float64, which .* cannot hold"):
            advance(graph, None, half, graph.full(1), reduce=ADD)

    run_threads(program, 4)


def test_what_fits():
    found = reduce_neighbors(TRIANGLE, None, half, ONES, reduce=ADD, dtype=np.float64)
    assert found.tolist() == [1.0, 1.0, 1.0]
    assert reduce_all(TRIANGLE, ONES, reduce=ADD, function=lambda v, x: x[v] * 0.5) == 1.5


HEAVY = TRIANGLE.with_weights(np.full(3, 2**40))
SHORT = np.array([1, 2**31 - 1, 3], np.int32)


def along(value, weight):
    return value + weight


def weight_alone(weight):
    return weight


def both_weights(weight_u):
    return weight_u


def looked_up(source, table):
    return table[source]


def one_more(value):
    return value + 1


NARROW = {
    "reduce_neighbors": lambda x: reduce_neighbors(HEAVY, None, along, x, reduce=ADD),
    "dtype": lambda x: reduce_neighbors(HEAVY, None, same, x.astype(np.int64), reduce=ADD,
                                        dtype=np.int32),
    "out": lambda x: reduce_neighbors(HEAVY, None, weight_alone, x, reduce=ADD, out=x.copy()),
    "weights": lambda x: reduce_neighbors(TRIANGLE, None, along, x, reduce=ADD,
                                          weights=HEAVY.weights),
    "params": lambda x: reduce_neighbors(TRIANGLE, None, looked_up, x, reduce=ADD,
                                         params={"table": np.full(3, 2**40)}),
    "own": lambda x: reduce_neighbors(TRIANGLE, None, lambda own: own, x, reduce=MIN,
                                      own=np.full(3, 2**40)),
    "advance": lambda x: advance(HEAVY, None, along, x, reduce=MIN),
    "sources": lambda x: advance(TRIANGLE, None, same, x, reduce=MIN, source_values=ONES),
    "propagate": lambda x: propagate(HEAVY, None, along, x, reduce=MIN),
    "sweep": lambda x: sweep(HEAVY, weight_alone, x, kept, x, reduce=ADD, out=x.copy()),
    "unwind": lambda x: unwind(HEAVY, HOPS, along, x, reduce=ADD),
    "for_rows": lambda x: for_rows(HEAVY, None, along, nothing, x, values=x, reduce=ADD),
    "intersect": lambda x: intersect(HEAVY, None, message=both_weights, reduce=ADD, dtype="int32"),
}  # fmt: skip


@pytest.mark.host
@pytest.mark.parametrize("name", NARROW)
def test_wider_whole_numbers_than_are_kept(name):
    before = SHORT.copy()
    with pytest.raises(CompileError, match="returns int64, made of .* int32 may not hold; give"):
        NARROW[name](before)
    assert before.tolist() == SHORT.tolist()


def test_wider_numbers_on_every_engine(engine):
    with pytest.raises(CompileError, match="along .* int32 may not hold; give dtype=int64"):
        engines.reduce_neighbors(HEAVY, None, along, SHORT, reduce=ADD)


def test_wider_numbers_on_a_grid():
    def program(comm):
        graph = distribute(HEAVY, grid=Grid(comm))
        with pytest.raises(CompileError, match="int32 may not hold"):
            advance(graph, None, along, graph.full(1, np.int32), reduce=MIN)
        with pytest.raises(OverflowError, match="do not fit values of int32"):
            deliver(graph, graph.full(1, np.int32), graph.full(0), graph.full(2**40), reduce=ADD)

    run_threads(program, 4)


@pytest.mark.host
def test_narrow_state_takes_what_fits():
    wide = reduce_neighbors(HEAVY, None, along, SHORT, reduce=ADD, dtype=np.int64)
    assert wide.tolist() == [2**41 + 2**31 + 2, 2**41 + 4, 2**41 + 2**31]
    said = reduce_neighbors(HEAVY, None, lambda weight: np.int32(weight % 7), SHORT, reduce=ADD)
    assert said.tolist() == [2 * (2**40 % 7)] * 3
    small = np.array([1, 2, 3], np.int32)  # Numba adds in 64 bits
    assert reduce_neighbors(HEAVY, None, one_more, small, reduce=MIN).tolist() == [3, 2, 2]
    ids = reduce_neighbors(HEAVY, None, lambda source: source, small, reduce=MIN)
    assert ids.tolist() == [1, 0, 0]
    count = reduce_neighbors(HEAVY, None, lambda weight: 1 if weight > 5 else 0, small, reduce=ADD)
    assert count.tolist() == [2, 2, 2]  # weights are compared, not sent
    nearest = reduce_neighbors(HEAVY, None, lambda weight, source: (weight, source), small,
                               reduce=ARGMIN, dtype=(np.int64, np.int32))  # fmt: skip
    assert nearest[1].tolist() == [1, 0, 0]


@pytest.mark.host
def test_debug_looks_at_every_message():
    line = one_more.__code__.co_firstlineno
    for call in (reduce_neighbors, advance):
        with check_bounds(), pytest.raises(OverflowError, match=rf"one_more \(.*:{line}\) returns"):
            call(TRIANGLE, None, one_more, SHORT.copy(), reduce=MIN)
    with check_bounds():
        small = np.array([1, 2, 3], np.int32)
        assert reduce_neighbors(TRIANGLE, None, one_more, small, reduce=MIN).tolist() == [3, 2, 2]


def test_delivered_messages():
    small = ONES.astype(np.int32)
    deliver(TRIANGLE, small, np.array([1, 2, 0]), ONES, reduce=ADD)
    assert small.tolist() == [2, 2, 2]
    with pytest.raises(OverflowError, match="from 1 to 2147483648 do not fit values of int32"):
        deliver(TRIANGLE, small, np.array([1, 2, 0]), ONES + [0, 0, 2**31 - 1], reduce=ADD)
    values = ONES.copy()
    with pytest.raises(TypeError, match="messages of float64 do not fit values of int64"):
        deliver(TRIANGLE, values, np.array([1, 2, 0]), ONES * 0.5, reduce=ADD)


@pytest.mark.host
def test_a_result_of_several_values_says_dtype():
    with pytest.raises(ValueError, match=r"as reduce combines .*\(1\), got 2; .* dtype="):
        reduce_neighbors(TRIANGLE, None, same, (ONES, ONES), reduce=ADD)


@pytest.mark.host
def test_functions_that_do_not_return_at_once():
    async def later_on(value):
        return value

    def one_by_one(value):
        yield value

    for function in (later_on, one_by_one):
        with pytest.raises(TypeError, match=f"at once: {function.__name__} is"):
            reduce_neighbors(TRIANGLE, None, function, ONES, reduce=ADD)


@pytest.mark.host
def test_masked_arrays_are_refused():
    masked = np.ma.masked_array([1, 2, 0], [True, False, False])
    calls = {
        "values": lambda: reduce_neighbors(TRIANGLE, None, same, masked, reduce=ADD),
        "key": lambda: reduce_neighbors(TRIANGLE, None, same, ONES, reduce=ADD, key=masked),
        r"state\[0\]": lambda: compute(TRIANGLE, None, nothing, (masked,)),
        "weights": lambda: pagerank(TRIANGLE, weights=masked),
        "personalization": lambda: pagerank(TRIANGLE, personalization=masked),
        "sources": lambda: Graph.from_edges(masked, ONES),
        "indices": lambda: Graph([0, 1, 2, 3], masked),
        "vertices": lambda: TRIANGLE.subgraph(masked),
        "groups": lambda: TRIANGLE.contract(masked),
    }
    for name, call in calls.items():
        with pytest.raises(TypeError, match=f"{name} must be a plain array, got a masked one"):
            call()
