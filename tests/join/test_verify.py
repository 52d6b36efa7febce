"""Scores of pairs against brute force, and what bounds promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.join.corpus import corpus
from edgewise.join.verify import METHODS, SIMILARITIES, verify
from tests.join import oracle

#: Few letters, so that words meet; one beyond the Basic Multilingual Plane.
ELEMENTS = st.text("abñ\N{PERSONAL COMPUTER}", max_size=6)
COLLECTIONS = st.lists(st.lists(ELEMENTS, max_size=6), min_size=1, max_size=4)
THRESHOLDS = st.sampled_from([0.02, 0.25, 1 / 3, 0.5, 0.7, 1.0])
APPROXIMATE = METHODS[2:]


def every_pair(left, right, similarity, **cut):
    """The corpus, all pairs, and their true scores."""
    here, there = np.indices((len(left), len(right))).reshape(2, -1)
    true = [oracle.score(one, other, similarity, **cut) for one in left for other in right]
    return corpus(left, right, similarity=similarity), (here, there), np.array(true)


@pytest.mark.parametrize("similarity", SIMILARITIES)
@given(left=COLLECTIONS, right=COLLECTIONS, threshold=THRESHOLDS)
def test_exact_is_brute_force(similarity, left, right, threshold):
    found, pairs, true = every_pair(left, right, similarity)
    right = np.where(true >= threshold - 1e-9, true, np.nan)
    exact = verify(found, pairs, threshold, similarity=similarity)
    np.testing.assert_allclose(exact, right, rtol=0, atol=1e-12)
    low, high = (
        verify(found, pairs, threshold, similarity=similarity, method="bounded", bound=bound)
        for bound in ("lower", "upper")
    )
    assert (np.isnan(low) == np.isnan(right)).all()
    assert (np.isnan(high) == np.isnan(right)).all()
    kept = ~np.isnan(right)
    assert (low[kept] <= right[kept] + 1e-12).all()
    assert (high[kept] >= right[kept] - 1e-12).all()


@pytest.mark.parametrize("similarity", SIMILARITIES)
@given(left=COLLECTIONS, right=COLLECTIONS, threshold=THRESHOLDS)
def test_bounds_keep_their_promise(similarity, left, right, threshold):
    found, pairs, true = every_pair(left, right, similarity)
    right = true >= threshold - 1e-9
    for method in APPROXIMATE:
        low, high = (
            verify(found, pairs, threshold, similarity=similarity, method=method, bound=bound)
            for bound in ("lower", "upper")
        )
        assert right[~np.isnan(low)].all()  # precision 1
        assert not np.isnan(high[right]).any()  # recall 1
        kept = ~np.isnan(low)
        assert (low[kept] <= true[kept] + 1e-12).all()
        assert (high[right] >= true[right] - 1e-12).all()
