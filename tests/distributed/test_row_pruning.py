"""Rows pruned and inflated over the ranks that share them, and Markov clustering on grids."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from edgewise.base.errors import ConvergenceError
from edgewise.base.observe import Trace, observe
from edgewise.communities import markov_clustering
from edgewise.distributed import Grid, GridMatrix
from edgewise.distributed.rank_threads import run_threads
from edgewise.distributed.summa import row_batches, task
from edgewise.generators import gnm_random, karate_club, planted_partition
from edgewise.graph import Graph
from edgewise.linalg import Matrix
from edgewise.linalg.pruning import Pruning, inflated_square
from tests.distributed.grids import assert_same, on_ranks
from tests.tiers import later

ROOT = Path(__file__).resolve().parents[2]
#: Threshold, select, recover, share and inflation: none, each of the rules alone, all of them.
RULES = [
    Pruning(0.0, 1100, 1400, 0.9, 2.0),
    Pruning(0.02, 1100, 0, 0.9, 2.0),
    Pruning(1e-4, 7, 0, 0.9, 1.5),
    Pruning(0.05, 1100, 9, 0.9, 2.0),
    Pruning(0.01, 6, 11, 0.95, 3.0),
    Pruning(0.9, 5, 3, 1.0, 2.0),
]


def stochastic(n: int, seed: int) -> Matrix:
    """Rows of sum 1, of very different lengths, whose values are all different."""
    draw = np.random.default_rng(seed)
    dense = draw.random((n, n)) ** 6 * (draw.random((n, n)) < draw.random((n, 1)))
    dense += np.eye(n) * 0.01
    dense /= dense.sum(1, keepdims=True)
    rows, columns = np.nonzero(dense)
    values = dense[rows, columns].astype(np.float32)
    return Matrix.from_entries(rows, columns, values, shape=(n, n))


@pytest.mark.parametrize("shape", [(2, 3), *map(later, [(1, 1), (2, 2), (1, 4), (3, 1)])])
@pytest.mark.parametrize("memory", [None, 40_000])
def test_a_step_equals_that_of_one_process(shape, memory):
    matrix = stochastic(60, seed=1)

    def work(comm):
        spread = GridMatrix.from_matrix(matrix, grid=Grid(comm, shape), distribution="random")
        found = []
        batches = row_batches(task(spread, spread, "plus_times"), memory)
        assert len(batches) > 1 or memory is None
        for rules in RULES:
            square, chaos = inflated_square(spread, rules, memory)
            here = square.gather()
            found.append((here.indptr, here.indices, here.values, chaos))
        return found

    first, *others = run_threads(work, shape[0] * shape[1])
    for other in others:
        assert_same(other, first)
    for rules, (indptr, indices, values, chaos) in zip(RULES, first, strict=True):
        square, worst = inflated_square(matrix, rules, None)
        want = square.sorted()
        assert indptr.tolist() == want.indptr.tolist(), rules
        assert indices.tolist() == want.indices.tolist(), rules
        np.testing.assert_allclose(values, want.values, rtol=3e-6)
        assert chaos == pytest.approx(worst, rel=1e-5, abs=1e-6)


def test_of_equal_values_as_many_stay():
    """All values of a row are equal: the bar is hit by all of them, on every rank."""
    n = 24
    matrix = Matrix.from_entries(np.repeat(np.arange(n), n), np.tile(np.arange(n), n),
                                 np.full(n * n, 1 / n, np.float32), shape=(n, n))  # fmt: skip

    def work(comm):
        spread = GridMatrix.from_matrix(matrix, grid=Grid(comm, (2, 3)))
        square, chaos = inflated_square(spread, Pruning(1e-4, 5, 0, 0.9, 2.0), None)
        here = square.gather()
        return np.diff(here.indptr), here.values, chaos

    lengths, values, chaos = run_threads(work, 6)[0]
    assert (lengths == 5).all() and chaos == pytest.approx(0, abs=1e-6)
    np.testing.assert_allclose(values, 0.2, rtol=1e-6)


def weighted(graph: Graph) -> Graph:
    """With weights that are alike in both directions of an edge, some of them 0."""
    u, v, _ = graph.arcs()
    number = (7 * (u.astype(np.int64) + v) + 3 * u * v) % 8
    return Graph(graph.indptr, graph.indices, number / 7)


PLANTED = planted_partition(6, 20, p_in=0.5, p_out=0.01, seed=3)[0]
CASES = {
    "karate": (karate_club(), {}),
    "karate, small clusters": (karate_club(), {"inflation": 4.0}),
    "weights": (weighted(gnm_random(40, 90, seed=2)), {"inflation": 1.7}),
    "few entries": (PLANTED, {"threshold": 0.01, "select": 12, "recover": 15}),
    "batches": (PLANTED, {"memory": "64KiB"}),
}


@pytest.mark.parametrize("shape", [(2, 3), later((1, 2)), later((2, 2)), later((4, 1))])
def test_the_clusters_of_one_process(shape):
    def work(*graphs):
        pairs = zip(graphs, CASES.values(), strict=True)
        return [markov_clustering(graph, **options) for graph, (_, options) in pairs]

    found = on_ranks(work, shape, *(graph for graph, _ in CASES.values()), distribution="random")
    for name, one in zip(CASES, found, strict=True):
        graph, options = CASES[name]
        options = {key: value for key, value in options.items() if key != "memory"}
        assert one.tolist() == markov_clustering(graph, **options).tolist(), name


def test_what_observers_receive():
    def rows(graph):
        with observe(Trace()) as trace:
            markov_clustering(graph, inflation=4.0)
        steps = [row for row in trace.rows if row["phase"] == "expand"]
        (end,) = (row for row in trace.rows if row["phase"] == "clusters")
        return [row["entries"] for row in steps], end["overlapping"], end["iteration"]

    wanted = rows(karate_club())
    assert wanted[1] == 1 and len(wanted[0]) == wanted[2]
    assert on_ranks(rows, (1, 1), karate_club()) == wanted  # observers are of the calling thread


def test_unfinished_clusters_are_kept():
    def work(graph):
        with pytest.raises(ConvergenceError) as caught:
            markov_clustering(graph, max_iter=3)
        return caught.value.best

    graph = karate_club()
    assert on_ranks(work, (2, 2), graph).tolist() == work(graph).tolist()


@pytest.mark.slow
def test_gpus_in_the_simulator():
    pytest.importorskip("numba_cuda")
    command = [sys.executable, "-m", "tests.distributed.simulated_gpus"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=ROOT,
                          env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"})  # fmt: skip
    assert done.stdout == "equal\n", done.stderr
