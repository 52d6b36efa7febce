"""DIMACS .gr files: arcs, options, errors with their line, round trips."""

import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.io import read, write

GRAPH = "c a road\nc\np sp 4 3\na 1 2 5\nc more\na 2 3 7\na 2 1 5\n"


@pytest.fixture
def load(tmp_path):
    """Reads some text as a file."""

    def load(text, **options):
        (tmp_path / "graph.gr").write_text(text)
        return read(tmp_path / "graph.gr", **options)

    return load


def test_arcs(load):
    graph = load(GRAPH)
    assert graph.directed
    assert graph.num_vertices == 4
    assert [column.tolist() for column in graph.arcs()] == [[0, 1, 1], [1, 0, 2], [5, 5, 7]]
    assert graph.weights.dtype == np.int64


@pytest.mark.filterwarnings("ignore:.* repeat an edge")
def test_options(load):
    assert load(GRAPH, directed=False).weights.tolist() == [10, 10, 7, 7]
    assert load(GRAPH, directed=False, duplicates="min").weights.tolist() == [5, 5, 7, 7]
    assert load(GRAPH, num_vertices=9).num_vertices == 9
    assert load("p sp 1 1\na 1 1 3\n", self_loops="drop").num_edges == 0
    with pytest.raises(ValueError, match="num_vertices must be at least the file's 4, got 3"):
        load(GRAPH, num_vertices=3)


@pytest.mark.parametrize("dtype", ["int64", "float64"])
@pytest.mark.parametrize("directed", [False, True])
def test_round_trip(tmp_path, random_graph, directed, dtype):
    graph = random_graph(directed=directed, dtype=dtype)
    write(graph, tmp_path / "graph.gr.bz2")
    options = {} if directed else {"directed": False, "symmetrize": "given"}
    assert read(tmp_path / "graph.gr.bz2", **options) == graph


def test_edges_without_weight_get_weight_one(tmp_path, random_graph):
    graph = random_graph(directed=True)
    path = tmp_path / "graph.gr"
    write(graph, path)
    assert read(path) == graph
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))  # without our header
    ones = graph.with_weights(np.ones(graph.num_edges, np.int64))
    assert read(path).with_labels(None) == ones


def test_ids_are_counted_from_one(load):
    graph = load("p sp 3 1\na 1 3 7\n")
    assert graph.labels.range_start == 1 and graph.num_vertices == 3 and graph.vertex(3) == 2
    assert load("p sp 3 1\na 1 3 7\n", num_vertices=5).label(4) == 5
    graph = load("p sp 3 1\na 1 3 7\n", ids="as_is")
    assert graph.labels is None and graph.num_vertices == 4
    assert [column.tolist() for column in graph.arcs()] == [[1], [3], [7]]
    with pytest.raises(ValueError, match="ids must be one of 'auto', 'as_is'"):
        load("p sp 3 1\na 1 3 7\n", ids="int")


OWN = "c edgewise vertices: {} edges: 1 directed: {} weights: {} labels: {}\n"


def test_our_header_decides(load):
    text = OWN.format(2, "no", "int32", "str") + "c vertex: Bonn\nc vertex: New York\np sp 2 2\n"
    graph = load(text + "a 1 2 5\na 2 1 5\n")
    assert not graph.directed and graph.num_edges == 1 and graph.weights.dtype == np.int32
    assert graph.labels.values.tolist() == ["Bonn", "New York"]
    assert load(text + "a 1 2 5\na 2 1 5\n", directed=False).weights.tolist() == [5, 5]
    assert load(text + "a 1 2 5\na 2 1 5\n", directed=True).directed
    with pytest.raises(FileFormatError, match="not the undirected graph of its comment"):
        load(text + "a 1 2 5\na 2 1 6\n")
    with pytest.raises(FileFormatError, match="line 1: the comment says 3 vertices, .* 'p sp' 2"):
        load(OWN.format(3, "no", "none", "none") + "p sp 2 0\n")
    with pytest.raises(ValueError, match="num_vertices must be the file's 2, since they are named"):
        load(text + "a 1 2 5\na 2 1 5\n", num_vertices=3)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", None, "there is no line 'p sp'"),
        ("c only\n", None, "there is no line 'p sp'"),
        ("a 1 2 3\n", 1, "expected 'p sp VERTICES ARCS', got 'a 1 2 3'"),
        ("p max 3 3\n", 1, "expected 'p sp VERTICES ARCS'"),
        ("p sp 3\n", 1, "expected 'p sp VERTICES ARCS'"),
        ("p sp x 3\n", 1, "expected the number of vertices"),
        ("p sp 3 1\nb 1 2 3\n", 2, "expected a line that starts with 'a', got 'b'"),
        ("p sp 3 1\na1 2 3\n", 2, "expected a line that starts with 'a', got 'a1'"),
        ("p sp 3 1\na 1 2\n", 2, "expected 4 columns, found 3"),
        ("p sp 3 1\na 1 2 3 4\n", 2, "expected 4 columns, found 5"),
        ("p sp 3 1\na 1 4 3\n", 2, r"vertex id '4' is not in the range 1\.\.3"),
        ("p sp 3 1\na 0 1 3\n", 2, r"vertex id '0' is not in the range 1\.\.3"),
        ("p sp 3 1\na 1 2 z\n", 2, "expected a number as weight"),
        ("p sp 3 2\na 1 2 3\n", 1, "the header promises 2 arcs, but 1 follow"),
        ("p sp 3 1\na 1 2 3\np sp 3 1\n", 3, "expected a line that starts with 'a', got 'p'"),
        ("p sp 90000000 1\na 1 2 3\n", 1, "pass num_vertices="),
    ],
)
def test_errors(load, text, line, reason):
    with pytest.raises(FileFormatError, match=reason) as error:
        load(text)
    assert error.value.line == line


def test_bad_lines_are_skipped(load):
    with pytest.warns(UserWarning, match="1 bad line was skipped"):
        assert load("p sp 3 2\na 1 2 3\na 1 9 9\n", on_bad_line="skip").num_edges == 1
