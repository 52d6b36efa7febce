"""Polars frames and DuckDB relations: graphs from the real libraries, and frames back."""

from __future__ import annotations

import datetime

import pyarrow as pa
import pytest

import edgewise as ew
from edgewise import Graph

DAYS = [datetime.date(2020, 2, 29), None, datetime.date(2021, 1, 1)]
EDGES = {
    "source": ["ann", "bob", "eve"],
    "target": ["bob", "eve", "ann"],
    "km": [5, 7, 20],
    "kind": ["road", None, "rail"],
    "day": DAYS,
    "stops": [["a", "b"], [], None],
}
PEOPLE = {"name": ["eve", "dan"], "age": [31, None], "town": ["Rome", "Oslo"]}


def check(graph):
    """The graph of both tables, whatever library they came from."""
    assert graph.labels.values.tolist() == ["ann", "bob", "dan", "eve"]
    found = graph.columns.edges.to_pydict()
    assert found["km"] == [5, 20, 7] and found["kind"] == ["road", "rail", None]
    assert found["day"] == [DAYS[0], DAYS[2], None]
    assert found["stops"] == [["a", "b"], None, []]
    named = graph.columns.vertices.to_pydict()
    assert named == {"age": [None, None, None, 31], "town": [None, None, "Oslo", "Rome"]}
    distance = ew.sssp(graph, "ann", weights="km").distance
    assert distance[[0, 1, 3]].tolist() == [0, 5, 12]
    late = graph.where(edges=graph.edges["km"] > 6)
    assert late.columns.edges.to_pydict()["kind"] == ["rail", None]
    assert graph.subgraph(["ann", "eve"]).columns.vertices.to_pydict()["town"] == [None, "Rome"]


@pytest.fixture
def polars():
    return pytest.importorskip("polars")


@pytest.fixture
def frames(polars):
    edges = polars.DataFrame(EDGES, schema_overrides={"kind": polars.Categorical})
    return edges, polars.DataFrame(PEOPLE)


def test_polars_frames(frames):
    edges, people = frames
    check(Graph.from_polars(edges, edge_columns=True, vertices=people))
    check(Graph.from_polars(edges.lazy(), edge_columns=True, vertices=people.lazy()))
    check(Graph.from_arrow(edges, edge_columns=True, vertices=people))
    check(Graph.from_pandas(edges, edge_columns=True, vertices=people))
    one = Graph.from_polars(edges, edge_columns=["km"])
    assert one.edges.columns == ("km",) and one.columns.vertices is None
    weighted = Graph.from_polars(edges, weight="km", directed=True)
    assert weighted.weights.tolist() == [5, 7, 20] and weighted.columns is None
    limited = Graph.from_arrow(edges, weight="km", memory="64MiB")
    assert limited == Graph.from_polars(edges, weight="km")
    with pytest.raises(ValueError, match="column 'kind' must not have missing values"):
        Graph.from_polars(edges, target="kind")


def test_polars_frames_of_a_file(frames, tmp_path):
    edges, people = frames
    path = tmp_path / "edges.parquet"
    edges.write_parquet(path)
    check(ew.read(path, edge_columns=True, vertices=people))
    people.write_csv(tmp_path / "people.csv")
    check(ew.read(path, edge_columns=True, vertices=tmp_path / "people.csv"))


def test_from_pandas_takes_all_frames(polars, frames):
    edges, people = frames
    for one in (edges, edges.lazy(), edges.to_arrow()):
        check(Graph.from_pandas(one, edge_columns=True, vertices=people))
    with pytest.raises(TypeError, match="frame must be a data frame, .*, got list"):
        Graph.from_pandas([1, 2])


def test_polars_columns_beside_a_graph(polars, frames):
    edges, people = frames
    graph = Graph.from_edges(["ann", "bob"], ["bob", "eve"])
    made = graph.with_columns(edges=edges[:2].select("kind", "stops"), vertices={"x": polars.Series(
        ["p", None, "q"])})  # fmt: skip
    assert made.columns.edges.to_pydict() == {"kind": ["road", None], "stops": [["a", "b"], []]}
    assert made.vertices["x"].tolist() == ["p", None, "q"]
    assert made.edges["kind"].tolist() == ["road", None]


def test_frames_of_polars_come_back(polars, frames, tmp_path):
    edges, people = frames
    graph = Graph.from_polars(edges, edge_columns=True, vertices=people)
    back = graph.to_polars()
    assert back.columns == [*EDGES] and back["kind"].dtype == polars.Categorical
    assert back.sort("km").to_dict(as_series=False) == {
        "source": ["ann", "bob", "ann"], "target": ["bob", "eve", "eve"], "km": [5, 7, 20],
        "kind": ["road", None, "rail"], "day": DAYS, "stops": [["a", "b"], [], None],
    }  # fmt: skip
    check(Graph.from_polars(back, edge_columns=True, vertices=people))
    table = graph.vertex_table(frame="polars", degree=graph.degrees(), rank=ew.pagerank(graph))
    assert isinstance(table, polars.DataFrame)
    assert table["vertex"].to_list() == ["ann", "bob", "dan", "eve"]
    assert table["town"].to_list() == [None, None, "Oslo", "Rome"]
    assert table["degree"].to_list() == [2, 2, 0, 2] and abs(table["rank"].sum() - 1) < 1e-6
    found = graph.to_polars(ew.bfs(graph, "ann"))
    assert found.filter(polars.col("vertex") == "eve")["parent"].to_list() == ["ann"]
    ew.write(graph, tmp_path / "graph.ew")
    check(ew.read(tmp_path / "graph.ew"))


@pytest.fixture
def connection():
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as found:
        found.register("edges", pa.table(EDGES))
        found.register("people", pa.table(PEOPLE))
        yield found


def test_duckdb_relations(connection):
    edges, people = (connection.sql(f"select * from {name}") for name in ("edges", "people"))
    check(Graph.from_arrow(edges, edge_columns=True, vertices=people))
    joined = connection.sql(
        "select source, target, km, kind::enum('road', 'rail') as kind, day, stops from edges"
    )
    check(Graph.from_arrow(joined, edge_columns=True, vertices=people, vertex="name"))
    far = connection.sql(
        "select target as u, source as v, km / 2 as weight from edges where km > 5"
    )
    graph = Graph.from_arrow(far, directed=True)
    assert graph.weights.tolist() == [10.0, 3.5] and graph.label(graph.edges()[0]).tolist() == [
        "ann", "eve"]  # fmt: skip
    numbers = connection.sql("select range as source, range + 1 as target from range(100000)")
    assert Graph.from_arrow(numbers).num_edges == 100_000
    limited = Graph.from_arrow(edges, weight="km", memory="64MiB")
    assert limited == Graph.from_arrow(edges, weight="km")


def test_duckdb_queries_what_a_graph_returns(connection):
    graph = Graph.from_arrow(connection.sql("select * from edges"), edge_columns=True)
    connection.register("again", graph.to_arrow())
    connection.register("degrees", graph.to_arrow(graph.degrees()))
    found = connection.sql("select kind, sum(km) from again group by kind order by kind nulls last")
    assert found.fetchall() == [("rail", 20), ("road", 5), (None, 7)]
    assert connection.sql("select sum(value) from degrees").fetchall() == [(6,)]


def test_a_relation_is_no_graph(connection):
    with pytest.raises(TypeError, match=r"from_arrow\(relation\) makes one of its columns"):
        ew.bfs(connection.sql("select * from edges"), "ann")
