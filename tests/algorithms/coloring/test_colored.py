"""`Coloring`: an array with the number of colors, class sizes and a lower bound."""

from __future__ import annotations

import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from edgewise import coloring, core_number, generators
from edgewise.algorithms.coloring import colored as home
from edgewise.algorithms.coloring.clique_bound import clique_bound
from tests.algorithms.coloring.oracles import GRAPHS
from tests.algorithms.samples import graphs, random_graph, to_networkx


def clique_number(graph):
    twin = to_networkx(graph.without_self_loops())
    return max((len(one) for one in nx.find_cliques(twin)), default=0)


@pytest.mark.parametrize("name", GRAPHS)
def test_bounds_of_odd_graphs(name):
    graph = GRAPHS[name]
    found = coloring.greedy(graph)
    assert found.lower_bound <= found.num_colors
    assert found.lower_bound <= clique_number(graph)
    assert found.lower_bound >= min(2, 1 + int(graph.without_self_loops().num_edges > 0)) * bool(
        graph.num_vertices
    )


@given(graphs(directed=False))
def test_a_bound_is_the_size_of_a_clique(graph):
    assert 1 <= clique_bound(graph) <= clique_number(graph) <= core_number(graph).max() + 1


def test_a_planted_clique_is_found():
    graph = random_graph(400, 1500, seed=6)
    u, v, _ = graph.edges()
    inside = np.random.default_rng(1).permutation(400)[:15]
    a, b = np.meshgrid(inside, inside)
    both = generators.path(2).from_edges(
        np.concatenate([u, a[a < b]]), np.concatenate([v, b[a < b]]), num_vertices=400
    )
    assert clique_bound(both) == 15 == coloring.greedy(both).lower_bound


def test_what_is_shown(monkeypatch):
    graph = generators.complete(5)
    found = coloring.greedy(graph)
    assert repr(found).startswith("Coloring(5 colors of 5 vertices, lower bound 5)\n")
    monkeypatch.setattr(home, "_SHOWN", 3)
    large = coloring.greedy(graph)
    assert repr(large).startswith("Coloring(5 colors of 5 vertices)\n")  # not computed to be shown
    assert large.lower_bound == 5
    assert repr(large).startswith("Coloring(5 colors of 5 vertices, lower bound 5)\n")


def test_pickling_keeps_the_bound_and_leaves_the_graph_out():
    found = coloring.greedy(generators.complete(4))
    with pytest.raises(ValueError, match=r"Coloring\(colors, graph\)"):
        _ = pickle.loads(pickle.dumps(found)).lower_bound
    assert found.lower_bound == 4
    again = pickle.loads(pickle.dumps(found))
    assert again.lower_bound == 4 and (again == found).all()
    with pytest.raises(ValueError, match=r"Coloring\(colors, graph\)"):
        _ = coloring.Coloring([0, 1]).lower_bound
    assert coloring.Coloring([0, 1], generators.path(2)).lower_bound == 2


def test_classes_are_independent_sets():
    graph = random_graph(100, 400)
    found = coloring.greedy(graph)
    groups = found.groups()
    assert [len(group) for group in groups] == found.class_sizes().tolist()
    assert list(map(list, coloring.independent_sets(found.labels))) == list(map(list, groups))
    u, v, _ = graph.arcs()
    for group in groups:
        inside = np.isin(u, group) & np.isin(v, group) & (u != v)
        assert not inside.any()
