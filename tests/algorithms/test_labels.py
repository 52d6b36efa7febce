"""Algorithms on labeled graphs: a string is a label wherever a vertex is asked for."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import edgewise as ew
from edgewise.distributed import Grid, distribute
from edgewise.distributed.rank_threads import run_threads

TOWNS = ew.Graph.from_edges([("Rome", "Paris", 3), ("Paris", "Oslo", 1), ("Rome", "Oslo", 1)])
ROME, OSLO = TOWNS.vertex("Rome"), TOWNS.vertex("Oslo")


def test_a_source_by_label():
    assert ew.bfs(TOWNS, "Rome").distance.tolist() == ew.bfs(TOWNS, ROME).distance.tolist()
    assert ew.sssp(TOWNS, "Rome").distance[TOWNS.vertex("Paris")] == 2
    assert ew.bfs(TOWNS, np.str_("Oslo")).distance[OSLO] == 0
    with pytest.raises(ValueError, match="source must be one .* got 'Roma'; did you mean 'Rome'"):
        ew.bfs(TOWNS, "Roma")
    with pytest.raises(TypeError, match="source must be .* got 'Rome': the graph has no labels"):
        ew.sssp(ew.Graph.from_edges([(0, 1)]), "Rome")


def test_paths_by_label():
    paths = ew.sssp(TOWNS, "Rome")
    way = paths.path_to(TOWNS.vertex("Paris"))
    assert TOWNS.label(way).tolist() == ["Rome", "Oslo", "Paris"]
    assert TOWNS.table(paths).loc["Paris", "parent"] == "Oslo"
    with pytest.raises(TypeError, match="target must be a vertex id, got 'Paris'; graph.vertex"):
        paths.path_to("Paris")


@pytest.mark.parametrize("name", ["personalization", "dangling"])
def test_shares_by_label(name):
    graph = ew.Graph.from_edges([("a", "b"), ("b", "c"), ("a", "c")], directed=True)
    by_label = ew.pagerank(graph, **{name: {"a": 2, "c": 1}})
    by_position = ew.pagerank(graph, **{name: {0: 2, 2: 1}})
    as_array = ew.pagerank(graph, **{name: [2, 0, 1]})
    assert by_label.tolist() == by_position.tolist() == as_array.tolist()
    with pytest.raises(ValueError, match=f"{name} must be one of the graph's labels, got 'x'"):
        ew.pagerank(graph, **{name: {"x": 1}})


@pytest.mark.parametrize(
    "sources",
    [["Rome", "Oslo"], ["Rome", OSLO], np.array(["Oslo", "Rome"]), pd.Index(["Rome", "Oslo"])],
)
def test_sources_by_label(sources):
    for function in (ew.betweenness_centrality, ew.edge_betweenness_centrality):
        wanted = function(TOWNS, sources=[ROME, OSLO])
        np.testing.assert_allclose(function(TOWNS, sources=sources), wanted)


def test_parents_by_label():
    names = TOWNS.labels.values.tolist()
    parents = ["Rome" for _ in names]
    roots = ew.forest_roots(TOWNS, parents=parents)
    assert TOWNS.label(roots).tolist() == parents


def test_frontiers_by_label():
    assert ew.frontier(TOWNS, "Rome").ids.tolist() == [ROME]
    assert sorted(ew.frontier(TOWNS, ["Rome", "Oslo"]).ids.tolist()) == sorted([ROME, OSLO])
    with pytest.raises(ValueError, match="vertices must be one of the graph's labels"):
        ew.frontier(TOWNS, ["Rome", "Bonn"])


def test_on_a_grid():
    """Labels go along, on every rank."""

    def program(comm):
        graph = distribute(TOWNS, grid=Grid(comm))
        assert graph.labels == TOWNS.labels and graph.to("cpu").labels is graph.labels
        assert graph.vertex("Rome") == ROME and graph.label(ROME) == "Rome"
        assert graph.vertex(["Rome", "Oslo"]).tolist() == [ROME, OSLO]
        assert len(ew.frontier(graph, ["Rome", "Oslo"])) == 2
        return ew.bfs(graph, "Rome").distance.tolist()

    wanted = ew.bfs(TOWNS, "Rome").distance.tolist()
    assert run_threads(program, 2) == [wanted] * 2
