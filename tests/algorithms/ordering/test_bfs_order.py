"""Orders level by level, breadth-first and reverse Cuthill-McKee, against queues."""

from __future__ import annotations

import pytest
from hypothesis import given

from edgewise import ordering, threads
from edgewise.algorithms.ordering import level_order
from tests.algorithms.ordering.oracles import GRAPHS, breadth_first, cuthill_mckee, is_order
from tests.algorithms.samples import graphs, random_graph

ORDERS = [(ordering.bfs_order, breadth_first), (ordering.reverse_cuthill_mckee, cuthill_mckee)]
both = pytest.mark.parametrize(("order", "by_queue"), ORDERS, ids=["bfs", "reverse_cuthill_mckee"])


@both
@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name, order, by_queue):
    found = order(GRAPHS[name])
    assert is_order(GRAPHS[name], found) and found.tolist() == by_queue(GRAPHS[name])


@both
@given(graph=graphs())
def test_any_graph(order, by_queue, graph):
    assert order(graph).tolist() == by_queue(graph)


@both
@pytest.mark.parametrize("wide", [0, 64, 10**9])
def test_wide_levels_narrow_levels_and_both(wide, order, by_queue, monkeypatch):
    monkeypatch.setattr(level_order, "_WIDE", wide)
    graph = random_graph(2000, 6000, seed=1)
    wanted = by_queue(graph)
    for team in (1, 3):
        with threads(team):
            assert order(graph).tolist() == wanted
