"""Work arrays kept with the graph: clean for the next call, and a call costs what it touches."""

from __future__ import annotations

import copy
import pickle
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from edgewise.base.observe import observe
from edgewise.base.threads import threads
from edgewise.generators import grid_2d
from edgewise.operators import ADD, ARGMIN, MIN, frontier
from edgewise.operators.cpu.workspace import Workspace
from tests.operators import oracles
from tests.operators.engines import advance, deliver, propagate
from tests.operators.functions import best_sender, pass_on, through, unset
from tests.operators.graphs import random_graph

pytestmark = pytest.mark.host


def keeps_one(graph):
    return bool(graph.__dict__.get("_workspace"))


def some_graph():
    return random_graph(600, 2500, 8)


def distances(graph, source, **options):
    values = graph.full(np.inf)
    values[source] = 0
    propagate(graph, frontier(graph, source), through, values, reduce=MIN, **options)
    return values


def paths(graph, source):
    values = graph.full(0)
    values[source] = 1
    propagate(graph, frontier(graph, source), pass_on, values, reduce=ADD, where=unset)
    return values


def least(graph, source):
    values = graph.full(np.inf), graph.full(2**62)
    keys = np.floor(np.arange(graph.num_vertices) / 7)
    advance(graph, frontier(graph, source), best_sender, values, reduce=ARGMIN, source_values=keys)
    return values


def odd(source, target, edge, values):
    return target % 2 == 1


def visited(graph, source):
    return np.sort(advance(graph, frontier(graph, source), odd, graph.full(0)).ids)


def near(graph, source):
    return distances(graph, source, priority=0.5)


def received(graph, source):
    """The messages of three vertices, added up, and the least of them."""
    some = frontier(graph, [source, source // 2, source // 3])
    sums, pairs = graph.full(0.0), (graph.full(np.inf), graph.full(0))
    at = np.arange(graph.num_vertices) // 5
    deliver(graph, sums, at, graph.full(float(source)), reduce=ADD, frontier=some)
    deliver(graph, pairs, at, (sums, at), reduce=ARGMIN, frontier=some)
    return sums, *pairs


CALLS = (distances, paths, least, visited, near, received)


def expected():
    return {(call, v): call(some_graph(), v) for call in CALLS for v in range(0, 600, 97)}


def test_every_call_finds_a_clean_workspace():
    graph, wanted = some_graph(), expected()
    for team in (1, 2, 3, 2):
        with threads(team):
            for (call, v), answer in wanted.items():
                np.testing.assert_equal(call(graph, v), answer)
                assert keeps_one(graph)
    values = graph.full(np.inf)
    values[0] = 0
    right, _, _ = oracles.propagate(graph, [0], through, values, reduce=MIN)
    np.testing.assert_array_equal(distances(graph, 0), right)


def test_several_python_threads_at_once():
    graph, wanted = some_graph(), expected()
    with ThreadPoolExecutor(4) as pool:
        answers = [(key, pool.submit(key[0], graph, key[1])) for key in 3 * list(wanted)]
    for key, answer in answers:
        np.testing.assert_equal(answer.result(), wanted[key])


@pytest.mark.parametrize("call", [distances, paths, near])
def test_what_fails_leaves_no_workspace(call):
    graph, wanted = some_graph(), call(some_graph(), 5)

    def stop(iteration, **counts):
        raise InterruptedError

    call(graph, 5)
    with observe(stop), pytest.raises(InterruptedError):
        call(graph, 5)
    assert not keeps_one(graph)
    np.testing.assert_equal(call(graph, 5), wanted)


def test_a_call_inside_a_call_has_its_own():
    graph, wanted, inside = some_graph(), paths(some_graph(), 5), []

    def look(iteration, **counts):
        if not inside:
            inside.append(None)
            inside[0] = paths(graph, 7)

    with observe(look):
        np.testing.assert_equal(paths(graph, 5), wanted)
    np.testing.assert_equal(inside[0], paths(graph, 7))


def test_copies_have_none():
    graph = some_graph()
    paths(graph, 0)
    assert keeps_one(graph)
    for other in (graph.copy(), copy.deepcopy(graph), pickle.loads(pickle.dumps(graph)),
                  graph.with_weights(None)):  # fmt: skip
        assert not keeps_one(other)


def test_what_is_kept_is_bounded():
    space = Workspace(1000, np.dtype(np.uint32))
    for dtype in (np.int8, np.int32, np.int64, np.float32, np.float64):
        for identity in (0, 1, 2):
            assert (space.filled(dtype, dtype(identity)) == identity).all()
            space.take_back()
    assert sum(array.nbytes for _, array in space._kept) <= 32 * 1000
    again = space.filled(np.dtype(np.float64), np.float64(2))
    assert again is not space.filled(np.dtype(np.float64), np.float64(2)), "it is lent already"
    assert len(space.filled(np.dtype(np.float64), np.float64(0), 64)) == 64_000
    space.take_back()
    assert space.filled(np.dtype(np.float64), np.float64(2)) is again, (
        "what is too large is not kept"
    )


@pytest.mark.slow
def test_a_call_costs_what_it_touches(monkeypatch):
    """Ten vertices among four million cost about what they cost among sixteen thousand."""
    monkeypatch.setattr("edgewise.base.threads.SERIAL_WORK", 1 << 14)

    def add(graph, ten, values):
        advance(graph, ten, pass_on, values[0], reduce=ADD)

    def least(graph, ten, values):
        advance(graph, ten, best_sender, values[1:3], reduce=ARGMIN, source_values=values[0])

    def visit(graph, ten, values):
        advance(graph, ten, odd, values[0])

    def rounds(graph, ten, values):
        propagate(graph, ten, pass_on, values[3], reduce=ADD, where=unset, max_iter=3)

    def nearest(graph, ten, values):
        propagate(graph, ten, through, values[4], reduce=MIN, priority=2.0)

    seconds = {}
    for side in (128, 2048):
        graph = grid_2d(side, side)
        n = graph.num_vertices
        ten = frontier(graph, np.arange(10) * (n // 11))
        values = (graph.full(1), graph.full(np.inf), graph.full(2**62), graph.full(0),
                  graph.full(0.0))  # fmt: skip
        for call in (add, least, visit, rounds, nearest):
            times = []
            for _ in range(100):
                start = time.process_time()
                call(graph, ten, values)
                times.append(time.process_time() - start)
            seconds[call, side] = min(times)
    for (call, side), taken in seconds.items():
        assert taken < 2 * seconds[call, 128] + 20e-6, f"{call.__name__}: {side}, {taken}"
