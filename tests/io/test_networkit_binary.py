"""NetworKit's binary files: what it writes and reads itself, malformed files."""

import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io import read, write

nk = pytest.importorskip("networkit")

WEIGHTS = {
    "none": None,
    "unsigned": np.array([1, 127, 128, 16383, 16384, 2**40, 0, 5]),
    "signed": np.array([1, -1, 63, -64, 64, -(2**40), 0, 5]),
    "double": np.array([0.1, 1e300, -2.5, 0, 1, 2, 3, 4]),
    "float": np.array([0.5, 0.25, -2.5, 0, 1, 2, 3, 4]),
}
ENDS = np.array([[0, 1, 2, 2, 400, 0, 7, 20000], [1, 2, 2, 0, 399, 300, 8, 0]])


@pytest.fixture
def path(tmp_path):
    return tmp_path / "graph.nkb"


def networkit(graph):
    """The same graph in NetworKit."""
    made = nk.Graph(graph.num_vertices, graph.weights is not None, graph.directed)
    sources, targets, weights = graph.edges()
    weights = np.ones(len(sources)) if weights is None else weights
    for u, v, w in zip(sources.tolist(), targets.tolist(), weights.tolist(), strict=True):
        made.addEdge(u, v, w)
    return made


def graph_of(kind, directed):
    weights = WEIGHTS[kind]
    if kind == "float":
        weights = weights.astype(np.float32)
    return Graph.from_edges(*ENDS, weights, directed=directed, num_vertices=20005)


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("chunks", [1, 7, 10000])
def test_reads_what_networkit_writes(path, kind, directed, chunks):
    graph = graph_of(kind, directed)
    nk.graphio.NetworkitBinaryWriter(chunks).write(networkit(graph), str(path))
    assert read(path) == graph
    assert graph.weights is None or read(path).weights.dtype == graph.weights.dtype


@pytest.mark.parametrize("directed", [False, True])
def test_ids_of_edges_are_passed_over(path, directed):
    graph = graph_of("unsigned", directed)
    other = networkit(graph)
    other.indexEdges()
    nk.graphio.NetworkitBinaryWriter().write(other, str(path))
    assert read(path) == graph


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("directed", [False, True])
def test_networkit_reads_what_we_write(path, kind, directed):
    graph = graph_of(kind, directed)
    write(graph, path)
    assert read(path) == graph
    other = nk.graphio.NetworkitBinaryReader().read(str(path))
    assert (other.numberOfNodes(), other.numberOfEdges()) == (20005, graph.num_edges)
    assert other.isDirected() == directed and other.isWeighted() == (kind != "none")
    sources, targets, weights = graph.edges()
    for k, (u, v) in enumerate(zip(sources.tolist(), targets.tolist(), strict=True)):
        assert other.weight(u, v) == (1 if weights is None else weights[k])
    assert [other.degreeIn(v) for v in (0, 2, 400)] == graph.column_lengths()[[0, 2, 400]].tolist()


def test_large_weights(path):
    weights = np.array([2**63 - 1, 2**56, 2**56 - 1, -(2**63), -1])
    for some in (weights[:3], weights):
        graph = Graph.from_edges(np.arange(len(some)), np.arange(1, len(some) + 1), some)
        write(graph, path)
        assert read(path) == graph


def test_version_2(load, path):
    """It has no sections for the ids of edges."""
    write(graph_of("signed", True), path)
    content = bytearray(path.read_bytes())
    starts = content[40:96].copy()
    starts = np.frombuffer(starts, "<u8")[:5] - np.uint64(16)
    old = b"nkbg002\0" + content[8:40] + starts.tobytes() + content[96:]
    assert load(bytes(old)) == graph_of("signed", True)


@pytest.mark.parametrize("there", [0, 1])
def test_deleted_vertices(load, path, there):
    write(Graph.from_edges([0, 2], [2, 3], num_vertices=5), path)
    content = bytearray(path.read_bytes())
    content[96:101] = bytes([there, 1 - there, there, there, there])
    graph = load(bytes(content))
    assert graph.labels.values.tolist() == [0, 2, 3, 4] and graph.num_edges == 2
    content[96:101] = bytes([there, there, 1 - there, there, there])
    with pytest.raises(FileFormatError, match="flagged as deleted"):
        load(bytes(content))


@pytest.mark.parametrize("directed", [False, True])
def test_no_vertices(path, directed):
    nk.graphio.NetworkitBinaryWriter().write(nk.Graph(0, directed=directed), str(path))
    assert read(path) == Graph.from_edges([], [], directed=directed, num_vertices=0)
    write(read(path), path)
    assert nk.graphio.NetworkitBinaryReader().read(str(path)).numberOfNodes() == 0


@pytest.fixture
def good(path):
    """Sections: flags at 96, lists at 99 (a count, then 01 03 01 03 03), others at 112."""
    write(Graph.from_edges([0, 1], [1, 2], [7, 8]), path)
    return bytearray(path.read_bytes())


@pytest.mark.parametrize(
    ("at", "new", "reason"),
    [
        (0, b"nkbg001", "not a binary file of NetworKit"),
        (16, b"\x0a", "type of the weights must be at most 4"),
        (24, b"\xff" * 8, "vertices are declared"),
        (32, b"\x00", "0 chunks of 3 vertices"),
        (32, b"\x04", "4 chunks of 3 vertices"),
        (40, b"\xff" * 8, "truncated"),
        (48, b"\xff" * 8, "truncated"),
        (64, b"\xff" * 8, "truncated"),
        (99, b"\x01", "other numbers of neighbors"),
        (99, b"\x03", "other numbers of neighbors"),
        (99, b"\xff" * 8, "truncated: 18446744073709551615 arcs"),
        (109, b"\x07", "no vertex, or stands at the lesser end"),
        (111, b"\x07", "no vertex, or stands at the lesser end"),
        (107, b"\x09", "other numbers of neighbors"),
    ],
)
def test_malformed(load, path, good, at, new, reason):
    good[at : at + len(new)] = new
    with pytest.raises(FileFormatError, match=reason) as caught:
        load(bytes(good))
    assert caught.value.path == str(path)


def test_truncated(load, good):
    start = int.from_bytes(good[64:72], "little")  # of the weights, of which one half is read
    for size in range(start + 2):
        with pytest.raises(FileFormatError):
            load(bytes(good[:size]))


def test_labels_are_left_out(path):
    with pytest.warns(UserWarning, match="NetworKit's binary files have no place for labels"):
        write(Graph.from_edges(["a"], ["b"]), path)


@pytest.mark.filterwarnings("ignore:.* repeat an edge")
def test_mangled_files_give_a_graph_or_an_error(load, good, mangled, check_graph):
    refused = 0
    for junk in mangled(bytes(good), 300):
        try:
            check_graph(load(junk))
        except FileFormatError:
            refused += 1
    assert refused > 100
