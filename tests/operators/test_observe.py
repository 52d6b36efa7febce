"""The observe hook under operators: every round is told; observers and Ctrl-C stop the work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from edgewise.base.observe import Trace, observe
from edgewise.base.threads import threads
from edgewise.graph import Graph
from edgewise.operators import ADD, ANY, MIN, frontier
from tests.operators import oracles
from tests.operators.engines import advance, propagate
from tests.operators.functions import pass_on, sender, spread, through, unset
from tests.operators.graphs import SMALL, grid, path, random_graph

ROOT = Path(__file__).resolve().parents[2]


def search(graph, **options):
    parent, depths = graph.full(-1, np.int32), graph.full(0, np.int32)
    parent[0] = 0
    propagate(graph, frontier(graph, 0), sender, parent, reduce=ANY, depths=depths, **options)
    return depths


@pytest.mark.parametrize("direction", ["push", "pull", "auto"])
@pytest.mark.parametrize("team", [1, 2])
def test_every_round_is_told_with_the_size_of_its_frontier(direction, team):
    for graph in (SMALL["random"], random_graph(3000, 9000, 1), grid(40)):
        with threads(team), observe(Trace()) as trace:
            depths = search(graph, direction=direction)
        sizes = np.bincount(depths[depths > 0], minlength=2)[1:]
        assert [row["frontier"] for row in trace.rows] == [1, *sizes.tolist()]
        assert [row["iteration"] for row in trace.rows] == list(range(len(trace.rows)))
        edges = [row["edges"] for row in trace.rows]
        assert edges == sorted(edges)
        if direction != "auto":
            assert {row["direction"] for row in trace.rows} == {direction}


def test_edges_of_a_push_that_follows_a_pull():
    """A clique with a tail: the clique is pulled, the tail pushed, and every edge is counted."""
    clique = [(u, v) for u in range(60) for v in range(u)]
    tail = [(59 + i, 60 + i) for i in range(40)]
    graph = Graph.from_edges(*np.array(clique + tail).T)
    with observe(Trace()) as trace:
        search(graph)
    modes = [row["direction"] for row in trace.rows]
    assert "pull" in modes and modes[-1] == "push"
    edges = [row["edges"] for row in trace.rows]
    pushed = [i for i in range(1, len(modes)) if modes[i] == "push"]
    assert all(edges[i] > edges[i - 1] for i in pushed)


def test_more_rounds_than_a_launch_reports_at_once():
    with observe(Trace()) as trace:
        depths = search(path(3000), direction="push")
    assert depths[-1] == 2999
    assert [row["iteration"] for row in trace.rows] == list(range(3000))
    assert [row["frontier"] for row in trace.rows] == [1] * 3000
    assert [row["edges"] for row in trace.rows[:4]] == [1, 3, 5, 7]


def test_rounds_under_a_limit():
    graph = SMALL["path"]
    with observe(Trace()) as trace:
        search(graph, max_iter=3)
        search(graph, max_iter=0)
    assert [row["frontier"] for row in trace.rows] == [1, 1, 1]


def test_advance_tells_of_its_one_round():
    graph = SMALL["random"]
    with observe(Trace()) as trace:
        advance(graph, None, spread, graph.full(1.0), reduce=ADD)
        advance(graph, frontier(graph, [3, 4]), spread, graph.full(1.0), reduce=ADD)
    assert [row["frontier"] for row in trace.rows] == [150, 2]


def test_observed_or_not_the_result_is_the_same():
    graph = random_graph(3000, 20_000, 4)
    counts = graph.full(0)
    counts[0] = 1
    expected, _, _ = oracles.propagate(graph, [0], pass_on, counts, reduce=ADD, where=unset)
    with observe(Trace()):
        propagate(graph, frontier(graph, 0), pass_on, counts, reduce=ADD, where=unset)
    np.testing.assert_array_equal(counts, expected)


def test_priority_tells_of_its_progress():
    graph = grid(80)
    alone, watched = graph.full(np.inf), graph.full(np.inf)
    alone[0] = watched[0] = 0.0
    start = frontier(graph, 0)
    propagate(graph, start, through, alone, reduce=MIN, priority=0.5)
    with observe(Trace()) as trace:
        propagate(graph, start, through, watched, reduce=MIN, priority=0.5)
    np.testing.assert_array_equal(alone, watched)
    assert trace.rows and trace.rows[-1]["edges"] >= graph.num_arcs


class _EnoughError(Exception):
    pass


def test_an_observer_that_raises_stops_the_work():
    def stop(iteration, **counts):
        if iteration == 2000:
            raise _EnoughError

    graph = path(5000)
    with observe(stop), pytest.raises(_EnoughError):
        search(graph)
    parent = graph.full(-1, np.int32)
    parent[0] = 0
    with observe(stop), pytest.raises(_EnoughError):
        propagate(graph, frontier(graph, 0), sender, parent, reduce=ANY)
    assert 2000 <= (parent >= 0).sum() < 5000, "the work went on"
    assert search(graph)[-1] == 4999, "the next call works as ever"


ENDLESS = """
import os, signal, sys, threading, time
import numpy as np
from edgewise.operators import MIN, frontier, propagate
from tests.operators.functions import through
from tests.operators.graphs import path, weighted

def ring(n):
    graph = weighted(np.arange(n), (np.arange(n) + 1) % n, directed=True)
    return graph.with_weights(np.full(n, -1.0))

signal.signal(signal.SIGINT, signal.default_int_handler)  # a parent may have it ignored
case, n = sys.argv[1], int(sys.argv[2])
options = {"rounds": {}, "priority": {"priority": 1.0}}[case]
graph = ring(n)
values = graph.full(0.0)
propagate(graph, frontier(graph, []), through, values, reduce=MIN, **options)  # compile
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
start = time.perf_counter()
try:
    propagate(graph, frontier(graph, 0), through, values, reduce=MIN, **options)
except KeyboardInterrupt:
    print("late by", time.perf_counter() - start - 0.3)
graph = path(2000)
values = graph.full(np.inf)
values[0] = 0.0
propagate(graph, frontier(graph, 0), through, values, reduce=MIN, **options)
assert np.array_equal(values[1:], np.cumsum(graph.edges()[2]))
print("works on")
"""


@pytest.mark.host
@pytest.mark.parametrize("case", ["rounds", "priority"])
@pytest.mark.parametrize("n", [3, 40_000], ids=["small", "team"])
def test_control_c_ends_a_loop_without_end(case, n):
    """A ring of negative lengths never settles; small calls and teams both notice the signal."""
    done = subprocess.run(
        [sys.executable, "-c", ENDLESS, case, str(n)],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "works on" in done.stdout
    assert float(done.stdout.split("late by ")[1].split()[0]) < 3
