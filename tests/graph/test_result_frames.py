"""Results as data frames: by label, with what is missing missing."""

from __future__ import annotations

import numpy as np
import pandas as pd
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
