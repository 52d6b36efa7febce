"""Adjacency lists: NetworkX's files, names and numbers, round trips, malformed files."""

import networkx as nx
import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io import read, write


@pytest.fixture
def path(tmp_path):
    return tmp_path / "graph.adjlist"


def ends(graph):
    return [column.tolist() for column in graph.edges()[:2]]


def test_numbers(load):
    graph = load("# first\n\n0 1 2 # of these\n1\t2\r\n 3,0\n2#\n", ids="str")
    assert graph.labels.values.tolist() == ["0", "1", "2", "2#", "3"]
    graph = load("# first\n\n0 1 2 # of these\n1\t2\r\n 3,0\n4 #\n2 0 1")
    assert graph.labels is None and not graph.directed and graph.weights is None
    assert graph.num_vertices == 5 and ends(graph) == [[0, 0, 0, 1], [1, 2, 3, 2]]
    graph = load("0 1 2\n2 2\n", directed=True)
    assert graph.directed and ends(graph) == [[0, 0, 2], [1, 2, 2]]
    assert ends(load("0 1 2\n2 2\n", directed=True, self_loops="drop")) == [[0, 0], [1, 2]]
    assert ends(load("0 1 2\n1 0\n", symmetrize="intersection")) == [[0], [1]]


def test_ids_that_occur_are_the_vertices(load):
    graph = load("1 2 3\n4\n")
    assert graph.labels == Labels.range(1, 4) and graph.labels.range_start == 1
    assert load("10 500\n900000000000\n").labels.values.tolist() == [10, 500, 900000000000]
    graph = load("1 2 3\n5\n", ids="as_is")
    assert graph.num_vertices == 6 and graph.labels is None and ends(graph) == [[1, 1], [2, 3]]
    with pytest.raises(FileFormatError, match="900000000000 is too large for a position"):
        load("10 900000000000\n", ids="as_is")


def test_names(load):
    graph = load("Köln Bonn\nBonn\nÜlzen\nC# a#b #c\n")
    assert graph.labels.values.tolist() == ["Bonn", "C#", "Köln", "a#b", "Ülzen"]
    assert ends(graph) == [[0, 1], [2, 3]]
    with pytest.raises(FileFormatError, match="line 2: a name is not UTF-8"):
        load(b"a b\n\xff c\n")


def test_many_chunks(load):
    graph = nx.gnm_random_graph(3000, 60_000, seed=1)
    text = "\n".join(f"{u} {' '.join(map(str, graph[u]))}" for u in graph)
    assert len(text) > 1 << 18
    assert load(text) == Graph.from_networkx(graph)
    names = "\n".join(f"n{u:04d} {' '.join(f'n{v:04d}' for v in graph[u])}" for u in graph)
    assert load(names).with_labels(None) == Graph.from_networkx(graph)


@pytest.mark.parametrize("directed", [False, True])
def test_reads_what_networkx_writes(path, directed):
    graph = nx.gnp_random_graph(30, 0.1, seed=3, directed=directed)
    nx.write_adjlist(graph, path)
    assert read(path, directed=directed) == Graph.from_networkx(graph)


@pytest.mark.parametrize("directed", [False, True])
def test_networkx_reads_what_we_write(path, random_graph, directed):
    graph = random_graph(directed=directed)
    write(graph, path)
    kind = nx.DiGraph if directed else nx.Graph
    assert Graph.from_networkx(nx.read_adjlist(path, create_using=kind, nodetype=int)) == graph


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("n", [0, 1, 60])
def test_round_trip(path, random_graph, directed, n):
    graph = Graph.from_edges([], [], directed=directed, num_vertices=n)
    if n == 60:
        graph = random_graph(directed=directed)
    write(graph, path)
    assert read(path) == graph


@pytest.mark.parametrize(
    "labels", [Labels.range(1, 3), [5, 9, 70], [2, 1, 0], ["b", "ä", "0"], ["1", "2", "3"]]
)
def test_labels_come_back_in_order(path, labels):
    labels = labels if isinstance(labels, Labels) else Labels(labels)
    graph = Graph.from_edges([0, 2], [2, 2], num_vertices=3, directed=True).with_labels(labels)
    write(graph, path)
    assert read(path) == graph and read(path).labels.range_start == labels.range_start


def test_weights_have_no_place(path):
    graph = Graph.from_edges([0], [1], [2.5])
    with pytest.warns(UserWarning, match="^adjacency lists have no place for weights;") as w:
        write(graph, path)
    assert len(w) == 1 and w[0].filename == __file__ and read(path) == graph.with_weights(None)


@pytest.mark.parametrize("label", ["", "a b", "a,b", "#a", "%a", "a\n"])
def test_labels_that_are_no_word_are_refused(path, label):
    with pytest.raises(ValueError, match="an adjacency list cannot hold the label"):
        write(Graph.from_edges([0], [1]).with_labels(Labels(["x", label])), path)
    with pytest.raises(ValueError, match="cannot hold the label -1"):
        write(Graph.from_edges([0], [1]).with_labels(Labels([-1, 5])), path)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", None, "the file is empty"),
        ("0 1\n1 2\n\n2 x1,5\n", 4, "expected a vertex id .a whole number from 0., got 'x1'"),
        ("0 1\n1 -2", 2, "got '-2'"),
        (f"0 1\n1 {2**63}", 2, "does not fit in 63 bits"),
        ("0 1\n1 \0\n", 2, "zero byte"),
        ("0 1\r1 2\n", 1, "carriage return"),
    ],
)
def test_malformed(load, text, line, reason):
    with pytest.raises(FileFormatError, match=reason) as caught:
        load(text)
    assert caught.value.line == line


def test_bad_lines_can_be_skipped(load):
    with pytest.warns(UserWarning, match="2 bad lines were skipped"):
        graph = load("0 1\nx 1 y\n1 2\n2 -1\n", on_bad_line="skip")
    assert ends(graph) == [[0, 1], [1, 2]]


def test_our_header_is_checked(load, path):
    write(Graph.from_edges([0, 1], [1, 2]).with_labels(Labels(["a", "b", "c"])), path)
    text = path.read_text()
    with pytest.raises(FileFormatError, match="line 1: the header promises 3 lines and 2 edges"):
        load(text.replace("a b", "a"))
    with pytest.raises(FileFormatError, match="not all, once each"):
        load(text.replace("a b", "b b"))
    with pytest.raises(FileFormatError, match="not in the order"):
        load(text.replace("str", "1..3").replace("a b", "2 1").replace("b c", "1 3")[:-2] + "3\n")
    with pytest.raises(FileFormatError, match=r"line 2: vertex id '7' is not in the range 1\.\.3"):
        load(text.replace("str", "1..3").replace("a b", "7 1"))
    assert np.array_equal(load(text, ids="str").labels.values, ["a", "b", "c"])
