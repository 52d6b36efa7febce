"""GAP's .sg and .wsg: hand-made bytes, round trips, mangled files, graphs that do not fit."""

import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io import read, write


def serialized(directed, *halves, weighted=False):
    """The bytes of a serialized graph; a half is a list of rows, of pairs if weighted."""
    rows = halves[0]
    arcs = sum(map(len, rows))
    parts = [bytes([directed]), np.array([arcs, len(rows)], "<i8").tobytes()]
    for rows in halves:
        offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
        parts += [offsets.astype("<i8").tobytes()]
        parts += [np.array(row, "<i4").tobytes() for row in rows]
    return b"".join(parts)


PATH = serialized(0, [[1], [0, 2], [1], []])
WEIGHTED = serialized(0, [[(1, 5)], [(0, 5), (2, -7)], [(1, -7)]])
DIRECTED = serialized(1, [[1, 2], [2], []], [[], [0], [0, 1]])


def loaded(tmp_path, content, name="graph.sg"):
    path = tmp_path / name
    path.write_bytes(content)
    return read(path)


def test_reads_undirected(tmp_path):
    graph = loaded(tmp_path, PATH)
    assert not graph.directed and graph.weights is None
    assert graph.indptr.tolist() == [0, 1, 3, 4, 4]
    assert graph.indices.tolist() == [1, 0, 2, 1]
    assert graph.indices.dtype == np.int32 and graph.num_edges == 2


def test_reads_weighted(tmp_path):
    graph = loaded(tmp_path, WEIGHTED, "graph.wsg")
    assert graph.indices.tolist() == [1, 0, 2, 1]
    assert graph.weights.tolist() == [5, 5, -7, -7] and graph.weights.dtype == np.int32


def test_reads_directed(tmp_path):
    graph = loaded(tmp_path, DIRECTED)
    assert graph.directed
    assert graph.indptr.tolist() == [0, 2, 3, 3] and graph.indices.tolist() == [1, 2, 2]


def test_sorts_rows_and_keeps_the_lightest_duplicate(tmp_path):
    rows = [[(2, 4), (1, 9), (2, 3)], [(0, 9)], [(0, 3), (0, 4)]]
    graph = loaded(tmp_path, serialized(0, rows), "graph.wsg")
    assert graph.indices.tolist() == [1, 2, 0, 0]
    assert graph.weights.tolist() == [9, 3, 9, 3]


@pytest.mark.parametrize(
    "content, reason",
    [
        (b"", "truncated: 0 bytes"),
        (PATH[:16], "truncated: 16 bytes"),
        (PATH[:-1], "truncated"),
        (PATH + b"\0", "too long"),
        (b"\2" + PATH[1:], "not a serialized GAP graph"),
        (serialized(0, [[1], []]), "both directions"),
        (serialized(0, [[3], [0]]), "arc 0 goes to vertex 3"),
        (serialized(0, [[-1], [0]]), "arc 0 goes to vertex -1"),
        (serialized(1, [[1], []], [[0], []]), "incoming offsets disagree"),
        (b"\0" + np.array([0, 2**62], "<i8").tobytes(), "not a serialized GAP graph"),
        (b"\0" + np.array([2**62, 1], "<i8").tobytes(), "truncated"),
        (b"\0" + np.array([2, 2, 0, 3, 2], "<i8").tobytes() + b"\0" * 8, "fall after vertex 1"),
        (b"\0" + np.array([2, 2, 0, 1, 1], "<i8").tobytes() + b"\0" * 8, "from 0 to 2 arcs"),
    ],
)
def test_malformed(tmp_path, content, reason):
    with pytest.raises(FileFormatError, match=reason) as caught:
        loaded(tmp_path, content)
    assert caught.value.path.endswith("graph.sg")


def test_opposite_weights_differ(tmp_path):
    with pytest.raises(FileFormatError, match="equal weights"):
        loaded(tmp_path, serialized(0, [[(1, 5)], [(0, 6)]]), "graph.wsg")


def test_writes_the_bytes_that_gap_reads(tmp_path):
    for name, content in {"a.sg": PATH, "b.wsg": WEIGHTED, "c.sg": DIRECTED}.items():
        path = tmp_path / name
        path.write_bytes(content)
        write(read(path), tmp_path / f"copy-{name}")
        assert (tmp_path / f"copy-{name}").read_bytes() == content


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", [None, np.int32, np.int64])
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_round_trip(tmp_path, random_graph, directed, dtype, suffix):
    graph = random_graph(directed=directed, dtype=dtype)
    path = tmp_path / (("graph.sg" if dtype is None else "graph.wsg") + suffix)
    write(graph, path)
    assert read(path) == (
        graph if dtype is None else graph.with_weights(graph.edges()[2].astype("i4"))
    )


@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.parametrize("directed", [False, True])
def test_tiny(tmp_path, n, directed):
    graph = Graph.from_edges([], [], directed=directed, num_vertices=n)
    write(graph, tmp_path / "tiny.sg")
    assert read(tmp_path / "tiny.sg") == graph


def test_what_has_no_place_is_told(tmp_path):
    plain = Graph.from_edges([0, 1], [1, 2])
    for name, lost in [("a.sg", "labels and weights"), ("a.wsg", "labels")]:
        graph = plain.with_labels(Labels.range(1, 3)).with_weights(np.ones(2, np.int32))
        with pytest.warns(UserWarning, match=f"^.w?sg files have no place for {lost}; .ew") as told:
            write(graph, tmp_path / name)
        assert len(told) == 1 and told[0].filename == __file__
        assert read(tmp_path / name).with_weights(None) == plain


def test_refuses_what_does_not_fit(tmp_path):
    plain = Graph.from_edges([0, 1], [1, 2])
    with pytest.raises(ValueError, match="need weights"):
        write(plain, tmp_path / "a.wsg")
    with pytest.raises(ValueError, match="int32, got float64"):
        write(plain.with_weights(np.ones(2)), tmp_path / "a.wsg")
    with pytest.raises(ValueError, match=f"to {2**31}"):
        write(plain.with_weights(np.full(2, 2**31)), tmp_path / "a.wsg")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name, content", [("g.sg", PATH), ("g.wsg", WEIGHTED), ("g.sg", DIRECTED)])
def test_mangled_files_give_a_graph_or_an_error(tmp_path, mangled, check_graph, name, content):
    refused = 0
    for junk in mangled(content, 300):
        try:
            check_graph(loaded(tmp_path, junk, name))
        except FileFormatError:
            refused += 1
    assert refused > 150
