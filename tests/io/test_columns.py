"""Columns in files: every format that holds them, and a warning from those that do not."""

from __future__ import annotations

import datetime
import warnings

import numpy as np
import pyarrow as pa
import pytest

import edgewise as ew
from edgewise import FileFormatError, Graph

KINDS = {
    "year": [1999, None, 2010],
    "km": [1.5, 2.25, -4.0],
    "line": ["x, y", None, 'say "z"'],
    "day": pa.array([datetime.date(2020, 2, 29), None, datetime.date(2021, 1, 1)]),
    "kind": pa.array(["a", "b", "a"]).dictionary_encode(),
    "open": [True, False, None],
}
NAMED = {"age": [31, None, 30, 29], "city": ["Rome", "Oslo", None, "Bonn"]}


def sample(directed=False, weights=(1.0, 2.0, 4.0)):
    graph = Graph.from_edges(["a", "b", "c"], ["b", "c", "d"], weights, directed=directed)
    return graph.with_columns(edges=KINDS, vertices=NAMED)


def lists(table):
    return {name: table.column(name).to_pylist() for name in table.column_names}


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("suffix", [".ew", ".ew.gz"])
def test_ew_keeps_all(tmp_path, directed, suffix):
    path = tmp_path / f"graph{suffix}"
    graph = sample(directed)
    ew.write(graph, path)
    for options in ({}, {"verify": True}, {"trusted": True}, {"memory_map": False}):
        assert ew.read(path, **options) == graph
    only_edges = graph.with_columns(vertices={"age": None, "city": None})
    ew.write(only_edges, path)
    assert ew.read(path) == only_edges and ew.read(path).columns.vertices is None


def test_damaged_columns_are_refused(tmp_path):
    path, graph, found = tmp_path / "graph.ew", sample(), 0
    ew.write(graph, path)
    content = bytearray(path.read_bytes())
    rng = np.random.default_rng(0)
    for at in rng.integers(512, len(content), 200):
        damaged = content.copy()
        damaged[at] ^= 1 << rng.integers(8)
        path.write_bytes(damaged)
        for options in ({"verify": True}, {}):
            try:
                again = ew.read(path, **options)
            except FileFormatError:
                found += bool(options)
            else:
                assert not options or again == graph  # a byte between two sections
    assert found > 150


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".feather"])
def test_tables_keep_columns_of_edges(tmp_path, suffix):
    path, graph = tmp_path / f"graph{suffix}", sample(directed=True)
    with pytest.warns(UserWarning, match="no place for vertex columns"):
        ew.write(graph, path)
    with pytest.warns(UserWarning, match="were not read; edge_columns=True keeps them"):
        assert ew.read(path).columns is None
    again = ew.read(path, edge_columns=True)
    assert lists(again.columns.edges) == lists(graph.columns.edges)
    assert again.directed and again.weights.tolist() == [1.0, 2.0, 4.0]
    assert ew.read(path, edge_columns=["km"]).edges.columns == ("weight", "km")
    with pytest.raises(FileFormatError, match="edge_columns must name other columns, got 'm'"):
        ew.read(path, edge_columns=["m"])


