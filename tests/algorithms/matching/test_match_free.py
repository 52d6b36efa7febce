"""`match_free`: the one matching in which every edge meets a matched one that outranks it.

On every engine, by one kernel, and round by round.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.algorithms.matching.locally_dominant import match_free
from edgewise.base.observe import Trace, observe
from edgewise.base.threads import threads
from edgewise.graph import Graph
from edgewise.graph.csr import frozen
from tests.operators import oracles
from tests.operators.conftest import _only_where_it_belongs, _wake_the_team, engine  # noqa: F401
from tests.operators.engines import call
from tests.operators.graphs import SMALL, grid, path, random_graph, star
from tests.tiers import later

ROOT = Path(__file__).resolve().parents[3]
UNDIRECTED = {name: graph for name, graph in SMALL.items() if not graph.directed}


@contextmanager
def by_operators():
    """Without the kernel, as on a grid."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("edgewise.operators.engines._kernel_of", lambda package, algorithm: None)
        yield


def paired(graph, mates=None, weights="weight"):
    mates = graph.full(-1, graph.indices.dtype) if mates is None else mates.copy()
    call(match_free, graph, mates, weights)
    return mates.tolist()


@pytest.mark.parametrize("team", [1, 3])
@pytest.mark.parametrize("name", UNDIRECTED)
def test_small_graphs(name, team):
    graph = UNDIRECTED[name]
    with threads(team):
        assert paired(graph) == oracles.dominant(graph)
        assert paired(graph, weights=None) == oracles.dominant(graph, None)


@settings(max_examples=60)
@given(st.data(), st.sampled_from([1, 2, 3]))
def test_any_graph(data, team):
    """Ties, zeros, negative weights, loops, and vertices that have mates already."""
    n = data.draw(st.integers(1, 14))
    vertex = st.integers(0, n - 1)
    edges = data.draw(st.lists(st.tuples(vertex, vertex, st.integers(-1, 3)), max_size=4 * n))
    u, v, weights = np.array(edges, np.int64).reshape(-1, 3).T
    graph = Graph.from_edges(u, v, weights.astype(np.float64), num_vertices=n)
    mates = graph.full(-1, graph.indices.dtype)
    taken = data.draw(st.lists(vertex, unique=True))
    for a, b in zip(taken[::2], taken[1::2], strict=False):
        mates[a], mates[b] = b, a
    wanted = oracles.dominant(graph, "weight", mates)
    with threads(team):
        assert paired(graph, mates) == wanted
        with observe(Trace()):
            assert paired(graph, mates) == wanted
        with by_operators():
            assert paired(graph, mates) == wanted


@pytest.mark.parametrize("team", [1, 2, 3])
@pytest.mark.parametrize("kind", ["random", "whole", "unit", "chain", "degrees"])
def test_larger_graphs(kind, team):
    graph = random_graph(3000, 20_000, 7)
    u, v, _ = graph.arcs()
    low, high, degrees = np.minimum(u, v), np.maximum(u, v), graph.row_lengths()
    weights = {
        "random": (low * 7919 + high * 104_729) % 10_007 / 10_007.0,
        "whole": ((low + high) % 4).astype(np.float64),
        "unit": None,
        "chain": low + high + 1.0,
        "degrees": 1.0 * degrees[u] * degrees[v],
    }[kind]
    with threads(team):
        assert paired(graph, weights=weights) == oracles.dominant(graph, weights)


@pytest.mark.parametrize("dtype", [later(np.int32), later(np.int64), later(np.float32), np.float64])
def test_types_of_weights(dtype):
    graph = random_graph(200, 900, 8).with_weights(None)
    u, v, _ = graph.arcs()
    weights = ((u + v) % 5 - 1).astype(dtype)
    weights[(u + v) % 7 == 3] = np.iinfo(dtype).max if weights.dtype.kind == "i" else 1e30
    assert paired(graph, weights=weights) == oracles.dominant(graph, weights)
    least = np.nextafter(dtype(0), dtype(1)) if weights.dtype.kind == "f" else 1
    weights[:] = least
    assert paired(graph, weights=weights) == oracles.dominant(graph, weights)


def test_wide_integers_are_compared_exactly():
    """In float64 the three weights would be equal."""
    base = 1 << 60
    for best in range(3):
        weights = np.full(3, base) + (np.arange(3) == best)
        graph = Graph.from_edges([0, 0, 0], [1, 2, 3], weights)
        assert paired(graph)[0] == best + 1


def test_wide_ids():
    narrow = random_graph(500, 3000, 9)
    wide = Graph(narrow.indptr, narrow.indices, narrow.weights)
    wide._keep(indices=frozen(narrow.indices.astype(np.int64)))
    assert paired(wide) == paired(narrow) == oracles.dominant(narrow)


