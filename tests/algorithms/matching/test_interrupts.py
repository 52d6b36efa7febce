"""Ctrl-C in sequential algorithms: each asks now and then, and the process is back at once."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from itertools import count

import numpy as np
import pytest

from edgewise import Graph
from edgewise.algorithms import matching
from edgewise.operators import sequential as module
from edgewise.operators.results import in_record, is_record
from tests.algorithms.samples import random_graph
from tests.conftest import ROOT

VALUES = np.random.default_rng(1).random(400)
GRAPH = random_graph(400, 3000)
GRAPH = GRAPH.with_weights(np.random.default_rng(2).random(GRAPH.num_edges))
RNG = np.random.default_rng(3)  # a perfect matching, and more edges that hide it
RIGHT = 60 + np.r_[RNG.permutation(60), RNG.integers(0, 60, 300)]
SIDES = Graph.from_edges(np.tile(np.arange(60), 6), RIGHT, RNG.random(360), duplicates="max")
COVERED = Graph.from_edges(np.arange(400), (np.arange(400) + 1) % 400, VALUES)

CALLS = {
    "greedy": lambda: matching.greedy(GRAPH),
    "path_growing": lambda: matching.path_growing(GRAPH),
    "paz_schwartzman": lambda: matching.paz_schwartzman(GRAPH),
    "vertex_weighted": lambda: matching.vertex_weighted(GRAPH, VALUES),
    "hopcroft_karp": lambda: matching.hopcroft_karp(SIDES),
    "maximum_weight_bipartite": lambda: matching.maximum_weight_bipartite(SIDES),
    "heavy_perfect": lambda: matching.heavy_perfect(SIDES),
    "b_edge_cover": lambda: matching.b_edge_cover(COVERED),
}


def _copied(one):
    return one.copy() if isinstance(one, np.ndarray) else one


def _members(state):
    """All arrays and numbers, those of records among them."""
    return [one for given in state for one in (given if is_record(given) else (given,))]


@pytest.mark.parametrize("name", CALLS)
def test_every_function_asks(monkeypatch, name):
    """Each sequential function, one after the other, finds that it is to stop, and stops."""
    stops: dict[object, bool] = {}  # for every kernel: did stopping it ever leave work undone?
    launch = module.launch

    def stopping(at):
        """As `launch`, but the call number ``at`` is stopped."""
        calls = count()

        def launched(kernel, arrays, **options):
            if next(calls) != at:
                return launch(kernel, arrays, **options)
            copies = tuple(in_record(_copied, one) for one in arrays)
            control = np.zeros(512, np.int64)
            control[0] = 1
            kernel(0, 1, control, copies)
            launch(kernel, arrays, **options)
            same = all(map(np.array_equal, _members(arrays), _members(copies)))
            stops[kernel] = stops.get(kernel, False) or not same
            raise TimeoutError

        return launched

    for at in range(20):
        monkeypatch.setattr(module, "launch", stopping(at))
        try:
            CALLS[name]()
        except TimeoutError:
            continue
        break
    assert stops and all(stops.values())


PROGRAM = """
import sys, time
import numpy as np
import edgewise as ew
from edgewise.graph import CSR
from edgewise import matching

rng, n = np.random.default_rng(1), 150_000
columns = rng.integers(0, n, 24 * n)
weights = rng.random(24 * n)
table = CSR(np.arange(0, 24 * n + 1, 24), np.sort(columns.reshape(n, 24)).ravel(), weights,
            num_columns=n + 1)
small = CSR([0, 2, 3], [0, 1, 0], [1.0, 2.0, 3.0], num_columns=3)
matching.maximum_weight_bipartite(small)
print("ready", flush=True)
start = time.perf_counter()
try:
    matching.maximum_weight_bipartite(table)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.slow
def test_control_c_ends_the_heaviest_matching():
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        start = time.perf_counter()
        assert process.communicate(timeout=60)[0] == "interrupted\n"
        assert time.perf_counter() - start < 3, "a loaded machine may be slow, but not that slow"
    finally:
        process.kill()
