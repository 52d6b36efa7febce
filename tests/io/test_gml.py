"""GML: files as others write them, round trips, malformed files."""

import networkx as nx
import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io import read, write


@pytest.fixture
def path(tmp_path):
    return tmp_path / "graph.gml"


def test_a_file_of_several_shapes(load):
    graph = load("""Creator "somebody"   Version 1 # a comment
        Graph
        [
          comment "not [ a list ]"
          directed 1
          graphics [ hue [ red 1 ] node [ id 99 ] ]
          node [ id 7 label "A" graphics [ x 1.5 y -2e3 ] ]
          # node [ id 8 ]
          node[id 3 Label "B &lt;b&gt; &#228;&auml;&#38;#65; &nothing; &#1114112;"]
          node [ label "C\nD" id 5 ]
          edge [ source 7 target 3 ]
          edge [ target 7 label "x" source 5 weight 2.5 ]
          edge [ source 3 target 3 WEIGHT -1E2 ]
        ]
        ignored [ graph [ node [ id 1 ] ] ]""")
    names = ["A", "B <b> ää&#65; &nothing; &#1114112;", "C\nD"]
    assert graph.directed and graph.labels.values.tolist() == names
    assert [column.tolist() for column in graph.arcs()] == [[0, 1, 2], [1, 1, 0], [1, -100, 2.5]]


def test_weights(load):
    text = "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 {} ]"
    text += " edge [ source 1 target 1 ] ]"
    assert load(text.format("")).weights is None
    assert load(text.format("value 3")).edges()[2].tolist() == [3, 1]
    assert load(text.format("value 3 weight 4")).edges()[2].tolist() == [4, 1]
    assert load(text.format("value 3 weight 4"), weight="value").edges()[2].tolist() == [3, 1]
    assert load(text.format("cost 0.5"), weight="cost").edges()[2].tolist() == [0.5, 1]
    assert load(text.format("value 3"), weight=None).weights is None
    with pytest.raises(FileFormatError, match="no edge has an attribute 'cost'"):
        load(text.format("value 3"), weight="cost")
    with pytest.raises(FileFormatError, match="no node has an attribute 'name'"):
        load(text.format("value 3"), label="name")
    large = load(text.format(f"value {2**63}")).edges()[2]
    assert large.tolist() == [2.0**63, 1] and large.dtype == np.float64


def test_ids_are_the_labels_without_names(load):
    text = "graph [ {} edge [ source {} target {} ] ]"
    graph = load(text.format("node [ id 1 ] node [ id 2 ] node [ id 3 ]", 1, 2))
    assert graph.labels == Labels.range(1, 3) and graph.labels.range_start == 1
    assert load(text.format("node [ id 0 ] node [ id 1 ]", 0, 1)).labels is None
    graph = load(text.format("node [ id 1 ] node [ id 0 ] node [ id 2 ]", 1, 2))
    assert graph.labels is None and graph.edges()[:2] == ([1], [2])
    graph = load(text.format("node [ id 9 ] node [ id -4 ]", 9, -4))
    assert graph.labels.values.tolist() == [9, -4]
    same = 'node [ id 5 label "x" ] node [ id 9 label "x" ]'
    assert load(text.format(same, 5, 9)).labels.values.tolist() == [5, 9]
    some = 'node [ id 5 label "x" ] node [ id 9 ]'
    assert load(text.format(some, 5, 9)).labels.values.tolist() == [5, 9]
    both = 'node [ id 5 label "x" name "u" ] node [ id 9 label "y" name "v" ]'
    assert load(text.format(both, 5, 9)).labels.values.tolist() == ["x", "y"]
    assert load(text.format(both, 5, 9), label="name").labels.values.tolist() == ["u", "v"]
    assert load(text.format(both, 5, 9), label=None).labels.values.tolist() == [5, 9]


@pytest.mark.filterwarnings("ignore:.* repeat an edge")
def test_options(load):
    text = "graph [ node [ id 0 ] node [ id 1 ]" + " edge [ source 0 target 1 value 2 ]" * 2
    text += " edge [ source 1 target 1 ] ]"
    assert load(text).edges()[2].tolist() == [4, 1]
    assert load(text, duplicates="max", self_loops="drop").edges()[2].tolist() == [2]
    assert load(text, directed=True).directed


def test_reads_what_networkx_writes(path):
    for graph in (nx.karate_club_graph(), nx.les_miserables_graph(), nx.DiGraph([("ä", '"b"')])):
        nx.write_gml(graph, path)
        found = read(path)
        assert found == Graph.from_networkx(graph).with_weights(found.edges()[2])
        assert found.weights is None or found.edges()[2].sum() == graph.size(weight="weight")


