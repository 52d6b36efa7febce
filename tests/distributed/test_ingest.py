"""Graphs onto a grid: equal to what one device makes of the same edges, files and seeds."""

from __future__ import annotations

import tracemalloc
import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import edgewise
from edgewise import generators, io
from edgewise.distributed import shares
from edgewise.distributed.comm import RankError
from edgewise.distributed.grid import Grid
from edgewise.distributed.ingest import from_edges, generate, read
from edgewise.distributed.launcher import launch
from edgewise.distributed.layout import DISTRIBUTIONS
from edgewise.distributed.threads import run_threads
from edgewise.graph import Graph, Labels
from tests.distributed.helpers import SHAPES, on_grid, same

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


def some_edges(n, m, seed=0):
    draw = np.random.default_rng(seed)
    return [*draw.integers(0, n, (2, m)), draw.random(m) * 10.0 ** draw.integers(-9, 9, m)]


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
            return from_edges(grid, *shares[grid.rank], distribution=distribution, **options)

        assert all(same(found, expected) for found in on_grid(make, shape)), options


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.uint8, bool, None])
def test_every_type_of_weights(dtype):
    us, vs, _ = some_edges(20, 200)
    columns = [us, vs] if dtype is None else [us, vs, (np.arange(200) % 7).astype(dtype)]
    parts = split(columns, 4, [10, 10, 150])
    expected = Graph.from_edges(*columns)
    found = on_grid(lambda grid: from_edges(grid, *parts[grid.rank]), (2, 2))
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
            grid, *parts[grid.rank], num_vertices=n, distribution=distribution, seed=seed, **options
        )

    assert all(same(found, expected) for found in on_grid(make, shape))


def test_many_rounds_keep_the_order(monkeypatch):
    monkeypatch.setattr(shares, "_LEAST", 16)
    monkeypatch.setattr(shares, "_MOST", 16)
    columns = some_edges(8, 3000)
    expected = Graph.from_edges(*columns)
    parts = split(columns, 6, [0, 100, 101, 2000, 2990])
    found = on_grid(lambda grid: from_edges(grid, *parts[grid.rank]), (3, 2))
    assert all(same(one, expected) for one in found)


def test_weights_become_the_type_that_holds_all():
    def make(grid):
        weights = np.array([2], np.int32) if grid.rank == 0 else np.array([0.5])
        return from_edges(grid, [0], [grid.rank + 1], weights)

    found = on_grid(make, (1, 2))[0]
    assert found.weights.dtype == np.float64
    assert found.weights.tolist() == [2, 0.5, 2, 0.5]


def test_a_rank_may_have_no_edges():
    def make(grid):
        return from_edges(grid, [0], [1], [7]) if grid.rank == 1 else from_edges(grid, [], [])

    assert same(on_grid(make, (2, 2))[0], Graph.from_edges([0], [1], [7]))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda grid: from_edges(grid, [0], [-grid.rank]), "rank 1 failed.*negative"),
        (lambda grid: from_edges(grid, [0, 1], [1]), "rank 0 failed.*equally long"),
        (lambda grid: from_edges(grid, [0.5], [1]), "integers"),
        (lambda grid: from_edges(grid, [grid.rank], [3], num_vertices=3), "rank 0.*below"),
        (lambda grid: from_edges(grid, [0], [1], seed=grid.rank), "options.*rank 1 has"),
        (lambda grid: from_edges(grid, [0], [1], duplicates="error"), r"edge \(0, 1\) is given"),
        (lambda grid: from_edges(grid, [0], [1], duplicates="no"), "duplicates must be"),
        (lambda grid: from_edges(grid, [0], [1], distribution="no"), "distribution must be"),
    ],
)
def test_errors_reach_every_rank(make, message):
    def program(comm):
        with pytest.raises(RankError, match=message):
            make(Grid(comm, (2, 2)))

    run_threads(program, 4)


def test_ids_that_are_labels_are_refused():
    with pytest.raises(RankError, match="does not fit"):
        on_grid(lambda grid: from_edges(grid, [0], [2**40]), (1, 2))


