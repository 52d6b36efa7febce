"""METIS files: every fmt flag, isolated vertices, symmetry, errors with their line, round trips."""

import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.base.threads import threads
from edgewise.graph import Graph
from edgewise.io import read, write


@pytest.fixture
def load(tmp_path):
    """Reads some text as a file."""

    def load(text, **options):
        (tmp_path / "graph.graph").write_bytes(text if isinstance(text, bytes) else text.encode())
        return read(tmp_path / "graph.graph", **options)

    return load


#: A triangle with a tail, edge weights 10 * u + v for u < v, and an isolated vertex.
NEIGHBORS = [[2, 3], [1, 3], [2, 1, 4], [3], []]


@pytest.mark.filterwarnings("ignore:.* weights of vertices were not read")
@pytest.mark.parametrize("sizes", [0, 1])
@pytest.mark.parametrize("constraints", [0, 1, 3])
@pytest.mark.parametrize("weighted", [0, 1])
def test_every_fmt(load, sizes, constraints, weighted):
    lines = []
    for u, neighbors in enumerate(NEIGHBORS, 1):
        numbers = [7] * sizes + [8] * constraints
        for v in neighbors:
            numbers += [v, 10 * min(u, v) + max(u, v)][: 1 + weighted]
        lines.append(" ".join(map(str, numbers)))
    fmt = f"{sizes}{int(constraints > 0)}{weighted}"
    if constraints > 1:
        fmt += f" {constraints}"
    text = f"% a comment\n5 4 {fmt}\n" + "\n".join(lines)
    graph = load(text)
    sources, targets, weights = graph.edges()
    assert not graph.directed
    assert (sources.tolist(), targets.tolist()) == ([0, 0, 1, 2], [1, 2, 2, 3])
    assert (weights.tolist() if weighted else weights) == ([12, 13, 23, 34] if weighted else None)
    assert load(text + "\n") == load(text.replace("\n", "\r\n")) == graph


@pytest.mark.filterwarnings("ignore:.* weights of vertices were not read")
def test_short_forms_of_fmt(load):
    for fmt in ("1", "01", "001"):
        assert load(f"2 1 {fmt}\n2 9\n1 9\n").weights.tolist() == [9, 9]
    assert load("2 1 10\n5 2\n5 1\n").weights is None


def test_comments_and_blank_lines(load):
    graph = load("%\n\n4 1\n% before\n3\n\n% between\n1\n\n% after")
    assert graph.degrees().tolist() == [1, 0, 1, 0]


def test_isolated_vertices_at_the_end(load):
    assert load("3 1\n2\n1\n").num_vertices == 3
    assert load("3 1\n2\n1\n\n").num_vertices == 3
    assert load("3 1\n2\n1\n\n\n\n").num_vertices == 3
    assert load("0 0\n").num_vertices == 0
    assert load("1 0").num_vertices == 1


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", None, "there is no header"),
        ("% c\n", None, "there is no header"),
        ("3\n", 1, "expected 'VERTICES EDGES"),
        ("3 2 1 1 1\n", 1, "expected 'VERTICES EDGES"),
        ("x 2\n", 1, "expected the number of vertices"),
        ("3 -2\n", 1, "expected the number of edges"),
        ("3 2 002\n", 1, "fmt must be"),
        ("3 2 0011\n", 1, "fmt must be"),
        ("3 2 010 0\n", 1, "the number of vertex weights must be at least 1, got 0"),
        ("9999999999 2\n", 1, r"more than 2\*\*31"),
        ("4 2\n2\n1 3\n", 1, "promises 4 vertices, but only 2 lines follow"),
        ("3 2\n2\n1 3\n2\n1\n", 5, "promises 3 vertices, but more lines follow"),
        ("3 3\n2\n1 3\n2\n", 1, "promises 3 edges, so 6 neighbors, but 4 follow"),
        ("3 2\n2\n1 x\n2\n", 3, "expected a whole number, got 'x'"),
        ("3 2\n2\n1 -3\n2\n", 3, "expected a whole number, got '-3'"),
        ("3 2\n2\n1, 3\n2\n", 3, "expected a whole number, got '1,'"),
        ("3 2\n2\n1 4\n2\n", 3, r"neighbor '4' is not in the range 1\.\.3"),
        ("3 2\n2\n1 0\n2\n", 3, r"neighbor '0' is not in the range 1\.\.3"),
        ("3 2\n2\n1 2\n2\n", 3, "lists itself"),
        ("3 2\n2\n1 1\n2\n", 3, "neighbor 1 stands there twice"),
        ("3 2\n2\n1 3\n1\n", 3, "neighbor 3 does not list vertex 2 in return"),
        ("2 1 1\n2 5\n1 6\n", 2, "neighbor 2 gives the edge another weight"),
        ("2 1 1\n2 5\n1\n", 3, "the last neighbor has no weight"),
        ("2 1 1\n2 99999999999999999999\n1 5\n", 2, "expected a whole number"),
        ("2 1 10\n5 2\n\n", 3, "fewer sizes and weights"),
        ("2 1 10\n5 2\n", 1, "promises 2 vertices, but only 1 lines follow"),
        ("3 2\n2\n% c\n1 x\n2\n", 4, "got 'x'"),
        (b"3 2\n2\n1 \x00\n2\n", 3, "zero byte"),
    ],
)
def test_errors(load, text, line, reason):
    with pytest.raises(FileFormatError, match=reason) as error:
        load(text)
    assert error.value.line == line


