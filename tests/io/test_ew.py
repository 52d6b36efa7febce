"""The .ew format: opening without reading, verification, round trips, mangled files."""

import pickle
import resource
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

import numpy as np
import pytest

from edgewise import bfs, generators
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.graph.validate import survey
from edgewise.io import ew, read, write
from tests.tiers import later

DTYPES = [None, np.float32, np.float64, np.int32, np.int64]


def patched(content, offset, form, *values):
    """The file with some fields of its header replaced and the checksum made right again."""
    header = bytearray(content[:508])
    struct.pack_into(form, header, offset, *values)
    return bytes(header) + struct.pack("=I", zlib.crc32(header)) + content[512:]


@pytest.fixture
def content(tmp_path, random_graph):
    write(random_graph(directed=False, dtype=np.float64), tmp_path / "sample.ew")
    return (tmp_path / "sample.ew").read_bytes()


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".zst"])
def test_round_trip(tmp_path, random_graph, directed, dtype, suffix):
    graph = random_graph(directed=directed, dtype=dtype)
    path = tmp_path / f"graph.ew{suffix}"
    write(graph, path)
    copy = read(path, verify=True)
    assert copy == graph and read(path) == graph
    assert copy.labels is None and copy.directed == directed
    assert dtype is None or copy.weights.dtype == dtype


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", [None, np.zeros(0, np.float32)])
def test_graphs_without_edges(tmp_path, n, directed, weights):
    graph = Graph.from_edges([], [], weights, directed=directed, num_vertices=n)
    write(graph, tmp_path / "tiny.ew")
    copy = read(tmp_path / "tiny.ew", verify=True)
    assert copy == graph and copy.num_vertices == n


def test_not_a_number_and_infinity_survive(tmp_path):
    weights = np.array([np.nan, np.inf, -0.0])
    graph = Graph([0, 1, 2, 3], [1, 2, 0], weights, directed=True)
    write(graph, tmp_path / "odd.ew")
    assert read(tmp_path / "odd.ew", verify=True).weights.tobytes() == weights.tobytes()


def test_sections_are_aligned(content):
    data = np.frombuffer(content, np.uint8)
    header = ew.read_header("sample.ew", data)
    for array in ew.views_of("sample.ew", data, header).values():
        assert (array.ctypes.data - data.ctypes.data) % 64 == 0


def test_arrays_are_read_only_views_of_one_map(tmp_path, content):
    graph = read(tmp_path / "sample.ew")
    bases = set()
    for array in (graph.indptr, graph.indices, graph.weights):
        assert not array.flags.writeable and not array.flags.owndata
        base = array
        while isinstance(base, np.ndarray):
            base = base.base
        bases.add(id(base.obj if isinstance(base, memoryview) else base))
    assert len(bases) == 1


@pytest.mark.parametrize(
    ("n", "m", "width"),
    [(50_000_000, 2_000_000_000, 4), (2**31 + 5, 7, 8)],
    ids=["edges", "vertices"],
)
def test_huge_trusted_graphs_open_at_once(tmp_path, n, m, width):
    path = tmp_path / "huge.ew"
    with open(path, "wb") as file:
        ew.write(Graph([0, 1], [0], np.ones(1, np.float32), directed=True), file)
    content = patched(path.read_bytes(), 16, "=qq", n, m)
    content = patched(content, 80, "=8s", b"int32" if width == 4 else b"int64")
    for place, items in enumerate([n + 1, m, m]):
        content = patched(content, 40 + 32 * place + 16, "=q", items)
    end = 512
    for items, size in ((n + 1, 8), (m, width), (m, 4)):
        end += -end % 64 + items * size
    with open(path, "wb") as file:
        file.write(content[:512])
        file.truncate(end)  # a file of zeros that takes no space
        file.seek(512 + 8 * n)
        file.write(struct.pack("=q", m))
    before, times = resident_memory(), []
    for _ in range(5):
        start = time.perf_counter()
        graph = read(path, trusted=True)
        times.append(time.perf_counter() - start)
    assert graph.num_arcs == m and graph.num_vertices == n and graph.indices.itemsize == width
    assert graph.indices[-1] == 0 and graph.weights[m // 2] == 0
    assert min(times) < 0.05
    assert resident_memory() - before < 50e6


def resident_memory():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def test_a_flipped_bit_in_any_byte_of_the_header_is_noticed(tmp_path, content):
    path = tmp_path / "flipped.ew"
    for byte in range(512):
        junk = bytearray(content)
        junk[byte] ^= 1 << byte % 7
        path.write_bytes(junk)
        with pytest.raises(FileFormatError):
            read(path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda c: b"", "not an .ew file"),
        (lambda c: b"0 1\n1 2\n", "not an .ew file"),
        (lambda c: c[:100], "truncated: 100 bytes"),
        (lambda c: c[:-1], "truncated"),
        (lambda c: c + b"\0", "bytes, but its header says"),
        (lambda c: patched(c, 8, "=H", 0xFFFE), "other byte order"),
        (lambda c: patched(c, 8, "=H", 1), "impossible fields"),
        (lambda c: patched(c, 10, "=H", 6), "version 6 of the .ew format"),
        (lambda c: patched(c, 12, "=I", 2), "impossible fields"),
        (lambda c: patched(c, 16, "=q", -1), "impossible fields"),
        (lambda c: patched(c, 16, "=q", 2**62), "cannot have 61 items"),
        (lambda c: patched(c, 24, "=q", 2**62), "section indices cannot have"),
        (lambda c: patched(c, 32, "=I", 1), "the sections cannot be indptr"),
        (lambda c: patched(c, 32, "=I", 99), "impossible fields"),
        (lambda c: patched(c, 40, "=8s", b"pickle"), "unknown section 'pickle'"),
        (lambda c: patched(c, 48, "=8s", b"object"), "cannot have type 'object'"),
        (lambda c: patched(c, 80, "=8s", b"int64"), "indices must be int32"),
        (lambda c: patched(c, 120, "=q", 2**61), "weights cannot have"),
    ],
)
def test_malformed(tmp_path, content, change, reason):
    path = tmp_path / "bad.ew"
    path.write_bytes(change(content))
    with pytest.raises(FileFormatError, match=reason) as caught:
        read(path)
    assert caught.value.path == str(path)