def test_an_integer_sum_that_overflows_names_the_edge():
    def program(comm):
        with pytest.raises(RankError, match=r"edge \((5, 7|7, 5)\) has a summed weight beyond"):
            from_edges(Grid(comm), [5], [7], np.array([2**31 - 1], np.int32))

    run_threads(program, 4)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_generate_equals_the_generators(shape, distribution):
    cases = [
        ("rmat", {"scale": 7, "seed": 3}, generators.rmat(7, seed=3)),
        ("urand", {"scale": 6, "edge_factor": 3}, generators.urand(6, edge_factor=3)),
        ("uniform", {"n": 50, "m": 301, "seed": 1}, generators.uniform(50, 301, seed=1)),
    ]
    for kind, options, expected in cases:
        draw = partial(generate, kind=kind, distribution=distribution, **options)
        found = on_grid(draw, shape)
        assert all(same(one, expected) for one in found), kind


def test_generate_takes_the_options_of_the_generators():
    options = {"directed": True, "duplicates": "count", "self_loops": "keep", "seed": 5}
    for kind, more in [("rmat", {"a": 0.3, "permute": False}), ("urand", {"edge_factor": 40})]:
        expected = getattr(generators, kind)(5, **options, **more)
        found = on_grid(partial(generate, kind=kind, scale=5, **options, **more), (2, 3))
        assert same(found[4], expected)
    expected = generators.uniform(9, 60, directed=True)
    assert same(on_grid(lambda g: generate(g, "uniform", n=9, m=60, directed=True), (3, 1))[0],
                expected)  # fmt: skip


@pytest.mark.parametrize("directed", [False, True])
def test_generated_weights_equal_random_weights(directed):
    plain = generators.rmat(7, seed=3, directed=directed)
    expected = generators.random_weights(plain, "integer", high=99, seed=3)

    def make(grid):
        return generate(grid, "rmat", scale=7, seed=3, directed=directed, max_weight=99)

    assert all(same(found, expected) for found in on_grid(make, (2, 2)))


def test_generate_refuses_what_it_does_not_know():
    for options in [{"kind": "tree"}, {"kind": "rmat", "scale": 3, "max_weight": 0},
                    {"kind": "rmat", "scale": 3, "n": 4}, {"kind": "rmat"}]:  # fmt: skip
        with pytest.raises((RankError, ValueError, TypeError)):
            on_grid(lambda grid, options=options: generate(grid, **options), (1, 2))


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


@pytest.mark.parametrize("name", FILES)
def test_read_text_equals_one_device(name, tmp_path):
    text, options = FILES[name]
    path = tmp_path / name
    path.write_bytes(text.encode())
    expected = io.read(path, **options)
    for shape in [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3)]:
        found = on_grid(lambda grid: read(path, grid, **options), shape)
        assert all(same(one, expected) for one in found), shape


