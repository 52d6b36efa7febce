"""Scores for link prediction: NetworkX's, and the product of degrees; others in test_pairwise."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given

from edgewise import similarity
from tests.algorithms.samples import graphs, random_graph, to_networkx
from tests.algorithms.similarity.oracle import dense


def test_as_networkx():
    graph = random_graph(150, 600).without_self_loops()
    other = to_networkx(graph)
    us, vs = np.random.default_rng(1).integers(0, 150, (2, 800))
    us, vs = us[us != vs], vs[us != vs]
    pairs = list(zip(us.tolist(), vs.tolist(), strict=True))
    known = [score for *_, score in nx.resource_allocation_index(other, pairs)]
    np.testing.assert_allclose(similarity.resource_allocation(graph, pairs=pairs), known)
    known = [score for *_, score in nx.preferential_attachment(other, pairs)]
    assert similarity.preferential_attachment(graph, pairs=pairs).tolist() == known
    known = [len(nx.common_neighbors(other, u, v)) for u, v in pairs]
    found = similarity.common_neighbors(graph, pairs=pairs)
    assert found.tolist() == known
    assert found.dtype.kind == "i"


@given(graphs())
def test_products_of_degrees(graph):
    degrees = (dense(graph) > 0).sum(axis=1)
    a, b, _ = graph.edges()
    found = similarity.preferential_attachment(graph)
    assert found.dtype == np.float64
    assert found.tolist() == (degrees[a] * degrees[b]).tolist()
    everyone = np.arange(graph.num_vertices)
    found = similarity.preferential_attachment(graph, pairs=(everyone, everyone))
    assert found.tolist() == (degrees**2).tolist()


def test_weights_are_ignored():
    graph = random_graph(40, 100)
    weighted = graph.with_weights(np.arange(graph.num_edges) - 3.0)
    for name in ("common_neighbors", "resource_allocation", "preferential_attachment"):
        function = getattr(similarity, name)
        assert function(weighted).tolist() == function(graph).tolist()
