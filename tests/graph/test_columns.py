"""Columns of edges and vertices: in, through every transformation, and out again."""

from __future__ import annotations

import pickle

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

import edgewise as ew
from edgewise import Graph

ROUTES = pd.DataFrame({
    "source": ["a", "b", "c", "a", "b"],
    "target": ["b", "c", "d", "c", "a"],
    "weight": [1.0, 2.0, 4.0, 8.0, 16.0],
    "year": [1999, 2004, 2010, 2011, 2001],
    "line": ["x", None, "z", "x", "w"],
})  # fmt: skip
AIRPORTS = pd.DataFrame({
    "code": ["d", "a", "e", "b"],
    "country": ["DE", "FR", "DE", None],
    "height": [5.0, 7.0, np.nan, 2.0],
})  # fmt: skip


def routes(**options):
    return Graph.from_pandas(ROUTES, edge_columns=True, vertices=AIRPORTS, **options)


def by_edge(graph, name):
    """A column as a dict from the labels of both ends."""
    values = graph.columns.edges.column(name).to_pylist()
    u, v, _ = graph.edges()
    ends = zip(graph.label(u).tolist(), graph.label(v).tolist(), strict=True)
    return dict(zip(ends, values, strict=True))


def by_vertex(graph, name):
    values = graph.columns.vertices.column(name).to_pylist()
    return dict(zip(graph.label(graph.vertices()).tolist(), values, strict=True))


def test_a_table_of_edges_and_one_of_vertices():
    graph = routes(directed=True)
    assert graph.num_vertices == 5 and graph.num_edges == 5
    assert by_edge(graph, "year") == {("a", "b"): 1999, ("b", "c"): 2004, ("c", "d"): 2010,
                                      ("a", "c"): 2011, ("b", "a"): 2001}  # fmt: skip
    assert by_edge(graph, "line")["b", "c"] is None
    assert by_vertex(graph, "country") == {"a": "FR", "b": None, "c": None, "d": "DE", "e": "DE"}
    assert graph.edges.columns == ("weight", "year", "line")
    assert graph.vertices.columns == ("country", "height")
    assert np.isnan(graph.vertices["height"][4]) and graph.vertices["country"][1] is None
    assert graph.edges["weight"].tolist() == graph.edges()[2].tolist()
    assert "year" in graph.edges and "age" not in graph.edges
    assert len(graph.edges) == 5 and len(graph.vertices) == 5
    assert "columns year, line, country, height" in repr(graph)


def test_duplicates_follow_the_rule_of_the_column():
    first = routes()  # a-b comes twice
    assert first.num_edges == 4 and by_edge(first, "year")["a", "b"] == 1999
    assert first.edges()[2].tolist()[0] == 17.0
    for rule, wanted in {"last": 2001, "sum": 4000, "min": 1999, "max": 2001, "mean": 2000.0,
                         "count": 2, "list": [1999, 2001]}.items():  # fmt: skip
        graph = routes(duplicates={"year": rule, "weight": "max"})
        assert by_edge(graph, "year")["a", "b"] == wanted
        assert graph.edges()[2].tolist()[0] == 16.0
        assert by_edge(graph, "year")["b", "c"] in (2004, 1, [2004])
    with pytest.raises(ValueError, match=r"duplicates\['year'\] must be"):
        routes(duplicates={"year": "most"})
    with pytest.raises(ValueError, match="duplicates must name columns, got 'km'"):
        routes(duplicates={"km": "sum"})
    with pytest.raises(TypeError, match="column 'line' holds .*string, which has no sum"):
        routes(duplicates={"line": "sum"})


def test_weights_by_name():
    graph = routes(directed=True)
    by_name = ew.sssp(graph, "a", weights="year").distance.tolist()
    assert by_name == ew.sssp(graph, "a", weights=graph.edges["year"]).distance.tolist()
    assert graph.with_weights("year").edges()[2].tolist() == graph.edges["year"].tolist()
    assert routes().with_weights("year").weights.tolist() == [1999, 2011, 1999, 2004, 2011, 2004,
                                                              2010, 2010]  # fmt: skip
    with pytest.raises(TypeError, match="column of numbers, but 'line' holds"):
        ew.sssp(graph, "a", weights="line")
    with pytest.raises(ValueError, match="got 'km': the graph has the columns 'weight', 'year'"):
        ew.sssp(graph, "a", weights="km")
    missing = graph.with_columns(edges={"km": [1, 2, None, 4, 5]})
    with pytest.raises(ValueError, match="without missing values, but 'km' has 1"):
        ew.sssp(missing, "a", weights="km")


