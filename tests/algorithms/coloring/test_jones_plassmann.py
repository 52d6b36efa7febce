"""Jones-Plassmann: the colors of a greedy pass in the order of priority, in rounds or not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, coloring, generators, threads
from edgewise.algorithms.coloring import priorities
from edgewise.algorithms.coloring.priorities import PRIORITIES, by_priority
from tests.algorithms.coloring.oracles import GRAPHS, greedy_colors, is_proper
from tests.algorithms.ordering.oracles import is_order, neighborhoods
from tests.algorithms.samples import TEAMS, graphs, random_graph, shape


@pytest.fixture(autouse=True, scope="module", params=["one thread", "rounds"])
def way(request):
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "rounds":
            patch.setattr(priorities, "FEW_THREADS", 0)
        yield


@pytest.mark.parametrize("priority", PRIORITIES)
@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name, priority):
    graph = GRAPHS[name]
    places = by_priority(graph, priority, 2)
    assert is_order(graph, places)
    found = coloring.jones_plassmann(graph, priority=priority, seed=2)
    assert found.tolist() == greedy_colors(graph, places) and is_proper(graph, found)


@given(graphs(directed=False), st.sampled_from(list(PRIORITIES)), st.sampled_from(TEAMS))
def test_any_graph(graph, priority, team):
    with threads(team):
        found = coloring.jones_plassmann(graph, priority=priority)
    assert found.tolist() == greedy_colors(graph, by_priority(graph, priority, 0))


def removal_rounds(graph):
    """Each vertex with at most 9/8 of the average degree is removed: the round, and that degree."""
    rows = [{*row} for row in neighborhoods(graph)]
    left, found, turn = {*range(len(rows))}, {}, 0
    while left:
        degree = {v: len(rows[v] & left) for v in left}
        average = Fraction(sum(degree.values()), len(left))
        gone = {v for v in left if 8 * degree[v] <= 9 * average}
        found |= {v: (turn, degree[v]) for v in gone}
        left, turn = left - gone, turn + 1
    return [found[v] for v in range(len(rows))]


def test_priorities_by_their_definitions():
    graph = random_graph(150, 900, seed=8)
    degree = [len(row) for row in neighborhoods(graph)]
    scores = {
        "approximate_degeneracy": removal_rounds(graph),
        "largest_log_first": [d.bit_length() for d in degree],
        "largest_first": degree,
    }
    for name, score in scores.items():
        listed = [score[v] for v in np.argsort(by_priority(graph, name, 0)).tolist()]
        assert listed == sorted(score, reverse=True)


@pytest.mark.parametrize("size", [63, 64, 65, 150])
def test_more_colors_than_a_word_has_bits(size):
    """A clique in a random graph of as many vertices again, so that windows fill one by one."""
    one, other = random_graph(size, 3 * size, seed=1).edges()[:2]
    (first, second), ids = np.triu_indices(size, 1), np.arange(size)
    graph = Graph.from_edges(np.r_[first, ids, one + size], np.r_[second, ids + size, other + size])
    places = by_priority(graph, "random", 3)
    found = coloring.jones_plassmann(graph, priority="random", seed=3)
    assert found.tolist() == greedy_colors(graph, places) and found.num_colors >= size


def test_seeds_matter_and_threads_do_not():
    graph = generators.rmat(12, seed=2)
    found = []
    for team in (1, 2):
        with threads(team):
            found.append(coloring.jones_plassmann(graph, seed=4))
    assert (found[0] == found[1]).all() and is_proper(graph, found[0])
    assert (found[0] != coloring.jones_plassmann(graph, seed=5)).any()
    assert found[0].num_colors <= 1.1 * coloring.greedy(graph).num_colors


def test_wrong_arguments():
    with pytest.raises(ValueError, match="jones_plassmann needs an undirected graph"):
        coloring.jones_plassmann(shape("path", directed=True))
    with pytest.raises(ValueError, match="priority must be"):
        coloring.jones_plassmann(shape("path"), priority="degree")
