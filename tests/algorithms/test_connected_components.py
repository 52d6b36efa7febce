"""`connected_components` and `weakly_connected_components`: closure, and SciPy's and NetworkX's."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import (
    Graph,
    Trace,
    connected_components,
    observe,
    threads,
    weakly_connected_components,
)
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx
from tests.algorithms.verify import check_components

METHODS = ("sampling", "hooking", "multistep", "propagation")


@given(graphs(), st.sampled_from(TEAMS), st.sampled_from(METHODS))
def test_any_graph(graph, team, method):
    with threads(team):
        label = weakly_connected_components(graph, method=method)
    check_components(graph, label)
    if not graph.directed:
        assert connected_components(graph).tolist() == label.tolist()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed, method):
    graph = shape(name, directed=directed)
    known = nx.weakly_connected_components if directed else nx.connected_components
    expected = np.empty(graph.num_vertices, np.int64)
    for component in known(to_networkx(graph)):
        expected[list(component)] = min(component)
    for team in TEAMS:
        with threads(team):
            label = weakly_connected_components(graph, method=method)
        check_components(graph, label)
        assert label.dtype == graph.indices.dtype and label.tolist() == expected.tolist()


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("edges", [1000, 3000, 20_000])
def test_agrees_with_scipy(edges, directed):
    from scipy.sparse.csgraph import connected_components as other

    graph = random_graph(4000, edges, directed=directed)
    count, known = other(graph.to_scipy(), directed=directed, connection="weak")
    for team, method in itertools.product(TEAMS, METHODS):
        with threads(team):
            label = weakly_connected_components(graph, method=method)
        check_components(graph, label)
        assert len(np.unique(label)) == count == len(np.unique(np.stack([known, label]), axis=1).T)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("team", TEAMS)
def test_long_chains_in_shuffled_order(team, method):
    """Trees as deep as can be: every link meets long chains of labels."""
    order = np.random.default_rng(3).permutation(30_000)
    chains = order.reshape(3, 10_000)
    graph = Graph.from_edges(chains[:, :-1].ravel(), chains[:, 1:].ravel(), directed=True)
    with threads(team):
        label = weakly_connected_components(graph, method=method)
    for chain in chains:
        assert (label[chain] == chain.min()).all()


@pytest.mark.parametrize("team", TEAMS)
def test_components_joined_by_late_in_edges_alone(team):
    """The giant is left out of the last pass: only in-edges from it show that others belong to it.

    Each outsider is the last out-neighbor of one member of the giant and has no out-edges.
    """
    n, outside = 3000, 500
    ring = np.arange(n)
    sources = np.concatenate([ring, ring, ring[:outside]])
    targets = np.concatenate([(ring + 1) % n, (ring + 2) % n, n + np.arange(outside)])
    graph = Graph.from_edges(sources, targets, directed=True)
    with threads(team):
        assert weakly_connected_components(graph).tolist() == [0] * (n + outside)


def test_hooking_takes_few_rounds():
    """A label would have to walk along 10,000 edges."""
    order = np.random.default_rng(4).permutation(10_000)
    for chain in (order, np.sort(order)):
        with observe(Trace()) as seen:
            connected_components(Graph.from_edges(chain[:-1], chain[1:]), method="hooking")
        assert len([row for row in seen.rows if row.get("phase") == "hook"]) < 20


@pytest.mark.parametrize("direction", ["push", "pull"])
def test_directions_of_propagation(direction):
    graph = random_graph(4000, 3000, directed=True)
    expected = weakly_connected_components(graph).tolist()
    found = weakly_connected_components(graph, method="propagation", direction=direction)
    assert found.tolist() == expected
    with pytest.raises(TypeError, match="direction '.*' requires method 'propagation'"):
        weakly_connected_components(graph, direction=direction)


def test_unknown_choices():
    graph = shape("path")
    with pytest.raises(ValueError, match="method must be one of 'auto', 'sampling', 'hooking'"):
        connected_components(graph, method="flooding")
    with pytest.raises(ValueError, match="direction must be one of 'auto'"):
        connected_components(graph, method="propagation", direction="sideways")


def test_weights_do_not_matter_and_nothing_is_changed():
    graph = Graph.from_edges([0, 2], [1, 3], [0.0, -1.0])
    before = graph.copy()
    assert connected_components(graph).tolist() == [0, 0, 2, 2]
    assert graph == before


def test_directed_graphs_are_turned_away():
    with pytest.raises(ValueError, match="connected_components needs an undirected graph; weakly"):
        connected_components(shape("path", directed=True))


def test_multistep_where_the_hub_is_in_a_small_component():
    """A star of 20 beside a cycle of 500."""
    star = np.zeros(20, int), np.arange(1, 21)
    cycle = np.arange(500) + 30, np.roll(np.arange(500) + 30, 1)
    graph = Graph.from_edges(np.r_[star[0], cycle[0]], np.r_[star[1], cycle[1]])
    found = connected_components(graph, method="multistep")
    np.testing.assert_array_equal(found, connected_components(graph))
    assert found.num_components == 11 and found.sizes().max() == 500
