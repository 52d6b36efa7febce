"""`balance`: proper, no more colors, and class sizes that come together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, coloring, generators
from tests.algorithms.coloring.oracles import GRAPHS, is_proper
from tests.algorithms.samples import graphs, shape

METHODS = ["shuffling", "guided"]


def check(graph, before, found, ratio):
    colors = found.colors
    assert is_proper(graph, colors) and colors.num_colors <= before.num_colors
    sizes = colors.class_sizes()
    if len(sizes):
        assert found.ratio == pytest.approx(sizes.max() / sizes.mean())
    assert found.reached == (found.ratio <= ratio)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name, method):
    graph = GRAPHS[name]
    before = coloring.greedy(graph)
    kept = before.labels.copy()
    check(graph, before, coloring.balance(graph, before, method=method), 1.05)
    assert (before == kept).all()


@given(graphs(directed=False), st.sampled_from(METHODS), st.sampled_from([1, 1.05, 2.0]))
def test_any_graph(graph, method, ratio):
    before = coloring.greedy(graph, order="natural")
    check(graph, before, coloring.balance(graph, before, method=method, ratio=ratio), ratio)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "graph",
    [generators.grid_2d(40, 41), generators.gnm_random(3000, 12_000, seed=2)],
    ids=["grid", "random"],
)
def test_skewed_classes_are_evened_out(graph, method):
    """First fit fills the first classes; a mesh and a random graph allow even ones."""
    before = coloring.greedy(graph, order="random", seed=1)
    found = coloring.balance(graph, before, method=method, ratio=1.1)
    check(graph, before, found, 1.1)
    skew = before.class_sizes().max() / before.class_sizes().mean()
    assert skew > 1.3 and found.reached


@pytest.mark.parametrize("method", METHODS)
def test_many_classes_become_equal(method):
    """A complete graph needs as many colors as vertices; vertices without edges fill them."""
    u, v = np.triu_indices(60, 1)
    graph = Graph.from_edges(u, v, num_vertices=3000)
    before = coloring.greedy(graph, order="natural")
    assert before.class_sizes().max() == 2941
    found = coloring.balance(graph, before, method=method, ratio=1.0)
    check(graph, before, found, 1.0)
    assert found.colors.class_sizes().tolist() == [50] * 60


def test_what_cannot_be_balanced_is_said():
    star = shape("star")
    for method in METHODS:
        found = coloring.balance(star, coloring.greedy(star), method=method)
        assert not found.reached and found.ratio == pytest.approx(39 / 20)


def test_shuffling_stops_at_the_ratio():
    graph = generators.gnm_random(2000, 6000, seed=3)
    before = coloring.greedy(graph)
    moved = [
        (coloring.balance(graph, before, ratio=ratio).colors != before).sum()
        for ratio in (1.0, 1.5, 100.0)
    ]
    assert moved[0] > moved[1] > moved[2] == 0


def test_wrong_arguments():
    path = shape("path")
    with pytest.raises(ValueError, match="balance needs an undirected graph"):
        coloring.balance(shape("path", directed=True), np.arange(150))
    with pytest.raises(ValueError, match="the neighbors 0 and 1 share one"):
        coloring.balance(path, np.zeros(150, int))
    with pytest.raises(ValueError, match="ratio must be at least 1, got 0.5"):
        coloring.balance(path, np.arange(150), ratio=0.5)
    with pytest.raises(ValueError, match="method must be"):
        coloring.balance(path, np.arange(150), method="least_used")