def test_csv_keeps_columns_of_edges(tmp_path):
    path, graph = tmp_path / "graph.csv", sample(directed=True)
    with pytest.warns(UserWarning, match="no place for vertex columns"):
        ew.write(graph, path)
    again = ew.read(path, edge_columns=[*KINDS], directed=True)
    assert lists(again.columns.edges) == lists(graph.columns.edges)
    assert again.weights.tolist() == [1.0, 2.0, 4.0]
    every = ew.read(path, edge_columns=True)
    assert every.directed and {*every.columns.edges.column_names} == {*KINDS}
    ew.write(every, path)
    assert path.read_text().splitlines()[0].count('"type"') == 1
    assert ew.read(path, edge_columns=True).columns.edges == every.columns.edges
    with pytest.warns(UserWarning, match="were not read"):
        assert ew.read(path).num_edges == 3
    path.write_text("u;v;w;note\n7;9;0,5;x\n9;12;1,5;\n\n7;12;2;z\n")
    graph = ew.read(path, columns=("u", "v", "w"), edge_columns=True)
    assert graph.label(graph.vertices()).tolist() == [7, 9, 12]
    assert graph.edges["note"].tolist() == ["x", "z", None]
    assert graph.edges()[2].tolist() == [0.5, 2.0, 1.5]
    path.write_text("a,b\n0,1\n1,2,3\n")
    with pytest.raises(FileFormatError, match="Expected 2 columns, got 3"):
        ew.read(path, edge_columns=True)
    with pytest.warns(UserWarning, match="1 "):
        assert ew.read(path, edge_columns=True, on_bad_line="skip").num_edges == 1
    path.write_text("0,1,5,x\n1,2,6,y\n")
    graph = ew.read(path, columns=(0, 1, 2), edge_columns=True)
    assert graph.edges.columns == ("weight", "f3") and graph.edges["f3"].tolist() == ["x", "y"]
    assert graph.labels is None


def test_a_column_called_type_is_no_mark(tmp_path):
    """One column of that name is written; that edges are directed is then left out, and said."""
    path, graph = tmp_path / "graph.csv", Graph.from_edges([0, 1], [1, 2], directed=True)
    graph = graph.with_columns(edges={"type": ["road", "rail"]})
    with pytest.warns(UserWarning, match="no place for direction"):
        ew.write(graph, path)
    assert path.read_text().splitlines()[0] == '"source","target","type"'
    again = ew.read(path, edge_columns=True, directed=True)
    assert lists(again.columns.edges) == {"type": ["road", "rail"]}
    rows = "0,1,directed\n" * 200 + "1,2,road\n"
    path.write_text(f"source,target,type\n{rows}")
    assert ew.read(path, edge_columns=True).edges["type"].tolist() == ["directed", "road"]


@pytest.mark.parametrize("suffix", [".graphml", ".gexf"])
def test_xml_keeps_both(tmp_path, suffix):
    path, graph = tmp_path / f"graph{suffix}", sample()
    ew.write(graph, path)
    again = ew.read(path, edge_columns=["km", "line", "day"], vertex_columns=["city"])
    assert lists(again.columns.edges) == {
        **lists(graph.columns.edges.select(["km", "line", "day"])),
    }
    assert lists(again.columns.vertices) == {"city": NAMED["city"]}
    assert ew.read(path).columns is None
    every = ew.read(path, edge_columns=True, vertex_columns=True)
    assert {*every.edges.columns} == {"weight", *KINDS} and {*every.vertices.columns} == {*NAMED}


