"""Pajek: files as others write them, every kind of section, round trips, malformed files."""

import networkx as nx
import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io import read, write

NAMES = '*Vertices 3\n1 "a"\n2 "b"\n3 "c"\n'


@pytest.fixture
def path(tmp_path):
    return tmp_path / "graph.net"


def arcs(graph):
    return [None if column is None else column.tolist() for column in graph.arcs()]


def test_a_file_of_several_sections(load):
    graph = load("""\ufeff% a comment
        *Network roads and more
        *vertices 4 2
          1 "K&#246;ln"   0.1 0.2 0.5 ic Red
        % 2 "not this"
          3 Bonn 0.3

          2 "New York" box
          4 ""
        *Arcs :1 "by air"
          1 2 2.5 c Blue
          2 1
        *EDGES
          3 4 7 l "a label"
          3 3
        *Arcslist
          4 1 2
        *Matrix
          0 0 1 0
          0 0 0 0
          0 0 0 0
          0 0 0 0
        """)
    assert graph.labels.values.tolist() == ["Köln", "New York", "Bonn", ""]
    assert graph.directed
    assert arcs(graph) == [
        [0, 0, 1, 2, 2, 3, 3, 3],
        [1, 2, 0, 2, 3, 0, 1, 2],
        [2.5, 1, 1, 1, 7, 1, 1, 7],
    ]


def test_edges_alone_are_undirected(load):
    graph = load(NAMES + "*Edges\n1 2\n*Edgeslist\n3 1 2\n")
    assert not graph.directed and graph.weights is None and graph.num_edges == 3
    graph = load(NAMES + "*Edges\n1 2\n", directed=True)
    assert graph.directed and arcs(graph)[:2] == [[0, 1], [1, 0]]
    graph = load(NAMES + "*Arcs\n1 2\n2 1\n2 3\n", directed=False)
    assert not graph.directed and graph.num_edges == 2
    assert load("\ufeff" + NAMES + "*Arcs\n").directed and not load(NAMES).directed


@pytest.mark.filterwarnings("ignore:.* repeat an edge")
def test_weights(load):
    assert load(NAMES + "*Arcs\n1 2 3\n2 3 4").weights.tolist() == [3, 4]
    assert load(NAMES + "*Arcs\n1 2 3\n2 3 4", weight=False).weights is None
    assert load(NAMES + "*Arcs\n1 2\n2 3 4.5\n").weights.tolist() == [1, 4.5]
    assert load(NAMES + "*Arcs\n1 2 -1\n2 3\n").weights.tolist() == [-1, 1]
    assert load(NAMES + "*Arcs\n1 2 3\n1 2 4\n").weights.tolist() == [7]
    assert load(NAMES + "*Arcs\n1 2 3\n1 2 4\n", duplicates="min").weights.tolist() == [3]
    assert load(NAMES + "*Matrix\n0 1 0\n0 0 1\n1 0 0\n").weights is None
    assert load(NAMES + "*Matrix\n0 2 0 0 0 1.5\n1 0 0\n").weights.tolist() == [2, 1.5, 1]


def test_numbers_are_the_labels_without_names(load):
    for names in ("", '1 "x"\n', '1 "x"\n2 "x"\n3 "y"\n', "1\n2\n3\n", "1 1\n2 2\n3 3\n"):
        graph = load(f"*Vertices 3\n{names}*Arcs\n1 3\n")
        assert graph.labels == Labels.range(1, 3) and graph.labels.range_start == 1
    assert load(NAMES + "*Arcs\n1 3\n", labels=False).labels == Labels.range(1, 3)
    graph = load(NAMES + "*Arcs\n1 3\n", ids="as_is")
    assert graph.labels is None and graph.num_vertices == 4 and arcs(graph)[:2] == [[1], [3]]


def test_projects(load):
    partition = "*Partition groups\n*Vertices 3\n1\n2\n1\n"
    graph = load(
        f"{partition}*Network one\n{NAMES}*Edges\n1 2\n{partition}*Vector v\n*Vertices 3\n1.5"
    )
    assert graph.num_edges == 1 and graph.labels.values.tolist() == ["a", "b", "c"]
    with pytest.warns(UserWarning, match="only the first network was read"):
        graph = load(f"*Network one\n{NAMES}*Edges\n1 2\n*Network two\n{NAMES}*Edges\n1 2\n1 3\n")
    assert graph.num_edges == 1
    with pytest.warns(UserWarning, match="only the first network was read") as caught:
        assert load(f"{NAMES}*Edges\n1 2\n{NAMES}*Edges\n1 2\n1 3\n").num_edges == 1
    assert caught[0].filename == load.__code__.co_filename  # which calls read


