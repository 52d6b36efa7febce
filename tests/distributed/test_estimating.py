"""Estimated memory of ranks: against measured peaks, and where it stops a graph too large."""

from __future__ import annotations

import contextlib
import sys
import warnings

import numpy as np
import pytest

import edgewise
from edgewise import generators
from edgewise.algorithms import ALGORITHMS
from edgewise.base.errors import FileFormatError
from edgewise.distributed import (
    Grid,
    declared_sizes,
    distribute,
    estimate,
    estimating,
    read,
    state_bytes,
)
from edgewise.distributed.rank_threads import run_threads
from tests.distributed import cluster_programs as programs
from tests.tiers import later

FACTOR = 1.5
GIB = 1 << 30

CASES = [
    ("bfs", 17, 16),
    later("bfs", 20, 1),
    later("pagerank", 20, 1),
    later("core_number", 20, 1),
    later("triangle_count", 19, 16),
    later("biconnected_components", 14, 16),
    later("biconnected_components", 17, 1),
    later("truss_number", 14, 16),
    later("communities.louvain", 18, 4),
    later("communities.label_propagation", 19, 16),
]


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize(("name", "scale", "edge_factor"), CASES)
def test_measured_peaks_are_near(name, scale, edge_factor):
    with edgewise.cluster(ranks=4, threads=1) as cluster:
        rows = cluster.run(programs.growth_of_memory, name, scale, edge_factor)
    grown, before, n, m = max(rows)
    found = estimate(n, m, ranks=4, algorithm=name)
    assert found.peak - found.base < FACTOR * grown
    assert grown < FACTOR * (found.peak - found.base)
    assert before < FACTOR * found.base


def test_a_graph_on_more_ranks_takes_less_of_each():
    sizes = [estimate(10**7, 10**9, ranks=ranks, algorithm="pagerank") for ranks in (1, 4, 16, 64)]
    for one, other in zip(sizes, sizes[1:], strict=False):
        assert other.graph < one.graph
        assert other.peak < one.peak
    assert sizes[3].graph > sizes[0].graph / 64  # vertices are there more than once


def test_the_block_is_as_large_as_said():
    graph = generators.random_weights(generators.rmat(12, seed=1), "integer", high=9, seed=1)
    need = estimate(graph.num_vertices, graph.num_arcs, grid="2x3", weights=graph.weights.dtype)

    def program(comm):
        made = distribute(graph, grid=Grid(comm, "2x3"))
        arrays = made.block.indptr, made.block.indices, made.block.weights, made.ids, made.positions
        return sum(array.nbytes for array in arrays)

    largest = max(run_threads(program, 6))
    assert largest / 1.1 < need.graph < 1.2 * largest


def test_what_is_given_counts():
    plain = estimate(1000, 10**6, grid=(2, 2))
    assert estimate(1000, 10**6, ranks=4) == plain
    assert estimate(1000, 10**6, ranks=4, weights="float64").graph > plain.graph + 2 * 10**6
    assert estimate(1000, 10**6, ranks=4, edge_columns=8).graph > plain.graph + 2 * 10**6
    assert estimate(1000, 10**6, ranks=4, vertex_columns=8).graph == plain.graph + 8 * 1000
    assert estimate(1000, 10**6, ranks=4, whole=True).whole == 8 * 1000 + 4 * 10**6
    assert estimate(2**32, 10**6, ranks=4).graph > 2 * estimate(2**30, 10**6, ranks=4).graph
    other = estimate(1000, 10**6, ranks=4, algorithm="hits")  # was not measured
    assert other.algorithm >= estimate(1000, 10**6, ranks=4, algorithm="bfs").algorithm > 0
    pairs = [estimate(n, n, ranks=4, algorithm="all_pairs_shortest_paths") for n in (10**4, 10**5)]
    assert pairs[1].algorithm > 99 * pairs[0].algorithm


def test_all_algorithms_of_a_grid_are_known():
    names = {name for name, row in ALGORITHMS.items() if "grid" in row.engines}
    assert {*state_bytes.STATE} <= names == {state_bytes.full_name(name) for name in names}
    short = [name.rpartition(".")[2] for name in names]
    assert len({*short}) == len(short)
    assert estimate(10, 20, ranks=4, algorithm="louvain") == estimate(
        10, 20, ranks=4, algorithm="communities.louvain")  # fmt: skip


@pytest.mark.parametrize(
    ("given", "error", "name"),
    [({}, ValueError, "ranks or grid"), ({"ranks": 0}, ValueError, "ranks"),
     ({"ranks": 4, "grid": "2x3"}, ValueError, "grid 2x3"), ({"grid": "two"}, ValueError, "grid"),
     ({"ranks": 4, "algorithm": 3}, TypeError, "algorithm"),
     ({"ranks": 4, "algorithm": "louvian"}, ValueError, "got 'louvian'; is it"),
     ({"ranks": 4, "edge_columns": -1}, ValueError, "edge_columns")],
)  # fmt: skip
def test_arguments_are_checked(given, error, name):
    with pytest.raises(error, match=name):
        estimate(10, 20, **given)


def test_machines_with_too_little_memory_are_named():
    need = estimate(10**7, 10**9, ranks=4)
    plenty = [("one", 100 * GIB)] * 2 + [("two", 100 * GIB)] * 2
    assert estimating.shortage(plenty, need) == ("", "")
    error, warning = estimating.shortage([*plenty[:2], ("two", GIB), ("two", GIB)], need)
    assert "on two (2 ranks), where 1.0 GiB is free" in error and not warning
    some = need.graph + need.building
    error, warning = estimating.shortage([("one", some)] * 2, need)
    assert not error and "may take" in warning