MORE = {
    "moment": pa.array([0, None, 10**12], pa.timestamp("us", "UTC")),
    "clock": pa.array([1, None, 3], pa.time64("us")),
    "wait": pa.array([5, 6, None], pa.duration("s")),
    "small": pa.array([1, None, 3], pa.int8()),
    "single": pa.array([0.1, 1e20, None], pa.float32()),
    "stops": [["Rome", "Oslo"], [], None],
    "Zip code": ["007", "", None],
    "Year": ["MM", "MMI", '&#228; ö\\n"\\'],
    "nothing": pa.nulls(3),
    "class": pa.DictionaryArray.from_arrays(
        pa.array([0, 1, None], pa.int8()), pa.array(["x", "y"], pa.large_string()), ordered=True
    ),
}


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", [None, (1.0, 2.0, 4.0)])
@pytest.mark.parametrize("suffix", [".gml", ".dot", ".net", ".gt", ".graphml", ".gexf"])
def test_attributes_come_back_as_they_were(tmp_path, suffix, directed, weights):
    path, graph = tmp_path / f"graph{suffix}", sample(directed, weights)
    graph = graph.with_columns(edges=MORE, vertices={"x": [0.5, 1, 2, 3], "y": [1.0, 2, 3, 4.5]})
    for one in (graph, graph.with_labels(None)):
        ew.write(one, path)
        again = ew.read(path, edge_columns=True, vertex_columns=True)
        for ours, theirs in zip(again.columns, one.columns, strict=True):
            assert lists(ours) == lists(theirs)
            kinds = dict(zip(theirs.column_names, theirs.schema.types, strict=True))
            assert (
                kinds.items()
                >= {
                    name: kind
                    for name, kind in zip(ours.column_names, ours.schema.types, strict=True)
                    if name != "stops"
                }.items()
            )
        assert again.with_columns(edges=dict.fromkeys(again.columns.edges.column_names)) == (
            again.with_columns(edges=dict.fromkeys(one.columns.edges.column_names)))  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # numbers that are neither weights nor columns
            plain = ew.read(path)
        assert plain.columns is None and (plain.weights is None) == (weights is None)
        some = ew.read(path, edge_columns=["km", "Zip code"], vertex_columns="city")
        assert some.columns.edges.column_names == ["km", "Zip code"]
        assert lists(some.columns.vertices) == {"city": NAMED["city"]}
        with pytest.raises(FileFormatError, match="edge_columns must name .*, got 'm'"):
            ew.read(path, edge_columns=["m"])
        with pytest.raises(FileFormatError, match="vertex_columns must name .*, got 'm'"):
            ew.read(path, vertex_columns=["m"])


FOREIGN = {
    ".gml": """Creator "x" graph [
        node [ id 1 label "a" Age 31 graphics [ x 1 ] ] node [ id 2 label "b" code "07" ]
        edge [ source 1 target 2 value 3 year 1999 kind "1" ]
        edge [ source 2 target 1 value 4 year 2001.5 ] ]""",
    ".dot": """graph { node [code="07"]; edge [kind=p]; a [Age=31 code=""]; b;
        a -- b [weight=3 year=1999, kind="1"] b -- a [weight=4; year=2001.5]; }""",
    ".net": """*Vertices 2\n1 "a" 0.5 0.25 box Age 31\n2 "b" 1 2 code "07"\n*Edges
        1 2 3 year 1999 kind "1" [1-5]\n2 1 4 year 2001.5\n""",
}


@pytest.mark.parametrize("suffix", FOREIGN)
def test_attributes_of_other_programs(tmp_path, suffix):
    path = tmp_path / f"graph{suffix}"
    path.write_text(FOREIGN[suffix])
    graph = ew.read(path, edge_columns=True, vertex_columns=True, duplicates={"year": "list"})
    assert graph.edges()[2].tolist() == [7]
    assert graph.edges["year"][0].tolist() == [1999.0, 2001.5]
    assert graph.vertices["Age"].tolist()[0] == 31 and np.isnan(graph.vertices["Age"][1])
    assert graph.vertices["code"][1] == "07"
    kind = graph.columns.edges.column("kind").to_pylist()
    assert kind == [{".gml": "1", ".dot": "1", ".net": 1}[suffix]]
    assert "label" not in graph.vertices and "value" not in graph.edges
    if suffix == ".net":
        assert graph.vertices["x"].tolist() == [0.5, 1] and graph.edges["times"][0] == "[1-5]"
        assert graph.vertices["shape"].tolist() == ["box", None]
        path.write_text("*Vertices 2\n*Arcs\n1 2 3 year\n")
        with pytest.raises(FileFormatError, match="pairs of a key and a value"):
            ew.read(path, edge_columns=True)
        assert ew.read(path).num_edges == 1


