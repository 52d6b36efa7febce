"""Files onto a grid: equal to what one device reads; bad ones end all ranks, with the line."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import edgewise
from edgewise import generators, io
from edgewise.base.errors import FileFormatError
from edgewise.distributed.comm import RankError
from edgewise.distributed.file_bytes import FileBytes
from edgewise.distributed.grid import Grid
from edgewise.distributed.ingest import read
from edgewise.distributed.layout import DISTRIBUTIONS
from edgewise.distributed.rank_threads import run_threads
from edgewise.graph import Graph, Labels
from edgewise.io.notes import collect
from tests.distributed.helpers import SHAPES, on_grid, same, some_edges

WEIGHTED = "# head\n\n0 1 2.5\n1 2 3\r\n% more\n 2,0\t1e-3\n2 2 4\n\n7 1 9007199254740993\n1 0 .1\n"
PLAIN = "\ufeff3 1\n1 2\n" + "".join(f"{i} {i * 7 % 50}\n" for i in range(50)) + "4 4"
BANNER = "%%MatrixMarket matrix coordinate"
MATRIX = BANNER + " {} {}\n% said\n5 5 4\n2 1{}\n4 1{}\n5 3{}\n2 1{}\n"
FILES = {
    "weighted.wel": (WEIGHTED, {}),
    "directed.txt": (WEIGHTED, {"columns": (0, 1, 2), "directed": True, "duplicates": "max"}),
    "plain.el": (PLAIN, {}),
    "more.el": (PLAIN, {"num_vertices": 60, "self_loops": "drop"}),
    "counts.el": ("# c\n9 3\n1 2\n3 4\n8 0\n", {"header": "counts"}),
    "skip.el": ("from to\n1 2\n3 4\n8 0\n", {"header": "skip"}),
    "one.el": ("1 2", {}),
    "none.el": ("# nothing\n", {"num_vertices": 3}),
    "table.csv": (
        "Target,source,km\n1,2,5\n4,2,6.5\n0,0,1\n",
        {"columns": ("source", "Target", "km")},
    ),
    "bare.csv": (
        "1;2;x\n4;0;y\n",
        {"header": "none", "delimiter": ";", "directed": True, "columns": (0, 1)},
    ),
    "real.mtx": (MATRIX.format("real", "general", " 1.5", " 2", " .1", " 4"), {}),
    "sym.mtx": (MATRIX.format("integer", "symmetric", " 1", " 2", " 3", " 4"), {}),
    "both.mtx": (MATRIX.format("real", "symmetric", " 1", " .2", " 3", " 4"), {"directed": True}),
    "skew.mtx": (MATRIX.format("real", "skew-symmetric", " 1", " .2", " 3", " 4"), {}),
    "pattern.mtx": (MATRIX.format("pattern", "general", "", "", "", ""), {"directed": False}),
    "gaps.el": ("3 9\n9 4\n900 3\n3 3\n", {}),
    "dropped.el": ("3 9\n7 7\n", {"self_loops": "drop", "directed": True}),
    "offset.el": ("".join(f"{i} {i + 1}\n" for i in range(1, 30)), {}),
    "far.el": (f"1 {2**50}\n{2**62} 1\n" * 9 + f"{2**50} 77 ", {"directed": True}),
    "as_is.el": ("3 9\n9 4\n90 3\n", {"ids": "as_is"}),
    "snap.txt": ("# Directed graph (each pair once)\n# From To\n5\t7\n7\t90\n", {}),
    "both.txt": ("# Undirected graph: x\n5 7\n", {"num_vertices": 9}),
    "fits.txt": ("5 4\n0 1\n1 2\n2 3\n3 4\n", {}),
    "fits1.txt": ("5 4\n1 2\n2 3\n3 4\n4 5\n", {}),
    "wide.wel": ("5 4\n0 1 .5\n1 2 2\n2 3 1\n3 4 7\n", {}),
    "edge.txt": ("5 4\n0 1\n1 2\n", {}),
    "first.el": ("7 3\n1 2\n3 4\n7 5\n", {"header": "counts"}),
    "gaps.csv": ("source;target;weight\n10;700;1\n700;20;2\n", {}),
    "roads.gr": ("c roads\np sp 4 3\na 1 2 70\na 2 3 25\na 1 2 1\n", {}),
    "both.gr": ("p sp 4 2\na 1 2 70\nc x\na 2 1 25\n", {"directed": False, "duplicates": "min"}),
    "as_is.gr": ("p sp 4 1\na 1 2 .5\n", {"ids": "as_is"}),
    "as_is.mtx": (MATRIX.format("real", "symmetric", " 1", " 2", " 3", " 4"), {"ids": "as_is"}),
    "more.gr": ("p sp 4 1\na 1 2 .5\n", {"num_vertices": 6}),
}


def reading(path, **options):
    """What reads the file onto a grid."""
    return lambda grid: read(path, grid=grid, **options)


@pytest.mark.filterwarnings("ignore:.*repeat an edge are added up")
@pytest.mark.parametrize("name", FILES)
def test_read_text_equals_one_device(name, tmp_path):
    text, options = FILES[name]
    path = tmp_path / name
    path.write_bytes(text.encode())
    expected = io.read(path, **options)
    for shape in [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3)]:
        found = on_grid(lambda grid: read(path, grid=grid, **options), shape)
        assert all(same(one, expected) for one in found), shape


REPEATS = FILES | {
    "repeats.csv": ("source,target,weight\n1,2,2\n2,1,3\n1,2,5\n", {}),
    "plain.txt": ("0 1\n1 0\n0 1\n2 2\n2 2\n", {}),
    "first.csv": ("source,target,weight\n1,2,2\n2,1,3\n1,2,5\n", {"duplicates": "first"}),
    "drop.csv": ("source,target,weight\n1,1,2\n2,1,3\n", {"self_loops": "drop"}),
    "again.mtx": (
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 1\n2 1 4\n3 3 1\n",
        {"directed": True},
    ),
}


@pytest.mark.parametrize("name", REPEATS)
def test_read_notes_what_it_notes_on_one_device_once(name, tmp_path):
    text, options = REPEATS[name]
    path = tmp_path / name
    path.write_bytes(text.encode())
    with collect() as expected:
        io.read(path, **options)
    for shape in [(1, 1), (2, 2), (2, 3)]:
        with collect() as found:
            on_grid(lambda grid: read(path, grid=grid, **options), shape)
        assert found == expected, shape


def test_read_warns_of_merged_weights_once_unless_it_was_chosen(tmp_path):
    path = tmp_path / "repeats.csv"
    path.write_text("source,target,weight\n1,2,2\n2,1,3\n1,2,5\n")
    with pytest.warns(UserWarning, match=r"are added up \(2 of 3\); duplicates=") as told:
        on_grid(reading(path), (2, 2))
    assert len(told) == 1
    on_grid(reading(path, duplicates="sum"), (2, 2))


@pytest.mark.parametrize("suffix", [".ew", ".txt", ".csv", ".mtx", ".gr"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_read_what_write_writes(tmp_path, suffix, directed, weighted):
    us, vs, ws = some_edges(200, 900)
    graph = Graph.from_edges(us, vs, ws if weighted else None, directed=directed, num_vertices=207)
    path = tmp_path / f"graph{suffix}"
    io.write(graph, path, **({"comment": True} if suffix == ".csv" else {}))
    for shape, distribution in zip(SHAPES, 2 * DISTRIBUTIONS, strict=True):
        found = on_grid(reading(path, distribution=distribution), shape)
        assert all(same(one, graph) for one in found), shape


@pytest.mark.parametrize("suffix", [".ew", ".txt", ".csv", ".mtx", ".gr"])
@pytest.mark.parametrize("kind", ["gaps", "range", "isolated", "far"])
def test_read_labels_that_write_writes(tmp_path, suffix, kind):
    """Gaps and offsets, also of vertices without an edge; the same graph on every grid."""
    labels = {
        "gaps": Labels(np.array([3, 10, 11, 40, 90])),
        "range": Labels.range(1, 5),
        "isolated": Labels(np.array([0, 2, 3, 5, 7])),
        "far": Labels(np.array([1, 2**40, 2**41, 2**50, 2**62])),
    }[kind]
    ends = ([0, 1, 3], [1, 3, 4]) if kind == "isolated" else ([0, 1, 3, 2], [1, 3, 4, 0])
    graph = Graph.from_edges(*ends, num_vertices=5, directed=True).with_labels(labels)
    path = tmp_path / f"graph{suffix}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        io.write(graph, path)
    expected = io.read(path)
    for shape, distribution in zip(SHAPES, 2 * DISTRIBUTIONS, strict=True):
        found = on_grid(reading(path, distribution=distribution), shape)
        assert all(same(one, expected) for one in found), shape


@settings(max_examples=20, deadline=None)
@given(
    ids=st.lists(st.integers(0, 40), min_size=2, max_size=40),
    step=st.sampled_from([1, 3, 10**5, 2**50]),
    first=st.sampled_from([0, 1, 77]),
    shape=st.sampled_from(SHAPES),
)
def test_any_ids_of_a_file(tmp_path_factory, ids, step, first, shape):
    path = tmp_path_factory.mktemp("ids") / "graph.el"
    ends = [first + step * one for one in ids[: len(ids) // 2 * 2]]
    path.write_text(
        "# ids\n" + "".join(f"{u} {v}\n" for u, v in zip(ends[::2], ends[1::2], strict=True))
    )
    expected = io.read(path, header="none")
    assert all(same(one, expected) for one in on_grid(reading(path, header="none"), shape))


@pytest.mark.parametrize("text", ["3 9\n9 40\n", "1 2\n2 3\n", "0 1\n1 2\n"])
def test_vertices_by_label(tmp_path, text):
    path = tmp_path / "graph.el"
    path.write_text(text)
    alone = io.read(path, header="none")
    labels = [3, 40] if text[0] == "3" else [1, 2]

    def program(comm):
        graph = read(path, header="none", grid=Grid(comm, (1, 3)))
        for wrong in (99, "x"):
            with pytest.raises((ValueError, TypeError)):
                graph.vertex(wrong)
        distance = edgewise.bfs(graph, graph.vertex(labels[0])).distance.gather().tolist()
        return (
            graph.vertex(labels[1]), graph.vertex(labels).tolist(), graph.label(1),
            list(graph.label(np.array([2, 0]))), distance,
        )  # fmt: skip

    expected = (
        alone.vertex(labels[1]), alone.vertex(labels).tolist(), alone.label(1),
        list(alone.label(np.array([2, 0]))),
        edgewise.bfs(alone, alone.vertex(labels[0])).distance.tolist(),
    )  # fmt: skip
    assert run_threads(program, 3) == [expected] * 3


@pytest.mark.parametrize("n", [0, 1, 5])
def test_read_ew_with_few_or_no_arcs(tmp_path, n):
    graph = Graph.from_edges([0, 3], [3, 3]) if n == 5 else generators.empty(n)
    io.write(graph, tmp_path / "small.ew")
    for shape in SHAPES:
        assert same(on_grid(lambda grid: read(tmp_path / "small.ew", grid=grid), shape)[0], graph)


def test_read_ew_with_coded_weights(tmp_path):
    plain = generators.grid_2d(5, 7)
    plain = plain.with_weights(np.arange(plain.num_edges) % 3 / 2)
    io.write(plain.compress(weights="dictionary"), tmp_path / "small.ew")
    for shape in [(1, 1), (2, 2)]:
        assert same(on_grid(lambda grid: read(tmp_path / "small.ew", grid=grid), shape)[0], plain)


def test_read_leaves_labels_of_ew_files_there(tmp_path):
    graph = Graph.from_edges(["a", "c"], ["b", "a"])
    io.write(graph, tmp_path / "named.ew")
    found = on_grid(lambda grid: read(tmp_path / "named.ew", grid=grid), (2, 1))[0]
    assert found.labels is None and found.indices.tolist() == graph.indices.tolist()


@pytest.mark.parametrize("line", [1, 2, 40, 99, 100])
@pytest.mark.parametrize("bad", ["1 x", "1", "0\0 1"])
def test_a_bad_line_is_named_by_its_number_in_the_file(tmp_path, line, bad):
    rows = ["# comment", *(f"{i} {i + 1}" for i in range(99))]
    rows[line - 1] = bad
    path = tmp_path / "bad.txt"
    path.write_text("\n".join(rows) + "\n")
    with pytest.raises(edgewise.FileFormatError) as alone:
        io.read(path, num_vertices=200)

    def program(comm):
        with pytest.raises(RankError, match="rank [0-5] failed while reading") as failed:
            read(path, num_vertices=200, grid=Grid(comm))
        assert str(failed.value).endswith(str(alone.value))

    run_threads(program, 6)
    with pytest.raises(edgewise.FileFormatError) as one:
        run_threads(lambda comm: read(path, num_vertices=200, grid=Grid(comm)), 1)
    assert str(one.value) == str(alone.value)


def test_bad_lines_may_be_skipped(tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("0 1\nx\n1 2\n1 y\n2 3\n")
    with pytest.warns(UserWarning, match="skipped"):
        expected = io.read(path, on_bad_line="skip")
        found = on_grid(lambda grid: read(path, on_bad_line="skip", grid=grid), (2, 2))[0]
    assert same(found, expected)


ONE_WAY = (
    "c edgewise vertices: 3 edges: 2 directed: no weights: none labels: none\n"
    "p sp 3 3\na 1 2 1\na 2 1 1\na 2 3 1\n"
)
ORDERED = (
    "# edgewise vertices: 2 edges: 1 directed: no weights: none labels: int\n"
    "# vertex: 7\n# vertex: 3\n3 7\n"
)


@pytest.mark.parametrize(
    ("name", "content", "options", "message"),
    [
        ("names.txt", "ann bob\nbob eve\n", {}, "edgewise convert"),
        ("quotes.csv", 'source,target\n"1","2"\n', {}, "quotes.*edgewise convert|edgewise convert"),
        ("late.csv", 'source,target\n1,2\n1,3\n1,4\n"1",2\n', {}, "quotes"),
        ("packed.txt.gz", "", {}, "cannot be cut.*edgewise convert"),
        ("graph.metis", "2 1\n2\n1\n", {}, "a grid reads edges.*not metis.*edgewise convert"),
        ("what.xyz", "", {}, "cannot tell the format"),
        ("option.ew", "", {"duplicates": "sum"}, "no option 'duplicates'"),
        ("empty.txt", "", {}, "the file is empty"),
        ("short.txt", "9 5\n1 2\n", {"header": "counts"}, "promises 5 edges, but 1"),
        ("no.ew", "text", {}, "not an .ew file"),
        ("no.mtx", "1 2\n", {}, "banner"),
        ("short.mtx", f"{BANNER} pattern general\n2 2 3\n1 2\n", {}, "promises"),
        ("one_way.gr", ONE_WAY, {}, "in one direction alone"),
        ("skew.mtx", f"{BANNER} real skew-symmetric\n2 2 1\n1 1 3\n", {}, "diagonal"),
        ("ids.txt", f"1 {2**50}\n", {"ids": "as_is"}, "does not fit"),
        ("order.txt", ORDERED, {}, "an order of their own.*edgewise convert"),
        ("few.txt", ORDERED.replace("3 7", "3 3"), {}, "promises 2 labels|an order of their own"),
    ],
)  # fmt: skip
def test_read_refuses(tmp_path, name, content, options, message):
    (tmp_path / name).write_text(content)
    with pytest.raises((RankError, ValueError, TypeError), match=message):
        run_threads(lambda comm: read(tmp_path / name, grid=Grid(comm), **options), 3)


def test_read_damaged_ew(tmp_path):
    path = tmp_path / "graph.ew"
    io.write(generators.cycle(20), path)
    sound = bytearray(path.read_bytes())
    for at, word in [(512 + 8 * 9, 1000), (512 + 8 * 22 + 8 * 10, 2**31)]:
        damaged = bytearray(sound)
        damaged[at : at + 8] = np.int64(word).tobytes()
        path.write_bytes(damaged)
        with pytest.raises(RankError, match=r"graph.ew: damaged"):
            run_threads(lambda comm: read(path, grid=Grid(comm)), 4)


def test_a_file_missing_on_one_rank(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("0 1\n")

    def program(comm):
        with pytest.raises(RankError, match="rank 2 failed while opening .*there is no file"):
            read(path if comm.rank != 2 else tmp_path / "other.txt", grid=Grid(comm))

    run_threads(program, 4)


def test_files_that_differ(tmp_path):
    for rank in range(2):
        (tmp_path / f"{rank}.txt").write_text("0 1\n" * (rank + 1))

    def program(comm):
        with pytest.raises(RankError, match="size of .* rank 1 has 8"):
            read(tmp_path / f"{comm.rank}.txt", grid=Grid(comm))

    run_threads(program, 2)


@pytest.mark.parametrize(
    ("at", "compare"), [(0, "samples"), (599_998, "samples"), (200_000, "all"), (0, "no")]
)
def test_files_of_one_size_that_differ(tmp_path, at, compare):
    """In one byte: between the samples of a large file only a sum of all bytes finds it."""
    text = bytearray(b"0 1\n1 2\n2 3\n" * 50_000)
    (tmp_path / "0.txt").write_bytes(text)
    text[at] = ord("7")
    (tmp_path / "1.txt").write_bytes(text)
    message = r"the content of .* must be .*rank 1 has"

    def program(comm):
        path = tmp_path / f"{comm.rank}.txt"
        with pytest.raises(RankError, match=message if compare != "no" else "compare must be"):
            read(path, compare=compare, grid=Grid(comm))

    run_threads(program, 2)


@pytest.mark.parametrize("change", ["cut", "rewritten"])
def test_a_file_that_is_changed_while_it_is_read_is_an_error(tmp_path, change):
    path = tmp_path / "graph.txt"
    path.write_bytes(b"0 1\n" * 50_000)
    data = FileBytes(path)
    assert bytes(data[:4]) == b"0 1\n" and bytes(data[-4:]) == b"0 1\n" and len(data) == 200_000
    if change == "cut":
        os.truncate(path, 100)
    else:
        path.write_bytes(b"7 8\n" * 50_000)
        os.utime(path, ns=(1, 1))
    with pytest.raises(FileFormatError, match="graph.txt: the file was changed while it was read"):
        data[100_000:100_004]