@pytest.mark.parametrize("dtype", [None, "int32", "int64"])
def test_round_trip(tmp_path, dtype):
    rng = np.random.default_rng(3)
    weights = None if dtype is None else rng.integers(1, 2**30, 300).astype(dtype)
    graph = Graph.from_edges(
        *rng.integers(0, 50, (2, 300)),
        weights,
        num_vertices=60,
        self_loops="drop",
        duplicates="first",
    )
    write(graph, tmp_path / "graph.metis.zst")
    back = read(tmp_path / "graph.metis.zst")
    assert back == (
        graph if dtype is None else graph.with_weights(graph.edges()[2].astype("int64"))
    )


@pytest.mark.parametrize("team", [1, 2, 3])
def test_many_chunks_in_any_order(tmp_path, team):
    rng = np.random.default_rng(team)
    graph = Graph.from_edges(
        *rng.integers(0, 20000, (2, 100000)), self_loops="drop", num_vertices=20500
    )
    rows = [rng.permutation(row + 1) for row in np.split(graph.indices, graph.indptr[1:-1])]
    text = f"{graph.num_vertices} {graph.num_edges}\n" + "".join(
        f"{' '.join(map(str, row))}\n" + "% comment\n" * (u % 1000 == 0)
        for u, row in enumerate(rows)
    )
    assert len(text) > 3 * 2**18
    (tmp_path / "graph.graph").write_text(text)
    with threads(team):
        assert read(tmp_path / "graph.graph").with_labels(None) == graph
        write(graph, tmp_path / "again.graph")
        assert read(tmp_path / "again.graph") == graph


def test_ids_are_counted_from_one(load):
    graph = load("3 1\n3\n\n1\n")
    assert graph.labels.range_start == 1 and graph.num_vertices == 3 and graph.vertex(3) == 2
    graph = load("3 1 001\n3 7\n\n1 7\n", ids="as_is")
    assert graph.labels is None and graph.num_vertices == 4
    assert [column.tolist() for column in graph.edges()] == [[1], [3], [7]]
    with pytest.raises(FileFormatError, match="line 1: the comment says 9 vertices, the header 3"):
        load(
            "% edgewise vertices: 9 edges: 1 directed: no weights: none labels: none\n3 1\n2\n1\n\n"
        )


@pytest.mark.parametrize(
    ("graph", "reason"),
    [
        (Graph.from_edges([0], [1], directed=True), "undirected"),
        (Graph.from_edges([0], [0]), "self-loops"),
        (Graph.from_edges([0], [1], [0.5]), "integers from 1"),
        (Graph.from_edges([0], [1], [0]), "integers from 1"),
    ],
)
def test_what_metis_cannot_hold(tmp_path, graph, reason):
    with pytest.raises(ValueError, match=reason):
        write(graph, tmp_path / "graph.graph")
