"""Folders of Parquet files: read by ranks in shares and by one device, and written by ranks."""

from __future__ import annotations

import io
import os

import numpy as np
import pytest

import edgewise
from edgewise import generators
from edgewise.base.errors import FileFormatError
from edgewise.distributed import Grid, RankError, distribute, read, write_parquet
from edgewise.distributed.parquet_read import owners_of
from edgewise.distributed.rank_threads import run_threads
from edgewise.graph import Graph
from tests.distributed.helpers import gather_graph, same

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
fs = pytest.importorskip("pyarrow.fs")

SHAPES = [(1, 1), (1, 2), (2, 3)]


def write_parts(folder, columns, parts, *, group=7, metadata=None):
    """A table in ``parts`` files with small row groups, one of the files empty."""
    table = pyarrow.table(columns, metadata=metadata)
    cuts = np.linspace(0, table.num_rows, parts).astype(int).tolist()
    for k, (low, high) in enumerate(zip([0, *cuts], [*cuts, table.num_rows], strict=False)):
        inside = folder / f"year={2000 + k}"
        inside.mkdir(parents=True, exist_ok=True)
        parquet.write_table(table.slice(low, high - low), inside / f"{k}.parquet",
                            row_group_size=group)  # fmt: skip
    (folder / "_SUCCESS").write_text("")
    (folder / ".hidden.parquet").write_text("no Parquet")


def on_grid(path, shape, **options):
    return run_threads(
        lambda comm: gather_graph(read(path, grid=Grid(comm, shape), **options)),
        shape[0] * shape[1],
    )[-1]


@pytest.fixture(scope="module")
def table():
    draw = np.random.default_rng(3)
    us, vs = draw.integers(0, 60, (2, 200))
    return {"source": us, "target": vs, "weight": draw.integers(1, 9, 200)}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("options", [
    {}, {"directed": True}, {"ids": "as_is"}, {"num_vertices": 80}, {"columns": (1, 0)},
    {"duplicates": "max", "self_loops": "drop"}, {"duplicates": "first"},
], ids=str)  # fmt: skip
def test_ranks_read_what_one_device_reads(tmp_path, table, shape, options):
    write_parts(tmp_path / "edges", table, 4)
    plain = not options
    options = {"duplicates": "sum", **options}
    expected = edgewise.read(tmp_path / "edges", **options)
    us, vs = table["source"], table["target"]
    assert expected.num_vertices == options.get("num_vertices", 60)
    if plain:
        assert same(expected, Graph.from_edges(us, vs, table["weight"]))
    assert same(on_grid(tmp_path / "edges", shape, **options), expected)


def test_ids_with_gaps_become_labels(tmp_path, table):
    gaps = {**table, "source": 5 + 7 * table["source"], "target": 5 + 7 * table["target"]}
    write_parts(tmp_path / "edges", gaps, 3)
    expected = edgewise.read(tmp_path / "edges", duplicates="min")
    assert expected.label(1) == 12
    assert same(on_grid(tmp_path / "edges", (2, 2), duplicates="min"), expected)


def test_every_row_is_read_by_one_rank(tmp_path, table):
    write_parts(tmp_path / "edges", table, 4)
    seen = []

    def program(comm):
        from edgewise.distributed import parquet_read
        from edgewise.io.parquet_parts import Parts

        groups, total = parquet_read._share(Parts(tmp_path / "edges"), Grid(comm))
        seen.append([(file, group) for file, some in groups.items() for group in some])
        return total

    assert run_threads(program, 5) == [200] * 5
    every = [one for some in seen for one in some]
    assert len(every) == len({*every}) >= 200 // 7
    assert sum(map(bool, seen)) == 5


def test_row_groups_go_to_ranks_in_order_and_evenly():
    owners = owners_of([10] * 100, 7)
    assert (np.diff(owners) >= 0).all()
    counts = np.bincount(owners)
    assert len(counts) == 7 and counts.max() - counts.min() <= 1
    assert owners_of([], 3).tolist() == [] and owners_of([0, 0], 3).tolist() == [0, 0]