def test_a_graph_that_cannot_fit_is_refused_on_all_ranks(monkeypatch, tmp_path):
    graph = generators.karate_club()
    file = tmp_path / "karate.ew"
    edgewise.write(graph, file)
    monkeypatch.setattr(estimating, "free_memory", lambda: 1000)
    for make in (lambda grid: distribute(graph, grid=grid), lambda grid: read(file, grid=grid)):

        def program(comm, make=make):
            with pytest.raises(MemoryError, match="the graph takes about"):
                make(Grid(comm))
            return True

        assert run_threads(program, 4) == [True] * 4


BANNER = "%%MatrixMarket matrix coordinate"
FILES = {
    "list.el": ("0 1\n" * 1000, 1000, 2, 0, None),
    "list.wel": ("# c\n" + "10 20 .5\n" * 1000, 1000, 2, 0, 8),
    "arrows.csv": ("source,target\n" + "3,4\n" * 1000, 1000, 1, 0, None),
    "sym.mtx": (f"{BANNER} pattern symmetric\n9 9 2\n2 1\n3 1\n", 2, 2, 9, None),
    "all.mtx": (f"{BANNER} real general\n9 9 2\n2 1 4\n3 1 5\n", 2, 1, 9, 8),
    "roads.gr": ("p sp 7 2\na 1 2 5\na 2 1 5\n", 2, 1, 7, 8),
    "many.gr": ("p sp 7 1000000000\na 1 2 5\na 2 1 5\n", 9, 1, 7, 8),
    "table.parquet": (None, 1000, 2, 0, 8),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_fit_is_refused_before_its_rows_are_read(name, monkeypatch, tmp_path):
    text, rows, arcs, n, weight = FILES[name]
    file, options = tmp_path / name, {"directed": True} if name == "arrows.csv" else {}
    if text is None:
        table = pytest.importorskip("pyarrow").table({
            "source": np.zeros(1000, int), "target": np.ones(1000, int), "weight": np.ones(1000),
        })  # fmt: skip
        pytest.importorskip("pyarrow.parquet").write_table(table, file, row_group_size=100)
    else:
        file.write_text(text)
    kind = None if weight is None else "float64"
    plain, with_algorithm = (
        estimate(n, arcs * rows, grid=(2, 2), weights=kind, algorithm=algorithm)
        for algorithm in (None, "triangle_count")
    )
    seen = []
    monkeypatch.setattr(declared_sizes, "check_free", lambda world, need: seen.append(need))

    def program(comm, **more):
        with contextlib.suppress(FileFormatError):  # what is declared may be wrong
            read(file, grid=Grid(comm, "2x2"), **options, **more)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # repeated edges are added up
        run_threads(program, 4)
        run_threads(lambda comm: program(comm, algorithm="triangle_count"), 4)
    assert seen == [plain] * 4 + [with_algorithm] * 4
    monkeypatch.undo()
    monkeypatch.setattr(estimating, "free_memory", lambda: 4)
    with pytest.raises(MemoryError, match="the graph takes about"):
        run_threads(lambda comm: read(file, grid=Grid(comm, "2x2"), **options), 4)


def test_rows_of_long_texts_are_estimated_from_below(tmp_path):
    text = np.frombuffer(b"".join(b"%d %d\n" % (i, 2 * i) for i in range(60000)), np.uint8)
    assert len(text) > 64 << 12
    assert 40000 < declared_sizes.fewest_rows(text) < 60000
    assert declared_sizes.fewest_rows(text, start=len(text) - 13) == 1


def test_a_graph_and_an_algorithm_that_may_not_fit_are_a_warning(monkeypatch, tmp_path):
    file = tmp_path / "graph.ew"
    edgewise.write(generators.rmat(8, seed=1), file)
    graph = edgewise.read(file)
    monkeypatch.setattr(estimating, "_BUFFERS", 0)
    need = estimate(graph.num_vertices, graph.num_arcs, grid="2x2",
                    algorithm="communities.label_propagation")  # fmt: skip
    assert need.building < need.graph + need.algorithm
    monkeypatch.setattr(estimating, "free_memory", lambda: 4 * need.building + 1000)

    def program(comm, **options):
        return read(file, grid=Grid(comm, "2x2"), **options).num_edges

    run_threads(program, 4)
    with pytest.warns(UserWarning, match="the graph and the algorithm may take"):
        run_threads(lambda comm: program(comm, algorithm="communities.label_propagation"), 4)


def test_a_graph_that_may_not_fit_is_a_warning(monkeypatch):
    graph = generators.rmat(8, seed=1)
    need = estimating.needs(graph, (2, 2), whole=True)
    monkeypatch.setattr(estimating, "free_memory", lambda: 4 * need.graph + 1000)
    with pytest.warns(UserWarning, match="the graph may take"):
        run_threads(lambda comm: distribute(graph, grid=Grid(comm)).num_edges, 4)


def test_a_cluster_refuses_before_it_sends(monkeypatch):
    graph = generators.karate_club().with_columns(edges={"km": np.arange(78.0)})
    assert (
        estimating.needs(graph, (1, 2)).graph
        > estimating.needs(generators.karate_club(), (1, 2)).graph
    )
    with edgewise.cluster(ranks=2, threads=1) as cluster:
        same = cluster._same
        little = [("here", 1000)] * 2
        monkeypatch.setattr(
            cluster, "_same", lambda task, *rest: little if task == "free" else same(task, *rest)
        )
        with pytest.raises(MemoryError, match="on here .2 ranks."):
            cluster.distribute(graph)
        monkeypatch.undo()
        assert cluster.distribute(graph).num_edges == 78
        assert [free > 0 for _, free in cluster._same("free")] == [True, True]
