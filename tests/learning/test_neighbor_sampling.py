"""Sampled neighbors: every block is checked edge by edge, and draws are counted."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from edgewise import Graph, threads
from edgewise.learning import neighbor_batches, sample_neighbors
from tests.algorithms.samples import random_graph
from tests.operators.engines import no_gpu

DIRECTED = random_graph(120, 900, directed=True)
UNDIRECTED = random_graph(120, 600)


def rows_of(graph: Graph, mode: str) -> list[list[tuple[int, int]]]:
    """By vertex: the (other end, edge) that it may draw."""
    rows: list[list[tuple[int, int]]] = [[] for _ in range(graph.num_vertices)]
    for e, (u, v) in enumerate(zip(*graph.edges()[:2], strict=True)):
        if not graph.directed:
            rows[u].append((v, e))
            if u != v:
                rows[v].append((u, e))
            continue
        if mode in ("out", "both"):
            rows[u].append((v, e))
        if mode in ("in", "both"):
            rows[v].append((u, e))
    return rows


def check(graph, batch, sources, fanouts, mode="in", replace=False, allowed=None):
    """Every property that a batch has, whatever was drawn."""
    rows, vertices = rows_of(graph, mode), batch.vertices.tolist()
    assert vertices[: batch.sizes[0]] == list(dict.fromkeys(sources))
    assert [vertices[i] for i in batch.sources] == list(sources)
    assert batch.sizes[-1] == len(vertices)
    if batch.times is None:
        assert len(set(vertices)) == len(vertices)
    for (size, larger), wanted, block in zip(
        pairwise(batch.sizes), fanouts, batch.blocks, strict=True
    ):
        assert len(block.indptr) == size + 1 and len(block.indices) == block.indptr[-1]
        assert set(range(size, larger)) <= set(block.indices.tolist()), "new ones were drawn"
        assert (block.indices < larger).all()
        for i in range(size):
            part = slice(block.indptr[i], block.indptr[i + 1])
            drawn = [(vertices[j], e) for j, e in zip(block.indices[part], block.edges[part],
                                                      strict=True)]  # fmt: skip
            known = [one for one in rows[vertices[i]] if allowed is None or allowed(i, one[1])]
            assert set(drawn) <= set(known)
            if replace:
                assert len(drawn) == (wanted if known else 0)
            else:
                least = len(known) if wanted is None else min(wanted, len(known))
                assert len(set(drawn)) == len(drawn) == least


@pytest.mark.parametrize("mode", ["in", "out", "both"])
@pytest.mark.parametrize("graph", [DIRECTED, UNDIRECTED], ids=["directed", "undirected"])
def test_blocks_hold_edges_of_their_rows(graph, mode):
    if mode == "both" and graph.directed:
        graph = Graph.from_edges([0, 1, 2, 4], [1, 2, 0, 1], directed=True)  # no arc both ways
    sources = [3, 1, 3, 2]
    sources = [v % graph.num_vertices for v in sources]
    for fanouts in ([2, 3], [None], [0, 4], [5, None, 1]):
        batch = sample_neighbors(graph, sources, fanouts=fanouts, mode=mode, seed=4)
        check(graph, batch, sources, fanouts, mode)


def test_with_replacement_and_weights():
    graph = DIRECTED.with_weights(np.arange(DIRECTED.num_edges) % 5.0)
    batch = sample_neighbors(graph, [0, 7], fanouts=[6, 2], replace=True, mode="out")
    check(graph, batch, [0, 7], [6, 2], "out", replace=True)
    for replace in (False, True):
        batch = sample_neighbors(graph, [0, 7], fanouts=[3, 2], weights="weight", replace=replace)
        assert all((graph.weights[block.edges] > 0).all() for block in batch.blocks)


def test_draws_follow_the_weights():
    star = Graph.from_edges([0] * 4, [1, 2, 3, 4])
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    drawn = sample_neighbors(star, 0, fanouts=[4000], weights=weights, replace=True).blocks[0]
    counts = np.bincount(drawn.edges, minlength=4)
    assert abs(counts / 4000 - weights / 10).max() < 0.035  # more than four standard deviations
    plain = [sample_neighbors(star, 0, fanouts=[2], seed=s).blocks[0].edges for s in range(200)]
    shares = np.bincount(np.concatenate(plain), minlength=4) / 200
    assert abs(shares - 0.5).max() < 0.15


def test_hops_draw_anew():
    star = Graph.from_edges([0] * 50, range(1, 51))
    first, second = sample_neighbors(star, 0, fanouts=[5, 5]).blocks
    assert first.edges.tolist() != second.edges[: second.indptr[1]].tolist()


def test_the_same_for_any_number_of_threads():
    graph = random_graph(3000, 60_000, directed=True)
    found = []
    for count in (1, 2, 3):
        with threads(count):
            found.append(sample_neighbors(graph, range(1000), fanouts=[10, 10], seed=3))
    for other in found[1:]:
        assert (other.vertices == found[0].vertices).all()
        for one, two in zip(other.blocks, found[0].blocks, strict=True):
            assert all((a == b).all() for a, b in zip(one, two, strict=True))


@pytest.mark.parametrize("method", ["random", "latest"])
def test_only_edges_up_to_the_time_of_a_source(method):
    times = np.random.default_rng(1).integers(0, 30, DIRECTED.num_edges)
    sources, limits = [5, 5, 9, 0], [3, 20, 20, -1]
    batch = sample_neighbors(
        DIRECTED, sources, fanouts=[3, 2], times=times, source_times=limits, method=method
    )
    assert batch.times[batch.sources].tolist() == limits
    assert batch.vertices[batch.sources].tolist() == sources
    assert len({*zip(batch.vertices, batch.times, strict=True)}) == len(batch.vertices)
    rows = rows_of(DIRECTED, "in")
    for size, wanted, block in zip(batch.sizes, (3, 2), batch.blocks, strict=False):
        for i in range(size):
            part = slice(block.indptr[i], block.indptr[i + 1])
            known = [e for _, e in rows[batch.vertices[i]] if times[e] <= batch.times[i]]
            drawn = block.edges[part].tolist()
            assert set(drawn) <= set(known) and len(set(drawn)) == min(wanted, len(known))
            assert (batch.times[block.indices[part]] == batch.times[i]).all()
            if method == "latest":
                latest = sorted(times[known].tolist())[-wanted:]
                assert sorted(times[drawn].tolist()) == latest
    weighted = sample_neighbors(DIRECTED, sources, fanouts=[2], times=times, source_times=15,
                                weights=np.ones(DIRECTED.num_edges))  # fmt: skip
    assert all(times[block.edges].max() <= 15 for block in weighted.blocks)


def test_times_may_be_a_column():
    graph = DIRECTED.with_columns(edges={"year": np.arange(DIRECTED.num_edges)})
    given = {"fanouts": [4], "source_times": 300}
    one = sample_neighbors(graph, [1, 2], times="year", **given)
    two = sample_neighbors(DIRECTED, [1, 2], times=np.arange(DIRECTED.num_edges), **given)
    assert one.blocks[0].edges.tolist() == two.blocks[0].edges.tolist()


def test_vertices_without_edges_and_labels():
    graph = Graph.from_edges(["a", "b"], ["b", "c"], directed=True)
    batch = sample_neighbors(graph, ["a"], fanouts=[2, 2])
    assert batch.vertices.tolist() == [graph.vertex("a")] and batch.sizes == (1, 1, 1)
    empty = sample_neighbors(graph, [], fanouts=[2])
    assert empty.sizes == (0, 0) and empty.blocks[0].indptr.tolist() == [0]
    loop = Graph.from_edges([0, 0], [0, 1])
    assert sample_neighbors(loop, 0, fanouts=[None]).vertices.tolist() == [0, 1]


def test_arrays_are_shared_without_a_copy():
    batch = sample_neighbors(UNDIRECTED, [1, 2], fanouts=[3])
    for array in (batch.vertices, batch.sources, *batch.blocks[0]):
        assert np.shares_memory(np.from_dlpack(array), array)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fanouts": 3}, "fanouts must list"),
        ({"fanouts": []}, "fanouts must list"),
        ({"fanouts": [-1]}, "fanouts must"),
        ({"fanouts": [None], "replace": True}, "fanouts must be numbers"),
        ({"mode": "sideways"}, "mode must"),
        ({"method": "oldest"}, "method must"),
        ({"method": "latest"}, "needs times"),
        ({"source_times": 3}, "given together"),
        ({"times": "year", "source_times": 3}, "times must name a column"),
        ({"times": [1.0], "source_times": 3}, "times must have"),
        ({"times": np.full(600, np.nan), "source_times": 3}, "got NaN"),
        ({"times": np.zeros(600), "source_times": [1, 2, 3]}, "source_times must be one number"),
        ({"times": np.zeros(600), "source_times": "2024-05-01"}, "source_times must be numbers"),
        ({"times": np.zeros(600), "source_times": np.datetime64("2024")}, "must be numbers, as"),
        ({"times": np.full(600, "NaT", "datetime64[s]"), "source_times": 3}, "got NaT"),
        ({"weights": np.full(600, -1.0)}, "weights must be finite and not negative"),
    ],
)
def test_wrong_arguments_are_named(options, message):
    sources, targets, _ = random_graph(120, 900).edges()
    graph = Graph.from_edges(sources[:600], targets[:600], num_vertices=120)
    with pytest.raises((ValueError, TypeError), match=message):
        sample_neighbors(graph, [1, 2], **options)
    with pytest.raises(ValueError, match="120"):
        sample_neighbors(graph, [120])


def test_an_epoch_has_every_source_once():
    batches = neighbor_batches(UNDIRECTED, range(100), batch_size=30, fanouts=[3], seed=5)
    assert len(batches) == 4 and "4 batches of 30" in repr(batches)
    epochs = [list(batches), list(batches)]
    ids = [[v for one in epoch for v in one.vertices[one.sources].tolist()] for epoch in epochs]
    assert sorted(ids[0]) == sorted(ids[1]) == list(range(100)) and ids[0] != ids[1]
    for batch in epochs[0]:
        check(UNDIRECTED, batch, batch.vertices[batch.sources].tolist(), [3])
    again = list(batches.epoch(1))
    assert all((a.vertices == b.vertices).all() for a, b in zip(again, epochs[1], strict=True))
    plain = neighbor_batches(UNDIRECTED, batch_size=50, fanouts=[3], shuffle=False, drop_last=True)
    assert [one.vertices[one.sources].tolist() for one in plain] == [
        list(range(50)), list(range(50, 100)),
    ]  # fmt: skip


@pytest.mark.parametrize("prefetch", [1, 3, 9])
def test_prefetched_batches_are_the_same(prefetch):
    given = {"batch_size": 25, "fanouts": [3, 2], "seed": 2}
    plain = neighbor_batches(UNDIRECTED, **given)
    ahead = neighbor_batches(UNDIRECTED, prefetch=prefetch, **given)
    for one, two in zip(plain, ahead, strict=True):
        assert (one.vertices == two.vertices).all()
    for _ in ahead:  # a loop that is left early ends its thread
        break


def test_batches_with_times():
    times = np.arange(UNDIRECTED.num_edges)
    batches = neighbor_batches(UNDIRECTED, [4, 5, 6], batch_size=2, fanouts=[2], times=times,
                               source_times=[10, 200, 400])  # fmt: skip
    limit = dict(zip([4, 5, 6], [10, 200, 400], strict=True))
    for batch in batches:
        block = batch.blocks[0]
        for i, v in enumerate(batch.vertices[: batch.sizes[0]].tolist()):
            assert (block.edges[block.indptr[i] : block.indptr[i + 1]] <= limit[v]).all()
    with pytest.raises(ValueError, match="batch_size"):
        neighbor_batches(UNDIRECTED, batch_size=0)


@pytest.mark.parametrize("unit", ["D", "ns"])
@pytest.mark.parametrize("named", [False, True])
def test_dates_are_times(unit, named):
    """As numbers of days; nanoseconds do not fit into float64."""
    days = np.arange(UNDIRECTED.num_edges) % 90
    dates = (np.datetime64("2024-01-01") + days).astype(f"datetime64[{unit}]")
    if unit == "ns":
        dates = dates + np.timedelta64(1, "ns")  # after midnight
    limits = np.array(["2024-01-20", "2024-02-11", "2024-03-01"], "datetime64[D]")
    graph, times = UNDIRECTED, dates
    if named:
        graph, times = graph.with_columns(edges={"at": dates}), "at"
    given = {"fanouts": [4, 4], "seed": 3}
    batch = sample_neighbors(graph, [4, 5, 6], times=times, source_times=limits, **given)
    last = (limits - np.datetime64("2024-01-01")).astype(int) - (unit == "ns")
    known = sample_neighbors(UNDIRECTED, [4, 5, 6], times=days, source_times=last, **given)
    assert (batch.vertices == known.vertices).all() and batch.times.dtype == dates.dtype
    assert batch.times[:3].tolist() == limits.astype(dates.dtype).tolist()
    assert all((a.edges == b.edges).all() for a, b in zip(batch.blocks, known.blocks, strict=True))
    said = sample_neighbors(graph, [4], times=times, source_times="2024-01-20T07:00", **given)
    assert said.times[0] == np.datetime64("2024-01-20T07:00").astype(dates.dtype)
    for wrong, message in ((7, "must be a date"), (["NaT"], "must be a date"),
                           (np.array(["NaT"], "datetime64[D]"), "got NaT")):  # fmt: skip
        with pytest.raises((TypeError, ValueError), match=message):
            sample_neighbors(graph, [4], times=times, source_times=wrong)


@pytest.mark.gpu
def test_the_same_on_a_gpu():
    if reason := no_gpu():
        pytest.skip(reason)
    there = DIRECTED.to("cuda")
    one = sample_neighbors(DIRECTED, [1, 5, 7], fanouts=[4, 4], seed=6)
    two = sample_neighbors(there, [1, 5, 7], fanouts=[4, 4], seed=6)
    assert (one.vertices == two.vertices.get()).all()
    for a, b in zip(one.blocks, two.blocks, strict=True):
        assert all((x == y.get()).all() for x, y in zip(a, b, strict=True))
