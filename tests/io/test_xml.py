"""GraphML and GEXF: round trips, files of NetworkX's own, malformed and mangled XML."""

import sys

import networkx as nx
import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io import read, write

GRAPHML = """<?xml version="1.0" encoding="utf-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="w" for="edge" attr.name="weight" attr.type="{type}"/>
  <graph edgedefault="{default}">
    <node id="ann"/><node id="bob"/><node id="eve"/>
    <edge source="ann" target="bob"><data key="w">{value}</data></edge>
    <edge source="bob" target="ann"/>
  </graph>
</graphml>
"""
GEXF = """<?xml version="1.0"?>
<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">
  <graph defaultedgetype="directed">
    <nodes><node id="7" label="seven"/><node id="-3" label="minus three"/></nodes>
    <edges><edge id="0" source="7" target="-3" weight="2.5"/></edges>
  </graph>
</gexf>
"""


def graphml(**changes):
    return GRAPHML.format(**{"type": "double", "default": "undirected", "value": "2.5", **changes})


@pytest.fixture(params=[".graphml", ".gexf"])
def path(request, tmp_path):
    return tmp_path / f"graph{request.param}"


@pytest.mark.filterwarnings("ignore:.* repeat an edge")
def test_reads_graphml(tmp_path):
    path = tmp_path / "a.graphml"
    path.write_text(graphml())
    graph = read(path)
    assert not graph.directed and graph.labels.values.tolist() == ["ann", "bob", "eve"]
    assert graph.num_edges == 1 and graph.weights.tolist() == [3.5, 3.5]
    assert read(path, duplicates="max").weights.tolist() == [2.5, 2.5]
    assert read(path, weight=None).weights is None
    with pytest.raises(FileFormatError, match="no edge has an attribute 'cost'; there are: weight"):
        read(path, weight="cost")
    with pytest.raises(FileFormatError, match="no node has an attribute 'town'"):
        read(path, label="town")
    path.write_text(graphml().replace('"weight"', '"km"'))
    with pytest.warns(UserWarning, match="'km' was not read; weight='km' takes it as the weight"):
        assert read(path).weights is None
    assert read(path, weight="km").weights.tolist() == [3.5, 3.5]
    path.write_text(graphml(default="directed", type="int", value="4"))
    graph = read(path)
    assert graph.directed and graph.num_edges == 2
    assert graph.weights.tolist() == [4, 1] and graph.weights.dtype == np.int64


def test_reads_gexf(tmp_path):
    path = tmp_path / "a.gexf"
    path.write_text(GEXF)
    graph = read(path)
    assert graph.directed and graph.labels.values.tolist() == ["seven", "minus three"]
    assert graph.indices.tolist() == [1] and graph.weights.tolist() == [2.5]
    assert read(path, label=None).labels.values.tolist() == [7, -3]
    assert read(path, node_type=int).labels.values.tolist() == [7, -3]
    assert read(path, node_type=str).labels.values.tolist() == ["7", "-3"]


LABELLED = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="{key}" attr.type="{type}"/>
  <graph edgedefault="directed">
    <node id="n0"><data key="d0">{first}</data></node>
    <node id="n1"><data key="d0">{second}</data></node>
    <edge source="n1" target="n0"/>
  </graph>
