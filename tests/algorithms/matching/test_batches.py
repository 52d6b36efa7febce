"""`pair` in batches and on several devices: the same mates as in one piece."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.observe import Trace, observe
from edgewise.graph import Graph
from edgewise.operators import pair
from edgewise.operators.batches import split
from tests.operators.engines import ENGINES

WEIGHTS = {
    "none": lambda draw, m: None,
    "ties": lambda draw, m: draw.integers(-1, 4, m),
    "float64": lambda draw, m: draw.random(m),
    "float32": lambda draw, m: draw.random(m).astype(np.float32),
}


@pytest.fixture
def device(engine):
    return "cpu" if engine is ENGINES["cpu"] else "cuda"


def some_graph(kind, seed):
    draw = np.random.default_rng(seed)
    n, m = int(draw.integers(2, 60)), int(draw.integers(1, 200))
    sources, targets = draw.integers(0, n, m), draw.integers(0, n, m)
    if seed % 2:
        sources = np.where(draw.random(m) < 0.5, 0, sources)  # a hub
    return Graph.from_edges(sources, targets, WEIGHTS[kind](draw, m), num_vertices=n)


def mates(graph, **options):
    found = graph.full(-1, graph.indices.dtype)
    pair(graph, found, **options)
    return found.tolist()


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("batches", [1, 2, 3, 10, "auto"])
def test_batches_change_nothing(device, kind, batches):
    for seed in range(3):
        graph = some_graph(kind, seed)
        assert mates(graph, batches=batches, devices=device) == mates(graph)


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("parts", [2, 3, 5])
def test_devices_change_nothing(device, kind, parts):
    for seed in range(3):
        graph = some_graph(kind, seed)
        assert mates(graph, devices=[device] * parts, batches=2) == mates(graph)


def test_unlike_devices_work_together(device):
    graph = some_graph("float64", 1)
    assert mates(graph, devices=[device, "cpu", device]) == mates(graph)


def test_those_who_have_mates_keep_them(device):
    graph = some_graph("float64", 2)
    start = graph.full(-1, graph.indices.dtype)
    u, v, _ = graph.edges()
    first = int(np.flatnonzero(u != v)[0])
    start[u[first]], start[v[first]] = v[first], u[first]
    whole = start.copy()
    pair(graph, whole)
    pair(graph, start, batches=3, devices=[device, device])
    assert start.tolist() == whole.tolist()


def test_the_trace_tells_how_the_time_is_split(device):
    graph = some_graph("float64", 4)
    with observe(Trace()) as trace:
        found = mates(graph, batches=2, devices=device)
    assert sum(row["committed"] for row in trace.rows) * 2 == sum(one >= 0 for one in found)
    phases = {"transfer", "pointing", "matching", "synchronization"}
    assert all(phases <= set(row) and row["visited"] >= 0 for row in trace.rows)


@pytest.mark.host
@pytest.mark.parametrize(
    "options, error, said",
    [
        ({"batches": 0, "devices": "cpu"}, ValueError, "batches must be at least 1"),
        ({"batches": 2.5, "devices": "cpu"}, TypeError, "batches must be a whole number"),
        ({"devices": []}, ValueError, "devices must name at least one"),
        ({"devices": "gpu:0"}, ValueError, "device must be 'cpu', 'cuda'"),
    ],
)
def test_bad_input_is_named(options, error, said):
    with pytest.raises(error, match=said):
        mates(some_graph("none", 1), **options)


@pytest.mark.host
def test_ranges_have_equal_shares():
    indptr = np.cumsum(np.r_[0, np.random.default_rng(1).integers(0, 9, 1000)])
    ranges = split(indptr, 0, 1000, 7)
    assert ranges[0][0] == 0 and ranges[-1][1] == 1000
    assert all(one[1] == two[0] for one, two in zip(ranges, ranges[1:], strict=False))
    arcs = [int(indptr[high] - indptr[low]) for low, high in ranges]
    assert max(arcs) - min(arcs) <= 2 * 8


@pytest.mark.host
@pytest.mark.parametrize("n", [0, 1])
def test_nothing_to_pair(n):
    assert mates(Graph.from_edges([], [], num_vertices=n), batches=3, devices="cpu") == [-1] * n
