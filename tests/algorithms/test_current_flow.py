"""Current-flow centralities: NetworkX's numbers, and dense inverses by component."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import (
    Graph,
    current_flow_betweenness_centrality,
    current_flow_closeness_centrality,
    generators,
)
from tests.algorithms.samples import SHAPES, graphs, shape, to_networkx


def oracle(graph, weights=None):
    """Resistances and currents of every pair, by the pseudoinverse of each component."""
    n = graph.num_vertices
    conductance = np.zeros((n, n))
    u, v, _ = graph.arcs()
    conductance[u, v] = 1.0 if weights is None else weights
    np.fill_diagonal(conductance, 0)
    close, between = np.zeros(n), np.zeros(n)
    for members in nx.connected_components(nx.from_numpy_array(conductance)):
        part = sorted(members)
        inside = conductance[np.ix_(part, part)]
        laplacian = np.diag(inside.sum(axis=1)) - inside
        inverse = np.linalg.pinv(laplacian, rcond=1e-12)
        resistance = np.add.outer(np.diag(inverse), np.diag(inverse)) - 2 * inverse
        if len(part) > 1:
            close[part] = 1 / resistance.sum(axis=1)
        for s, t in combinations(range(len(part)), 2):
            potential = inverse[:, s] - inverse[:, t]
            flow = inside * np.abs(np.subtract.outer(potential, potential))
            through = flow.sum(axis=1) / 2
            through[[s, t]] = 0
            between[part] += through
    return close, between


def check(graph, **options):
    close, between = oracle(graph, graph.weights if options else None)
    found = current_flow_closeness_centrality(graph, **options)
    np.testing.assert_allclose(found, close, rtol=1e-7, atol=1e-12)
    found = current_flow_betweenness_centrality(graph, normalized=False, **options)
    np.testing.assert_allclose(found, between, rtol=1e-7, atol=1e-7)


@given(graphs(directed=False))
def test_any_graph(graph):
    check(graph)


@given(graphs(directed=False, lengths=st.sampled_from([0.0, 0.5, 1.0, 3.0])))
def test_weights(graph):
    check(graph, weights="weight")


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name))


def test_as_networkx():
    graph = generators.karate_club()
    other = to_networkx(graph)
    known = nx.current_flow_closeness_centrality(other)
    found = current_flow_closeness_centrality(graph)
    np.testing.assert_allclose(found, [known[v] for v in range(34)])
    for normalized in (True, False):
        known = nx.current_flow_betweenness_centrality(other, normalized=normalized)
        found = current_flow_betweenness_centrality(graph, normalized=normalized)
        np.testing.assert_allclose(found, [known[v] for v in range(34)], atol=1e-12)


def test_many_blocks(monkeypatch):
    graph = generators.watts_strogatz(200, 6, p=0.3)
    whole = (
        current_flow_closeness_centrality(graph),
        current_flow_betweenness_centrality(graph),
    )
    monkeypatch.setattr("edgewise.algorithms.centrality.current_flow._BLOCK", 1400)
    np.testing.assert_allclose(current_flow_closeness_centrality(graph), whole[0])
    np.testing.assert_allclose(current_flow_betweenness_centrality(graph), whole[1])


def test_conductances_scale():
    graph = Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 3], np.array([1.0, 2.0, 3.0, 0.5]))
    plain = current_flow_closeness_centrality(graph, weights="weight")
    between = current_flow_betweenness_centrality(graph, weights="weight")
    for factor in (1e-200, 1e200):
        scaled = graph.with_weights(graph.edges()[2] * factor)
        found = current_flow_closeness_centrality(scaled, weights="weight")
        np.testing.assert_allclose(found, plain * factor)
        found = current_flow_betweenness_centrality(scaled, weights="weight")
        np.testing.assert_allclose(found, between)


def test_errors():
    for function in (current_flow_closeness_centrality, current_flow_betweenness_centrality):
        with pytest.raises(ValueError, match="undirected"):
            function(generators.gnm_random(5, 6, directed=True))
        with pytest.raises(ValueError, match="negative"):
            function(Graph.from_edges([0], [1], [-1.0]), weights="weight")
