"""Graphs onto a grid: equal to what one device makes of the same edges, files and seeds."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import generators, io
from edgewise.distributed import shares
from edgewise.distributed.comm import RankError
from edgewise.distributed.grid import Grid
from edgewise.distributed.ingest import from_edges, generate, read
from edgewise.distributed.launcher import launch
from edgewise.distributed.layout import DISTRIBUTIONS
from edgewise.distributed.rank_threads import run_threads
from edgewise.graph import Graph
from tests.distributed.helpers import SHAPES, on_grid, same, some_edges

OPTIONS = [
    {"directed": directed, "duplicates": duplicates, "self_loops": loops}
    for directed in (False, True)
    for duplicates in ("sum", "min", "max", "first")
    for loops in ("keep", "drop")
]


def split(columns, size, cuts):
    """Rank k's share of some columns."""
    ends = [0, *sorted(cuts), len(columns[0])]
    return [[one[ends[k] : ends[k + 1]] for one in columns] for k in range(size)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_from_edges_equals_one_device(shape, distribution):
    size = shape[0] * shape[1]
    columns = some_edges(30, 600)
    cuts = np.random.default_rng(size).integers(0, 600, size - 1)
    shares = split(columns, size, cuts)
    for options in OPTIONS:
        expected = Graph.from_edges(*columns, **options)

        def make(grid, options=options):
            return from_edges(*shares[grid.rank], distribution=distribution, grid=grid, **options)

        assert all(same(found, expected) for found in on_grid(make, shape)), options


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.uint8, bool, None])
def test_every_type_of_weights(dtype):
    us, vs, _ = some_edges(20, 200)
    columns = [us, vs] if dtype is None else [us, vs, (np.arange(200) % 7).astype(dtype)]
    parts = split(columns, 4, [10, 10, 150])
    expected = Graph.from_edges(*columns)
    found = on_grid(lambda grid: from_edges(*parts[grid.rank], grid=grid), (2, 2))
    assert all(same(one, expected) for one in found)


@settings(max_examples=25, deadline=None)
@given(
    edges=st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.floats(-1e6, 1e6)), max_size=40
    ),
    shape=st.sampled_from(SHAPES),
    distribution=st.sampled_from(DISTRIBUTIONS),
    options=st.sampled_from(OPTIONS),
    more=st.integers(0, 5),
    seed=st.integers(0, 99),
)
def test_any_edges(edges, shape, distribution, options, more, seed):
    us, vs, ws = (np.array([edge[i] for edge in edges]) for i in range(3))
    columns = [us.astype(np.int64), vs.astype(np.int64), ws.astype(np.float64)]
    n = 10 + more
    size = shape[0] * shape[1]
    cuts = np.random.default_rng(seed).integers(0, len(edges) + 1, size - 1)
    parts = split(columns, size, cuts)
    expected = Graph.from_edges(*columns, num_vertices=n, **options)

    def make(grid):
        return from_edges(
            *parts[grid.rank],
            num_vertices=n,
            distribution=distribution,
            seed=seed,
            grid=grid,
            **options,
        )

    assert all(same(found, expected) for found in on_grid(make, shape))


def test_many_rounds_keep_the_order(monkeypatch):
    monkeypatch.setattr(shares, "_LEAST", 16)
    monkeypatch.setattr(shares, "_MOST", 16)
    columns = some_edges(8, 3000)
    expected = Graph.from_edges(*columns)
    parts = split(columns, 6, [0, 100, 101, 2000, 2990])
    found = on_grid(lambda grid: from_edges(*parts[grid.rank], grid=grid), (3, 2))
    assert all(same(one, expected) for one in found)


def test_weights_become_the_type_that_holds_all():
    def make(grid):
        weights = np.array([2], np.int32) if grid.rank == 0 else np.array([0.5])
        return from_edges([0], [grid.rank + 1], weights, grid=grid)

    found = on_grid(make, (1, 2))[0]
    assert found.weights.dtype == np.float64
    assert found.weights.tolist() == [2, 0.5, 2, 0.5]


def test_a_rank_may_have_no_edges():
    def make(grid):
        return (
            from_edges([0], [1], [7], grid=grid)
            if grid.rank == 1
            else from_edges([], [], grid=grid)
        )

    assert same(on_grid(make, (2, 2))[0], Graph.from_edges([0], [1], [7]))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda grid: from_edges([0], [-grid.rank], grid=grid), "rank 1 failed.*negative"),
        (lambda grid: from_edges([0, 1], [1], grid=grid), "rank 0 failed.*equally long"),
        (lambda grid: from_edges([0.5], [1], grid=grid), "integers"),
        (lambda grid: from_edges([grid.rank], [3], num_vertices=3, grid=grid), "rank 0.*below"),
        (lambda grid: from_edges([0], [1], seed=grid.rank, grid=grid), "options.*rank 1 has"),
        (
            lambda grid: from_edges([0], [1], duplicates="raise", grid=grid),
            r"edge \(0, 1\) is given",
        ),
        (lambda grid: from_edges([0], [1], duplicates="no", grid=grid), "duplicates must be"),
        (lambda grid: from_edges([0], [1], distribution="no", grid=grid), "distribution must be"),
    ],
)
def test_errors_reach_every_rank(make, message):
    def program(comm):
        with pytest.raises(RankError, match=message):
            make(Grid(comm, (2, 2)))

    run_threads(program, 4)


