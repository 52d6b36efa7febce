"""Normalized mutual information of overlapping communities: the definition, pair by pair."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import communities, generators
from edgewise.algorithms.communities.overlapping import from_memberships

COVERS = st.lists(st.sets(st.integers(0, 9), min_size=1), max_size=6)


def record(cover, n=10):
    pairs = [(i, v) for i, one in enumerate(cover) for v in one]
    groups, vertices = np.array(pairs, np.int64).reshape(-1, 2).T
    return from_memberships(groups, vertices, None, n)


def h(count, n):
    return -count * log2(count / n) if count else 0.0


def given_best(one, others, n):
    """The entropy of a community, given the best of others."""
    own = h(len(one), n) + h(n - len(one), n)
    found = [own]
    for other in others:
        d, c, b = len(one & other), len(one - other), len(other - one)
        a = n - b - c - d
        if h(a, n) + h(d, n) >= h(b, n) + h(c, n):
            whole = h(a, n) + h(b, n) + h(c, n) + h(d, n)
            found.append(whole - h(b + d, n) - h(a + c, n))
    return min(found)


def slow(first, second, n=10):
    alone = [sum(h(len(one), n) + h(n - len(one), n) for one in side) for side in (first, second)]
    if max(alone) == 0:
        return None
    left = sum(given_best(one, second, n) for one in first)
    left += sum(given_best(one, first, n) for one in second)
    return (sum(alone) - left) / 2 / max(alone)


@given(COVERS, COVERS)
def test_any_communities(first, second):
    found = communities.overlapping_nmi_score(record(first), record(second))
    wanted = slow(first, second)
    if wanted is not None:
        assert found == pytest.approx(wanted, abs=1e-9)
        assert 0 <= found <= 1
    again = communities.overlapping_nmi_score(record(second), record(first))
    assert found == pytest.approx(again)
    if first:
        assert communities.overlapping_nmi_score(record(first), record(first)) == 1.0


def test_found_communities():
    graph, known = generators.planted_partition(10, 40, p_in=0.4, p_out=0.005, seed=1)
    truth = from_memberships(known, np.arange(len(known)), None, len(known))
    found = communities.slpa(graph, min_share=0.3, seed=2)
    assert communities.overlapping_nmi_score(truth, found) > 0.8


def test_errors():
    with pytest.raises(ValueError, match="same number of vertices, got 10 and 12"):
        communities.overlapping_nmi_score(record([{1}]), record([{1}], 12))
    with pytest.raises(TypeError, match="communities_pred must be OverlappingCommunities"):
        communities.overlapping_nmi_score(record([{1}]), [[1]])
