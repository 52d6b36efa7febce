"""`locally_dominant` in batches and on several devices: the same mates as in one piece."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import matching
from edgewise.algorithms.matching.locally_dominant import match_free
from edgewise.algorithms.matching.out_of_core import match_in_batches
from edgewise.base.observe import Trace, observe
from edgewise.graph import Graph
from edgewise.operators.batches import Source, batches_on, split
from tests.operators.conftest import _only_where_it_belongs, _wake_the_team, engine  # noqa: F401
from tests.operators.engines import ENGINES
from tests.tiers import later

WEIGHTS = {
    "none": lambda draw, m: None,
    "ties": lambda draw, m: draw.integers(-1, 4, m),
    "float64": lambda draw, m: draw.random(m),
    "float32": lambda draw, m: draw.random(m).astype(np.float32),
}
KINDS = pytest.mark.parametrize("kind", ["none", "ties", "float64", later("float32")])


@pytest.fixture
def device(engine):  # noqa: F811
    return "cpu" if engine is ENGINES["cpu"] else "cuda"


def some_graph(kind, seed):
    draw = np.random.default_rng(seed)
    n, m = int(draw.integers(2, 60)), int(draw.integers(1, 200))
    sources, targets = draw.integers(0, n, m), draw.integers(0, n, m)
    if seed % 2:
        sources = np.where(draw.random(m) < 0.5, 0, sources)  # a hub
    return Graph.from_edges(sources, targets, WEIGHTS[kind](draw, m), num_vertices=n)


def mates(graph, **options):
    return matching.locally_dominant(graph, **options).mate.tolist()


@KINDS
@pytest.mark.parametrize("batches", [1, 2, 3, 10, "auto"])
def test_batches_change_nothing(device, kind, batches):
    for seed in range(3):
        graph = some_graph(kind, seed)
        assert mates(graph, num_batches=batches, device=device) == mates(graph)


@KINDS
@pytest.mark.parametrize("parts", [2, 3, 5])
def test_devices_change_nothing(device, kind, parts):
    for seed in range(3):
        graph = some_graph(kind, seed)
        assert mates(graph, device=[device] * parts, num_batches=2) == mates(graph)


def test_unlike_devices_work_together(device):
    graph = some_graph("float64", 1)
    assert mates(graph, device=[device, "cpu", device]) == mates(graph)


def test_those_who_have_mates_keep_them(device):
    graph = some_graph("float64", 2)
    start = graph.full(-1, graph.indices.dtype)
    u, v, _ = graph.edges()
    first = int(np.flatnonzero(u != v)[0])
    start[u[first]], start[v[first]] = v[first], u[first]
    whole = start.copy()
    match_free(graph, whole, "weight")
    match_in_batches(graph, start, "weight", 3, [device, device])
    assert start.tolist() == whole.tolist()


def test_the_trace_tells_how_the_time_is_split(device):
    graph = some_graph("float64", 4)
    with observe(Trace()) as trace:
        found = mates(graph, num_batches=2, device=device)
    assert sum(row["committed"] for row in trace.rows) * 2 == sum(one >= 0 for one in found)
    phases = {"transfer", "pointing", "matching", "synchronization"}
    assert all(phases <= set(row) and row["visited"] >= 0 for row in trace.rows)


@pytest.mark.host
@pytest.mark.parametrize(
    "options, error, said",
    [
        ({"num_batches": 0, "device": "cpu"}, ValueError, "num_batches must be at least 1"),
        ({"num_batches": 2.5, "device": "cpu"}, TypeError, "num_batches must be a whole number"),
        ({"device": []}, ValueError, "device must name at least one"),
        ({"device": "gpu:0"}, ValueError, "device must be 'cpu', 'cuda'"),
    ],
)
def test_bad_input_is_named(options, error, said):
    with pytest.raises(error, match=said):
        mates(some_graph("none", 1), **options)


@pytest.mark.host
def test_ranges_have_equal_shares():
    indptr = np.cumsum(np.r_[0, np.random.default_rng(1).integers(0, 9, 1000)])
    ends = split(indptr, 0, 1000, 7)
    assert ends[0] == 0 and ends[-1] == 1000 and len(ends) == 8
    arcs = np.diff(indptr[ends])
    assert max(arcs) - min(arcs) <= 2 * 8


def test_batches_come_as_they_are_asked_for(device):
    """Rows of the vertices of each batch; what is still there comes first."""
    graph = some_graph("float64", 1)
    there = batches_on(device, Source(graph, graph.weights), 0, graph.num_vertices, 4, beside=0)
    try:
        for wanted in ([0, 1, 2, 3], [1, 3], [], [3, 0]):
            with there.here():
                seen = list(map(_contents, there.bring(wanted)))
            assert sorted(first for first, _, _ in seen) == sorted(there.starts[k] for k in wanted)
            for first, neighbors, weights in seen:
                for i, (row, worth) in enumerate(zip(neighbors, weights, strict=True)):
                    low, high = graph.indptr[first + i : first + i + 2]
                    assert row == graph.indices[low:high].tolist()
                    assert worth == graph.weights[low:high].tolist()
    finally:
        there.close()


def _contents(batch):
    indptr, indices, weights = (
        one.get() if hasattr(one, "get") else one.copy()
        for one in (batch.indptr, batch.indices, batch.weights)
    )
    bounds = list(zip(indptr.tolist(), indptr[1:].tolist(), strict=False))
    return (
        batch.first,
        [indices[low:high].tolist() for low, high in bounds],
        [weights[low:high].tolist() for low, high in bounds],
    )


@pytest.mark.host
@pytest.mark.parametrize("n", [0, 1])
def test_nothing_to_pair(n):
    assert mates(Graph.from_edges([], [], num_vertices=n), num_batches=3, device="cpu") == [-1] * n