def test_ids_that_are_labels_are_refused():
    with pytest.raises(RankError, match="does not fit"):
        on_grid(lambda grid: from_edges([0], [2**40], grid=grid), (1, 2))


def test_an_integer_sum_that_overflows_names_the_edge():
    def program(comm):
        with pytest.raises(RankError, match=r"edge \((5, 7|7, 5)\) has a summed weight beyond"):
            from_edges([5], [7], np.array([2**31 - 1], np.int32), grid=Grid(comm))

    run_threads(program, 4)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_generate_equals_the_generators(shape, distribution):
    cases = [
        ("rmat", {"scale": 7, "seed": 3}, generators.rmat(7, seed=3)),
        ("urand", {"scale": 6, "edge_factor": 3}, generators.urand(6, edge_factor=3)),
        ("gnm_random", {"n": 50, "m": 301, "seed": 1}, generators.gnm_random(50, 301, seed=1)),
    ]
    for kind, options, expected in cases:
        draw = lambda g: generate(kind, grid=g, distribution=distribution, **options)  # noqa: B023, E731
        found = on_grid(draw, shape)
        assert all(same(one, expected) for one in found), kind


def test_generate_takes_the_options_of_the_generators():
    options = {"directed": True, "count_duplicates": True, "self_loops": "keep", "seed": 5}
    for kind, more in [("rmat", {"a": 0.3, "permute": False}), ("urand", {"edge_factor": 40})]:
        expected = getattr(generators, kind)(5, **options, **more)
        found = on_grid(lambda g: generate(kind, grid=g, scale=5, **options, **more), (2, 3))  # noqa: B023
        assert same(found[4], expected)
    expected = generators.gnm_random(9, 60, directed=True)
    found = on_grid(lambda g: generate("gnm_random", grid=g, n=9, m=60, directed=True), (3, 1))
    assert same(found[0], expected)


@pytest.mark.parametrize("directed", [False, True])
def test_generated_weights_equal_random_weights(directed):
    plain = generators.rmat(7, seed=3, directed=directed)
    expected = generators.random_weights(plain, "integer", high=99, seed=3)

    def make(grid):
        return generate("rmat", scale=7, seed=3, directed=directed, high=99, grid=grid)

    assert all(same(found, expected) for found in on_grid(make, (2, 2)))


def test_generate_refuses_what_it_does_not_know():
    for options in [{"kind": "tree"}, {"kind": "rmat", "scale": 3, "high": 0},
                    {"kind": "rmat", "scale": 3, "n": 4}, {"kind": "rmat"}]:  # fmt: skip
        with pytest.raises((RankError, ValueError, TypeError)):
            on_grid(lambda grid, options=options: generate(grid=grid, **options), (1, 2))


def test_from_edges_by_labels():
    us, vs, ws = some_edges(30, 100)
    us, vs = 7 * us + 2, 7 * vs + 2
    expected = Graph.from_edges(us, vs, ws, labels=True)
    parts = split([us, vs, ws], 4, [10, 10, 60])
    found = on_grid(lambda grid: from_edges(*parts[grid.rank], labels=True, grid=grid), (2, 2))
    assert all(same(one, expected) for one in found)
    sparse = on_grid(lambda grid: from_edges([0], [2_000_000], grid=grid), (1, 2))[0]
    assert sparse.num_vertices == 2_000_001
    with pytest.raises(RankError, match="num_vertices must be None with labels=True, got 9"):
        on_grid(lambda grid: from_edges([0], [1], labels=True, num_vertices=9, grid=grid), (1, 2))


def peak(comm, path):
    """The most bytes that a rank takes for each way in, and those of its block; of the whole."""
    grid, found = Grid(comm), []
    for make in (
        lambda: generate("rmat", scale=16, grid=grid),
        lambda: read(path, grid=grid),
        lambda: read(path.with_suffix(".ew"), grid=grid),
    ):
        make()  # compile, and load what is loaded once
        tracemalloc.start()
        graph = make()
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        found.append((most, graph.block.indptr.nbytes + graph.block.indices.nbytes))
        whole = graph.num_arcs * 4 + graph.num_vertices * 8
    return found, whole


@pytest.mark.slow
def test_no_rank_holds_the_whole_graph(tmp_path):
    graph = generators.rmat(16)
    path = tmp_path / "graph.txt"
    io.write(graph, path)
    io.write(graph, path.with_suffix(".ew"))
    for found, whole in launch(peak, path, ranks=4, timeout=60):
        for most, block in found:
            assert block < whole / 3
            assert most < 8 * block + 2**20  # edges, arcs sent home, and sort keys; one round
