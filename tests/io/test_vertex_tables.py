"""Tables of vertices beside files of edges: the graph of both, errors, and the way back."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import edgewise as ew
from edgewise import FileFormatError, Graph

ROUTES = "source,target,km\nROM,OSL,5\nBER,ROM,7\nOSL,ROM,9\n"
AIRPORTS = {"code": ["ROM", "NA", "OSL"], "country": ["IT", None, "NO"], "runways": [3, 2, None]}
EDGES = pa.table(
    {"source": ["ROM", "BER", "OSL"], "target": ["OSL", "ROM", "ROM"], "km": [5, 7, 9]}
)


def lists(graph):
    table = graph.columns.vertices
    return {name: table.column(name).to_pylist() for name in table.column_names}


@pytest.fixture
def files(tmp_path):
    """Edges and vertices in each format."""
    (tmp_path / "routes.csv").write_text(ROUTES)
    (tmp_path / "routes.txt").write_text("ROM OSL\nBER ROM\nOSL ROM\n")
    (tmp_path / "airports.csv").write_text(
        "# a list\ncode,country,runways\nROM,IT,3\nNA,,2\n OSL ,NO,NA\n"
    )
    (tmp_path / "airports.tsv").write_text(
        "country\tcode\trunways\nIT\tROM\t3\n\tNA\t2\nNO\tOSL\t\n"
    )
    table = pa.table(AIRPORTS)
    parquet.write_table(EDGES, tmp_path / "routes.parquet")
    parquet.write_table(table, tmp_path / "airports.parquet")
    (tmp_path / "parts").mkdir()
    for part, rows in (("a", table[:2]), ("b", table[2:])):
        parquet.write_table(rows, tmp_path / "parts" / f"{part}.parquet")
    feather.write_feather(EDGES, tmp_path / "routes.feather")
    feather.write_feather(table, tmp_path / "airports.arrow", compression="uncompressed")
    return tmp_path


@pytest.mark.parametrize("edges", ["routes.csv", "routes.parquet", "routes.feather"])
@pytest.mark.parametrize(
    "vertices", ["airports.csv", "airports.tsv", "airports.parquet", "airports.arrow", "parts"]
)
def test_the_graph_is_that_of_two_frames(files, edges, vertices):
    wanted = Graph.from_arrow(EDGES, edge_columns=True, vertices=pa.table(AIRPORTS))
    key = "code" if vertices.endswith(".tsv") else None
    found = ew.read(files / edges, vertices=files / vertices, vertex=key, edge_columns=True)
    assert found == wanted and lists(found) == lists(wanted)
    assert found.labels.values.tolist() == ["BER", "NA", "OSL", "ROM"]  # NA is a name, not a gap
    assert lists(found) == {"country": [None, None, "NO", "IT"], "runways": [None, 2, None, 3]}
    assert found.edges["km"].tolist() == [7, 5] and found.row_lengths().tolist() == [1, 0, 1, 2]
    weighted = ew.read(files / edges, columns=("source", "target", "km"), directed=True,
                       vertices=files / vertices, vertex=key)  # fmt: skip
    wanted = Graph.from_arrow(EDGES, weight="km", directed=True, vertices=pa.table(AIRPORTS))
    assert weighted == wanted and weighted.weights.dtype == wanted.weights.dtype


def test_frames_names_and_other_formats(files):
    frame = pd.DataFrame(AIRPORTS)
    for table in (frame, pa.table(AIRPORTS)):
        found = ew.read(files / "routes.txt", vertices=table, vertex_columns="country")
        assert lists(found) == {"country": [None, None, "NO", "IT"]} and found.num_edges == 2
    alone = ew.read(files / "routes.txt", vertices=frame, vertex_columns=False)
    assert alone.columns is None and alone.num_vertices == 4
    inside = ew.read(files / "routes.txt", vertices=frame[:1])
    assert inside.num_vertices == 3 and lists(inside)["country"] == [None, None, "IT"]
    (files / "mesh.mtx").write_text(
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"
    )
    mesh = ew.read(files / "mesh.mtx", vertices=pd.DataFrame({"id": [3, 1], "x": [0.5, 1.5]}))
    assert mesh.label(mesh.vertices()).tolist() == [1, 2, 3]
    assert mesh.columns.vertices.column("x").to_pylist() == [1.5, None, 0.5]


@pytest.mark.parametrize(("ends", "keys"), [((0, 1, 2), (2, 0, 1)), ((5, 9, 7), (9, 8, 5))])
def test_integers(tmp_path, ends, keys):
    a, b, c = ends
    (tmp_path / "edges.csv").write_text(f"u,v\n{a},{b}\n{b},{c}\n")
    rows = "".join(f"{key},{10 * key}\n" for key in keys)
    (tmp_path / "nodes.csv").write_text(f"id,size\n{rows}")
    found = ew.read(tmp_path / "edges.csv", vertices=tmp_path / "nodes.csv")
    edges = pd.DataFrame({"u": [a, b], "v": [b, c]})
    nodes = pd.DataFrame({"id": keys, "size": [10 * key for key in keys]})
    wanted = Graph.from_pandas(edges, vertices=nodes)
    assert found == wanted and lists(found) == lists(wanted)
    assert (found.labels is None) == (a == 0)
    text = ew.read(tmp_path / "edges.csv", vertices=tmp_path / "nodes.csv", ids="str")
    assert text.labels.values.tolist() == [str(one) for one in wanted.label(wanted.vertices())]
    assert lists(text) == lists(wanted)


def test_vertices_in_the_order_of_a_file_keep_it(tmp_path):
    graph = Graph.from_edges([0, 1], [1, 2]).with_labels(ew.graph.labels.Labels(["c", "a", "b"]))
    ew.write(graph, tmp_path / "edges.csv", comment=True)
    table = pd.DataFrame({"name": ["a", "b", "c"], "age": [1, 2, 3]})
    again = ew.read(tmp_path / "edges.csv", vertices=table)
    assert again.labels.values.tolist() == ["c", "a", "b"]
    assert again.vertices["age"].tolist() == [3, 1, 2]
    assert again == graph.with_columns(vertices={"age": [3, 1, 2]})


@pytest.mark.parametrize(
    ("text", "options", "error"),
    [
        ("a,b\n1,2\n", {"vertex": "id"}, "vertex must name a column of vertices, got 'id'; there"),
        ("a,b\nROM,1\nROM,2\n", {}, "vertices must be distinct, got 'ROM' twice"),
        ("a,b\nROM,1\n,2\n", {}, "column 'a' must not have missing values, got one in row 1"),
        ("a,b\nROM,1\n", {"vertex_columns": ["c"]}, "vertex_columns must name other columns"),
        ("a,b\nROM,1\n", {"vertex_columns": "a"}, "vertex_columns must name other columns"),
        ("a,a\nROM,1\n", {}, "columns must have distinct names, got a, a"),
        ("a,b\nROM,1,2\n", {}, "Expected 2 columns, got 3"),
        ("# none\n", {}, "there must be a line with the names of columns"),
    ],
)
def test_wrong_tables(files, text, options, error):
    path = files / "wrong.csv"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=error) as raised:
        ew.read(files / "routes.txt", vertices=path, **options)
    assert str(raised.value).startswith(str(path))


def test_what_cannot_be_given_together(files):
    table = pd.DataFrame(AIRPORTS)
    with pytest.raises(ValueError, match="vertex names a column of vertices, which is not given"):
        ew.read(files / "routes.csv", vertex="code")
    for options in ({"labels": True}, {"num_vertices": 9}, {"ids": "as_is"}):
        with pytest.raises(ValueError, match=f"{[*options][0]}.* cannot be given with vertices"):
            ew.read(files / "routes.csv", vertices=table, **options)
    with pytest.raises(ValueError, match="memory cannot be given with vertices"):
        ew.read(files / "routes.parquet", vertices=table, memory="1GiB")
    with pytest.raises(FileNotFoundError, match=r"there is no file .*none\.csv"):
        ew.read(files / "routes.csv", vertices=files / "none.csv")
    with pytest.raises(ValueError, match=r"vertices must be a file that ends in .*, got a\.txt"):
        ew.read(files / "routes.csv", vertices="a.txt")
    with pytest.raises(ValueError, match="gml files hold columns of vertices themselves"):
        ew.read(files / "map.gml", vertices=table)
    with pytest.raises(TypeError, match="vertices must be a data frame or an Arrow table"):
        ew.read(files / "routes.txt", vertices=3)
    with pytest.raises(ValueError, match="vertices must be distinct, got 'x' twice"):
        ew.read(files / "routes.txt", vertices=pd.DataFrame({"k": ["x", "x"]}))
    with pytest.raises(
        ValueError, match="'id' must hold strings, as the ends of edges do, got int"
    ):
        ew.read(files / "routes.txt", vertices=pd.DataFrame({"id": [1, 2]}))
    (files / "numbers.txt").write_text("1 2\n")
    with pytest.raises(FileFormatError, match=r"airports\.csv: .*'code' must hold integers"):
        ew.read(files / "numbers.txt", vertices=files / "airports.csv")
    (files / "broken.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(FileFormatError, match="damaged, or not a table of vertices"):
        ew.read(files / "routes.csv", vertices=files / "broken.parquet", edge_columns=True)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("suffix", ["csv", "parquet", "arrow", "csv.gz"])
@pytest.mark.parametrize("labels", [["ann", "bob, jr", "eve", "zoe"], [7, 8, 10, 12], None])
def test_a_graph_in_two_files(tmp_path, suffix, directed, labels):
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], [1.5, 2.5, 4], directed=directed, num_vertices=4)
    graph = graph if labels is None else graph.with_labels(ew.graph.labels.Labels(labels))
    named = {"age": [31, None, 30, 29], "kind": ["a", "b", None, "d"]}
    graph = graph.with_columns(edges={"year": [1999, None, 2004]}, vertices=named)
    edges, nodes = tmp_path / f"edges.{suffix}", tmp_path / f"nodes.{suffix}"
    ew.write(graph, edges, vertices=nodes)
    again = ew.read(edges, vertices=nodes, edge_columns=["year"], directed=directed)
    assert again == graph and lists(again) == lists(graph)
    assert again.edges["year"].tolist()[0] == 1999 and again.num_vertices == 4


def test_writing_two_files_or_none(tmp_path):
    graph = Graph.from_edges([0, 1], [1, 2]).with_columns(vertices={"x": [[1], [2], [3]]})
    with pytest.raises(ValueError, match="CSV cannot hold the column 'x'"):
        ew.write(graph, tmp_path / "edges.csv", vertices=tmp_path / "nodes.csv")
    assert list(tmp_path.iterdir()) == []
    ew.write(graph, tmp_path / "edges.txt", vertices=tmp_path / "nodes.parquet")
    assert ew.read(tmp_path / "edges.txt", vertices=tmp_path / "nodes.parquet") == graph
    both = graph.with_columns(edges={"year": [1, 2]})
    with pytest.warns(UserWarning, match="edges files have no place for columns") as caught:
        ew.write(both, tmp_path / "edges.txt", vertices=tmp_path / "nodes.parquet")
    assert caught[0].filename == __file__
    for path, message in (("a.txt", "must be a file that ends in"), ("e.csv", "must be another")):
        with pytest.raises(ValueError, match=message):
            ew.write(graph, tmp_path / "e.csv", vertices=tmp_path / path)
    with pytest.raises(ValueError, match="gml files hold columns of vertices themselves"):
        ew.write(graph, tmp_path / "e.gml", vertices=tmp_path / "n.csv")
    with pytest.raises(ValueError, match="must not be called 'vertex'"):
        ew.write(graph.with_columns(vertices={"vertex": [1, 2, 3]}), tmp_path / "e.csv",
                 vertices=tmp_path / "n.csv")  # fmt: skip