def test_columns_come_with_the_edges(tmp_path, table):
    write_parts(tmp_path / "edges", {**table, "km": np.arange(200.0)}, 4)
    options = {"edge_columns": ["km", "year"], "self_loops": "drop", "duplicates": "first"}
    expected = edgewise.read(tmp_path / "edges", **options)
    assert expected.edges["km"].sum() > 0 and {*expected.edges["year"]} <= {*range(2000, 2004)}

    def program(comm):
        graph = read(tmp_path / "edges", grid=Grid(comm, "2x2"), **options)
        return graph.edges["km"].gather(), graph.edges["year"].gather()

    for found in run_threads(program, 4):
        np.testing.assert_array_equal(found[0], expected.edges["km"])
        np.testing.assert_array_equal(found[1], expected.edges["year"])


def test_other_filesystems(tmp_path, table):
    write_parts(tmp_path / "edges", table, 3)
    sums, uri = {"duplicates": "sum"}, f"file://{tmp_path}/edges"
    expected = edgewise.read(tmp_path / "edges", **sums)
    place = {"filesystem": fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem()), **sums}
    assert same(edgewise.read("edges", format="parquet", **place), expected)
    assert same(edgewise.read(uri, **sums), expected)
    assert same(on_grid("edges", (1, 2), **place), expected)
    assert same(on_grid(uri, (1, 2), compare="all", **sums), expected)
    one = tmp_path / "edges" / "year=2001" / "1.parquet"
    found = on_grid(one, (1, 2), **sums)
    assert found.num_edges > 50 and same(found, edgewise.read(one, **sums))


@pytest.mark.parametrize("labels", [None, "range", "gaps"])
@pytest.mark.parametrize("directed", [False, True])
def test_graphs_come_back(tmp_path, labels, directed):
    graph = generators.random_weights(
        generators.gnm_random(30, 40, seed=5, directed=directed), "integer", high=9, seed=1
    ).with_columns(edges={"km": np.arange(40.0)})
    assert (graph.degrees() == 0).any()
    values = {"range": np.arange(7, 37), "gaps": 3 * np.arange(30) + 1}
    named = graph if labels is None else graph.with_labels(values[labels])
    folder = tmp_path / "graph"

    def program(comm):
        write_parquet(distribute(named, grid=Grid(comm, "2x2")), folder)

    run_threads(program, 4)
    assert sorted(os.listdir(folder)) == [f"part-0000{k}.parquet" for k in range(4)]
    found = edgewise.read(folder, edge_columns=True)
    assert same(found, named)
    np.testing.assert_array_equal(found.edges["km"], named.edges["km"])
    assert same(on_grid(folder, (2, 3), edge_columns=True), named)


def test_results_are_written_by_all_ranks(tmp_path):
    graph = generators.karate_club().with_labels(10 * np.arange(34))

    def program(comm):
        spread = distribute(graph, grid=Grid(comm, "2x2"))
        write_parquet(edgewise.pagerank(spread), tmp_path / "rank")
        write_parquet(edgewise.bfs(spread, 0), tmp_path / "paths")
        write_parquet({"degree": spread.degrees()}, tmp_path / "degrees")
        write_parquet(edgewise.similarity.jaccard(spread), tmp_path / "jaccard")
        return spread.num_edges

    run_threads(program, 4)
    rank = parquet.read_table(tmp_path / "rank")
    assert rank["vertex"].to_pylist() == (10 * np.arange(34)).tolist()
    np.testing.assert_allclose(rank["value"].to_numpy(), edgewise.pagerank(graph))
    paths = parquet.read_table(tmp_path / "paths")
    assert paths.column_names == ["vertex", "distance", "parent"]
    np.testing.assert_array_equal(paths["distance"].to_numpy(), edgewise.bfs(graph, 0).distance)
    degrees = parquet.read_table(tmp_path / "degrees")["degree"].to_numpy()
    np.testing.assert_array_equal(degrees, graph.degrees())
    rows = parquet.read_table(tmp_path / "jaccard").to_pylist()
    us, vs, _ = graph.edges()
    expected = dict(zip(zip(us.tolist(), vs.tolist(), strict=True),
                        edgewise.similarity.jaccard(graph).tolist(), strict=True))  # fmt: skip
    assert len(rows) == graph.num_edges
    for row in rows:
        ends = row["source"] // 10, row["target"] // 10
        assert row["value"] == pytest.approx(expected[min(ends), max(ends)])