def test_huge_counts_do_not_overflow(tmp_path, content):
    path = tmp_path / "bad.ew"
    for n in (2**63 - 1, 2**63 - 2, 2**61, 2**60 - 1):
        huge = patched(content, 16, "=q", n)
        huge = patched(huge, 56, "=q", min(n + 1, 2**63 - 1))
        huge = patched(huge, 80, "=8s", b"int64")
        path.write_bytes(huge)
        with pytest.raises(FileFormatError, match="truncated|cannot have"):
            read(path)


def test_verify_finds_every_damage_of_the_body(tmp_path, content):
    path = tmp_path / "damaged.ew"
    graph = read(tmp_path / "sample.ew")
    rng = np.random.default_rng(3)
    found = 0
    for place in rng.integers(512, len(content), 200):
        junk = bytearray(content)
        junk[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(junk)
        try:
            assert read(path, verify=True) == graph  # a flip between two sections
        except FileFormatError as error:
            assert "checksum" in error.reason
            found += 1
    assert found > 150


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        (([0, 2, 1, 2], [0, 1]), "must not decrease"),
        (([0, 1, 2, 2], [1, 3]), "indices must lie in 0 to 2, got 3"),
        (([0, 1, 2, 2], [-1, 0]), "got -1 at position 0"),
        (([0, 2, 2, 2], [2, 1]), "must be ascending"),
        (([0, 2, 2, 2], [1, 1]), "must be ascending"),
    ],
)
def test_the_rows_are_checked_unless_trusted(tmp_path, arrays, reason):
    path = tmp_path / "wrong.ew"
    write(Graph(*arrays, directed=True), path)
    for options in ({}, {"verify": True}, {"memory_map": False}):
        with pytest.raises(FileFormatError, match=reason):
            read(path, **options)
    assert read(path, trusted=True).num_arcs == 2


@pytest.mark.parametrize("wide", [np.int32, np.int64])
def test_the_survey_finds_what_an_obvious_one_finds(wide):
    """One entry of many is wrong, wherever it is; parts are of 2**15, so there are several."""
    rng = np.random.default_rng(5)
    degrees = rng.integers(0, 5, 40_000)
    indptr = np.concatenate([[0], np.cumsum(degrees)])
    rows = [np.sort(rng.choice(40_000, d, replace=False)) for d in degrees]
    indices = np.concatenate(rows).astype(wide)
    assert all(survey(indptr, indices, 40_000))
    starts = set(indptr.tolist())
    for place in [0, 1, *rng.integers(0, len(indices), 30).tolist(), len(indices) - 1]:
        for value in (-1, 40_000, np.iinfo(wide).min, np.iinfo(wide).max):
            wrong = indices.copy()
            wrong[place] = value
            assert not survey(indptr, wrong, 40_000).in_range
        if place and place not in starts:
            wrong = indices.copy()
            wrong[place] = wrong[place - 1]
            assert survey(indptr, wrong, 40_000) == (True, True, False)
    for place in [0, 1, *rng.integers(0, 40_000, 30).tolist(), 40_000]:
        for value in (-1, len(indices) + 1, np.iinfo(np.int64).min, np.iinfo(np.int64).max):
            wrong = indptr.copy()
            wrong[place] = value
            assert not survey(wrong, indices, 40_000).in_order