</graphml>
"""


@pytest.mark.parametrize(
    ("key", "type", "first", "second", "labels"),
    [
        ("label", "string", "Köln", "Bonn", ["Köln", "Bonn"]),
        ("name", "string", "Köln", "Bonn", ["Köln", "Bonn"]),
        ("label", "string", "7", "3", ["7", "3"]),
        ("label", "long", "7", "3", [7, 3]),
        ("label", "double", "7", "3.5", ["7.0", "3.5"]),
        ("label", "string", "Bonn", "Bonn", ["n0", "n1"]),
        ("color", "string", "red", "blue", ["n0", "n1"]),
    ],
)
def test_labels_of_graphml_nodes_are_kept(tmp_path, key, type, first, second, labels):
    path = tmp_path / "a.graphml"
    path.write_text(LABELLED.format(key=key, type=type, first=first, second=second))
    graph = read(path)
    assert graph.labels.values.tolist() == labels and graph.indices.tolist() == [0]
    assert read(path, label=None).labels.values.tolist() == ["n0", "n1"]
    assert read(path, label=key).labels.values.tolist()[0] != "n0" or first == second
    path.write_text(path.read_text().replace(f'<data key="d0">{second}</data>', ""))
    assert read(path).labels.values.tolist() == ["n0", "n1"]


def test_labels_of_gexf_nodes_are_kept(tmp_path):
    path = tmp_path / "a.gexf"
    path.write_text(GEXF.replace("minus three", "seven"))
    assert read(path).labels.values.tolist() == [7, -3]
    path.write_text(GEXF.replace(' label="seven"', ""))
    assert read(path).labels.values.tolist() == [7, -3]
    path.write_text(GEXF.replace("seven", "7").replace("minus three", "-3"))
    assert read(path).labels.values.tolist() == [7, -3]


def test_ids_that_are_consecutive_take_no_memory(path):
    graph = nx.path_graph(range(1, 5))
    (nx.write_graphml if path.suffix == ".graphml" else nx.write_gexf)(graph, path)
    assert read(path).labels.range_start == 1


def test_reads_what_networkx_writes(path):
    club = nx.karate_club_graph()
    (nx.write_graphml if path.suffix == ".graphml" else nx.write_gexf)(club, path)
    graph = read(path)
    assert graph == Graph.from_networkx(club).with_weights(graph.edges()[2])
    assert sum(graph.edges()[2]) == club.size(weight="weight")


def test_networkx_reads_what_we_write(path, random_graph):
    graph = random_graph(directed=True, dtype=np.int32)
    write(graph, path)
    loaded = (nx.read_graphml if path.suffix == ".graphml" else nx.read_gexf)(path, node_type=int)
    assert Graph.from_networkx(loaded).with_weights(None) == graph.with_weights(None)
    assert loaded.size(weight="weight") == graph.weights.sum()


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", [None, np.float32, np.float64, np.int32, np.int64])
def test_round_trip(path, random_graph, directed, dtype):
    graph = random_graph(directed=directed, dtype=dtype)
    write(graph, path)
    assert read(path) == graph


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_compressed_round_trip(path, random_graph, suffix):
    graph = random_graph(directed=False)
    packed = path.with_name(path.name + suffix)
    write(graph, packed)
    assert read(packed) == graph


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(
    "labels",
    [
        np.array([1, 2**63, 3, 4], np.uint64),
        [-5, 3, 2**40, 7],
        ["", "<b> & 'c'", "grün\n\t\r", "z"],
        ["01", "1", "2", "3"],
    ],
)
def test_labels(path, directed, labels):
    graph = Graph.from_edges([0, 3, 3], [3, 3, 1], directed=directed, num_vertices=4)
    graph = graph.with_labels(Labels(labels))
    write(graph, path)
    copy = read(path)
    assert copy == graph and copy.labels == graph.labels


def test_node_type(path):
    graph = Graph.from_edges([0], [1]).with_labels(Labels(["1", "2"]))
    write(graph, path)
    assert read(path).labels == graph.labels
    assert read(path, node_type=int).labels == Labels.range(1, 2)
    assert read(path, node_type=str).labels == graph.labels
    with pytest.raises(ValueError, match="node_type must be"):
        read(path, node_type=float)
    write(graph.with_labels(Labels(["1", "two"])), path)
    with pytest.raises(FileFormatError, match="node 'two' is not a whole number"):
        read(path, node_type=int)


@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.parametrize("directed", [False, True])
def test_tiny(path, n, directed):
    graph = Graph.from_edges([], [], directed=directed, num_vertices=n)
    write(graph, path)
    assert read(path) == graph


def test_odd_weights(path):
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], [np.nan, np.inf, 1e-300], directed=True)
    write(graph, path)
    assert np.array_equal(read(path).weights, graph.weights, equal_nan=True)


def test_refuses_what_does_not_fit(path):
    path.write_bytes(b"old")
    graph = Graph.from_edges([0], [1])
    with pytest.raises(ValueError, match="XML cannot hold"):
        write(graph.with_labels(Labels(["a", "b\0"])), path)
    with pytest.raises(ValueError, match="all integers or all strings"):
        write(graph.with_labels(Labels([(0, 1), (1, 2)])), path)
    if path.suffix == ".gexf":
        with pytest.raises(ValueError, match="exceed 2"):
            write(graph.with_weights([2**53 + 1]), path)
    assert path.read_bytes() == b"old" and list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("", 1, "not well-formed XML"),
        ("0 1\n1 2\n", 1, "not well-formed XML"),
        (graphml().replace("</graph>", ""), 9, "not well-formed XML"),
        ("<svg/>", None, "not a graphml graph"),
        (graphml(value="heavy"), None, "heavy"),
        (graphml(type="string", value="heavy"), None, "real numbers"),
        (graphml(type="color"), None, "color"),
    ],
)
def test_malformed(tmp_path, content, line, reason):
    path = tmp_path / "bad.graphml"
    path.write_text(content)
    with pytest.raises(FileFormatError, match=reason) as caught:
        read(path)
    assert caught.value.line == line and caught.value.path == str(path)


def test_gexf_without_a_graph(tmp_path):
    (tmp_path / "bad.gexf").write_text("<gexf/>")
    with pytest.raises(FileFormatError, match="not a gexf graph"):
        read(tmp_path / "bad.gexf")


def test_entity_bombs_are_refused(path):
    entities = "".join(f'<!ENTITY a{i + 1} "{f"&a{i};" * 10}">' for i in range(12))
    path.write_text(f'<!DOCTYPE x [<!ENTITY a0 "ha">{entities}]><graphml>&a12;</graphml>')
    with pytest.raises(FileFormatError):
        read(path)


@pytest.mark.filterwarnings("ignore")
def test_mangled_files_give_a_graph_or_an_error(path, mangled, check_graph, random_graph):
    write(random_graph(directed=False, dtype=np.float64, n=10, m=8), path)
    refused = 0
    for junk in mangled(path.read_bytes(), 300):
        path.write_bytes(junk)
        try:
            check_graph(read(path))
        except FileFormatError:
            refused += 1
    assert refused > 100


def test_says_what_to_install_without_networkx(path, monkeypatch):
    path.write_text("<graphml/>")
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match="need NetworkX: pip install networkx"):
        read(path)