@pytest.mark.parametrize("labels", [None, [9, 4, 60], ['ä & "ö"', "a\nb", "c"]])
@pytest.mark.parametrize("directed", [False, True])
def test_networkx_reads_what_we_write(path, labels, directed):
    graph = Graph.from_edges([0, 1], [1, 1], [0.5, 1e-30], directed=directed, num_vertices=3)
    graph = graph.with_labels(None if labels is None else Labels(labels))
    write(graph, path)
    loaded = nx.read_gml(path, label="label" if labels and isinstance(labels[0], str) else "id")
    assert Graph.from_networkx(loaded) == graph


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", [None, "float32", "float64", "int32", "int64"])
def test_round_trip(path, random_graph, directed, dtype):
    graph = random_graph(directed=directed, dtype=dtype)
    write(graph, path)
    assert read(path) == graph


@pytest.mark.parametrize(
    "labels", [[-5, 2**40, 7], [2, 1, 0], ["0", "1", "2"], ["\x01", "", "a\r\n\ud7ff&#65;"]]
)
def test_labels_come_back(path, labels):
    graph = Graph.from_edges([0, 2], [2, 2], num_vertices=3).with_labels(Labels(labels))
    write(graph, path)
    assert read(path) == graph


def test_odd_weights(path):
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], [np.nan, np.inf, -np.inf], directed=True)
    write(graph, path)
    assert np.array_equal(read(path).weights, graph.weights, equal_nan=True)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "no 'graph"),
        ("0 1\n", 1, "expected a key and its value, got '0 1'"),
        ("Creator\n3\n]", 3, "no 'graph"),
        ("graph 3", 1, "no 'graph"),
        ("graph [\n node [ id 0 ]\n", 3, "ends before the graph's last"),
        ("graph [\n node [ id 0\n", 2, "ends inside this list"),
        ("graph [\n x [ y [ ] \n", 2, "ends inside this list"),
        ("graph [\n node [ label 3 ] ]", 2, "a node has no id"),
        ("graph [\n\n node [ id 1.5 ] ]", 3, "id must be a whole number .*, got '1.5'"),
        ("graph [ node [ id 0 ]\n edge [ source 0 ] ]", 2, "an edge has no target"),
        ("graph [ node [ id 0 ]\n\n edge [ source 0 target 2 ] ]", 3, "ends at 2, which is no"),
        ("graph [ node [ id 0 ]\n edge [ target 5 source 0 ] ]", 2, "ends at 5, which is no"),
        ("graph [ node [ id 0 ] node [ id 0 ]\n]", 2, "two nodes have the id 0"),
        ('graph [ node [ id 0 ]\nedge [ source 0 target 0 weight "x" ] ]', 2, "weight must be a n"),
        ("graph [ directed 2 ]", 1, "directed must be 0 or 1, got '2'"),
        ("graph [ node [ id0 ] ]", 1, "expected a key and its value, got 'id0 "),
        ('graph [ node [ id 0 label "\xff', 1, "expected a key and its value"),
        (b'graph [ node [ id 0 label "\xff" ] ]', None, "is not UTF-8 text"),
        ("graph [ node [ id " + "9" * 30 + " ] ]", 1, "id must be a whole number"),
    ],
)
def test_malformed(load, path, text, line, reason):
    with pytest.raises(FileFormatError, match=reason) as caught:
        load(text)
    assert caught.value.line == line and caught.value.path == str(path)


def test_our_header_is_checked(load, path):
    write(Graph.from_edges([0, 1], [1, 2]).with_labels(Labels(["a", "b", "c"])), path)
    text = path.read_text()
    with pytest.raises(FileFormatError, match="line 1: the header promises 3 nodes and 2 edges"):
        load(text.replace("  edge [ source 0 target 1 ]\n", ""))
    with pytest.raises(FileFormatError, match="line 1: the header promises labels"):
        load(text.replace('"a"', '"b"'))


def test_deep_nesting_is_no_recursion(load):
    deep = "a [ " * 100_000 + "] " * 100_000
    assert load(f"graph [ {deep} node [ id 0 ] ]").num_vertices == 1


def test_lists_too_deep_are_refused(load):
    deep = "graph [ a " + "[ a " * 200_000 + "1 " + "] " * 200_000 + "]"
    with pytest.raises(FileFormatError, match="lists in lists, more than 131,072 deep"):
        load(deep)


def test_what_is_not_read_is_told(load):
    nodes = "graph [ node [ id 0 ] node [ id 1 ] "
    with pytest.warns(UserWarning, match="attribute 'km' was not read; weight='km' takes it"):
        load(nodes + 'edge [ source 0 target 1 id 5 km 3.5 road "A1" ] ]')
    with pytest.warns(UserWarning, match="what follows the first graph was not read"):
        assert load(nodes + "] comment 3 x [ y 1 ] graph [ node [ id 7 ] ]").num_vertices == 2
    assert load(nodes + "edge [ source 0 target 1 km 3 weight 2 ] ]").edges()[2].tolist() == [2]
