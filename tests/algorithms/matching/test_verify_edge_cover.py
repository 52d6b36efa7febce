"""`verify_edge_cover` finds every fault, and says which."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.algorithms.matching import Selection, verify_edge_cover
from edgewise.graph import Graph
from tests.algorithms.samples import graphs

# Edges: 0: 0-1, 1: 1-2, 2: 2-2, 3: 2-3
PATH = Graph.from_edges([0, 1, 2, 2], [1, 2, 3, 2], weights=[1.0, 2.0, 3.0, 9.0])


@pytest.mark.parametrize(
    ("edges", "b", "reason"),
    [
        ([0, 3], 1, None),
        ([0, 1, 3], [1, 2, 1, 1], None),
        ([], 0, None),
        ([0], [1, 1, 0, 0], None),
        ([0, 1], 1, "vertex 3 has 0 edges and needs 1"),
        ([0, 3], [1, 2, 1, 1], "vertex 1 has 1 edges and needs 2"),
        ([0, 4], 1, "there is no edge 4"),
        ([-1, 0], 1, "there is no edge -1"),
        ([0, 2, 3], 1, "edge 2 (2 - 2) is a self-loop"),
        ([0, 3, 3], 1, "edge 3 is there twice"),
        ([0.0, 3.0], 1, "edges must be whole numbers, got float64 of shape (2,)"),
        ([[0, 3]], 1, "edges must be whole numbers, got int64 of shape (1, 2)"),
    ],
)
def test_valid_or_not(edges, b, reason):
    verdict = verify_edge_cover(PATH, np.array(edges) if edges else np.empty(0, int), b)
    assert verdict == (reason is None, reason is None, reason)


def test_redundant():
    assert verify_edge_cover(PATH, [0, 1, 3]) == (True, False, "edge 1 (1 - 2) is redundant")


def test_sums():
    edges = np.array([0, 3])
    assert verify_edge_cover(PATH, Selection(edges, 4.0, 2)).valid
    assert verify_edge_cover(PATH, Selection(edges, 4.0, 3)).reason == "the cardinality is 2, not 3"
    assert verify_edge_cover(PATH, Selection(edges, 5.0, 2)).reason == "the weight is 4.0, not 5.0"
    assert verify_edge_cover(PATH, Selection(edges, 2.0, 2), weights=None).valid


@given(graphs(directed=False), st.integers(0, 2), st.data())
def test_as_counted_by_hand(graph, b, data):
    u, v, _ = graph.edges()
    ids = np.flatnonzero(u < v).tolist()
    edges = data.draw(st.lists(st.sampled_from(ids), unique=True)) if ids else []
    have = [0] * graph.num_vertices
    for e in edges:
        have[u[e]] += 1
        have[v[e]] += 1
    valid = min(have) >= b
    minimal = valid and not any(have[u[e]] > b and have[v[e]] > b for e in edges)
    verdict = verify_edge_cover(graph, np.array(edges, np.int64), b)
    assert (verdict.valid, verdict.minimal) == (valid, minimal)
    assert (verdict.reason is None) == minimal
