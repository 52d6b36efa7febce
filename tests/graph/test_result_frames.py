"""Results as data frames: by label, with what is missing missing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import edgewise as ew
from edgewise.graph import Graph

TOWNS = Graph.from_edges(["Rome", "Oslo"], ["Paris", "Bonn"], [2.5, 4.0])
LABELS = {
    "text": ["a", "b", "c", "d"],
    "integers": [10, 20, 30, 40],
    "unsigned": np.array([1, 2, 3, 2**64 - 1], np.uint64),
    "floats": [0.5, 1.5, 2.5, 3.5],
    "dates": np.array(["2020-01-01", "2021-01-01", "2022-01-01", "2023-01-01"], "M8[s]"),
    "tuples": [("a", 1), ("b", 2), ("c", 3), ("d", 4)],
}


@pytest.mark.parametrize("kind", LABELS)
def test_vertices_become_labels(kind):
    names = LABELS[kind]
    graph = Graph.from_edges([0, 1], [1, 2], num_vertices=4).with_labels(names)
    parent = graph.table(ew.bfs(graph, 0))["parent"]
    assert parent.index.tolist() == pd.Index(graph.labels.values).tolist()
    named = pd.Series(names).tolist()
    assert parent.tolist()[:3] == [named[0], named[0], named[1]]
    assert parent.isna().tolist() == [False, False, False, True]
    mate = graph.table(ew.matching.greedy(graph))["mate"]
    assert mate.notna().sum() == 2


def test_without_labels_too():
    graph = Graph.from_edges([0], [1], num_vertices=3)
    table = graph.table(ew.bfs(graph, 1))
    assert table["parent"].dtype == "Int64" and table["parent"].tolist() == [1, 1, pd.NA]
    found = graph.table(ew.connected_components(graph), kind="members")
    assert found["value"].tolist() == [0, 0, 2]
    nothing = Graph.from_edges([], [])
    assert len(nothing.table(np.zeros(0, np.int64), kind="members")) == 0


def test_members():
    found = TOWNS.table(ew.connected_components(TOWNS), kind="members")
    assert found["value"].to_dict() == {
        "Bonn": "Bonn", "Oslo": "Bonn", "Paris": "Paris", "Rome": "Paris"
    }  # fmt: skip
    both = {"component": ew.connected_components(TOWNS), "root": ew.forest_roots(TOWNS)}
    assert TOWNS.table(both, kind="members").columns.tolist() == ["component", "root"]
    with pytest.raises(TypeError, match="value must hold vertex ids"):
        TOWNS.table(ew.pagerank(TOWNS), kind="members")


def test_single_numbers_are_left_out():
    table = TOWNS.table(ew.matching.suitor(TOWNS))
    assert table["mate"].to_dict() == {
        "Bonn": "Oslo", "Oslo": "Bonn", "Paris": "Rome", "Rome": "Paris"
    }  # fmt: skip
    assert table.columns.tolist() == ["mate"]
    assert TOWNS.table(ew.matching.paz_schwartzman(TOWNS)).equals(table)


def test_chosen_edges():
    table = TOWNS.table(ew.matching.b_suitor(TOWNS, 1))
    assert table.to_dict("records") == [
        {"source": "Bonn", "target": "Oslo", "weight": 4.0},
        {"source": "Paris", "target": "Rome", "weight": 2.5},
    ]


@pytest.mark.parametrize("directed", [False, True])
def test_edges(directed):
    graph = Graph.from_edges(["b", "c"], ["a", "c"], directed=directed)
    found = graph.table(np.arange(graph.num_edges), kind="edges")
    ends = ("b", "a") if directed else ("a", "b")
    assert list(found[["source", "target"]].itertuples(index=False, name=None)) == [
        ends, ("c", "c")
    ]  # fmt: skip
    assert found["value"].tolist() == [0, 1]
    with pytest.raises(ValueError, match=r"one entry per edge \(.\), but value has shape \(9,\)"):
        graph.table(np.zeros(9), kind="edges")


def test_an_unknown_kind():
    with pytest.raises(ValueError, match="kind must be one of 'vertices', 'members', 'edges'"):
        TOWNS.table(TOWNS.degrees(), kind="groups")


def test_on_a_device(monkeypatch):
    monkeypatch.setattr("edgewise.base.cuda.device._SIMULATED", True)
    there = TOWNS.to("cuda")
    for kind, count in (("edges", TOWNS.num_edges), ("members", TOWNS.num_vertices)):
        values = np.arange(count)
        assert there.table(values, kind=kind).equals(TOWNS.table(values, kind=kind))


def test_lists_of_vertices_become_rows():
    from edgewise.algorithms.cliques.maximal_cliques import Cliques
    from edgewise.algorithms.communities.overlapping import OverlappingCommunities
    from edgewise.algorithms.influence.place_sensors import Sensors
    from edgewise.algorithms.similarity.top_k import Similar
    from edgewise.algorithms.traversal.k_hop_neighborhood import Neighborhoods

    indptr, members = np.array([0, 2, 3]), np.array([3, 0, 1])  # Rome, Bonn; Oslo
    table = TOWNS.table(Cliques(indptr, members))
    assert table.values.tolist() == [[0, "Rome"], [0, "Bonn"], [1, "Oslo"]]
    shares = np.array([0.5, 1.0, 0.25])
    table = TOWNS.table(OverlappingCommunities(indptr, members, shares, 4))
    assert table.columns.tolist() == ["list", "vertex", "shares"] and table.shares[2] == 0.25
    table = TOWNS.table(Neighborhoods(np.array([2, 1]), indptr, members, np.array([1, 2, 1])))
    assert table.values.tolist() == [
        ["Paris", "Rome", 1],
        ["Paris", "Bonn", 2],
        ["Oslo", "Oslo", 1],
    ]
    near = Similar(np.array([[1, 2], [0, -1], [-1, -1], [2, 1]]), np.arange(8.0).reshape(4, 2))
    table = TOWNS.table(near)
    assert table.columns.tolist() == ["vertex", "similar", "score"] and len(table) == 5
    assert table.iloc[2].tolist() == ["Oslo", "Bonn", 2.0]
    table = TOWNS.table(Sensors(np.array([3, 1]), np.array([0.5, 0.25]), 1.0, 0.75, 0.0, 0.0))
    assert table.values.tolist() == [["Rome", 0.5], ["Oslo", 0.25]]
    with pytest.raises(ValueError, match="lists must have one entry per vertex, got Cliques"):
        TOWNS.vertex_table(lists=Cliques(indptr, members))


def test_fields_that_fit_become_columns():
    from edgewise.algorithms.communities.dendrograms import Hierarchy
    from edgewise.algorithms.components.is_bipartite import Bipartition
    from edgewise.algorithms.flows.maximum_flow import MaximumFlow

    flow = MaximumFlow(2.0, np.array([1.0, 0.5]), np.array([True, False, False, True]))
    assert TOWNS.table(flow).columns.tolist() == ["side"]
    by_edge = TOWNS.table(flow, kind="edges")
    assert by_edge.values.tolist() == [["Bonn", "Oslo", 1.0], ["Paris", "Rome", 0.5]]
    levels = Hierarchy([np.array([0, 0, 2, 2]), np.array([0, 0, 0, 0])], [0.1, 0.2])
    table = TOWNS.table(levels)
    assert table["level_0"].tolist() == ["Bonn", "Bonn", "Paris", "Paris"]
    both = TOWNS.vertex_table(level=levels, rank=np.arange(4))
    assert both.columns.tolist() == ["level_level_0", "level_level_1", "rank"]
    assert TOWNS.table(Bipartition(np.ones(4, bool), None)).columns.tolist() == ["sides"]
    with pytest.raises(ValueError, match="must hold values of vertices, got Bipartition"):
        TOWNS.table(Bipartition(None, np.array([0, 1, 2])))
    wide = TOWNS.table(np.arange(8.0).reshape(4, 2))
    assert wide.columns.tolist() == ["value_0", "value_1"] and wide.loc["Rome", "value_1"] == 7
    assert TOWNS.table(np.arange(12.0).reshape(3, 4)).loc["Rome"].tolist() == [3, 7, 11]


def test_results_in_one_call():
    degrees = TOWNS.degrees()
    assert TOWNS.to_pandas(degrees).equals(TOWNS.table(degrees))
    assert TOWNS.to_arrow(degrees).column_names == ["vertex", "value"]
    roots = TOWNS.to_pandas(np.array([0, 0, 2, 2]), kind="members")
    assert roots.loc["Rome", "value"] == "Paris"
    polars = pytest.importorskip("polars")
    assert isinstance(TOWNS.to_polars(degrees), polars.DataFrame)


def test_values_of_edges_need_their_kind():
    path = Graph.from_edges(["a", "b"], ["b", "c"])
    with pytest.raises(ValueError, match="one entry per vertex .* pass kind='edges'"):
        path.to_pandas(ew.edge_betweenness_centrality(path))
    with pytest.raises(ValueError, match=r"but value has shape \(4,\)$"):
        path.table(np.zeros(4))
    ring = Graph.from_edges(["a", "b", "c"], ["b", "c", "a"])
    assert ring.table(ring.degrees())["value"].to_dict() == {"a": 2, "b": 2, "c": 2}


def test_arrow_keeps_types_and_needs_no_pandas(monkeypatch):
    """Integers with missing values are exact: columns do not go through pandas."""
    import sys

    columns = {"big": [2**60 + 1, None, 3, 4], "kind": pa.array(list("abab")).dictionary_encode(),
               "vertices": [0.5, None, 1.5, 2.0]}  # fmt: skip
    graph = TOWNS.with_columns(vertices=columns)
    results = {"hops": ew.bfs(graph, "Rome"), "share": np.array([1.0, np.nan, 2.0, np.inf])}
    made = graph.vertex_table(**results)
    assert made.loc["Paris", "hops_parent"] == "Rome" and made.index.name == "vertex"
    monkeypatch.setitem(sys.modules, "pandas", None)
    table = graph.vertex_table(frame="arrow", **results)
    assert table.column_names == ["vertex", *columns, "hops_distance", "hops_parent", "share"]
    assert table.column("vertex").to_pylist() == ["Bonn", "Oslo", "Paris", "Rome"]
    assert table.select([*columns]).equals(graph.columns.vertices)
    assert table.column("hops_parent").to_pylist() == [None, None, "Rome", "Rome"]
    assert table.column("share").to_pylist() == [1.0, None, 2.0, np.inf]
    assert graph.to_arrow(np.arange(2), kind="edges").to_pylist()[1] == {
        "source": "Paris", "target": "Rome", "value": 1,
    }  # fmt: skip
    parents = graph.with_labels(None).table(results["hops"], frame="arrow").column("parent")
    assert parents.type == pa.int32() and parents.to_pylist() == [None, None, 3, 3]
    polars = pytest.importorskip("polars")
    frame = graph.vertex_table(frame="polars")
    assert frame["big"].to_list() == columns["big"] and frame["big"].dtype == polars.Int64


def test_a_column_called_vertex():
    graph = TOWNS.with_columns(vertices={"vertex": [1, 2, 3, 4]})
    assert graph.vertex_table()["vertex"].to_dict()["Rome"] == 4
    with pytest.raises(ValueError, match="no column may be called 'vertex', as the labels are"):
        graph.vertex_table(frame="arrow")
    with pytest.raises(ValueError, match="results must not have the name of a column, got 'big'"):
        TOWNS.with_columns(vertices={"big": [1, 2, 3, 4]}).vertex_table(big=TOWNS.degrees())