@pytest.mark.parametrize("team", [1, 2, 3])
def test_chains_as_long_as_a_path(team):
    """Weights that grow along a path: each edge waits for the next."""
    n = 20_000
    graph = path(n).with_weights(np.arange(1.0, n))
    mates = np.arange(n) ^ 1
    with threads(team):
        assert paired(graph) == mates.tolist()


@pytest.mark.parametrize("team", [2, 3])
def test_long_rows_are_shared(team):
    """Two hubs whose rows are longer than one thread is given."""
    leaves = 70_000
    middle = np.arange(2, leaves + 2)
    u, v = np.repeat([0, 1], leaves), np.concatenate([middle, middle])
    with threads(team):
        for last in (0.0, 3.0):
            weights = np.concatenate([np.arange(leaves), np.arange(leaves)]) / leaves + 1
            weights[-1] += last  # both hubs want the last leaf, one of them must do without
            graph = Graph.from_edges(u, v, weights)
            assert paired(graph) == oracles.dominant(graph)
        assert paired(graph, weights=None) == oracles.dominant(graph, None)
        hub = star(70_000)
        assert paired(hub) == oracles.dominant(hub)


def test_parallel_arcs():
    """Rows that name a neighbor twice, as the constructor lets pass: the heaviest counts."""
    graph = Graph([0, 3, 6, 8], [1, 1, 2, 0, 0, 2, 0, 1], [1.0, 5.0, 3.0, 1.0, 5.0, 2.0, 3.0, 2.0])
    assert paired(graph) == [1, 0, -1]
    with by_operators():
        assert paired(graph) == [1, 0, -1]


def test_mates_stay():
    graph = path(6)
    mates = np.array([-1, 5, -1, -1, -1, 1], graph.indices.dtype)  # no edge joins 1 and 5: so what
    assert paired(graph, mates, weights=None) == oracles.dominant(graph, None, mates)
    for known in (1, 5):
        assert paired(graph, mates)[known] == mates[known]


def rounds(graph):
    """Edges committed in each round, by the definition of rounds."""
    mates, order, counts = [-1] * graph.num_vertices, oracles.by_rank(graph), []
    while True:
        first = {}
        for u, v in order:
            if mates[u] == mates[v] == -1:
                first.setdefault(u, v)
                first.setdefault(v, u)
        chosen = [(u, v) for u, v in first.items() if first[v] == u and u < v]
        if not chosen:
            return counts
        for u, v in chosen:
            mates[u], mates[v] = v, u
        counts.append(len(chosen))


@pytest.mark.parametrize("way", [nullcontext, by_operators], ids=["kernel", "operators"])
@pytest.mark.parametrize("team", [1, 2])
def test_every_round_is_told(team, way):
    ascending = path(300).with_weights(np.arange(1.0, 300))
    for graph in (SMALL["random"], random_graph(2000, 6000, 3), grid(30), ascending):
        with threads(team), way(), observe(Trace()) as trace:
            assert paired(graph) == oracles.dominant(graph)
        assert [row["iteration"] for row in trace.rows] == list(range(len(trace.rows)))
        committed = [row["committed"] for row in trace.rows]
        assert [count for count in committed if count] == rounds(graph)
        assert trace.rows[0]["visited"] == graph.num_arcs
        assert all(0 < row["visited"] < graph.num_arcs for row in trace.rows[1:])


class _EnoughError(Exception):
    pass


def test_an_observer_that_raises_stops_the_work():
    graph = path(300).with_weights(np.arange(1.0, 300))
    mates = graph.full(-1, graph.indices.dtype)

    def stop(iteration, **counts):
        if iteration == 9:
            raise _EnoughError

    with by_operators(), observe(stop), pytest.raises(_EnoughError):
        call(match_free, graph, mates, "weight")
    assert (mates >= 0).sum() == 20, "what was done stays, and no more is done"
    call(match_free, graph, mates, "weight")
    assert mates.tolist() == oracles.dominant(graph)


INTERRUPTED = """
import os, signal, threading, time
import numpy as np
from edgewise import Graph, generators
from edgewise.algorithms.matching.locally_dominant import match_free

signal.signal(signal.SIGINT, signal.default_int_handler)  # a parent may have it ignored
small = generators.grid_2d(5, 5)
match_free(small, small.full(-1, np.int32), np.ones(small.num_arcs))  # compile
graph = generators.rmat(17, seed=1)
u, v, _ = graph.arcs()
degrees = np.diff(graph.indptr).astype(float)
weights = degrees[u] * degrees[v]  # hubs first, one after the other: everybody asks again and again
threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    start = time.perf_counter()
    while time.perf_counter() < start + 20:
        mates = graph.full(-1, np.int32)
        match_free(graph, mates, weights)
    print("nobody came")
except KeyboardInterrupt:
    print("late by", time.perf_counter() - start - 0.02)
assert mates.max() == -1 or (mates[mates[mates >= 0]] == np.flatnonzero(mates >= 0)).all()
"""


@pytest.mark.host
def test_control_c():
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.split("late by ")[1].split()[0]) < 2