def test_a_copy_does_not_mind_what_becomes_of_the_file(tmp_path, content):
    graph, copy = (read(tmp_path / "sample.ew", memory_map=mapped) for mapped in (True, False))
    assert copy == graph
    del graph
    (tmp_path / "sample.ew").write_bytes(b"")
    copy.validate()


CRASH = """
import sys, warnings
from pathlib import Path
from edgewise import bfs, connected_components, core_number, pagerank, triangle_count
from edgewise import bfs, generators
from edgewise.base.errors import FileFormatError
from edgewise.io import read

warnings.simplefilter("ignore")
opened = 0
for path in sorted(Path(sys.argv[1]).glob("*.ew")):
    try:
        graph = read(path)
    except FileFormatError:
        continue
    opened += 1
    graph.transposed, graph.degrees(), graph.edges()
    bfs(graph, 0), pagerank(graph)
    if not graph.directed:
        graph.reverse_arc, connected_components(graph), core_number(graph), triangle_count(graph)
print(opened)
"""


@pytest.mark.parametrize("directed", [later(False), True])
def test_no_damage_leads_an_algorithm_out_of_its_arrays(tmp_path, random_graph, mangled, directed):
    """Damaged bodies: refused, or harmless to algorithms, in a process of their own."""
    write(random_graph(directed=directed), tmp_path / "sample.ew")
    content = (tmp_path / "sample.ew").read_bytes()
    for k, junk in enumerate(mangled(content[512:], 300)):
        whole = content[:512] + junk
        (tmp_path / f"{k}.ew").write_bytes(whole[: len(content)].ljust(len(content), b"\0"))
    command = [sys.executable, "-c", CRASH, tmp_path]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done
    assert 1 < int(done.stdout) < 200


LOPSIDED = """
import warnings
import numpy as np
from edgewise.algorithms import ALGORITHMS
from edgewise.cli import compile
from edgewise.graph import Graph

rng = np.random.default_rng(0)
warnings.simplefilter("ignore")

def lopsided(directed, weights, n=60):
    one_way = Graph.from_edges(*rng.integers(0, n, (2, 200)), num_vertices=n, directed=True)
    given = None if weights is None else rng.integers(0, 9, one_way.num_arcs).astype(weights)
    return Graph(one_way.indptr, one_way.indices, given, directed=directed)

compile.sample_graph = lopsided
compile.bipartite_sample = lambda weights: lopsided(False, weights)
for row in ALGORITHMS.values():
    for text, job in compile._algorithm_jobs(row, "cpu"):
        try:
            job()
        except (ValueError, ArithmeticError, RuntimeError) as error:
            print(text, error)
print("done")
"""


