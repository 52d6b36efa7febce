"""`strongly_connected_components`: NetworkX's and SciPy's, by both methods, and published ones."""

from __future__ import annotations

import gzip

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, Trace, observe, read, strongly_connected_components, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx

METHODS = ("auto", "search", "coloring")


def known(graph: Graph) -> list[int]:
    """The smallest vertex of every vertex's component, by NetworkX."""
    expected = np.empty(graph.num_vertices, np.int64)
    for component in nx.strongly_connected_components(to_networkx(graph)):
        expected[list(component)] = min(component)
    return expected.tolist()


@given(graphs(directed=True, most=20), st.sampled_from(TEAMS), st.sampled_from(METHODS))
def test_any_graph(graph, team, method):
    with threads(team):
        assert strongly_connected_components(graph, method=method).tolist() == known(graph)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name, directed=True)
    for team in TEAMS:
        for method in METHODS:
            with threads(team):
                label = strongly_connected_components(graph, method=method)
            assert label.dtype == graph.indices.dtype and label.tolist() == known(graph)


@pytest.mark.parametrize("edges", [1000, 6000, 20_000])
def test_agrees_with_scipy(edges):
    from scipy.sparse.csgraph import connected_components as other

    graph = random_graph(4000, edges, directed=True)
    count, theirs = other(graph.to_scipy(), connection="strong")
    for team in TEAMS:
        for method in METHODS:
            with threads(team):
                label = strongly_connected_components(graph, method=method)
            assert len(np.unique(label)) == count
            assert len(np.unique(np.stack([theirs, label]), axis=1).T) == count


@pytest.mark.parametrize(
    ("step", "team", "at_once"), [(3, 2, True), (3, 8, False), (2999, 2, False)]
)
def test_edges_that_lead_near_are_searched_at_once(step, team, at_once, monkeypatch):
    monkeypatch.setattr("edgewise.operators.sequential._NEAR", 100)
    u = np.arange(6000)
    graph = Graph.from_edges(np.r_[u, u[:3000]], np.r_[(u + step) % 6000, u[:3000]], directed=True)
    with threads(team), observe(Trace()) as seen:
        label = strongly_connected_components(graph)
    assert label.tolist() == known(graph)
    assert ("trim" not in [row.get("phase") for row in seen.rows]) == at_once


@pytest.mark.parametrize("turned", [False, True])
def test_a_chain_of_pairs_takes_few_turns(turned):
    """2,000 components in a row, none of which trimming finds: every turn parts them."""
    pairs = np.arange(4000).reshape(-1, 2)
    links = np.stack([pairs[:-1, 1], pairs[1:, 0]])
    links = links[::-1] if turned else links
    ends = np.concatenate([pairs.T, pairs.T[::-1], links], axis=1)
    graph = Graph.from_edges(*ends, directed=True)
    with observe(Trace()) as seen:
        label = strongly_connected_components(graph, method="coloring")
    assert label.tolist() == (pairs[:, :1] + [[0, 0]]).ravel().tolist()
    assert len([row for row in seen.rows if row.get("phase") == "coloring"]) < 40


@pytest.mark.data
def test_components_of_a_web_crawl(shared_graphs):
    """Those that come with the file were found by the WebGraph framework."""
    graph = read(shared_graphs / "cnr-2000.txt.gz", directed=True)
    label = strongly_connected_components(graph)
    assert len(np.unique(label)) == 100_977
    with gzip.open(shared_graphs / "cnr-2000.scc.txt.gz", "rt") as file:
        theirs = np.loadtxt(file, np.int64)
    theirs = theirs.reshape(-1) if theirs.ndim == 1 else theirs[:, -1]
    assert len(np.unique(np.stack([theirs, label]), axis=1).T) == 100_977 == len(np.unique(theirs))
    assert (strongly_connected_components(graph, method="coloring") == label).all()


def test_wrong_arguments():
    with pytest.raises(ValueError, match="strongly_connected_components needs a directed graph"):
        strongly_connected_components(shape("path"))
    with pytest.raises(ValueError, match="method must be one of 'auto', 'search', 'coloring'"):
        strongly_connected_components(shape("path", directed=True), method="guessing")