def test_where():
    graph = routes(directed=True)
    late = graph.where(edges=graph.edges["year"] > 2003)
    assert late.num_vertices == 5 and sorted(late.edges["year"]) == [2004, 2010, 2011]
    german = graph.where(vertices=graph.vertices["country"] == "DE")
    assert german.label(german.vertices()).tolist() == ["d", "e"] and german.num_edges == 0
    both = graph.where(edges=graph.edges["year"] > 2003, vertices=["a", "b", "c"])
    assert by_edge(both, "year") == {("a", "c"): 2011, ("b", "c"): 2004}
    for wrong in (np.ones(5), np.ones(4, bool), [True]):
        with pytest.raises(ValueError, match="edges must be a boolean mask"):
            graph.where(edges=wrong)
    assert graph.where() is graph
    for missing in (None, pd.NA):
        masks = [np.array([True, missing, False, True, missing], object)]
        masks.append(pd.Series(masks[0], dtype="boolean"))
        for mask in masks:
            assert graph.where(edges=mask).num_edges == 2
            assert graph.where(vertices=mask).label([0, 1]).tolist() == ["a", "d"]
    opened = graph.with_columns(edges={"open": [True, None, None, False, True]})
    assert opened.where(edges=opened.edges["open"]).num_edges == 2
    with pytest.raises(ValueError, match="edges must be a boolean mask"):
        graph.where(edges=np.array([True, None, "x", 1, 2], object))


@given(st.data(), st.booleans())
def test_columns_go_through_transformations(data, directed):
    """Every edge keeps a value that names its ends, and so does every vertex."""
    n = data.draw(st.integers(1, 8))
    ends = data.draw(st.lists(st.tuples(*[st.integers(0, n - 1)] * 2), max_size=20))
    u, v = np.array(ends, int).reshape(-1, 2).T
    graph = Graph.from_edges(u, v, np.ones(len(u)), directed=directed, num_vertices=n)
    u, v, _ = graph.edges()
    names = [f"v{i}" for i in range(n)]
    said = [f"{names[a]} {names[b]}" for a, b in zip(u, v, strict=True)]
    graph = graph.with_labels(names).with_columns(edges={"ends": said}, vertices={"own": names})
    positions = np.array(data.draw(st.permutations(range(n))))
    chosen = positions[: data.draw(st.integers(0, n))]
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(u), max_size=len(u))), bool)
    made = [
        graph.permute(positions),
        graph.subgraph(chosen),
        graph.where(edges=mask),
        graph.without_self_loops(),
        graph.with_weights(None),
        graph.copy(),
        pickle.loads(pickle.dumps(graph)),
        graph.to_undirected(),
        ew.largest_component(graph if not directed else graph.to_undirected()),
    ]
    assert made[2].num_edges == mask.sum()
    for one in made:
        one.validate()
        assert by_vertex(one, "own") == {name: name for name in one.labels.values.tolist()}
        for pair, value in by_edge(one, "ends").items():
            assert sorted(value.split()) == sorted(pair)
            assert one.directed == directed or value == " ".join(pair) or " ".join(pair) not in said
            assert not (one.directed and directed) or value == " ".join(pair)


def test_contract_takes_a_rule_for_each_column():
    graph = routes(directed=True)
    small, mapping = graph.contract(
        [0, 0, 1, 1, 1], edge_columns={"year": "max"}, vertex_columns={"height": "mean"}
    )
    assert mapping.tolist() == [0, 0, 1, 1, 1]
    assert small.edges["year"].tolist() == [2001, 2011, 2010]
    assert small.vertices["height"].tolist() == [4.5, 5.0]
    assert small.edges.columns == ("weight", "year") and small.vertices.columns == ("height",)
    assert graph.contract([0, 0, 1, 1, 1]).graph.columns is None
    no_loops = graph.contract([0, 0, 1, 1, 1], self_loops="drop", edge_columns={"year": "count"})
    assert no_loops.graph.edges["year"].tolist() == [2]
    with pytest.raises(ValueError, match="edge_columns must name columns, got 'km'"):
        graph.contract([0] * 5, edge_columns={"km": "sum"})


def test_frames_out():
    graph = routes(directed=True)
    frame = graph.to_pandas()
    assert frame.columns.tolist() == ["source", "target", "weight", "year", "line"]
    again = Graph.from_pandas(frame, edge_columns=["line", "year"], directed=True)
    assert by_edge(again, "year") == by_edge(graph, "year")
    table = graph.to_arrow()
    assert Graph.from_arrow(table, edge_columns="year").edges.columns == ("weight", "year")
    whole = graph.vertex_table(degree=graph.degrees(), paths=ew.bfs(graph, "a"))
    assert whole.columns.tolist() == ["country", "height", "degree", "paths_distance",
                                      "paths_parent"]  # fmt: skip
    assert whole.loc["c", "degree"] == 1 and whole.loc["d", "paths_parent"] == "c"
    arrow = graph.vertex_table(frame="arrow", rank=ew.pagerank(graph))
    assert arrow.column_names == ["vertex", "country", "height", "rank"]
    assert graph.table(graph.degrees(), frame="arrow").column("vertex").to_pylist() == [*"abcde"]
    with pytest.raises(ValueError, match="name of a column, got 'height'"):
        graph.vertex_table(height=graph.degrees())
    with pytest.raises(ValueError, match="frame must be"):
        graph.vertex_table(frame="excel")


