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


@pytest.mark.parametrize("suffix", [".graphml", ".gexf"])
def test_xml_keeps_both(tmp_path, suffix):
    path, graph = tmp_path / f"graph{suffix}", sample()
    ew.write(graph, path)
    again = ew.read(path, edge_columns=["km", "line", "day"], vertex_columns=["city"])
    assert lists(again.columns.edges) == {
        **lists(graph.columns.edges.select(["km", "line"])),
        "day": ["2020-02-29", None, "2021-01-01"],
    }
    assert lists(again.columns.vertices) == {"city": NAMED["city"]}
    assert ew.read(path).columns is None


@pytest.mark.parametrize("suffix", [".mtx", ".txt", ".npz", ".gml"])
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
