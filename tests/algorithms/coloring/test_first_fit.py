"""Greedy coloring: the orders by their laws, the colors by a pass in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import edgewise as ew
from edgewise import coloring, core_number, generators, ordering, threads
from edgewise.algorithms.coloring import first_fit as home
from edgewise.algorithms.coloring.orders import ORDERS, positions_for
from tests.algorithms.coloring.oracles import GRAPHS, greedy_colors, is_proper
from tests.algorithms.ordering.oracles import is_order, neighborhoods
from tests.algorithms.samples import TEAMS, graphs, random_graph, shape


@pytest.fixture(autouse=True, scope="module", params=["one thread", "rounds"])
def way(request):
    """All tests of this module run twice: the second time as on other engines."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "rounds":
            patch.setattr(home, "_alone", home._anywhere)
        yield


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name, order):
    graph = GRAPHS[name]
    positions = positions_for(graph, order, 3)
    assert is_order(graph, positions)
    found = coloring.greedy(graph, order=order, seed=3)
    assert found.tolist() == greedy_colors(graph, positions) and found.dtype == np.int64
    assert is_proper(graph, found)
    assert coloring.greedy(graph, order=positions).tolist() == found.tolist()


@given(graphs(directed=False), st.sampled_from(ORDERS), st.sampled_from(TEAMS), st.integers(0, 3))
def test_any_graph(graph, order, team, seed):
    with threads(team):
        found = coloring.greedy(graph, order=order, seed=seed)
    assert found.tolist() == greedy_colors(graph, positions_for(graph, order, seed))


def chosen_in_turn(graph, positions, score):
    """Is each vertex, in its turn, one of the largest score? It is given colored neighbors."""
    rows, done = neighborhoods(graph), set()
    for v in np.argsort(positions).tolist():
        left = [u for u in range(graph.num_vertices) if u not in done]
        if score(rows[v], done) < max(score(rows[u], done) for u in left):
            return False
        done.add(v)
    return True


@pytest.mark.parametrize(
    ("order", "score"),
    [
        ("incidence_degree", lambda row, done: sum(u in done for u in row)),
        ("dynamic_largest_first", lambda row, done: sum(u not in done for u in row)),
        ("largest_first", lambda row, done: len(row)),
    ],
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_orders_follow_their_rule(order, score, seed):
    graph = random_graph(60, 250, seed=seed)
    assert chosen_in_turn(graph, positions_for(graph, order), score)


def test_smallest_last_is_that_of_the_ordering_family():
    graph = random_graph(100, 500)
    assert (positions_for(graph, "smallest_last") == ordering.smallest_last(graph)).all()
    colors = coloring.greedy(graph)
    assert colors.num_colors <= core_number(graph).max() + 1


def test_threads_do_not_matter():
    graph = generators.rmat(12, seed=2)
    for order in ("smallest_last", "random"):
        found = []
        for team in (1, 2):
            with threads(team):
                found.append(coloring.greedy(graph, order=order))
        assert (found[0] == found[1]).all() and is_proper(graph, found[0])


def test_wrong_arguments():
    with pytest.raises(ValueError, match="greedy needs an undirected graph"):
        coloring.greedy(shape("path", directed=True))
    with pytest.raises(ValueError, match="order must be"):
        coloring.greedy(shape("path"), order="largest")
    with pytest.raises(ValueError, match="hold each of 0 to 149 once"):
        coloring.greedy(shape("path"), order=np.zeros(150, int))
    with pytest.raises((ValueError, TypeError), match="seed"):
        coloring.greedy(shape("path"), seed="one")


@pytest.mark.data
@pytest.mark.parametrize(("name", "most"), [("rotor", 9), ("4elt", 4)])
def test_real_meshes(shared_graphs, name, most):
    """As many colors as ColPack needs in the same order."""
    graph = ew.read(shared_graphs / f"{name}.graph.gz")
    found = coloring.greedy(graph)
    assert is_proper(graph, found) and found.num_colors <= most