@pytest.mark.parametrize("suffix", [".ew", ".txt", ".csv", ".mtx", ".gr"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_read_what_write_writes(tmp_path, suffix, directed, weighted):
    us, vs, ws = some_edges(200, 900)
    graph = Graph.from_edges(us, vs, ws if weighted else None, directed=directed, num_vertices=207)
    path = tmp_path / f"graph{suffix}"
    io.write(graph, path)
    options = {"directed": directed, "num_vertices": 207} if suffix == ".csv" else {}
    for shape, distribution in zip(SHAPES, 2 * DISTRIBUTIONS, strict=True):
        found = on_grid(partial(read, path, distribution=distribution, **options), shape)
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
        found = on_grid(partial(read, path, distribution=distribution), shape)
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
    assert all(same(one, expected) for one in on_grid(partial(read, path, header="none"), shape))


def test_from_edges_by_labels():
    us, vs, ws = some_edges(30, 100)
    us, vs = 7 * us + 2, 7 * vs + 2
    expected = Graph.from_edges(us, vs, ws, labels=True)
    parts = split([us, vs, ws], 4, [10, 10, 60])
    found = on_grid(lambda grid: from_edges(grid, *parts[grid.rank], labels=True), (2, 2))
    assert all(same(one, expected) for one in found)
    sparse = on_grid(lambda grid: from_edges(grid, [0], [2_000_000]), (1, 2))[0]
    assert sparse.num_vertices == 2_000_001
    with pytest.raises(RankError, match="num_vertices must be None with labels=True, got 9"):
        on_grid(lambda grid: from_edges(grid, [0], [1], labels=True, num_vertices=9), (1, 2))


@pytest.mark.parametrize("text", ["3 9\n9 40\n", "1 2\n2 3\n", "0 1\n1 2\n"])
def test_vertices_by_label(tmp_path, text):
    path = tmp_path / "graph.el"
    path.write_text(text)
    alone = io.read(path, header="none")
    labels = [3, 40] if text[0] == "3" else [1, 2]

    def program(comm):
        graph = read(path, Grid(comm, (1, 3)), header="none")
        for wrong in (99, "x"):
            with pytest.raises((ValueError, TypeError)):
                graph.vertex(wrong)
        distance = edgewise.bfs(graph, graph.vertex(labels[0])).distance.gather().tolist()
        return (
            graph.vertex(labels[1]), graph.vertices(labels).tolist(), graph.label(1),
            list(graph.label(np.array([2, 0]))), distance,
        )  # fmt: skip

    expected = (
        alone.vertex(labels[1]), alone.vertices(labels).tolist(), alone.label(1),
        list(alone.label(np.array([2, 0]))),
        edgewise.bfs(alone, alone.vertex(labels[0])).distance.tolist(),
    )  # fmt: skip
    assert run_threads(program, 3) == [expected] * 3


@pytest.mark.parametrize("n", [0, 1, 5])
def test_read_ew_with_few_or_no_arcs(tmp_path, n):
    graph = Graph.from_edges([0, 3], [3, 3]) if n == 5 else generators.empty(n)
    io.write(graph, tmp_path / "small.ew")
    for shape in SHAPES:
        assert same(on_grid(lambda grid: read(tmp_path / "small.ew", grid), shape)[0], graph)


def test_read_leaves_labels_of_ew_files_there(tmp_path):
    graph = Graph.from_edges(["a", "c"], ["b", "a"])
    io.write(graph, tmp_path / "named.ew")
    found = on_grid(lambda grid: read(tmp_path / "named.ew", grid), (2, 1))[0]
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
            read(path, Grid(comm), num_vertices=200)
        assert str(failed.value).endswith(str(alone.value))

    run_threads(program, 6)
    with pytest.raises(edgewise.FileFormatError) as one:
        run_threads(lambda comm: read(path, Grid(comm), num_vertices=200), 1)
    assert str(one.value) == str(alone.value)


def test_bad_lines_may_be_skipped(tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("0 1\nx\n1 2\n1 y\n2 3\n")
    with pytest.warns(UserWarning, match="skipped"):
        expected = io.read(path, on_bad_line="skip")
        found = on_grid(lambda grid: read(path, grid, on_bad_line="skip"), (2, 2))[0]
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
        run_threads(lambda comm: read(tmp_path / name, Grid(comm), **options), 3)


def test_read_damaged_ew(tmp_path):
    path = tmp_path / "graph.ew"
    io.write(generators.cycle(20), path)
    sound = bytearray(path.read_bytes())
    for at, word in [(512 + 8 * 9, 1000), (512 + 8 * 22 + 8 * 10, 2**31)]:
        damaged = bytearray(sound)
        damaged[at : at + 8] = np.int64(word).tobytes()
        path.write_bytes(damaged)
        with pytest.raises(RankError, match=r"graph.ew: damaged"):
            run_threads(lambda comm: read(path, Grid(comm)), 4)


def test_a_file_missing_on_one_rank(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("0 1\n")

    def program(comm):
        with pytest.raises(RankError, match="rank 2 failed while opening .*there is no file"):
            read(path if comm.rank != 2 else tmp_path / "other.txt", Grid(comm))

    run_threads(program, 4)


def test_files_that_differ(tmp_path):
    for rank in range(2):
        (tmp_path / f"{rank}.txt").write_text("0 1\n" * (rank + 1))

    def program(comm):
        with pytest.raises(RankError, match="size of .* rank 1 has 8"):
            read(tmp_path / f"{comm.rank}.txt", Grid(comm))

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
            read(path, Grid(comm), compare=compare)

    run_threads(program, 2)


def peak(comm, path):
    """The most bytes that a rank takes for each way in, and those of its block; of the whole."""
    grid, found = Grid(comm), []
    for make in (
        lambda: generate(grid, "rmat", scale=16),
        lambda: read(path, grid),
        lambda: read(path.with_suffix(".ew"), grid),
    ):
        make()  # compile, and load what is loaded once
        tracemalloc.start()
        graph = make()
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        found.append((most, graph.block.indptr.nbytes + graph.block.indices.nbytes))
        whole = graph.num_arcs * 4 + graph.num_vertices * 8
    return found, whole


def test_no_rank_holds_the_whole_graph(tmp_path):
    graph = generators.rmat(16)
    path = tmp_path / "graph.txt"
    io.write(graph, path)
    io.write(graph, path.with_suffix(".ew"))
    for found, whole in launch(peak, path, ranks=4, timeout=60):
        for most, block in found:
            assert block < whole / 3
            assert most < 8 * block + 2**20  # edges, arcs sent home, and sort keys; one round