def test_another_filesystem_gets_a_mark_of_success(tmp_path):
    place = fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem())
    graph = generators.karate_club()

    def program(comm):
        write_parquet(distribute(graph, grid=Grid(comm)), "graph", filesystem=place)

    run_threads(program, 2)
    assert sorted(os.listdir(tmp_path / "graph")) == [
        "_SUCCESS", "part-00000.parquet", "part-00001.parquet",
    ]  # fmt: skip
    assert edgewise.read(tmp_path / "graph") == graph
    with pytest.raises(RankError, match="there is something in it already"):
        run_threads(program, 2)


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_filesystem_of_fsspec_in_memory(table, wrapped):
    """Written by all ranks and read by both readers, without a file on the disk."""
    memory = files_in_memory()
    place = fs.PyFileSystem(fs.FSSpecHandler(memory)) if wrapped else memory
    graph = Graph.from_edges(*table.values(), num_vertices=64).with_columns(
        edges={"km": np.arange(Graph.from_edges(*table.values()).num_edges) / 2}
    )

    def program(comm, folder):
        spread = distribute(graph, grid=Grid(comm, "1x2"))
        write_parquet(spread, folder, filesystem=place)
        write_parquet(edgewise.core_number(spread), f"{folder}-cores", filesystem=place)

    run_threads(lambda comm: program(comm, "bucket/graph"), 2)
    assert {*memory.find("bucket")} == {
        f"/bucket/{folder}/{name}" for folder in ("graph", "graph-cores")
        for name in ("_SUCCESS", "part-00000.parquet", "part-00001.parquet")
    }  # fmt: skip
    options = {"format": "parquet", "filesystem": place, "edge_columns": True}
    assert edgewise.read("bucket/graph", **options) == graph
    for shape in SHAPES:
        assert same(on_grid("bucket/graph", shape, compare="all", **options), graph)
    with memory.open("bucket/graph-cores/part-00000.parquet") as file:
        first = parquet.read_table(file)["value"].to_numpy()
    np.testing.assert_array_equal(first, edgewise.core_number(graph)[: len(first)])
    with pytest.raises(RankError, match="there is something in it already"):
        run_threads(lambda comm: program(comm, "bucket/graph"), 2)
    with pytest.raises(FileNotFoundError, match="there is no file or folder bucket/none"):
        edgewise.read("bucket/none", **options)


def files_in_memory():
    """An empty filesystem of fsspec; each reader has a position of its own.

    Files that fsspec's own class opens share one, so that ranks on threads would disturb others.
    """
    memory = pytest.importorskip("fsspec.implementations.memory")

    class Files(memory.MemoryFileSystem):
        store: dict = {}
        pseudo_dirs = [""]

        def _open(self, path, mode="rb", **options):
            file = super()._open(path, mode, **options)
            return io.BytesIO(self.store[path].getvalue()) if mode == "rb" else file

    return Files(skip_instance_cache=True)


def test_a_cluster_reads_a_folder(tmp_path, table, monkeypatch):
    write_parts(tmp_path / "edges", table, 3)
    sums = {"duplicates": "sum"}
    expected = edgewise.read(tmp_path / "edges", **sums)
    monkeypatch.chdir(tmp_path)
    place = fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem())
    with edgewise.cluster(ranks=2, threads=1) as cluster:
        for path, more in (("edges", {}), (f"file://{tmp_path}/edges", {}),
                           ("edges", {"filesystem": place})):  # fmt: skip
            assert same(cluster.read(path, **more, **sums).gather(), expected)


