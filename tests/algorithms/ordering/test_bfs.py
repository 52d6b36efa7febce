"""Breadth-first order against a queue."""

from __future__ import annotations

import pytest
from hypothesis import given

from edgewise import ordering, threads
from edgewise.algorithms.ordering import levels
from tests.algorithms.ordering.oracles import GRAPHS, components, is_order, neighborhoods, places
from tests.algorithms.samples import graphs, random_graph


def by_queue(graph):
    return places([v for part in components(neighborhoods(graph)) for v in part])


@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name):
    order = ordering.bfs(GRAPHS[name])
    assert is_order(GRAPHS[name], order) and order.tolist() == by_queue(GRAPHS[name])


@given(graphs())
def test_any_graph(graph):
    assert ordering.bfs(graph).tolist() == by_queue(graph)


@pytest.mark.parametrize("wide", [0, 64, 10**9])
def test_wide_levels_narrow_levels_and_both(wide, monkeypatch):
    monkeypatch.setattr(levels, "_WIDE", wide)
    graph = random_graph(2000, 6000, seed=1)
    wanted = by_queue(graph)
    for team in (1, 3):
        with threads(team):
            assert ordering.bfs(graph).tolist() == wanted
