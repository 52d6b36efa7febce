"""`distance_2`: no two vertices at distance 1 or 2 share a color; greedy is the plain greedy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import edgewise as ew
from edgewise import coloring, generators
from edgewise.algorithms.coloring.orders import ORDERS, positions_for
from tests.algorithms.coloring.oracles import GRAPHS, breaks
from tests.algorithms.ordering.oracles import neighborhoods
from tests.algorithms.samples import TEAMS, graphs, random_graph, shape

METHODS = ("greedy", "speculative")


def two_hops(graph):
    """The vertices at distance 1 or 2 of each vertex."""
    rows = [{*row} for row in neighborhoods(graph)]
    return [(row | {x for u in row for x in rows[u]}) - {v} for v, row in enumerate(rows)]


def plain_greedy(graph, positions):
    near, color = two_hops(graph), {}
    for v in np.argsort(np.asarray(positions)).tolist():
        taken = {color[u] for u in near[v] if u in color}
        color[v] = next(c for c in range(len(taken) + 1) if c not in taken)
    return [color[v] for v in range(graph.num_vertices)]


def check(graph, colors):
    near = two_hops(graph)
    assert all(colors[u] != colors[v] for v, row in enumerate(near) for u in row)
    assert colors.lower_bound <= colors.num_colors <= max(map(len, near), default=-1) + 1


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("method", METHODS)
def test_odd_graphs(name, method):
    check(GRAPHS[name], coloring.distance_2(GRAPHS[name], method=method))


@pytest.mark.parametrize("order", ORDERS)
def test_greedy_is_the_plain_greedy_in_that_order(order):
    for seed in range(3):
        graph = random_graph(120, 300, seed=seed)
        found = coloring.distance_2(graph, order=order, method="greedy", seed=seed)
        assert found.tolist() == plain_greedy(graph, positions_for(graph, order, seed))


def test_long_rows_and_large_colors():
    """Colors beyond the bits of short rows are found by their pins."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        hubs = np.repeat(np.arange(3), 150), 3 + rng.integers(0, 500, 450)
        chain = np.arange(3, 502), np.arange(4, 503)
        graph = ew.Graph.from_edges(*np.hstack([hubs, chain]))
        places = np.random.default_rng(seed).permutation(graph.num_vertices)
        found = coloring.distance_2(graph, order=places)
        assert found.tolist() == plain_greedy(graph, places)
        assert found.num_colors > 128
        check(graph, coloring.distance_2(graph, method="speculative", seed=seed))


@given(graphs(directed=False), st.sampled_from(METHODS), st.integers(0, 5))
def test_any_graph(graph, method, seed):
    colors = coloring.distance_2(graph, method=method, seed=seed)
    assert not breaks(graph, colors, "distance_2")
    assert coloring.verify_coloring(graph, colors, kind="distance_2").valid


def test_same_seed_same_colors_for_any_number_of_threads():
    graph = random_graph(3000, 9000, seed=2)
    found = []
    for team in TEAMS:
        with ew.threads(team):
            found.append(coloring.distance_2(graph, method="speculative", seed=5).tolist())
    assert found[0] == found[1] == found[2]
    assert found[0] != coloring.distance_2(graph, method="speculative", seed=6).tolist()


def test_known_numbers():
    assert coloring.distance_2(shape("clique")).num_colors == 12
    assert coloring.distance_2(shape("star")).num_colors == 40
    assert coloring.distance_2(shape("path")).num_colors == 3
    mesh = generators.grid_2d(40, 40)
    assert 5 <= coloring.distance_2(mesh).num_colors <= 9
    assert 5 <= coloring.distance_2(mesh, method="speculative").num_colors <= 11
    for method in METHODS:
        assert coloring.distance_2(mesh, method=method).lower_bound == 5


@pytest.mark.parametrize(
    ("graph", "rounds"),
    [
        (generators.grid_2d(60, 60), 40),
        (generators.grid_3d(12, 12, layers=12, diagonals=True), 60),
        (generators.rmat(11, seed=2), 80),
        (generators.star(5000), 80),
    ],
    ids=["grid", "cube", "rmat", "star"],
)
def test_speculative_needs_few_colors_and_few_rounds(graph, rounds):
    turns = []
    with ew.observe(lambda turn, **facts: turns.append(facts.get("phase"))):
        found = coloring.distance_2(graph, method="speculative")
    assert found.num_colors <= 1.1 * coloring.distance_2(graph, order="random").num_colors
    assert turns.count("distance_2") <= rounds
    assert coloring.verify_coloring(graph, found, kind="distance_2").valid


@pytest.mark.data
def test_cnr_2000_in_proportion_to_its_edges(shared_graphs):
    """Its 15.7 billion paths of two edges would take a minute."""
    graph = ew.read(shared_graphs / "cnr-2000.txt.gz").to_undirected()
    colors = coloring.distance_2(graph)
    assert colors.num_colors == 18237 == colors.lower_bound
    assert not ew.mark_duplicates(graph, None, colors, closed=True).any()


def test_errors():
    with pytest.raises(ValueError, match="distance_2 needs an undirected graph"):
        coloring.distance_2(shape("path", directed=True))
    with pytest.raises(ValueError, match="method must be one of 'auto', 'greedy', 'speculative'"):
        coloring.distance_2(shape("path"), method="fast")
    with pytest.raises(ValueError, match="order must be one of"):
        coloring.distance_2(shape("path"), order="fast")
    with pytest.raises(ValueError, match="order belongs to the greedy method"):
        coloring.distance_2(shape("path"), order="natural", method="speculative")
