"""`maximum_clique`: a clique as large as the largest of NetworkX's maximal cliques."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import maximum_clique, threads
from edgewise.generators import gnm_random
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def check(graph):
    theirs = to_networkx(graph)
    clique = maximum_clique(graph)
    assert clique.dtype == np.int64 and (np.diff(clique) > 0).all()
    assert all(theirs.has_edge(*pair) for pair in combinations(clique.tolist(), 2))
    theirs.remove_edges_from(list(nx.selfloop_edges(theirs)))
    assert len(clique) == max(map(len, nx.find_cliques(theirs)), default=0)


@given(graphs(directed=False), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        check(graph)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name))


def test_larger_graphs():
    check(random_graph(500, 6000))
    check(gnm_random(60, 1400, seed=1))
    with pytest.raises(ValueError, match="maximum_clique needs an undirected graph"):
        maximum_clique(shape("path", directed=True))
