"""State and params given as NamedTuples, whose members functions call by name."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import edgewise as ew
from edgewise.operators import ADD, MIN
from edgewise.operators.sequential import sequential
from tests.operators.engines import (
    advance,
    compute,
    explore,
    filter,
    for_rows,
    multisplit,
    propagate,
    reduce_all,
    reduce_neighbors,
    sweep,
)

GRAPH = ew.Graph.from_edges([0, 1, 1, 3], [1, 2, 3, 4], [2.0, 1.0, 5.0, 1.0])
N = GRAPH.num_vertices


class State(NamedTuple):
    """What functions read and write."""

    values: Any
    result: Any
    scale: float


class Rates(NamedTuple):
    """What functions read."""

    rate: float
    table: Any


def state() -> State:
    return State(np.arange(N) * 1.0, np.zeros(N), 3.0)


RATES = Rates(2.0, np.array([10.0, 20.0]))


def scaled(v, state):
    state.result[v] = state.values[v] * state.scale


def scaled_more(v, shift, state, factor):
    state.result[v] = state.values[v] * state.scale * factor + shift[v]


def is_large(v, state):
    return state.values[v] * state.scale > 6


def parity(v, state):
    return int(state.values[v]) % 2


def test_compute():
    given = state()
    compute(GRAPH, None, scaled, given)
    assert given.result.tolist() == [0, 3, 6, 9, 12]


def test_a_record_among_other_members():
    given, shift = state(), np.ones(N)
    compute(GRAPH, None, scaled_more, (shift, given, 2))
    assert given.result.tolist() == [1, 7, 13, 19, 25]


def test_filter_multisplit_and_reduce_all():
    assert filter(GRAPH, None, is_large, state()).ids.tolist() == [3, 4]
    even, odd = multisplit(GRAPH, None, parity, state(), num_buckets=2)
    assert (even.ids.tolist(), odd.ids.tolist()) == ([0, 2, 4], [1, 3])
    assert reduce_all(GRAPH, state(), reduce=ADD, function=weighed) == 30


def weighed(v, state):
    return state.values[v] * state.scale


def test_visits():
    given = state()
    advance(GRAPH, None, count_up, given, output=None)
    assert given.result.tolist() == [3, 9, 3, 6, 3]


def count_up(source, target, edge, state):
    ew.atomic.add(state.result, target, state.scale)
    return False


def test_rows_and_params():
    given = state()
    for_rows(GRAPH, None, by_rate, take_over, given, reduce=ADD, dtype=np.float64,
             params={"rates": RATES})  # fmt: skip
    assert given.result.tolist() == [40, 160, 20, 120, 20]


def by_rate(weight, rates):
    return weight * rates.table[0]


def take_over(v, total, state, rates):
    state.result[v] = total * rates.rate


def test_messages_and_conditions():
    found = reduce_neighbors(GRAPH, None, both_rates, np.ones(N), reduce=ADD,
                             params={"rates": RATES})  # fmt: skip
    assert found.tolist() == [22, 66, 22, 44, 22]
    far = np.full(N, np.inf)
    far[0] = 0
    propagate(GRAPH, ew.frontier(GRAPH, [0]), farther, far, reduce=MIN, where=is_near,
              params={"rates": RATES})  # fmt: skip
    assert far.tolist() == [0, 2, 3, 7, 8]


def both_rates(value, rates):
    return value * rates.rate + rates.table[1]


def farther(value, weight):
    return value + weight


def is_near(value, rates):
    return value > rates.rate * 0


def test_sweeps():
    given, out = state(), np.empty(N)
    assert sweep(GRAPH, passed_on, given.values, kept, given, reduce=ADD, out=out) == 60
    assert out.tolist() == [3, 15, 3, 15, 9]


def passed_on(value):
    return value


def kept(v, total, state):
    return total * state.scale, total * state.scale + state.scale


@pytest.mark.host
def test_searches_and_sequential_work():
    given = state()
    explore(GRAPH, np.array([0]), note, given)
    assert given.result.tolist() == [0, 3, 6, 6, 9]
    given = state()
    sequential(all_of_them, given, steps=N)
    assert given.result.tolist() == [0, 3, 6, 9, 12]


def note(v, search, depth, state):
    state.result[v] = depth * state.scale
    return 0.0


def all_of_them(control, state):
    for v in range(len(state.values)):
        state.result[v] = state.values[v] * state.scale


@pytest.mark.parametrize("team", [1, 3])
@pytest.mark.host
def test_the_order_of_the_names_matters_not(team):
    class Turned(NamedTuple):
        scale: float
        result: Any
        values: Any

    Turned.__name__ = Turned.__qualname__ = "State"
    for record in (State, Turned):
        given = record(**state()._asdict())
        with ew.threads(team):
            compute(GRAPH, None, scaled, given)
        assert given.result.tolist() == [0, 3, 6, 9, 12]


@pytest.mark.host
def test_refusals():
    with pytest.raises(TypeError, match=r"state\.result must be an array or a number, .* got list"):
        compute(GRAPH, None, scaled, State(np.zeros(N), [1], 2.0))
    with pytest.raises(TypeError, match=r"state\[1\]\.values must be .* got a tuple"):
        compute(GRAPH, None, scaled, (1, State((1, 2), np.zeros(N), 2.0)))
    with pytest.raises(TypeError, match=r"params\['rates.table'\] must be a number or an array"):
        reduce_neighbors(GRAPH, None, both_rates, np.ones(N), reduce=ADD,
                         params={"rates": Rates(1, "x")})  # fmt: skip


@pytest.mark.host
def test_on_a_grid():
    from edgewise.distributed.rank_threads import run_threads

    def rank(comm):
        from edgewise.distributed import Grid, distribute

        graph = distribute(GRAPH, grid=Grid(comm, (2, 2)))
        given = State(graph.vertex_ids(np.float64), graph.full(0.0), 3.0)
        ew.compute(graph, None, scaled, given)
        return np.asarray(given.result).tolist()

    assert run_threads(rank, 4)[0] == [0, 3, 6, 9, 12]