@pytest.mark.slow
def test_no_algorithm_crashes_where_an_undirected_graph_holds_one_direction_alone():
    """What opening does not look at: whether both directions are there. Results may be wrong."""
    done = subprocess.run([sys.executable, "-c", LOPSIDED], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.endswith("done\n"), done


def test_the_check_costs_less_than_a_search():
    """Processor time, best of several: the survey takes about a third of a breadth-first search."""
    graph = generators.rmat(16, seed=1)
    source = int(graph.degrees().argmax())

    def cost(function):
        times = []
        for _ in range(9):
            start = time.process_time()
            function()
            times.append(time.process_time() - start)
        return min(times)

    look = cost(lambda: survey(graph.indptr, graph.indices, graph.num_vertices))
    assert look < cost(lambda: bfs(graph, source)) + 1e-3


def test_verify_checks_that_undirected_graphs_are_symmetric(tmp_path):
    path = tmp_path / "wrong.ew"
    write(Graph([0, 1, 1], [1]), path)
    with pytest.raises(FileFormatError, match="both directions"):
        read(path, verify=True)
    write(Graph([0, 1, 2], [1, 0], [1.0, 2.0]), path)
    with pytest.raises(FileFormatError, match="equal weights"):
        read(path, verify=True)


def test_mangled_files_give_the_same_graph_or_an_error(tmp_path, content, mangled):
    path = tmp_path / "mangled.ew"
    graph = read(tmp_path / "sample.ew")
    refused = 0
    for junk in mangled(content, 400):
        path.write_bytes(junk)
        try:
            assert read(path, verify=True) == graph
        except FileFormatError:
            refused += 1
    assert refused > 300


def test_a_failing_write_leaves_the_old_file(tmp_path, content, monkeypatch):
    graph = read(tmp_path / "sample.ew")
    with monkeypatch.context() as patch:
        patch.setattr(ew, "ALIGNMENT", 0)  # fails once the header is written
        with pytest.raises(ZeroDivisionError):
            write(graph, tmp_path / "sample.ew")
    assert (tmp_path / "sample.ew").read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["sample.ew"]


def test_a_graph_can_be_written_over_its_own_file(tmp_path, content):
    graph = read(tmp_path / "sample.ew")
    write(graph.with_weights(None), tmp_path / "sample.ew")
    assert graph.weights is not None and len(graph.weights) == graph.num_arcs
    assert read(tmp_path / "sample.ew", verify=True) == graph.with_weights(None)


@pytest.mark.parametrize(
    "labels",
    [
        [7, 3, -(2**40), 5],
        np.array([2**64 - 1, 3, 4, 5], np.uint64),
        ["", "b", "grün", "\0 "],
        ["only"] + list("xyz"),
    ],
)
def test_labels(tmp_path, labels):
    graph = Graph([0, 1, 1, 2, 2], [1, 3], directed=True, labels=Labels(labels))
    write(graph, tmp_path / "labeled.ew")
    for copy in (read(tmp_path / "labeled.ew", verify=True), read(tmp_path / "labeled.ew")):
        assert len(copy.labels) == 4
        assert copy.labels.vertex(labels[1]) == 1 and copy.labels.label(2) == labels[2]
        assert copy.labels == graph.labels and copy == graph


def test_consecutive_labels_take_no_room(tmp_path):
    path = tmp_path / "a.ew"
    graph = Graph.from_edges([0, 1], [1, 2], num_vertices=10**5)
    write(graph, path)
    plain = path.read_bytes()
    assert int.from_bytes(plain[10:12], "little") == 1  # as an older Edgewise knows it
    write(graph.with_labels(Labels.range(-3, 10**5)), path)
    ranged = path.read_bytes()
    assert len(ranged) < len(plain) + 100 and int.from_bytes(ranged[10:12], "little") == 2
    copy = read(path, verify=True)
    assert copy.labels.range_start == -3 and copy.with_labels(None) == graph
    assert copy.labels == graph.with_labels(Labels.range(-3, 10**5)).labels
    end = len(ranged) - 8
    path.write_bytes(ranged[:end] + (2**63 - 1).to_bytes(8, "little"))
    with pytest.raises(FileFormatError, match="range of 64-bit integers"):
        read(path)


def test_labels_of_a_graph_without_vertices(tmp_path):
    write(Graph([0], [], labels=Labels([])), tmp_path / "empty.ew")
    assert len(read(tmp_path / "empty.ew", verify=True).labels) == 0


def test_string_labels_stay_in_the_file_until_used(tmp_path):
    path = tmp_path / "labeled.ew"
    write(Graph([0, 0, 0], [], labels=Labels(["é", "b"])), path)
    path.write_bytes(path.read_bytes().replace("éb".encode(), b"\xff\xffb"))
    graph = read(path)
    assert graph.num_vertices == 2
    with pytest.raises(FileFormatError, match="labels are damaged"):
        graph.labels.label(0)
    with pytest.raises(FileFormatError, match="checksum"):
        read(path, verify=True)


def test_a_graph_with_labels_in_the_file_is_like_any_other(tmp_path):
    path = tmp_path / "labeled.ew"
    graph = Graph.from_edges(["a", "b", "c"], ["b", "c", "d"])
    write(graph, path)
    assert read(path).subgraph([1, 2, 3]).labels.values.tolist() == ["b", "c", "d"]
    assert read(path).labels.take([2, 0]).values.tolist() == ["c", "a"]
    assert pickle.loads(pickle.dumps(read(path))) == graph
    write(read(path), path)
    assert read(path).labels == graph.labels


def test_verify_checks_that_labels_are_distinct(tmp_path):
    path = tmp_path / "twice.ew"
    write(Graph([0, 0, 0], [], labels=Labels._trusted(np.array([4, 4]))), path)
    with pytest.raises(FileFormatError, match="distinct"):
        read(path, verify=True)


@pytest.mark.parametrize("labels", [[(1, 2), (2, 1)], [1, "a"], ["ok", "\udc80"], [1.5, 2.5]])
def test_other_labels_are_refused(tmp_path, labels):
    graph = Graph([0, 0, 0], [], labels=Labels(labels))
    with pytest.raises(ValueError, match="all integers or all strings"):
        write(graph, tmp_path / "labeled.ew")
    assert not list(tmp_path.iterdir())
