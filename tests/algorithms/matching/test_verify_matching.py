"""`verify_matching`: it believes what is right and finds what is wrong, by name."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import edgewise as ew
from edgewise.algorithms.matching import Matching, locally_dominant, verify_matching
from edgewise.graph import Graph
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape

PATH = Graph.from_edges([0, 1, 2], [1, 2, 3], [2.0, 3.0, 2.0])


def truth(graph, mate):
    """The three properties by their definitions, edge by edge."""
    u, v, weights = graph.arcs()
    weights = np.ones(len(u)) if weights is None else weights
    arcs = list(zip(u.tolist(), v.tolist(), weights.tolist(), strict=True))
    worth = {(a, b): w for a, b, w in arcs}
    mates = dict(enumerate(mate.tolist()))
    pairs = {v: m for v, m in mates.items() if m != -1}
    if not all((v, m) in worth and m != v and mates[m] == v for v, m in pairs.items()):
        return False, False, False
    counted = [(a, b, w) for a, b, w in arcs if a != b and w > 0]
    maximal = all(a in pairs or b in pairs for a, b, _ in counted)
    dominant = all(
        any(end in pairs and worth[end, pairs[end]] >= w for end in (a, b)) for a, b, w in counted
    )
    return True, maximal, dominant


@settings(max_examples=100)
@given(graphs(directed=False, lengths=st.integers(-1, 3).map(float), most=6), st.data())
def test_any_mates(graph, data):
    n = graph.num_vertices
    mate = np.array(data.draw(st.lists(st.integers(-1, n - 1), min_size=n, max_size=n)))
    if data.draw(st.booleans()):  # most drawn mates are not mutual: make them so
        for v in range(n):
            mate[v] = mate[v] if mate[v] >= 0 and mate[mate[v]] == v else -1
    verdict = verify_matching(graph, mate)
    assert verdict[:3] == truth(graph, mate)
    assert (verdict.reason is None) == all(verdict[:3])


@settings(max_examples=30)
@given(graphs(directed=False, lengths=st.integers(-1, 3).map(float)), st.sampled_from(TEAMS))
def test_what_is_found_is_believed(graph, team):
    with ew.threads(team):
        assert verify_matching(graph, locally_dominant(graph)) == (True, True, True, None)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    found = locally_dominant(graph)
    assert verify_matching(graph, found) == (True, True, True, None)
    assert verify_matching(graph, found.mate.astype(np.int64)) == (True, True, True, None)
    alone = verify_matching(graph, graph.full(-1))
    assert alone.valid and alone.maximal == alone.dominant == (found.cardinality == 0)


def test_a_larger_matching_with_one_flaw():
    graph = random_graph(5000, 30_000, seed=3)
    graph = graph.with_weights(np.random.default_rng(4).random(graph.num_edges))
    found = locally_dominant(graph)
    assert verify_matching(graph, found) == (True, True, True, None)
    mate = found.mate.copy()
    v = int(np.flatnonzero(mate >= 0)[7])
    mate[mate[v]] = mate[v] = -1
    flawed = verify_matching(graph, mate)
    assert flawed[:3] == (True, False, False) and "joins two free vertices" in flawed.reason


@pytest.mark.parametrize(
    ("mate", "reason"),
    [
        ([1, 0, -1], "mate must be 4 vertex ids, got int64 of shape (3,)"),
        ([1.0, 0.0, -1.0, -1.0], "mate must be 4 vertex ids, got float64 of shape (4,)"),
        ([1, 0, 4, -1], "vertex 2 has the mate 4, which is no other vertex"),
        ([1, 0, -2, -1], "vertex 2 has the mate -2, which is no other vertex"),
        ([-1, 1, -1, -1], "vertex 1 has the mate 1, which is no other vertex"),
        ([1, 0, 1, -1], "vertex 2 has the mate 1, whose mate is 0"),
        ([2, -1, 0, -1], "vertex 0 has the mate 2, but no edge joins them"),
    ],
)
def test_what_is_no_matching(mate, reason):
    assert verify_matching(PATH, mate) == (False, False, False, reason)


def test_sums():
    right = Matching(np.array([-1, 2, 1, -1]), 3.0, 1)
    assert all(verify_matching(PATH, right)[:3])
    assert (
        verify_matching(PATH, right._replace(cardinality=2)).reason == "the cardinality is 1, not 2"
    )
    assert verify_matching(PATH, right._replace(weight=3.1)).reason == "the weight is 3.0, not 3.1"
    assert verify_matching(PATH, right._replace(weight=np.nan)).valid is False


def test_reasons_name_edges():
    assert verify_matching(PATH, [1, 0, 3, 2]) == (
        True, True, False,
        "edge 1 (1 - 2) of weight 3.0 is heavier than the matched edges at its ends",
    )  # fmt: skip
    assert verify_matching(PATH, [1, 0, -1, -1]) == (
        True, False, False, "edge 2 (2 - 3) of weight 2.0 joins two free vertices",
    )  # fmt: skip


def test_weights_that_count():
    """Worthless edges need no mates; a heavier edge may be matched by its own ends."""
    graph = Graph.from_edges([0, 2, 4], [1, 3, 4], [0.0, -1.0, 5.0])
    assert verify_matching(graph, [-1] * 5) == (True, True, True, None)
    assert verify_matching(graph, [1, 0, 3, 2, -1]) == (True, True, True, None)
    assert verify_matching(PATH, [1, 0, 3, 2], weights=None) == (True, True, True, None)
    wide = Graph.from_edges([0, 1], [1, 2], np.array([1 << 60, (1 << 60) + 1]))
    assert verify_matching(wide, [1, 0, -1]).dominant is False
    assert verify_matching(wide, [-1, 2, 1]).dominant is True


def test_errors():
    with pytest.raises(ValueError, match="verify_matching needs an undirected graph"):
        verify_matching(shape("path", directed=True), [-1] * 150)
    with pytest.raises(ValueError, match="weights must be finite"):
        verify_matching(PATH, [-1] * 4, weights=np.full(3, np.nan))
