"""Vertices by position or label, and questions about single vertices and edges."""

from __future__ import annotations

from datetime import date

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from edgewise.graph import Graph
from edgewise.graph.lookup import check_vertices
from tests.operators.graphs import any_graph

TOWNS = Graph.from_edges(["Paris", "Rome", "Oslo"], ["Rome", "Oslo", "Oslo"], [2.5, 4.0, 1.0])
NUMBERS = Graph.from_edges([70, 20], [20, 500], directed=True, labels=True)


@pytest.fixture(params=["cpu", "cuda"])
def towns(request, monkeypatch):
    monkeypatch.setattr("edgewise.base.cuda.device._SIMULATED", True)
    return TOWNS.to(request.param)


def test_a_string_is_a_label(towns):
    assert towns.label(towns.neighbors("Rome")).tolist() == ["Oslo", "Paris"]
    assert towns.degree("Rome") == 2 and towns.degree("Paris") == 1
    assert towns.has_edge("Rome", "Paris") and not towns.has_edge("Oslo", "Paris")
    assert towns.edge_weight("Oslo", "Rome") == 4.0 and towns.edge_weight("Oslo", "Oslo") == 1.0
    assert towns.neighbors(np.str_("Paris")).tolist() == [2]


def test_an_integer_is_a_position(towns):
    assert towns.neighbors(1).tolist() == [2]
    assert towns.has_edge(1, "Rome") and towns.edge_weight(1, 2) == 2.5
    assert NUMBERS.neighbors(1).tolist() == NUMBERS.neighbors(NUMBERS.vertex(70)).tolist() == [0]


@given(any_graph())
@settings(max_examples=50)
def test_edges_one_by_one(graph):
    matrix = np.zeros((graph.num_vertices, graph.num_vertices), bool)
    sources, targets, weights = graph.arcs()
    matrix[sources, targets] = True
    for u in range(graph.num_vertices):
        assert graph.degree(u) == graph.degrees()[u]
        assert [graph.has_edge(u, v) for v in range(graph.num_vertices)] == matrix[u].tolist()
    for i in range(min(graph.num_arcs, 20)):
        weight = graph.edge_weight(int(sources[i]), int(targets[i]))
        np.testing.assert_equal(weight, 1 if weights is None else weights[i])


def test_in_degree_by_the_transpose():
    assert NUMBERS.transposed.degree(NUMBERS.vertex(20)) == 1
    assert NUMBERS.degree(NUMBERS.vertex(500)) == 0


def test_no_such_edge():
    with pytest.raises(ValueError, match="there is no edge from 'Oslo' to 'Paris'"):
        TOWNS.edge_weight("Oslo", "Paris")


@pytest.mark.parametrize(
    ("graph", "vertex", "error", "said"),
    [
        (TOWNS, "paris", ValueError, "vertex must be one .* got 'paris'; did you mean 'Paris'"),
        (TOWNS, "Prais", ValueError, "did you mean 'Paris'"),
        (TOWNS, "Xyzzy", ValueError, "got 'Xyzzy'$"),
        (TOWNS, 7, ValueError, r"from 0 to 2, got 7; graph.vertex\(7\)"),
        (NUMBERS, "70", ValueError, "got '70'; they are numbers, and graph.vertex takes numbers"),
        (TOWNS, ("Rome",), TypeError, r"graph.vertex\(label\) gives the id of a label"),
        (TOWNS, None, TypeError, "vertex must be a vertex id"),
        (Graph.from_edges([0], [1]), "Rome", TypeError, "'Rome': the graph has no labels"),
    ],
)
def test_what_is_no_vertex(graph, vertex, error, said):
    for ask in (graph.neighbors, graph.degree):
        with pytest.raises(error, match=said):
            ask(vertex)


def test_vertices_of_labels():
    assert NUMBERS.vertex([500, 70]).tolist() == [2, 1]
    assert NUMBERS.vertex(np.array([500, 70])).tolist() == [2, 1]
    assert NUMBERS.vertex(range(500, 69, -430)).tolist() == [2, 1]
    assert NUMBERS.vertex(iter([20])).tolist() == [0]
    assert NUMBERS.vertex(pd.Series([500, 20])).tolist() == [2, 0]
    assert TOWNS.vertex(["Rome", "Oslo"]).tolist() == [2, 0]
    assert TOWNS.vertex(pd.Index(["Rome"])).tolist() == [2]
    assert TOWNS.vertex([]).tolist() == []
    assert Graph.from_edges([0], [3]).vertex([3, 0]).tolist() == [3, 0]
    dated = Graph.from_edges([date(2024, 5, 1)], [date(2023, 5, 1)])
    assert dated.vertex([date(2023, 5, 1)]).tolist() == [dated.vertex(date(2023, 5, 1))]
    pairs = Graph.from_edges([("a", 1)], [("b", 2)])
    assert pairs.vertex([("b", 2), ("a", 1)]).tolist() == [1, 0]
    assert pairs.vertex(("b", 2)) == 1
    with pytest.raises(ValueError, match="got 'Romee'; did you mean 'Rome'"):
        TOWNS.vertex(["Oslo", "Romee"])


def test_lists_of_vertices():
    assert check_vertices(TOWNS, ["Rome", 0], "x").tolist() == [2, 0]
    assert check_vertices(TOWNS, np.array(["Rome", "Oslo"]), "x").tolist() == [2, 0]
    assert check_vertices(TOWNS, pd.Series(["Rome"]), "x").tolist() == [2]
    assert check_vertices(TOWNS, "Rome", "x").tolist() == [2]
    assert check_vertices(TOWNS, 1, "x").tolist() == [1]
    assert check_vertices(TOWNS, {2}, "x").tolist() == [2]
    with pytest.raises(ValueError, match="x must be one of the graph's labels, got 'Roma'"):
        check_vertices(TOWNS, [0, "Roma"], "x")
    with pytest.raises(TypeError, match="x must be vertex ids"):
        check_vertices(TOWNS, [0.5], "x")


def test_a_part_by_label():
    part = TOWNS.subgraph(["Rome", "Paris"])
    assert part.label([0, 1]).tolist() == ["Rome", "Paris"] and part.edge_weight(0, 1) == 2.5
    with pytest.raises(ValueError, match="vertices must be one of the graph's labels"):
        TOWNS.subgraph(["Rom"])
