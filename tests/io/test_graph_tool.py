"""graph-tool's .gt: files made by hand in both byte orders, NetworKit's, malformed ones."""

import struct

import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io import read, write

LESS = "⛾ gt".encode()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "graph.gt"


def string(text, order="<"):
    text = text.encode() if isinstance(text, str) else text
    return struct.pack(f"{order}Q", len(text)) + text


def made(rows, maps=(), *, directed=False, order="<", comment="by hand", n=None, code="B"):
    """A file: lists of neighbors, and maps as (kind, name, type, bytes of values)."""
    content = LESS + bytes([1, order == ">"]) + string(comment, order) + bytes([directed])
    content += struct.pack(f"{order}Q", len(rows) if n is None else n)
    for row in rows:
        content += struct.pack(f"{order}Q{len(row)}{code}", len(row), *row)
    content += struct.pack(f"{order}Q", len(maps))
    for kind, name, number, values in maps:
        content += bytes([kind]) + string(name, order) + bytes([number]) + values
    return content


def packed(order, code, *values):
    return struct.pack(f"{order}{len(values)}{code}", *values)


ROWS = [[1, 2], [], [1]]


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("directed", [False, True])
def test_lists(load, order, directed):
    graph = load(made(ROWS, order=order, directed=directed))
    wanted = Graph.from_edges([0, 0, 2], [1, 2, 1], directed=directed, num_vertices=3)
    assert graph == wanted and graph.labels is None and graph.weights is None


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize(("n", "code"), [(256, "B"), (257, "H"), (65536, "H"), (65537, "I")])
def test_widths(load, order, n, code):
    rows = [[n - 1], *[[]] * (n - 2), [3]]
    graph = load(made(rows, order=order, code=code, directed=True))
    assert graph.num_vertices == n and graph.arcs()[1].tolist() == [n - 1, 3]


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize(
    ("number", "code", "values", "dtype"),
    [
        (0, "B", (1, 0, 1), "int32"),
        (1, "h", (-2, 3, 4), "int32"),
        (2, "i", (-2, 3, 2**31 - 1), "int32"),
        (3, "q", (-2, 3, 2**62), "int64"),
        (4, "d", (0.5, -1.5, 1e300), "float64"),
    ],
)
def test_weights(load, order, number, code, values, dtype):
    others = [
        (0, "title", 6, string("a graph", order)),
        (1, "pos", 11, b"".join(packed(order, "Q", 2) + packed(order, "d", 1, 2) for _ in ROWS)),
        (2, "note", 6, b"".join(string("x" * k, order) for k in range(3))),
        (1, "tags", 13, packed(order, "Q", 1) + string("é", order) + packed(order, "QQ"[:1], 0, 0)),
        (2, "object", 14, string(b"\x80\x04N.", order) * 3),
    ]
    weights = (2, "weight", number, packed(order, code, *values))
    graph = load(made(ROWS, [*others, weights], order=order, directed=True))
    assert graph.weights.tolist() == list(values) and graph.weights.dtype == dtype


def test_long_doubles(load):
    if np.dtype(np.longdouble).itemsize != 16:
        pytest.skip("another long double")
    values = np.array([0.5, 2, 3], np.longdouble).tobytes()
    assert load(made(ROWS, [(2, "weight", 5, values)])).edges()[2].tolist() == [0.5, 2, 3]
    with pytest.raises(FileFormatError, match="long doubles of another machine"):
        load(made(ROWS, [(2, "weight", 5, values)], order=">"))


def test_which_map_is_the_weight(load):
    maps = [(2, "km", 4, packed("<", "d", 1, 2, 3)), (2, "road", 6, string("A1") * 3)]
    with pytest.warns(UserWarning, match="attribute 'km' was not read; weight='km' takes it"):
        assert load(made(ROWS, maps)).weights is None
    assert load(made(ROWS, maps), weight="km").edges()[2].tolist() == [1, 2, 3]
    assert load(made(ROWS, maps), weight=None).weights is None
    with pytest.raises(FileFormatError, match="'road' is no number"):
        load(made(ROWS, maps), weight="road")
    with pytest.raises(FileFormatError, match="no edge has an attribute 'kn'; there are: km, road"):
        load(made(ROWS, maps), weight="kn")


def test_labels(load):
    names, numbers = (
        (1, "name", 6, string("ä") + string("") + string("c")),
        (1, "id", 2, packed("<", "i", 7, 3, 5)),
    )
    assert load(made(ROWS, [names])).labels.values.tolist() == ["ä", "", "c"]
    assert load(made(ROWS, [names, numbers]), label="id").labels.values.tolist() == [7, 3, 5]
    assert load(made(ROWS, [names]), label=None).labels is None
    same = (1, "label", 6, string("x") * 3)
    assert load(made(ROWS, [same])).labels is None
    assert load(made(ROWS, [same, names])).labels.values.tolist() == ["ä", "", "c"]
    floats = (1, "name", 4, packed("<", "d", 1, 2, 3))
    assert load(made(ROWS, [floats])).labels is None
    with pytest.raises(FileFormatError, match="no node has an attribute 'title'"):
        load(made(ROWS, [names]), label="title")
    with pytest.raises(FileFormatError, match="a label is not UTF-8"):
        load(made(ROWS, [(1, "name", 6, string(b"\xff") + string("b") + string("c"))]))


