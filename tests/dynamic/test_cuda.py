"""Streams and updates on a GPU give what they give on CPU threads; also in the simulator."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise.base.cuda.device import simulated
from edgewise.dynamic import Stream, earliest_arrival, temporally_reachable
from edgewise.graph.transfer import host
from tests.operators.engines import no_gpu

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(bool(no_gpu()), reason=str(no_gpu()))]

GRAPH = ew.generators.rmat(3 if simulated() else 9, seed=2)
SIZES = (3,) if simulated() else (2, 50, 900)


def batches():
    rng, n = np.random.default_rng(1), GRAPH.num_vertices
    for size in SIZES:
        yield tuple(rng.integers(0, n + 1, (2, size))), tuple(rng.integers(0, n, (2, size)))


@pytest.mark.parametrize("duplicates", ["last", "sum"])
def test_updates(duplicates):
    weighted = GRAPH.with_weights(np.arange(1.0, GRAPH.num_edges + 1))
    for graph, more in ((GRAPH, ()), (weighted, (np.arange(3.0),))):
        add = ([0, 1, 40], [3, 6, 2], *more)
        gone = (graph.edges()[0][::5], graph.edges()[1][::5])
        here = graph.updated(add, gone, duplicates=duplicates)
        there = graph.to("cuda").updated(add, gone, duplicates=duplicates)
        assert there.device.startswith("cuda") and there.to("cpu") == here


@pytest.mark.parametrize("name", ["components", "core_number", "triangles", "bfs", "sssp",
                                  "matching", "pagerank", "communities"])  # fmt: skip
def test_streams(name):
    here, there = Stream(GRAPH), Stream(GRAPH.to("cuda"))
    arguments = (0,) if name in ("bfs", "sssp") else ()
    getattr(there, name)(*arguments)
    for add, gone in batches():
        assert here.update(add, gone) == there.update(add, gone)
        assert there.graph.to("cpu") == here.graph
        found, expected = (getattr(one, name)(*arguments) for one in (there, here))
        if name == "pagerank":
            assert abs(host(found.rank) - expected.rank).sum() < 1e-6
        elif name == "communities":
            assert len(host(found)) == here.num_vertices
        else:
            first = found if name in ("components", "core_number", "triangles") else found[0]
            other = expected if first is found else expected[0]
            assert host(first).tolist() == other.tolist()


@pytest.mark.parametrize("directed", [False, True])
def test_batches_of_a_large_share(directed, monkeypatch):
    """Counted while they are merged."""
    monkeypatch.setattr("edgewise.dynamic.changing.LEAST", 0)
    rng, (us, vs, _) = np.random.default_rng(4), GRAPH.edges()
    graph = ew.Graph.from_edges(us, vs, rng.integers(1, 4, len(us)) * 1.0, directed=directed)
    here, there, size = Stream(graph), Stream(graph.to("cuda")), len(us)
    for _ in range(2):
        add, gone = rng.integers(0, graph.num_vertices + 2, (2, 2, size))
        weights = rng.integers(1, 4, size) * 1.0
        found = there.update((*add, weights), tuple(gone))
        assert found == here.update((*add, weights), tuple(gone)) and found.added > 0
        assert there.graph.to("cpu") == here.graph


def test_windows_and_temporal_paths():
    graph = GRAPH.with_columns(edges={"time": np.arange(GRAPH.num_edges)})
    there = graph.to("cuda")
    assert there.window(2, 6).to("cpu") == graph.window(2, 6)
    assert host(earliest_arrival(there, 0)).tolist() == earliest_arrival(graph, 0).tolist()


def test_paths_along_dates():
    """Arrivals are in host memory, and the mask is on the GPU."""
    days = np.datetime64("2024-05-01") + np.arange(GRAPH.num_edges)
    graph = GRAPH.with_columns(edges={"time": days})
    there, limits = graph.to("cuda"), {"start": "2024-05-02", "duration": np.timedelta64(1, "h")}
    found, expected = (earliest_arrival(one, 0, **limits) for one in (there, graph))
    np.testing.assert_array_equal(found, expected)
    assert isinstance(found, np.ndarray) and found.dtype == expected.dtype
    reached = temporally_reachable(there, 0, **limits)
    assert host(reached).tolist() == (~np.isnat(expected)).tolist()