def test_lists_of_gml_are_columns(tmp_path):
    path = tmp_path / "yed.gml"
    path.write_text("""graph [
        node [ id 1 Graphics [ x 1.5 y 2 Fill "007" Line [ point [ x 3 ] point [ x 4 ] ] ] ]
        node [ id 2 x 9 graphics [ y 5 ]
            deep [ a [ b [ c [ d [ e [ f [ g [ h [ i 1 ] ] ] ] ] ] ] ] ] ]
        edge [ source 1 target 2 graphics [ width 3 ] ] ]""")
    graph = ew.read(path, edge_columns=True, vertex_columns=True)
    assert lists(graph.columns.vertices) == {
        "Graphics.x": [1.5, None], "Graphics.y": [2, 5], "Graphics.Fill": ["007", None],
        "Graphics.Line.point.x": [3, None], "x": [None, 9],
    }  # fmt: skip
    assert graph.edges["graphics.width"].tolist() == [3]
    ew.write(graph, tmp_path / "again.gml")
    again = ew.read(tmp_path / "again.gml", edge_columns=True, vertex_columns=True)
    assert lists(again.columns.vertices) == lists(graph.columns.vertices)
    path.write_text("graph [ node [ id 1 graphics [ x 1 ]")
    with pytest.raises(FileFormatError, match="ends inside"):
        ew.read(path, vertex_columns=True)


def test_relations_of_pajek_are_a_column(tmp_path):
    path = tmp_path / "relations.net"
    path.write_text("""*Vertices 4\n*Arcs :1 "likes"\n1 2 3 year 1999\n*Edges :2 "k&#246;nnt"
        2 3\n*Arcslist :3\n3 4 1\n*Arcs\n4 1\n""")
    graph = ew.read(path, edge_columns=True)
    ends = zip(*(one.tolist() for one in graph.edges()[:2]), strict=True)
    relation = dict(zip(ends, graph.edges["relation"].tolist(), strict=True))
    assert relation == {(0, 1): "likes", (1, 2): "könnt", (2, 1): "könnt", (2, 3): "3",
                        (2, 0): "3", (3, 0): None}  # fmt: skip
    assert graph.edges["year"].tolist()[0] == 1999
    assert ew.read(path).num_edges == graph.num_edges


def test_edges_of_a_directed_network_are_two_arcs(tmp_path):
    path = tmp_path / "mixed.net"
    path.write_text("*Vertices 3\n*Arcs\n1 2 1 k a\n*Edges\n2 3 1 k b\n3 3 1 k c\n"
                    "*Arcslist\n3 1\n")  # fmt: skip
    graph = ew.read(path, edge_columns=True)
    assert graph.directed and graph.edges["k"].tolist() == ["a", "b", None, "b", "c"]


def test_a_strict_graph_keeps_the_last_values(tmp_path):
    path = tmp_path / "strict.dot"
    path.write_text("strict graph { a -- b [k=1 j=5]; b -- a [k=2]; {a b} -- c }")
    graph = ew.read(path, edge_columns=True)
    assert graph.edges["k"].tolist()[0] == 2 and graph.edges["j"].tolist()[0] == 5
    assert graph.num_edges == 3


def test_lists_and_objects_of_graph_tool(tmp_path):
    """Maps that we do not write: lists of numbers and strings, and pickled objects."""
    from struct import pack

    path = tmp_path / "maps.gt"
    ew.write(Graph.from_edges([0], [1], directed=True), path)
    content = path.read_bytes()[:-8]

    def strings(*texts):
        return b"".join(pack("<Q", len(one)) + one for one in texts)

    maps = [
        (1, b"nums", 10, pack("<QqqQ", 2, 5, 6, 0)),
        (1, b"texts", 13, pack("<Q", 2) + strings(b"a", b"bc") + pack("<Q", 0)),
        (2, b"object", 14, strings(b"cos\nsystem\n")),
        (2, b"flag", 0, b"\x01"),
    ]
    made = b"".join(pack("<B", owner) + strings(name) + bytes([kind]) + values
                    for owner, name, kind, values in maps)  # fmt: skip
    path.write_bytes(content + pack("<Q", len(maps)) + made)
    with pytest.warns(UserWarning, match="Python objects were not read: .'object'."):
        graph = ew.read(path, edge_columns=True, vertex_columns=True)
    assert lists(graph.columns.vertices) == {"nums": [[5, 6], []], "texts": [["a", "bc"], []]}
    assert lists(graph.columns.edges) == {"flag": [True]}
    with pytest.raises(FileFormatError, match="Python objects, which are not read"):
        ew.read(path, edge_columns=["object"])


