"""What the tests of the generators share."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy.stats import chi2


@pytest.fixture
def edge_set():
    """The undirected edges of a graph as sorted pairs, checked to be stored once each way."""

    def edges(graph):
        sources, targets, _ = graph.arcs()
        arcs = list(zip(sources.tolist(), targets.tolist(), strict=True))
        assert len(set(arcs)) == len(arcs)
        if not graph.directed:
            assert {(v, u) for u, v in arcs} == set(arcs)
            return {(u, v) for u, v in arcs if u <= v}
        return set(arcs)

    return edges


@pytest.fixture
def as_networkx(edge_set):
    def convert(graph):
        result = nx.DiGraph() if graph.directed else nx.Graph()
        result.add_nodes_from(range(graph.num_vertices))
        result.add_edges_from(edge_set(graph))
        return result

    return convert


@pytest.fixture
def same_as(edge_set):
    """Has the graph the vertices and edges of a NetworkX graph with vertices 0..n-1?"""

    def check(graph, expected):
        assert graph.num_vertices == expected.number_of_nodes()
        assert graph.num_edges == expected.number_of_edges()
        assert edge_set(graph) == {(min(e), max(e)) for e in expected.edges()}

    return check


@pytest.fixture
def chi_square():
    """The probability of counts at least this far from the expected ones, if those are right."""

    def p_value(observed, expected, lost=1):
        observed, expected = np.ravel(observed), np.ravel(expected)
        assert expected.min() >= 5, "the test needs more samples"
        statistic = ((observed - expected) ** 2 / expected).sum()
        return chi2.sf(statistic, len(observed) - lost)

    return p_value
