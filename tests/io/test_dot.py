"""DOT: the grammar of Graphviz, files as others write them, malformed files."""

import re

import igraph
import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io import dot_parser, read, write


@pytest.fixture
def path(tmp_path):
    return tmp_path / "graph.dot"


def edges(graph):
    """The edges by labels, with weights if there are any."""
    *ends, weights = graph.edges()
    names = range(graph.num_vertices) if graph.labels is None else graph.labels.values
    pairs = [tuple(names[v] for v in pair) for pair in zip(*ends, strict=True)]
    if weights is None:
        return set(pairs)
    return {(*pair, w) for pair, w in zip(pairs, weights.tolist(), strict=True)}


def test_a_file_of_several_shapes(load):
    graph = load("""# a line for the preprocessor
        /* a comment { of two
           lines */ DiGraph "a name" { // to the end -> of the line
          rankdir = LR; node [shape=box, style="filled;bold"]
          edge [color=red];
          a -> "b b":port:ne -> c [label="x -> y"] [len=long]
          a -> d;;  e
          "q\\"uote" -> <<i>html</i>>, f -> g
          subgraph cluster_0 { h -> i; label="inner"; graph [bgcolor=blue] } -> e
          long [label="not read"] "con" + "cat" -> -2.5
        }""")
    assert graph.directed and graph.weights is None
    assert edges(graph) == {
        ("a", "b b"), ("b b", "c"), ("a", "d"), ('q"uote', "<<i>html</i>>"), ('q"uote', "f"),
        ("<<i>html</i>>", "g"), ("f", "g"), ("h", "i"), ("h", "e"), ("i", "e"), ("concat", "-2.5"),
    }  # fmt: skip
    assert "long" in graph and "e" in graph and graph.num_vertices == 14


def test_groups_and_chains(load):
    assert edges(load("graph { {a b} -- {c d} -- e }")) == {
        ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "e"), ("d", "e"),
    }  # fmt: skip
    assert edges(load("digraph { a, b -> c, d }")) == {(u, v) for u in "ab" for v in "cd"}
    again = load("digraph { subgraph x {a b} subgraph x {c} z -> subgraph x }")
    assert edges(again) == {("z", "a"), ("z", "b"), ("z", "c")}
    nested = load("digraph { z -> { a { b -> c } } }")
    assert edges(nested) == {("z", "a"), ("z", "b"), ("z", "c"), ("b", "c")}
    assert edges(load("graph{a--{}}")) == set()
    assert edges(load("graph { a b a -- b c }")) == {("a", "b")}


def test_weights(load):
    assert load("graph { a -- b [color=red] }").weights is None
    text = "graph { edge [weight=3] a -- b; { edge [weight=4]; b -- c } c -- d [weight=0.5] }"
    assert edges(load(text)) == {("a", "b", 3), ("b", "c", 4), ("c", "d", 0.5)}
    some = 'graph { a -- b [weight="7"]; b -- c; c -- d [penwidth=3, weight = 2, len=9] }'
    assert edges(load(some)) == {("a", "b", 7), ("b", "c", 1), ("c", "d", 2)}
    assert load(some).weights.dtype == np.int64
    assert edges(load(some, weight="len")) == {("a", "b", 1), ("b", "c", 1), ("c", "d", 9)}
    assert load(some, weight=None).weights is None
    with pytest.raises(FileFormatError, match="no edge has an attribute 'km'"):
        load(some, weight="km")
    with pytest.warns(UserWarning, match="attribute 'len' was not read; weight='len' takes it"):
        load("graph { a -- b [len=9, penwidth=2] }")
    with pytest.warns(UserWarning, match="attribute 'label' was not read"):
        load('graph { a -- b [label="2.5"]; b -- c [label="3"] }')


def test_labels(load):
    assert load("graph { 0 -- 1; 1 -- 2 }").labels is None
    assert load("graph { 2 -- 0; 1 }").edges()[:2] == ([0], [2])
    assert load("graph { 1 -- 2; 3 }").labels == Labels.range(1, 3)
    assert load("graph { 01 -- 1 }").labels.values.tolist() == ["01", "1"]
    assert load('graph { "7" -- 7 }').num_vertices == 1
    assert load(f"graph {{ {2**64} -- 7 }}").labels.values.tolist() == [str(2**64), "7"]
    assert load(f"graph {{ {2**63} -- -7 }}").labels.values.tolist() == [str(2**63), "-7"]
    assert load(f"graph {{ {2**63} -- 7 }}").labels.values.tolist() == [2**63, 7]
    text = 'graph { a [label="Aachen"]; b [label="Bonn"]; a -- b }'
    assert load(text).labels.values.tolist() == ["a", "b"]
    assert load(text, label="label").labels.values.tolist() == ["Aachen", "Bonn"]
    same = "graph { node [label=same] a -- b }"
    assert load(same, label="label").labels.values.tolist() == ["a", "b"]
    numbers = "graph { 4 [label=x] 5 [label=y] 4 -- 5}"
    assert load(numbers, label="label").labels.values.tolist() == ["x", "y"]
    with pytest.raises(FileFormatError, match="no node has an attribute 'name'"):
        load(text, label="name")


