"""`convert`: the graph that is built on disk equals the one that is built in memory."""

import os
import shutil
import signal
import subprocess
import sys
from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import edgewise as ew
from edgewise.base.bit_blocks import Blocks, Packer
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io import edge_runs, read, write
from edgewise.io.converting import convert
from edgewise.io.notes import collect

LIMIT = 30_000  # bytes: some ten runs for the files here
OPTIONS = list(product([None, "int", "float"], ["directed", None, "union", "intersection"],
                       ["keep", "drop"], ["sum", "min", "max", "first"]))  # fmt: skip


def edges(count=2500, low=5, high=150, seed=1):
    """Edges between ids with gaps, with repeats, reverses and loops."""
    ends = np.random.default_rng(seed).integers(low, high, (2, count))
    ends[ends == 50] = 51
    return ends


def written(path, ends, weights=None):
    columns = [*ends] if weights is None else [*ends, weights]
    path.write_text("".join(" ".join(map(str, row)) + "\n" for row in zip(*columns, strict=True)))
    return path


def check(source, target, memory=LIMIT, **options):
    """Convert within the limit, and compare with what `read` gives."""
    with collect() as notes:
        convert(source, target, memory=memory, **options)
    with collect() as others:
        expected = read(source, **options)
    assert notes == others
    found = read(target, verify=True)
    assert found == expected and found.labels == expected.labels
    assert found.num_vertices == expected.num_vertices
    if expected.weights is not None:
        assert found.weights.dtype == expected.weights.dtype
    assert sorted(os.listdir(target.parent)) == sorted({source.name, target.name})
    return found


@pytest.mark.parametrize("k", range(4))
def test_every_rule_is_that_of_from_edges(tmp_path, k):
    weights = {"int": np.arange(2500) % 7, "float": np.random.default_rng(2).random(2500)}
    for kind, way, self_loops, duplicates in OPTIONS[k::12]:
        source = written(tmp_path / "e.txt", edges(), weights.get(kind))
        options = {"directed": way == "directed", "self_loops": self_loops}
        options |= {"symmetrize": way} if way not in (None, "directed") else {}
        options |= {"columns": (0, 1, 2)} if kind else {}
        check(source, tmp_path / "g.ew", duplicates=duplicates, **options)


@pytest.mark.parametrize("memory", [LIMIT, "1MiB"])
@pytest.mark.parametrize("directed", [False, True])
def test_formats_and_headers(tmp_path, memory, directed):
    ends, target = edges(), tmp_path / "g.ew"
    given = {"directed": directed, "memory": memory}

    def all_of(name, content, **options):
        path = tmp_path / name
        path.write_bytes(content)
        found = check(path, target, **given, **options)
        path.unlink()
        target.unlink()
        return found

    plain = "".join(f"{u} {v}\n" for u, v in ends.T)
    lines = plain.encode()
    all_of("e.txt", b"# people\n" + lines[:-1])  # without the last newline
    all_of("e.txt", b"149 2500\n" + lines)  # counts that are correct
    all_of("e.txt", b"149 2400\n" + lines)  # an edge
    all_of("e.txt", b"from to\n" + lines)
    all_of("e.txt", lines, ids="as_is")
    all_of("e.txt", lines, num_vertices=1000)
    all_of("e.csv", b"to,from,km\n" + b"".join(b"%d,%d,%d.5\n" % (u, v, u) for u, v in ends.T))
    mixed = b"".join(b"%d %d %s\n" % (u, v, b"3" if k < 2000 else b"0.1")
                     for k, (u, v) in enumerate(ends.T))  # fmt: skip
    assert all_of("e.wel", mixed).weights.dtype == np.float64
    for suffix, pack in ((".gz", "gzip"), (".zst", "zstd")):
        with pa.CompressedOutputStream(str(tmp_path / "packed"), pack) as file:
            file.write(lines)
        packed = (tmp_path / "packed").read_bytes()
        (tmp_path / "packed").unlink()
        all_of(f"e.txt{suffix}", packed)


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".feather"])
def test_tables(tmp_path, suffix):
    ends, rng = edges(), np.random.default_rng(3)
    for kind in (None, np.float32, np.int32):
        graph = Graph.from_edges(*ends, None if kind is None else
                                 rng.integers(0, 9, ends.shape[1]).astype(kind))  # fmt: skip
        path = tmp_path / f"e{suffix}"
        write(graph.with_labels(Labels.range(7, graph.num_vertices)), path)
        assert check(path, tmp_path / "g.ew").num_vertices == graph.num_vertices
    if suffix == ".parquet":
        columns = {"u": ends[0].astype(np.int32), "v": ends[1].astype(np.uint64), "x": ends[0]}
        parquet.write_table(pa.table(columns), path, row_group_size=700)
        check(path, tmp_path / "g.ew", columns=("v", "u", "x"), directed=True)
        gap = pa.table({"u": [1, 2, 3], "v": [4, None, 5]})
        parquet.write_table(gap, path)
        with pytest.raises(FileFormatError, match="column 'v' has no value in row 1"):
            convert(path, tmp_path / "g.ew", memory=LIMIT)