def test_networkx_and_igraph_keep_attributes():
    graph = routes(directed=True)
    theirs = graph.to_networkx()
    assert theirs.edges["a", "b"] == {"weight": 1.0, "year": 1999, "line": "x"}
    assert theirs.edges["b", "c"] == {"weight": 2.0, "year": 2004}
    assert theirs.nodes["d"] == {"country": "DE", "height": 5.0}
    back = Graph.from_networkx(theirs, edge_columns=True, vertex_columns=["country"])
    assert by_edge(back, "line") == by_edge(graph, "line")
    assert by_vertex(back, "country") == by_vertex(graph, "country")
    other = graph.to_igraph()
    back = Graph.from_igraph(other, edge_columns=["year"], vertex_columns=True)
    assert by_edge(back, "year") == by_edge(graph, "year")
    assert back.vertices.columns == ("country", "height")
    multi = nx.MultiGraph([(0, 1, {"km": 1}), (0, 1, {"km": 5}), (2, 1, {})])
    multi.add_node(3, name="far")
    made = Graph.from_networkx(multi, edge_columns=True, vertex_columns=True,
                               duplicates={"km": "max"})  # fmt: skip
    assert made.columns.edges.column("km").to_pylist() == [5, None]
    assert made.columns.vertices.column("name").to_pylist() == [None, None, None, "far"]
    with pytest.raises(ValueError, match="edge_columns must name attributes, got 'm'"):
        Graph.from_networkx(multi, edge_columns=["m"])
    with pytest.raises(ValueError, match="vertex_columns must name attributes, got 'm'"):
        Graph.from_igraph(igraph.Graph.Full(3), vertex_columns="m")


def test_types_of_columns():
    days = np.array(["2020-02-29", "NaT"], "datetime64[D]")
    kinds = {
        "day": days,
        "flag": [True, False],
        "kind": pd.Categorical(["a", "b"]),
        "big": np.array([2**63, 1], np.uint64),
        "small": pa.array([1, 2], pa.int8()),
    }
    graph = Graph.from_edges([0, 1], [1, 2], edge_columns=kinds)
    assert graph.edges["day"].dtype.kind == "M" and np.isnat(graph.edges["day"][1])
    assert graph.edges["flag"].tolist() == [True, False]
    assert graph.edges["kind"].tolist() == ["a", "b"]
    assert pa.types.is_dictionary(graph.columns.edges.column("kind").type)
    assert graph.where(edges=graph.edges["kind"] == "b").edges["big"].tolist() == [1]
    assert ew.sssp(graph, 0, weights="small").distance.tolist() == [0, 1, 3]
    assert Graph.from_edges([], [], edge_columns={"x": []}).edges["x"].tolist() == []


def test_errors_name_the_column():
    graph = routes()
    with pytest.raises(ValueError, match=r"column 'x' must have one entry per edge \(4\), got 1"):
        graph.with_columns(edges={"x": [1]})
    with pytest.raises(ValueError, match=r"column 'x' must have one entry per vertex \(5\), got 1"):
        graph.with_columns(vertices={"x": [1]})
    with pytest.raises(TypeError, match="'x': "):
        graph.with_columns(edges={"x": [1, "a", 2, 3]})
    with pytest.raises(TypeError, match="edges must map names to values"):
        graph.with_columns(edges=[1, 2])
    with pytest.raises(ValueError, match="must not have a column 'weight'"):
        graph.with_columns(edges={"weight": [1, 2, 3, 4]})
    with pytest.raises(KeyError, match="no column 'km' of edges; there are: 'weight', 'year'"):
        graph.edges["km"]
    with pytest.raises(TypeError):
        iter(graph.edges)
    with pytest.raises(ValueError, match="vertices must be distinct, got 'a' twice"):
        Graph.from_pandas(ROUTES, vertices=pd.DataFrame({"code": ["a", "a"]}))
    with pytest.raises(ValueError, match="vertex must name a column of vertices, got 'id'"):
        Graph.from_pandas(ROUTES, vertices=AIRPORTS, vertex="id")
    with pytest.raises(ValueError, match="edge_columns must name columns of the table, got 'km'"):
        Graph.from_pandas(ROUTES, edge_columns=["km"])


def test_a_graph_without_columns_has_none():
    graph = Graph.from_edges([0, 1], [1, 2])
    assert graph.columns is None and graph.edges.columns == () and "columns" not in graph.__dict__
    assert graph.with_columns(edges={}).columns is None
    assert graph == graph.with_columns() and graph != graph.with_columns(vertices={"a": [1, 2, 3]})


