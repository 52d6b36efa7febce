"""`closeness_centrality`: NetworkX's numbers, of all and of some; samples within their bound."""

from __future__ import annotations

from importlib import import_module

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import Graph, bfs, closeness_centrality, generators, threads
from edgewise.algorithms.distances import all_depths as home
from edgewise.algorithms.traversal import bit_parallel
from edgewise.operators import exploring
from tests.algorithms.samples import (
    SHAPES,
    TEAMS,
    graphs,
    random_graph,
    shape,
    small_and_large,
    to_networkx,
)

way = small_and_large(home, "_STEPS")


def check(graph, known, found, some=None):
    known = np.array([known[v] for v in range(graph.num_vertices)], float)
    if some is not None:
        hidden = np.full(graph.num_vertices, np.nan)
        hidden[some] = known[some]
        known = hidden
    np.testing.assert_allclose(found, known, rtol=1e-12)


@given(graphs(), st.booleans(), st.data(), st.sampled_from(TEAMS))
@settings(max_examples=40)
def test_as_networkx(graph, improved, data, team):
    known = nx.closeness_centrality(to_networkx(graph), wf_improved=improved)
    some = data.draw(st.lists(st.integers(0, graph.num_vertices - 1), max_size=5))
    with threads(team):
        check(graph, known, closeness_centrality(graph, wf_improved=improved))
        found = closeness_centrality(graph, wf_improved=improved, vertices=some)
        check(graph, known, found, some)


@pytest.mark.slow
@given(graphs(lengths=st.integers(0, 5)), st.sampled_from(TEAMS))
@settings(max_examples=40)
def test_by_length_as_networkx(graph, team):
    known = nx.closeness_centrality(to_networkx(graph), distance="weight")
    with threads(team):
        check(graph, known, closeness_centrality(graph, weights="weight"))
        check(graph, known, closeness_centrality(graph, weights="weight", vertices=[0]), [0])
        halves = closeness_centrality(graph, weights=graph.edges()[2] / 2)
    np.testing.assert_allclose(halves, 2 * closeness_centrality(graph, weights="weight"))


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    check(graph, nx.closeness_centrality(to_networkx(graph)), closeness_centrality(graph))


@pytest.mark.parametrize("directed", [False, True])
def test_more_vertices_than_a_sweep_takes(directed):
    graph = random_graph(700, 2000, directed=directed)
    known = nx.closeness_centrality(to_networkx(graph))
    check(graph, known, closeness_centrality(graph))
    check(graph, known, closeness_centrality(graph, vertices=np.arange(600)), np.arange(600))


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("directed", [False, True])
def test_ways_too_long_to_share(directed, beside, monkeypatch):
    """A path of 200, where each search goes alone: for some vertices, for all, and by a sample."""
    monkeypatch.setattr(exploring, "_LARGE", 1)
    monkeypatch.setattr(exploring, "_MANY", 2)
    sums = import_module("edgewise.algorithms.centrality.distance_sums")
    for module in (exploring, bit_parallel, sums):
        monkeypatch.setattr(module, "beside", lambda graph, count: beside)
    u = np.arange(200)
    graph = Graph.from_edges(u, u + 1, directed=directed)
    whole = nx.closeness_centrality(to_networkx(graph))
    some = np.arange(0, 200, 20)
    found = closeness_centrality(graph, vertices=some)
    np.testing.assert_allclose(found[some], [whole[v] for v in some])
    np.testing.assert_allclose(closeness_centrality(graph), [whole[v] for v in range(201)])
    with threads(2):
        few = closeness_centrality(graph, k=20, seed=3)
    assert np.isfinite(few).all() and (directed or abs(few / [*whole.values()] - 1).max() < 0.5)


def test_samples_keep_their_bound():
    graph = generators.grid_2d(12, 15)
    n, k, diameter = 180, 60, 25
    exact = 1 / closeness_centrality(graph)
    bound = diameter * np.sqrt(np.log(2 * n / 0.01) / (2 * k))
    for seed in range(3):
        found = closeness_centrality(graph, k=k, seed=seed)
        assert 0 < np.abs(1 / found - exact).max() < bound
        np.testing.assert_array_equal(closeness_centrality(graph, k=k, seed=seed), found)
    np.testing.assert_allclose(1 / closeness_centrality(graph, k=n), exact)


@pytest.mark.data
@pytest.mark.slow
def test_one_vertex_of_a_large_network(shared_graphs):
    from edgewise import read

    graph = read(shared_graphs / "com-dblp.csv.gz", format="edges")
    distance = bfs(graph, 7).distance
    found = closeness_centrality(graph, vertices=[7, 8])
    assert found[7] == pytest.approx((len(distance) - 1) / distance.sum(dtype=np.int64))


def test_misuse():
    graph = shape("path")
    with pytest.raises(TypeError, match="give k or vertices, not both"):
        closeness_centrality(graph, k=2, vertices=[0])
    with pytest.raises(ValueError, match=r"k must be at most the number of vertices \(150\)"):
        closeness_centrality(graph, k=151)
    with pytest.raises(ValueError, match="weights must name a column .* got 'own'"):
        closeness_centrality(graph, weights="own")