def test_files_of_our_own(tmp_path, random_graph):
    for directed, dtype in ((False, np.float32), (True, np.int32), (False, None)):
        graph = random_graph(directed=directed, dtype=dtype)
        source = tmp_path / "own.txt"
        write(graph, source)
        assert check(source, tmp_path / "g.ew") == graph
        graph = graph.with_labels(Labels.range(40, graph.num_vertices))
        write(graph, source)
        assert check(source, tmp_path / "g.ew") == graph
    write(Graph.from_edges([], [], num_vertices=3), source)
    check(source, tmp_path / "g.ew")
    source.write_text("# nothing\n")
    check(source, tmp_path / "g.ew")


def test_both_directions_are_given(tmp_path):
    upper = np.unique(np.sort(edges(600), axis=0), axis=1)
    weights, apart = np.arange(upper.shape[1]), upper[:, upper[0] != upper[1]]
    both = np.concatenate([upper, apart[::-1]], axis=1)
    worth = np.concatenate([weights, weights[upper[0] != upper[1]]])
    options = {"symmetrize": "given", "columns": (0, 1, 2)}
    target = tmp_path / "g.ew"
    check(written(tmp_path / "e.txt", both, worth), target, **options)
    check(written(tmp_path / "e.txt", both), target, symmetrize="given")
    target.unlink()
    wrong = worth.copy()
    wrong[-3] += 1
    for ends, values, reason in (
        (both, wrong, "must have equal weights in both directions"),
        (both[:, :-1], worth[:-1], "must hold both directions"),
    ):
        source = written(tmp_path / "e.txt", ends, values)
        with pytest.raises(ValueError, match=reason) as here:
            convert(source, target, memory=LIMIT, **options)
        with pytest.raises(ValueError, match=reason) as there:
            read(source, ids="as_is", **options)
        assert str(here.value) == str(there.value) and os.listdir(tmp_path) == ["e.txt"]


def test_errors_are_those_of_from_edges(tmp_path):
    source, target = tmp_path / "e.txt", tmp_path / "g.ew"
    for text, options in (
        ("3 4 1\n4 3 1\n3 5 1\n", {"duplicates": "raise", "ids": "as_is"}),
        (f"3 4 {2**63 - 1}\n4 3 1\n3 5 1\n", {"ids": "as_is"}),
        ("3 4 1\n5 6\n", {}),
        ("3 4 1\n" * 3 + "3 x 1\n", {}),
    ):
        source.write_text(text)
        with pytest.raises(ValueError) as here:
            convert(source, target, memory=6000, columns=(0, 1, 2), **options)
        with pytest.raises(ValueError) as there:
            read(source, columns=(0, 1, 2), **options)
        assert str(here.value) == str(there.value) and os.listdir(tmp_path) == ["e.txt"]


def stopped(after):
    """An observer that interrupts after so many runs."""

    def observer(iteration, **counts):
        if "read" in counts and iteration >= after:
            raise KeyboardInterrupt

    return observer