def test_only_the_columns_asked_for_are_converted_and_moved(monkeypatch):
    """On a GPU a column is an array there once somebody names it, and others stay in Arrow."""
    from edgewise.graph import attribute_tables, column_views
    from edgewise.graph.weight_columns import column

    monkeypatch.setattr("edgewise.base.cuda.device._SIMULATED", True)
    asked, original = [], attribute_tables.values_of

    def counted(values):
        asked.append(values.to_pylist())
        return original(values)

    monkeypatch.setattr(attribute_tables, "values_of", counted)
    monkeypatch.setattr(column_views, "values_of", counted)
    graph = routes(directed=True).with_columns(edges={"km": [1, 2, 3, 4, 5]})
    there = graph.to("cuda")
    assert there.columns is graph.columns and asked == []
    kept = graph.where(vertices=graph.degrees() > 0)
    ew.bfs(kept, 0), ew.pagerank(kept), kept.permute([2, 1, 0]), graph.without_self_loops()
    assert asked == []
    assert column(there, "km").tolist() == [1, 2, 3, 4, 5]
    column(there, "km")
    assert asked == [[1, 2, 3, 4, 5]]  # once
    assert there.edges["year"].tolist() == graph.columns.edges.column("year").to_pylist()
    assert len(asked) == 2


def test_a_graph_without_columns_has_no_tables():
    import subprocess
    import sys

    program = (
        "import sys, edgewise as ew; g = ew.Graph.from_edges([0, 1], [1, 2], [1.0, 2.0]);"
        "ew.bfs(g, 0); g.subgraph([0, 1]); assert g.columns is None;"
        "assert 'pyarrow' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("directed", [False, True])
def test_two_graphs_bring_their_columns(directed):
    """As attributes in NetworkX: of two values, that of the second graph; missing ones give way."""
    one, two = (
        Graph.from_edges(*ends, directed=directed).with_columns(edges=edges, vertices=vertices)
        for ends, edges, vertices in (
            ((["a", "b"], ["b", "c"]), {"km": [1, 2], "kind": ["x", "y"]}, {"age": [5, 6, 7]}),
            ((["b", "c"], ["c", "d"]), {"km": [20.5, None], "toll": [True, False]},
             {"age": [None, 70, 80], "town": ["Rome", None, "Oslo"]}),
        )
    )  # fmt: skip
    for combine, km in (("last", 20.5), ("first", 2.0)):
        made = ew.compose(one, two, combine=combine)
        assert by_edge(made, "km") == {("a", "b"): 1.0, ("b", "c"): km, ("c", "d"): None}
        assert by_edge(made, "kind") == {("a", "b"): "x", ("b", "c"): "y", ("c", "d"): None}
        assert by_edge(made, "toll") == {("a", "b"): None, ("b", "c"): True, ("c", "d"): False}
        ages = {"a": 5, "b": 6, "c": 70 if combine == "last" else 7, "d": 80}
        assert by_vertex(made, "age") == ages
        assert by_vertex(made, "town") == {"a": None, "b": "Rome", "c": None, "d": "Oslo"}
    theirs = nx.compose(*(graph.to_networkx() for graph in (one, two)))
    known = {ends: value for *ends, value in theirs.edges(data="km") for ends in [tuple(ends)]}
    assert by_edge(ew.compose(one, two), "km") == known
    plain = Graph.from_edges(["c"], ["d"], directed=directed)
    found = by_edge(ew.compose(plain, one), "km")
    assert {frozenset(ends): km for ends, km in found.items()} == {
        frozenset("ab"): 1, frozenset("bc"): 2, frozenset("cd"): None}  # fmt: skip
    assert by_edge(ew.symmetric_difference(one, two), "kind") == {("a", "b"): "x",
                                                                  ("c", "d"): None}  # fmt: skip
    beside = ew.union(one.with_labels(None), two.with_labels(None))
    assert beside.edges["km"].tolist()[:3] == [1, 2, 20.5] and np.isnan(beside.edges["km"][3])
    assert beside.columns.vertices.column("age").to_pylist() == [5, 6, 7, None, 70, 80]
    with pytest.raises(ValueError, match="column 'km' holds .* the graphs must agree"):
        ew.compose(one, two.with_columns(edges={"km": ["far", "near"]}))


def test_line_graphs_and_complements_keep_what_they_can():
    graph = routes()
    line = ew.line_graph(graph)
    assert line.columns.vertices == graph.columns.edges and line.columns.edges is None
    other = ew.complement(graph)
    assert other.columns.vertices == graph.columns.vertices and other.columns.edges is None
    assert ew.complement(graph.with_columns(vertices=dict.fromkeys(["country", "height"]))
                         ).columns is None  # fmt: skip