@pytest.mark.filterwarnings("ignore:.* the weights of edges that repeat")
def test_strict_graphs_have_each_edge_once(load):
    text = "{} {{ a -- b [weight=2]; b -- a [weight=5]; a -- b; a -- c }}"
    assert edges(load(text.format("strict graph"))) == {("a", "b", 5), ("a", "c", 1)}
    with pytest.warns(UserWarning, match="of 4 edges repeat an edge, and are merged"):
        assert edges(load(text.format("graph"))) == {("a", "b", 8), ("a", "c", 1)}
    one = load("strict digraph { a -> b [weight=2] b -> a [weight=5] a -> b [weight=1] }")
    assert edges(one) == {("a", "b", 1), ("b", "a", 5)}


def test_options(load):
    assert not load("digraph { a -> b }", directed=False).directed
    assert edges(load("graph { a -- a -- b }", self_loops="drop")) == {("a", "b")}
    with pytest.raises(TypeError, match="an attribute must be a string"):
        load("graph { a -- b }", weight=3)


def test_a_second_graph_is_told(load):
    with pytest.warns(UserWarning, match="what follows the first graph was not read"):
        assert edges(load("graph { a -- b } graph { c -- d }")) == {("a", "b")}


def test_reads_what_others_write(path):
    graph = igraph.Graph.Famous("Zachary")
    graph.es["weight"] = [float(k) for k in range(graph.ecount())]
    graph.write_dot(str(path))
    found = read(path)
    assert edges(found) == {(*e.tuple, e["weight"]) for e in graph.es}
    nk = pytest.importorskip("networkit")
    other = nk.Graph(5)  # NetworKit writes no directions
    for u, v in [(0, 1), (1, 2), (2, 4), (0, 2)]:
        other.addEdge(u, v)
    nk.graphio.DotGraphWriter().write(other, str(path))
    assert set(map(frozenset, edges(read(path)))) == set(map(frozenset, other.iterEdges()))


@pytest.mark.parametrize(
    "labels", [['"', "\\", '\\"'], ["", "a\nb", "\\\n"], ["graph", "node", "1"]]
)
def test_odd_labels_come_back(path, labels):
    graph = Graph.from_edges([0, 2], [2, 2], num_vertices=3).with_labels(Labels(labels))
    write(graph, path)
    assert read(path) == graph


def test_plain_edges_and_others_are_read_alike(load, random_graph, monkeypatch, path):
    graph = random_graph(directed=True, dtype="int64")
    write(graph, path)
    text = path.read_text()
    bare = text.replace(";", "")
    assert load(text) == load(bare) == graph
    monkeypatch.setattr(dot_parser, "_EDGE", re.compile(b"(?!)"))
    assert load(text) == load(bare) == graph


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "expected graph or digraph, got the end"),
        ("a -> b", 1, "expected graph or digraph, got 'a -> b'"),
        ("graph [", 1, "expected {, got '\\['"),
        ("graph {\n a -- b\n", 3, "the file ends before the last }"),
        ("graph {\n a -> b\n}", 2, "a graph has edges --, got ->"),
        ("digraph {\n\n a -- b\n}", 3, "a digraph has edges ->, got --"),
        ("graph {\n a --\n}", 3, "expected a node, got '}'"),
        ("graph {\n -- a }", 2, "expected a node, got '-- a }'"),
        ("graph { a [x=1] -- b }", 1, "expected a node, got '-- b }'"),
        ("graph {\n [x=1] }", 2, "expected a node, got"),
        ("graph { a [x=\n] }", 2, "expected a value, got"),
        ("graph { a [x=1\n", 2, "the file ends before the last \\]"),
        ("graph {\n a -- b [weight=heavy] }", 2, "weight must be a number, got 'heavy'"),
        ("graph { 1a -- b }", 1, "expected a statement, got '1a -- b }'"),
        ("graph {\n 'a' -- b }", 2, "expected a statement, got"),
        ('graph {\n "a -- b }', 2, "expected a statement, got"),
        ("graph {\n <a -- b }", 2, "the file ends before the last >"),
        ("graph {\n /* a -- b }", 2, "expected a statement, got"),
        ("graph { digraph }", 1, "expected a statement, got 'digraph }'"),
        ("graph { node }", 1, "expected \\[, got '}'"),
        ("graph { a + b }", 1, "expected a statement"),
        ('graph { "a" + b }', 1, "expected a quoted string"),
        (b'graph {\n "\xff" }', 2, "a name is not UTF-8"),
        ("graph {" + "{" * 2000, 1, "groups in groups, more than 1,000 deep"),
    ],
)
def test_malformed(load, path, text, line, reason):
    with pytest.raises(FileFormatError, match=reason) as caught:
        load(text)
    assert caught.value.line == line and caught.value.path == str(path)


def test_groups_do_not_explode(load):
    many = " ".join(map(str, range(3000)))
    with pytest.raises(FileFormatError, match="groups give more than 64 edges for each byte"):
        load(f"graph {{ {{{many}}} -- {{{many}}} }}")


def test_our_header_is_checked(load, path):
    write(Graph.from_edges([0, 1], [1, 2]).with_labels(Labels(["a", "b", "c"])), path)
    text = path.read_text()
    with pytest.raises(FileFormatError, match="line 1: the header promises 3 nodes and 2 edges"):
        load(text.replace('  "a" -- "b";\n', ""))
    with pytest.raises(FileFormatError, match="line 1: the header promises integers"):
        load(text.replace("labels: str", "labels: none"))