@pytest.mark.parametrize("suffix", [".txt", ".txt.gz", ".parquet"])
def test_what_was_sorted_is_used_again(tmp_path, monkeypatch, suffix):
    ends = edges()
    source, target = tmp_path / f"e{suffix}", tmp_path / "g.ew"
    write(Graph.from_edges(*ends, np.arange(2500) / 7, directed=True), source)
    with pytest.raises(KeyboardInterrupt), ew.observe(stopped(3)):
        convert(source, target, memory=LIMIT)
    folder = tmp_path / ".g.ew.runs"
    before = sorted(path.name for path in folder.glob("*.keys"))
    assert before == ["0.keys", "1.keys", "2.keys"] and not target.exists()
    with open(folder / "manifest", "a") as manifest:
        manifest.write('["3", 4')  # what a process that is killed leaves
    made = []
    flush = edge_runs.Runs.flush

    def counted(self, **how):
        made.append(len(self.runs))
        flush(self, **how)

    monkeypatch.setattr(edge_runs.Runs, "flush", counted)
    check(source, target)
    assert min(made) == 3

    # another memory limit does not matter; damage, another file or other options do
    for change, first in ((lambda: None, 3), (lambda: (folder / "1.keys").write_bytes(b""), 0),
                          (lambda: os.utime(source, (1, 1)), 0)):  # fmt: skip
        with pytest.raises(KeyboardInterrupt), ew.observe(stopped(3)):
            convert(source, target, memory=LIMIT)
        change()
        made.clear()
        check(source, target, memory=2 * LIMIT)
        assert min(made) == first


KILLED = """
import os, signal, sys
import edgewise as ew

def observer(iteration, **counts):
    if sys.argv[3] in counts and iteration >= 2:
        os.kill(os.getpid(), signal.SIGKILL)

with ew.observe(observer):
    ew.convert(sys.argv[1], sys.argv[2], memory=int(sys.argv[4]))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")
@pytest.mark.parametrize("phase", ["read", "merged"])
def test_a_killed_process_is_resumed(tmp_path, monkeypatch, phase):
    source, target = tmp_path / "e.parquet", tmp_path / "g.ew"
    write(Graph.from_edges(*edges(), np.arange(2500) / 7, directed=True), source)
    command = [sys.executable, "-c", KILLED, str(source), str(target), phase, str(LIMIT)]
    assert subprocess.run(command).returncode == -signal.SIGKILL
    before = len(list((tmp_path / ".g.ew.runs").glob("*.keys")))
    assert before >= 2 and not target.exists()
    made = []
    flush = edge_runs.Runs.flush
    monkeypatch.setattr(edge_runs.Runs, "flush", lambda self, **how: (
        made.append(len(self.runs)), flush(self, **how)))  # fmt: skip
    check(source, target)
    assert all(count >= 2 for count in made)


def test_what_is_refused(tmp_path, monkeypatch):
    source, target = written(tmp_path / "e.txt", edges()), tmp_path / "g.ew"
    with pytest.raises(ValueError, match=r"target must be an .ew file, got .*g.txt"):
        convert(source, tmp_path / "g.txt", memory=LIMIT)
    with pytest.raises(TypeError, match="within memory= has no option 'on_bad_line'; its options"):
        convert(source, target, memory=LIMIT, on_bad_line="skip")
    with pytest.raises(ValueError, match="memory= is for lists of edges .* not for metis"):
        convert(tmp_path / "e.graph", target, memory=LIMIT)
    with pytest.raises(FileNotFoundError, match="there is no file"):
        convert(tmp_path / "no.txt", target, memory=LIMIT)
    with pytest.raises(ValueError, match="directed=True was given"):
        convert(source, target, memory=LIMIT, directed=True, symmetrize="union")
    with pytest.raises(ValueError, match="duplicates must be one of"):
        convert(source, target, memory=LIMIT, duplicates="mean")
    with pytest.raises(MemoryError, match="memory must be at least 600,000 bytes for vertex ids"):
        convert(written(tmp_path / "wide.txt", [[0], [150_000]]), target, memory=LIMIT)
    with pytest.raises(ValueError, match=r"wide.txt: vertex ids must lie in 0 to 2147483647, got"):
        convert(written(tmp_path / "wide.txt", [[0], [2**31]]), target, memory=LIMIT)
    with pytest.raises(ValueError, match="ids must be integers with memory=, but they are names"):
        convert(written(tmp_path / "names.txt", [["a"], ["b"]]), target, memory=LIMIT)
    (tmp_path / "e.csv").write_text('a,b\n1,2\n"3",4\n')
    with pytest.raises(FileFormatError, match="line 3.*quotes cannot be read with memory="):
        convert(tmp_path / "e.csv", target, memory=LIMIT)
    with pytest.raises(MemoryError, match="one edge is given 2,000 times, which takes"):
        convert(written(tmp_path / "one.txt", [[1] * 2000] * 2), target, memory=LIMIT)
    usage = shutil.disk_usage(tmp_path)._replace(free=10_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    with pytest.raises(OSError, match=r"g.ew takes about 6.,... bytes of disk space, but only 10"):
        convert(source, target, memory=LIMIT)


def test_without_a_limit(tmp_path):
    source = written(tmp_path / "e.txt", edges())
    convert(source, tmp_path / "g.mtx", directed=True)
    assert read(tmp_path / "g.mtx") == read(source, directed=True)


MEASURE = """
import sys, threading
import numpy as np
from edgewise.io.converting import convert
from edgewise.io.notes import collect