def test_parallel_edges_are_told(load):
    with pytest.warns(UserWarning, match="1 of 3 edges repeat an edge, and are merged"):
        assert load(made([[1, 1], [1]])).num_edges == 2


@pytest.mark.parametrize("directed", [False, True])
def test_reads_what_networkit_writes(path, random_graph, directed):
    graph = random_graph(directed=directed, n=300)
    nk = pytest.importorskip("networkit")
    other = nk.Graph(300, directed=directed)
    for u, v in zip(*graph.edges()[:2], strict=True):
        other.addEdge(u, v)
    nk.graphio.GraphToolBinaryWriter().write(other, str(path))
    assert read(path) == graph


@pytest.mark.parametrize("directed", [False, True])
def test_networkit_reads_what_we_write(path, random_graph, directed):
    graph = random_graph(directed=directed, n=300)
    write(graph, path)
    nk = pytest.importorskip("networkit")
    other = nk.graphio.GraphToolBinaryReader().read(str(path))
    assert other.isDirected() == directed and other.numberOfNodes() == 300
    found = {tuple(sorted(e)) if not directed else e for e in other.iterEdges()}
    assert found == set(zip(*(end.tolist() for end in graph.edges()[:2]), strict=True))


@pytest.mark.parametrize("dtype", [None, "float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("more", ["", ".gz", ".zst"])
def test_round_trip(tmp_path, random_graph, dtype, more):
    path = tmp_path / f"graph.gt{more}"
    graph = random_graph(directed=True, dtype=dtype)
    graph = graph.with_labels(Labels([f"ö{k}" for k in range(graph.num_vertices)]))
    write(graph, path)
    assert read(path) == graph


GOOD = made(ROWS, [(2, "weight", 2, packed("<", "i", 1, 2, 3))])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not a file of graph-tool"),
        (b"\x1f\x8b" + GOOD, "not a file of graph-tool"),
        (GOOD[:6] + b"\x02" + GOOD[7:], "version must be at most 1, got 2"),
        (GOOD[:6] + b"\x00" + GOOD[7:], "version 0"),
        (GOOD[:7] + b"\x02" + GOOD[8:], "byte order must be at most 1"),
        (GOOD[:7] + b"\x01" + GOOD[8:], "truncated"),
        (GOOD[:-1], "truncated"),
        (GOOD + b"\0", "too long: 1 bytes follow"),
        (made(ROWS, n=2**60), "truncated: 1152921504606846976 lists are declared"),
        (made(ROWS, n=2**64 - 1), "lists are declared"),
        (made([[1, 3], [], []]), "arc 1 goes to vertex 3, but there are 3 vertices"),
        (made(ROWS)[:-8] + b"\xff" * 8, "truncated"),
        (made(ROWS, [(3, "x", 2, b"")]), "kind of a property map must be at most 2"),
        (made(ROWS, [(2, "x", 15, b"")]), "type of a property map must be at most 14"),
        (made(ROWS, [(2, "x", 6, b"\xff" * 24)]), "truncated: list 0 has no end"),
        (made(ROWS, [(2, "x", 13, b"\xff" * 24)]), "lists are declared"),
        (made(ROWS, comment="edgewise vertices: 3"), "damaged header"),
    ],
)
def test_malformed(load, path, content, reason):
    with pytest.raises(FileFormatError, match=reason) as caught:
        load(content)
    assert caught.value.path == str(path)


def test_our_header_is_checked(load, path):
    write(Graph.from_edges([0], [1]).with_labels(Labels(["a", "b"])), path)
    content = path.read_bytes()
    with pytest.raises(FileFormatError, match="declared labels are missing"):
        load(content[:-9] + content[-18:-9])
    with pytest.raises(FileFormatError, match="a label is no integer"):
        load(content.replace(b"labels: str", b"labels: int"))
    with pytest.raises(FileFormatError, match="3 vertices are declared, there are 2"):
        load(content.replace(b"vertices: 2", b"vertices: 3"))


@pytest.mark.filterwarnings("ignore::UserWarning")  # of maps with mangled names
def test_mangled_files_give_a_graph_or_an_error(load, mangled, check_graph):
    maps = [(2, "weight", 2, packed("<", "i", 1, 2, 3)), (1, "name", 6, string("a") * 3)]
    refused = 0
    for junk in mangled(made(ROWS, maps), 300):
        try:
            check_graph(load(junk))
        except FileFormatError:
            refused += 1
    assert refused > 100
