"""`aggregates`: roots are three edges apart, and every group is a root with what is near it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import edgewise as ew
from edgewise import coloring, generators
from tests.algorithms.coloring.oracles import GRAPHS
from tests.algorithms.coloring.test_distance_2 import two_hops
from tests.algorithms.ordering.oracles import neighborhoods
from tests.algorithms.samples import TEAMS, graphs, random_graph, shape


def check(graph, labels):
    near, rows = two_hops(graph), [{*row} for row in neighborhoods(graph)]
    roots = {v for v, label in enumerate(labels.tolist()) if label == v}
    assert set(labels.tolist()) == roots
    assert all(not near[root] & roots for root in roots)
    for v, label in enumerate(labels.tolist()):
        if v in roots:
            continue
        mine = rows[v] & roots
        assert label in near[v]
        if mine:
            assert mine == {label}
        else:  # joins the group of most neighbors that a root has, the smallest of equals
            votes = [int(labels[u]) for u in rows[v] if rows[u] & roots]
            assert label == min(set(votes), key=lambda one: (-votes.count(one), one))


@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name):
    if name != "parallel edges":  # votes count them twice
        check(GRAPHS[name], coloring.aggregates(GRAPHS[name]))


@given(graphs(directed=False), st.integers(0, 5))
def test_any_graph(graph, seed):
    check(graph, coloring.aggregates(graph, seed=seed))


def test_same_for_any_number_of_threads():
    graph, found = random_graph(4000, 9000, seed=2), []
    for team in TEAMS:
        with ew.threads(team):
            found.append(coloring.aggregates(graph, seed=3).tolist())
    assert found[0] == found[1] == found[2]
    assert found[0] != coloring.aggregates(graph, seed=4).tolist()


def test_a_coarse_mesh():
    mesh = generators.grid_2d(60, 60)
    coarse = mesh.contract(coloring.aggregates(mesh))
    assert 5 <= mesh.num_vertices / coarse.graph.num_vertices <= 9
    assert np.unique(ew.connected_components(coarse.graph)).tolist() == [0]


def test_directed_graphs_are_refused():
    with pytest.raises(ValueError, match="aggregates needs an undirected graph"):
        coloring.aggregates(shape("path", directed=True))