@pytest.mark.parametrize("suffix", [".gml", ".dot", ".net", ".gt"])
def test_mangled_attributes_end_in_an_error_or_a_graph(tmp_path, suffix):
    path = tmp_path / f"graph{suffix}"
    ew.write(sample(), path)
    content, rng = path.read_bytes(), np.random.default_rng(1)
    for _ in range(150):
        damaged = bytearray(content)
        for at in rng.integers(0, len(content), 2):
            damaged[at] = rng.integers(256)
        path.write_bytes(damaged)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                graph = ew.read(path, edge_columns=True, vertex_columns=True)
        except (FileFormatError, ValueError):
            continue
        graph.validate()


@pytest.mark.parametrize("suffix", [".mtx", ".txt", ".npz"])
def test_other_formats_say_what_they_leave_out(tmp_path, suffix):
    path = tmp_path / f"graph{suffix}"
    with pytest.warns(UserWarning, match="no place for columns"):
        ew.write(sample(), path)
    assert ew.read(path).num_edges == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ew.write(sample().with_columns(edges=dict.fromkeys(KINDS), vertices=dict.fromkeys(NAMED)),
                 path)  # fmt: skip


@pytest.mark.data
def test_open_flights(shared_graphs):
    """Airports by code, routes with airlines: which airports are cut vertices, by country."""
    import pandas as pd

    tables = shared_graphs.parent / "tables"
    airports = pd.read_csv(tables / "openflights_airports.csv.gz", header=None, na_values="\\N")
    airports = airports[[4, 1, 3, 6, 7]].dropna(subset=4).drop_duplicates(4)
    airports.columns = ["code", "name", "country", "latitude", "longitude"]
    graph = ew.read(tables / "openflights_routes.csv.gz", columns=(2, 4), edge_columns=["f0", "f8"],
                    header="none", ids="str", directed=True)  # fmt: skip
    assert (graph.num_vertices, graph.num_edges) == (3425, 37595)
    routes = graph.to_pandas().rename(columns={"f0": "airline"})
    graph = Graph.from_pandas(routes, vertices=airports, edge_columns=["airline"], directed=True)
    assert graph.num_edges == 37595 and graph.vertices.columns[1] == "country"
    inland = graph.where(edges=_countries(graph, 0) == _countries(graph, 1))
    assert 0 < inland.num_edges < 37595 and inland.edges.columns == ("airline",)
    undirected = graph.to_undirected()
    cut = ew.articulation_points(undirected)
    table = undirected.vertex_table(cut=cut)
    assert table[table.cut].country.value_counts().index[0] == "United States"
    small, _ = graph.contract(
        graph.vertices["country"].astype(str), vertex_columns={"latitude": "mean"}
    )
    assert small.has_edge("Germany", "France") and 45 < small.vertices["latitude"][
        small.vertex("Germany")] < 55  # fmt: skip


def _countries(graph, side):
    return graph.vertices["country"][graph.edges()[side]]


@pytest.mark.data
def test_the_example_of_open_flights(shared_graphs, monkeypatch, capsys):
    """The figures on the page of columns."""
    import runpy
    import sys
    from pathlib import Path

    example = Path(__file__).parents[2] / "examples" / "open_flights.py"
    tables = [str(shared_graphs.parent / "tables" / f"openflights_{name}.csv.gz")
              for name in ("airports", "routes")]  # fmt: skip
    monkeypatch.setattr(sys, "argv", [str(example), *tables])
    runpy.run_path(str(example), run_name="__main__")
    page = Path(__file__).parents[2] / "docs" / "guides" / "columns.md"
    for line in capsys.readouterr().out.splitlines()[1:]:
        assert line in page.read_text()
