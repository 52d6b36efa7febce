"""`improve`: proper, and never more colors than before."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import coloring, generators, threads
from edgewise.algorithms.coloring import kempe
from tests.algorithms.coloring.oracles import GRAPHS, is_proper
from tests.algorithms.samples import graphs, random_graph, shape

METHODS = ["iterated_greedy", "kempe"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name, method):
    graph = GRAPHS[name]
    before = coloring.greedy(graph, order="random")
    found = coloring.improve(graph, before, method=method)
    assert is_proper(graph, found) and found.num_colors <= before.num_colors
    assert found.lower_bound <= found.num_colors


@given(graphs(directed=False), st.sampled_from(METHODS), st.integers(0, 2), st.integers(0, 5))
def test_any_graph(graph, method, seed, max_iter):
    start = np.arange(graph.num_vertices) * 3 + 1  # all differ, with gaps
    kept = start.copy()
    found = coloring.improve(graph, start, method=method, seed=seed, max_iter=max_iter)
    assert is_proper(graph, found) and (start == kept).all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("longest", [1, 3, 4096])
def test_chains_of_any_length(method, longest, monkeypatch):
    monkeypatch.setattr(kempe, "_LONGEST", longest)
    graph = random_graph(150, 1200, seed=longest)
    before = coloring.greedy(graph, order="random", seed=2)
    found = coloring.improve(graph, before, method=method, max_iter=10, seed=3)
    assert is_proper(graph, found) and found.num_colors <= before.num_colors


def test_colors_are_saved():
    mesh, web = generators.grid_2d(30, 30), generators.rmat(9, seed=1)
    for method in METHODS:
        assert coloring.improve(mesh, coloring.greedy(mesh, order="random"), method=method,
                                max_iter=60).num_colors <= 3  # fmt: skip
        before = coloring.greedy(web, order="random")
        assert coloring.improve(web, before, method=method).num_colors < before.num_colors


def test_a_chain_that_reaches_a_neighbor_of_the_other_color_is_refused():
    """Vertex 4 sees colors 0, 1 and 2. Exchanges along the path 0 - 1 would not free a color."""
    graph = generators.complete(4)
    assert coloring.improve(graph, [0, 1, 2, 3], method="kempe").num_colors == 4


def test_seeds_and_threads():
    graph = random_graph(200, 1500)
    before = coloring.greedy(graph, order="random")
    for method in METHODS:
        found = []
        for team in (1, 2):
            with threads(team):
                found.append(coloring.improve(graph, before, method=method, seed=5))
        assert (found[0] == found[1]).all()


def test_wrong_arguments():
    path = shape("path")
    with pytest.raises(ValueError, match="improve needs an undirected graph"):
        coloring.improve(shape("path", directed=True), np.arange(150))
    with pytest.raises(ValueError, match="the neighbors 0 and 1 share one"):
        coloring.improve(path, np.zeros(150, int))
    with pytest.raises(ValueError, match="149 has none"):
        coloring.improve(path, 148 - np.arange(150))
    with pytest.raises(ValueError, match="method must be"):
        coloring.improve(path, np.arange(150), method="tabu")
    with pytest.raises(ValueError, match="max_iter"):
        coloring.improve(path, np.arange(150), max_iter=-1)
