"""from_edges with more edges and the constants as shipped: answers, memory, several callers."""

from __future__ import annotations

import threading
import tracemalloc

import numpy as np
import pytest
import scipy.sparse

from edgewise.base.threads import SERIAL_WORK, threads
from edgewise.graph import Graph

N, M = 20_000, 400_000


@pytest.fixture(autouse=True, scope="module")
def _as_shipped(_wake_the_team):
    """Undo what the other tests of this folder shrink."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("edgewise.base.threads.SERIAL_WORK", SERIAL_WORK)
        patch.setattr("edgewise.base.cpu.sort._BUCKET", 1 << 13)
        patch.setattr("edgewise.base.cpu.sort._BIG", 1 << 16)
        patch.setattr("edgewise.graph.transpose._MANY", 1 << 18)
        yield


@pytest.fixture(scope="module")
def edges():
    rng = np.random.default_rng(5)
    sources = (N * rng.random(M) ** 4).astype(np.int32)  # a few rows hold most edges
    return sources, rng.integers(0, N, M, dtype=np.int32), rng.integers(1, 100, M)


@pytest.mark.parametrize("team", [1, 2, 4])
def test_agrees_with_scipy(edges, team):
    sources, targets, weights = edges
    expected = scipy.sparse.coo_array((weights, (sources, targets)), (N, N)).tocsr()
    expected.sum_duplicates()
    with threads(team):
        graph = Graph.from_edges(*edges, directed=True, num_vertices=N)
        turned = graph.transposed
    np.testing.assert_array_equal(graph.indptr, expected.indptr)
    np.testing.assert_array_equal(graph.indices, expected.indices)
    np.testing.assert_array_equal(graph.weights, expected.data)
    expected = expected.T.tocsr()
    expected.sort_indices()
    np.testing.assert_array_equal(turned.indices, expected.indices)
    np.testing.assert_array_equal(turned.weights, expected.data)


@pytest.mark.parametrize("team", [1, 2, 4])
def test_undirected_agrees_with_scipy(edges, team):
    sources, targets, weights = edges
    matrix = scipy.sparse.coo_array((weights, (sources, targets)), (N, N)).tocsr()
    loops = scipy.sparse.diags_array(matrix.diagonal(), dtype=np.int64)
    expected = scipy.sparse.csr_array(matrix + matrix.T - loops)
    expected.eliminate_zeros()
    expected.sort_indices()
    with threads(team):
        graph = Graph.from_edges(*edges, num_vertices=N)
        permuted = graph.permute(np.arange(N)[::-1])
    np.testing.assert_array_equal(graph.indices, expected.indices)
    np.testing.assert_array_equal(graph.weights, expected.data)
    assert (abs(permuted.to_scipy() - expected[::-1, ::-1]) > 0).nnz == 0


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("dtype", [None, "float32", "float64"])
def test_memory_stays_below_three_times_the_input(edges, directed, dtype):
    sources, targets, weights = edges
    weights = None if dtype is None else weights.astype(dtype)
    given = sources.nbytes + targets.nbytes + (0 if weights is None else weights.nbytes)
    options = {"directed": directed, "num_vertices": N}
    Graph.from_edges(sources, targets, weights, **options)  # compiles
    tracemalloc.start()
    Graph.from_edges(sources, targets, weights, **options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * given


def test_several_python_threads_at_once(edges):
    expected = Graph.from_edges(*edges)
    built = {}

    def work(team):
        with threads(team):
            built[team] = Graph.from_edges(*edges)

    callers = [threading.Thread(target=work, args=(team,)) for team in (1, 2, 3, 4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert len(built) == 4
    assert all(graph == expected for graph in built.values())