@pytest.mark.parametrize("directed", [False, True])
def test_reads_what_networkx_writes(path, directed):
    graph = nx.gnp_random_graph(20, 0.2, seed=1, directed=directed)
    nx.write_pajek(graph, path)
    found = read(path)
    assert found.directed == directed and found.labels.values.tolist() == [
        str(k) for k in range(20)
    ]
    wanted = Graph.from_networkx(graph)
    assert found.with_labels(None).with_weights(None) == wanted


@pytest.mark.parametrize("directed", [False, True])
def test_networkx_reads_what_we_write(path, directed):
    graph = Graph.from_edges([0, 1], [1, 1], [0.5, 1e-30], directed=directed, num_vertices=3)
    graph = graph.with_labels(Labels(["ä b", "c", "d"]))
    write(graph, path)
    kind = nx.DiGraph if directed else nx.Graph
    assert Graph.from_networkx(kind(nx.read_pajek(path))) == graph
    write(graph.with_labels(None), path)
    assert set(nx.read_pajek(path)) == {"1", "2", "3"}


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", [None, "float32", "float64", "int32", "int64"])
def test_round_trip(path, random_graph, directed, dtype):
    graph = random_graph(directed=directed, dtype=dtype)
    write(graph, path)
    assert read(path) == graph


@pytest.mark.parametrize(
    "labels",
    [
        Labels.range(1, 3),
        Labels.range(-1, 3),
        [-5, 2**40, 7],
        ["1", "2", "3"],
        ["", 'a\n"', "&#65;"],
    ],
)
def test_labels_come_back(path, labels):
    labels = labels if isinstance(labels, Labels) else Labels(labels)
    graph = Graph.from_edges([0, 2], [2, 2], num_vertices=3).with_labels(labels)
    write(graph, path)
    assert read(path) == graph


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", None, "there is no line '.Vertices'"),
        ("% x\n0 1\n", 2, "expected '.Vertices' or '.Network', got '0 1'"),
        ("*Vertices\n", 1, "expected the number of vertices"),
        ("*Vertices x\n", 1, "expected the number of vertices .*, got 'x'"),
        ("*Arcs\n1 2\n", 1, "arcs before .Vertices"),
        ("*Vertices 3\n*Roads\n1 2\n", 2, "unknown section '.roads'"),
        ("*Vertices 3\n1 a\nb\n", 3, "expected a vertex and its name, got 'b'"),
        ('*Vertices 3\n1 "a\n', 2, "expected a vertex and its name"),
        ("*Vertices 3\n1 a\n4 b\n", 3, "vertex '4' is not in the range 1..3"),
        ("*Vertices 3\n1 a\n1 b\n", 3, "vertex 1 is listed twice"),
        (b"*Vertices 3\n1 a\n2 \xff\n", 3, "not UTF-8"),
        (NAMES + "*Edges\n1 2\n\n1\n", 8, "expected two vertices, got '1'"),
        (NAMES + "*Edges\n1 2\n1 x\n", 7, "expected a vertex .*, got 'x'"),
        (NAMES + "*Edges\n1 2\n1 0\n", 7, "vertex '0' is not in the range 1..3"),
        (NAMES + "*Edges\n1 2 1\n1 2 x\n", 7, "expected a number as weight, got 'x'"),
        (NAMES + "*Arcslist\n1 2 3\n1 2 4\n", 7, "'4' is not in the range 1..3"),
        (NAMES + "*Arcslist\n1 2 3\n1 2 x\n", 7, "expected a vertex id"),
        (NAMES + "*Matrix\n1 2 3\n1 2 x\n", 7, "expected a number, got 'x'"),
        (NAMES + "*Matrix\n1 2 3\n1 2 1\n", 5, "has 9 values, but 6 follow"),
        ("*Vertices 900000000\n*Edges\n1 900000000\n", None, "900000000 vertices are declared"),
    ],
)
def test_malformed(load, text, line, reason):
    with pytest.raises(FileFormatError, match=reason) as caught:
        load(text)
    assert caught.value.line == line


def test_our_header_is_checked(load, path):
    write(Graph.from_edges([0, 1], [1, 2]).with_labels(Labels([5, 7, 6])), path)
    text = path.read_text()
    with pytest.raises(FileFormatError, match="promises 3 vertices and 2 edges, but .* 3 and 1"):
        load(text.replace("\n1 2\n", "\n"))
    with pytest.raises(FileFormatError, match="line 1: a label is no whole number"):
        load(text.replace('"7"', '"x"'))
    with pytest.raises(FileFormatError, match="line 1: labels must be distinct"):
        load(text.replace('"7"', '"5"'))
    assert np.array_equal(load(text).labels.values, [5, 7, 6])