def anonymous():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("RssAnon"))

source, small, target, memory = sys.argv[1:]
convert(small, target, memory=memory)  # kernels are loaded
before, peak, done = anonymous(), 0, threading.Event()

def watch():
    global peak
    while not done.wait(0.005):
        peak = max(peak, anonymous())

thread = threading.Thread(target=watch)
thread.start()
convert(source, target, memory=memory, duplicates="first")
done.set()
thread.join()
print(peak - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs /proc")
@pytest.mark.parametrize("weighted", [False, True])
def test_the_limit_is_kept(tmp_path, weighted):
    """6 million edges, 96 to 288 MB of keys and weights, within 64 MiB."""
    ends, rng = edges(6_000_000, 0, 1_000_000), np.random.default_rng(1)
    columns = {"source": ends[0], "target": ends[1]}
    if weighted:
        columns["weight"] = rng.random(ends.shape[1])
    table = pa.table(columns)
    parquet.write_table(table, tmp_path / "e.parquet", row_group_size=1 << 18)
    parquet.write_table(table.slice(0, 100_000), tmp_path / "small.parquet")
    target = tmp_path / "g.ew"
    command = [sys.executable, "-c", MEASURE, str(tmp_path / "e.parquet"),
               str(tmp_path / "small.parquet"), str(target), "64MiB"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    peak = int(done.stdout)
    print(f"peak {peak / 2**20:.1f} MiB")
    assert peak < 64 << 20
    assert read(target) == read(tmp_path / "e.parquet", duplicates="first")


@pytest.mark.parametrize("memory", [LIMIT, "1MiB"])
@pytest.mark.parametrize("weighted", [False, True])
def test_rows_are_packed_while_they_are_written(tmp_path, monkeypatch, memory, weighted):
    """The file is that of `compress`, byte by byte, whatever the pieces are."""
    monkeypatch.setattr("edgewise.base.bit_blocks._PIECE", 128)
    weights = np.arange(2500) % 7 if weighted else None
    source = written(tmp_path / "e.txt", edges(), weights)
    options = {"columns": (0, 1, 2), "duplicates": "sum"} if weighted else {}
    convert(source, tmp_path / "g.ew", memory=memory, compress=True, **options)
    convert(source, tmp_path / "whole.ew", compress=True, **options)
    assert read(tmp_path / "g.ew", verify=True).is_compressed
    assert (tmp_path / "g.ew").read_bytes() == (tmp_path / "whole.ew").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["e.txt", "g.ew", "whole.ew"]
    with pytest.raises(ValueError, match="with compress=True, target must be an .ew file"):
        convert(source, tmp_path / "g.mtx", compress=True)


def test_no_edges_are_packed(tmp_path):
    (tmp_path / "e.txt").write_text("1 1\n")
    options = {"self_loops": "drop", "num_vertices": 3}
    convert(tmp_path / "e.txt", tmp_path / "g.ew", memory="1MiB", compress=True, **options)
    assert read(tmp_path / "g.ew", verify=True) == Graph.from_edges([], [], num_vertices=3)


def test_tops_of_packed_pieces(monkeypatch):
    """Blocks share a top every so many: made small here, so that pieces begin within a share."""
    monkeypatch.setattr("edgewise.base.bit_blocks._SHARE", 3)
    monkeypatch.setattr("edgewise.base.bit_blocks._PIECE", 256)
    values, packer = np.random.default_rng(1).integers(0, 1 << 30, 64 * 40 + 5), Packer()
    pieces = [packer.add(part) for part in np.split(values, [3, 100, 1500, 1501])]
    *last, tops = packer.finish()
    words, heads = (np.concatenate(some) for some in zip(*pieces, last, strict=True))
    assert len(tops) == 6
    assert np.array_equal(Blocks(words, heads, tops, len(values), values.dtype)[:], values)