def test_a_folder_that_is_there_is_kept(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")

    def program(comm):
        write_parquet(distribute(generators.path(5), grid=Grid(comm)), tmp_path / "out")

    with pytest.raises(RankError, match="it is there already"):
        run_threads(program, 2)
    assert os.listdir(tmp_path) == ["out"] and os.listdir(tmp_path / "out") == ["mine.txt"]


def test_a_rank_that_cannot_write_leaves_nothing(tmp_path, monkeypatch):
    from edgewise.distributed import parquet_write

    write = parquet_write._write_part

    def fails(table, place, path):
        if "00001" in path:
            raise OSError("the disk is full")
        write(table, place, path)

    monkeypatch.setattr(parquet_write, "_write_part", fails)
    with pytest.raises(RankError, match="rank 1 failed while writing .* the disk is full"):
        run_threads(
            lambda comm: write_parquet(distribute(generators.path(5), grid=Grid(comm)),
                                       tmp_path / "out"), 2)  # fmt: skip
    assert os.listdir(tmp_path) == []


def test_what_cannot_be_read_is_said(tmp_path, table):
    with pytest.raises(FileFormatError, match="no file that ends in .parquet"):
        edgewise.read(tmp_path)
    with pytest.raises(RankError, match="no file that ends in .parquet"):
        on_grid(tmp_path, (1, 2))
    write_parts(tmp_path / "edges", table, 2)
    with pytest.raises(ValueError, match="memory cannot be given with a folder"):
        edgewise.read(tmp_path / "edges", memory="1GiB")
    with pytest.raises(ValueError, match="filesystem is for Parquet files"):
        edgewise.read("a.arrow", filesystem=fs.LocalFileSystem())
    with pytest.raises(RankError, match="filesystem is for Parquet files"):
        on_grid("a.csv", (1, 2), format="csv", filesystem=fs.LocalFileSystem())
    with pytest.raises(RankError, match="no option 'header'"):
        on_grid(tmp_path / "edges", (1, 2), header="auto")
    write_parts(tmp_path / "names", {"source": ["a", "b"], "target": ["b", "c"]}, 2)
    assert edgewise.read(tmp_path / "names").num_vertices == 3
    with pytest.raises(RankError, match="'source' holds names of vertices"):
        on_grid(tmp_path / "names", (1, 2))
    write_parts(tmp_path / "holes", {"source": [1, None], "target": [2, 3]}, 2)
    with pytest.raises(RankError, match="'source' has rows without a value"):
        on_grid(tmp_path / "holes", (1, 2))
    damaged = tmp_path / "edges" / "year=2001" / "1.parquet"
    data = bytearray(damaged.read_bytes())
    data[len(data) // 3] ^= 255
    data[8] ^= 255
    damaged.write_bytes(data)
    with pytest.raises(FileFormatError):
        edgewise.read(tmp_path / "edges")
    with pytest.raises(RankError):
        on_grid(tmp_path / "edges", (1, 2))


def test_what_cannot_be_written_is_said(tmp_path):
    graph = generators.karate_club()

    def program(comm, result, error, words):
        spread = distribute(graph, grid=Grid(comm))
        with pytest.raises(error, match=words):
            write_parquet(result(spread), tmp_path / "out")

    for result, error, words in (
        (lambda spread: 3, TypeError, "result must be an array"),
        (lambda spread: {"vertex": spread.degrees()}, ValueError, "'vertex'"),
    ):
        run_threads(lambda comm, given=(result, error, words): program(comm, *given), 2)
    graph = graph.with_labels(np.arange(34)[::-1].copy())
    run_threads(lambda comm: program(comm, lambda spread: spread, ValueError, "must ascend"), 2)
    graph = graph.with_labels([f"v{k:02}" for k in range(34)])
    run_threads(lambda comm: program(comm, lambda spread: spread, RankError, "whole numbers"), 2)
    assert os.listdir(tmp_path) == []
