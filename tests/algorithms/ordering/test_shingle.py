"""`shingle` against a sort by the least numbers, one vertex at a time."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

import edgewise as ew
from edgewise import ordering, threads
from tests.algorithms.ordering.oracles import GRAPHS, is_order, neighborhoods, places, runs
from tests.algorithms.samples import graphs, random_graph


def by_hand(graph, shingles=2, seed=0):
    rows = neighborhoods(graph)

    def least(v, turn):
        return min(int(ew.random.bits(seed, u, turn)) >> 1 for u in (v, *rows[v]))

    key = {v: (*(least(v, turn) for turn in range(shingles)), v) for v in range(len(rows))}
    return places(sorted(key, key=key.get))


@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name):
    order = ordering.shingle(GRAPHS[name])
    assert is_order(GRAPHS[name], order) and order.tolist() == by_hand(GRAPHS[name])


@given(graphs(), st.integers(1, 3), st.integers(0, 99))
def test_any_graph(graph, shingles, seed):
    found = ordering.shingle(graph, shingles=shingles, seed=seed)
    assert found.tolist() == by_hand(graph, shingles, seed)


def test_equal_for_any_number_of_threads():
    graph = random_graph(3000, 20_000)
    with threads(1):
        alone = ordering.shingle(graph, seed=3).tolist()
    with threads(3):
        assert ordering.shingle(graph, seed=3).tolist() == alone


def test_alike_neighborhoods_come_together():
    """Cliques, mixed: all of one have the same neighborhood, and so the same shingles."""
    block = [v % 20 for v in range(200)]
    pairs = [(u, v) for u in range(200) for v in range(u) if block[u] == block[v]]
    order = ordering.shingle(ew.Graph.from_edges(*zip(*pairs, strict=True)), seed=5)
    assert runs(order, block) == 20


def test_errors():
    with pytest.raises(ValueError, match="shingles must be at least 1, got 0"):
        ordering.shingle(GRAPHS["path"], shingles=0)
    with pytest.raises(TypeError, match="seed must be a whole number"):
        ordering.shingle(GRAPHS["path"], seed=0.5)
