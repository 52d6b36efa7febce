"""Scores of pairs against brute force, and what bounds promise."""

from __future__ import annotations

import random
import signal
import threading
import time

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import linear_sum_assignment

from edgewise.base.threads import threads
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
    return corpus(left, right, metric=similarity), (here, there), np.array(true)


@pytest.mark.parametrize("similarity", SIMILARITIES)
@given(left=COLLECTIONS, right=COLLECTIONS, threshold=THRESHOLDS)
def test_exact_is_brute_force(similarity, left, right, threshold):
    found, pairs, true = every_pair(left, right, similarity)
    right = np.where(true >= threshold - 1e-9, true, np.nan)
    exact = verify(found, pairs, threshold, metric=similarity)
    np.testing.assert_allclose(exact, right, rtol=0, atol=1e-12)
    low, high = (
        verify(found, pairs, threshold, metric=similarity, method="bounded", bound=bound)
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
            verify(found, pairs, threshold, metric=similarity, method=method, bound=bound)
            for bound in ("lower", "upper")
        )
        assert right[~np.isnan(low)].all()  # precision 1
        assert not np.isnan(high[right]).any()  # recall 1
        kept = ~np.isnan(low)
        assert (low[kept] <= true[kept] + 1e-12).all()
        assert (high[right] >= true[right] - 1e-12).all()


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_edges_beyond_the_memory_are_found_anew(similarity):
    draw = random.Random(7)
    left, right = ([word(draw, 4) for _ in range(70)] for _ in range(2))
    found, pairs, true = every_pair([left], [right, right + left[:20]], similarity)
    for method in METHODS:
        for bound in ("lower", "upper"):
            options = {"metric": similarity, "method": method, "bound": bound}
            stored, anew = (verify(found, pairs, 0.05, memory=b, **options) for b in (2**30, 0))
            np.testing.assert_allclose(anew, stored, rtol=0, atol=1e-12)
            if method == "exact":
                np.testing.assert_allclose(stored, true, rtol=0, atol=1e-12)


@given(left=COLLECTIONS, right=COLLECTIONS)
def test_greedy_is_locally_dominant(left, right):
    found, pairs, _ = every_pair(left, right, "jaccard")
    greedy, dominant = (verify(found, pairs, 0.02, method=method) for method in APPROXIMATE[:2])
    np.testing.assert_allclose(greedy, dominant, rtol=0, atol=1e-12)


def test_distances_of_long_words():
    draw = random.Random(3)
    words = [word(draw, size, "abc\N{PERSONAL COMPUTER}\u00e9") for size in (0, 1, 63, 64, 65, 200)]
    for one in words[2:]:  # near ones, on both sides of a word of 64 bits
        at = draw.randrange(len(one))
        words += [one[:at] + "zz" + one[at + 1 :], one[5:] + one[:5]]
    found = corpus([[one] for one in words], metric="edit")
    here, there = np.triu_indices(len(words), 1)
    scores = verify(found, (here, there), 1e-6, metric="edit")
    true = [oracle.score([words[i]], [words[j]], "edit") for i, j in zip(here, there, strict=True)]
    np.testing.assert_allclose(np.nan_to_num(scores), np.nan_to_num(true), rtol=0, atol=1e-12)


def test_a_word_of_a_million_letters():
    draw = random.Random(1)
    long = word(draw, 1_000_000)
    other = "!" + long[:500_000] + "??" + long[500_001:]
    found = corpus([[long]], [[other]], metric="edit")
    likeness = 1 - 3 / 1_000_002
    (score,) = verify(found, ([0], [0]), 0.9, metric="edit")
    assert score == pytest.approx(likeness / (2 - likeness), abs=1e-12)


@pytest.mark.slow
def test_long_work_is_interrupted():
    draw = random.Random(1)
    found = corpus([[word(draw, 1_000_000)]], [[word(draw, 1_000_000)]], metric="edit")
    threading.Timer(0.5, signal.pthread_kill, [threading.get_ident(), signal.SIGINT]).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        verify(found, ([0], [0]), 0.01, metric="edit")
    assert time.monotonic() - begin < 10


def test_equal_elements_need_not_be_mates_by_edits():
    found = corpus([["abc", "bc"]], [["abc", "ab"]], metric="edit")
    (score,) = verify(found, ([0], [0]), 0.1, metric="edit")
    assert score == pytest.approx((4 / 3) / (4 - 4 / 3))


def test_empty_sets_have_no_score():
    found = corpus([[], ["a"], None], [[], ["a"]])
    scores = verify(found, ([0, 0, 1, 1, 2], [0, 1, 0, 1, 1]), 0.1)
    assert np.isnan(scores).tolist() == [True, True, True, False, True]
    assert scores[3] == 1.0
    assert len(verify(found, ([], []), 0.1)) == 0
    nobody = corpus([])
    assert len(verify(nobody, (np.zeros(0, np.int32), np.zeros(0, np.int32)), 0.5)) == 0


def test_a_threshold_is_met_within_the_tolerance():
    found = corpus([list("abcdefghij")], [list("abcdefg")])
    assert verify(found, ([0], [0]), 0.7)[0] == pytest.approx(0.7)
    assert np.isnan(verify(found, ([0], [0]), 0.7 + 1e-8)[0])


def test_threads_do_not_matter():
    draw = random.Random(5)
    sets = [[word(draw, draw.randint(1, 5)) for _ in range(draw.randint(1, 12))] for _ in range(60)]
    found, pairs = corpus(sets), np.triu_indices(60, 1)
    for method in METHODS:
        with threads(1):
            alone = verify(found, pairs, 0.1, method=method)
        with threads(4):
            np.testing.assert_array_equal(verify(found, pairs, 0.1, method=method), alone)
    turned = verify(found, (pairs[1][::-1], pairs[0][::-1]), 0.1)[::-1]
    np.testing.assert_allclose(turned, verify(found, pairs, 0.1), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"threshold": 0}, ValueError, r"threshold must be a number in \(0, 1\], got 0"),
        ({"threshold": 1.1}, ValueError, "threshold must be"),
        ({"threshold": float("nan")}, ValueError, "threshold must be"),
        ({"threshold": "0.5"}, TypeError, "threshold must be"),
        ({"metric": "cosine"}, ValueError, "metric must be one of 'jaccard', 'edit'"),
        ({"method": "best"}, ValueError, "method must be one of 'exact'"),
        ({"bound": "both"}, ValueError, "bound must be one of 'lower', 'upper', got 'both'"),
        ({"metric": "edit"}, ValueError, "corpus must have letters"),
        ({"memory": -1}, ValueError, "memory must be at least 0, got -1"),
        ({"pairs": ([0], [2])}, IndexError, "pairs must hold right sets below 2, got 2"),
        ({"pairs": ([-1], [0])}, IndexError, "pairs must hold left sets below 2, got -1"),
        ({"pairs": ([0.5], [0])}, TypeError, "pairs must hold whole numbers"),
        ({"pairs": ([0, 1], [0])}, ValueError, "pairs must be as many on both sides, got 2 and 1"),
    ],
)
def test_misuse_is_named(change, error, says):
    found = corpus([["a"], ["b"]])
    call = {"pairs": ([0], [1]), "threshold": 0.5, **change}
    with pytest.raises(error, match=says):
        verify(found, call.pop("pairs"), call.pop("threshold"), **call)


@pytest.mark.parametrize("prefix", ["", "item-"])
def test_heavy_edges_first_is_all_edges(prefix):
    """Large enough that rows begin with their heaviest edges; brute force by tables of tokens."""
    draw = random.Random(11)
    left = [prefix + word(draw, draw.randint(5, 9), "abcd") for _ in range(1500)]
    right = [w[:-2] + word(draw, 2) if draw.random() < 0.6 else w[2:] + "dd" for w in left]
    found = corpus([left], [right])
    starts = found.element_starts
    bags = np.zeros((len(starts) - 1, len(found.frequency)), np.float32)
    bags[np.repeat(np.arange(len(bags)), np.diff(starts)), found.element_tokens] = 1
    one, other = bags[found.left.elements], bags[found.right.elements]
    fresh = len(np.setdiff1d(found.right.elements, found.left.elements))
    assert fresh * len(one) > 2**20  # fewer are compared as a whole
    both = one @ other.T
    table = both / (one.sum(1)[:, None] + other.sum(1) - both).astype(np.float64)
    weight = table[linear_sum_assignment(table, maximize=True)].sum()
    true = weight / (sum(table.shape) - weight)
    for memory in (2**28, 0):
        assert verify(found, ([0], [0]), 0.1, memory=memory)[0] == pytest.approx(true, abs=1e-9)
    low, high = (
        verify(found, ([0], [0]), 0.1, method="bounded", bound=b)[0] for b in ("lower", "upper")
    )
    assert low <= true + 1e-9
    assert high >= true - 1e-9
    greedy, dominant = (verify(found, ([0], [0]), 0.1, method=one)[0] for one in APPROXIMATE[:2])
    assert greedy == dominant
    assert true / 2 < greedy <= true + 1e-9


def test_heavy_edges_first_is_all_edges_by_edits():
    draw = random.Random(12)
    left, right = (sorted({word(draw, draw.randint(3, 9), "abcdefgh") for _ in range(1100)})
                   for _ in range(2))  # fmt: skip
    here, there = np.indices((len(left), len(right))).reshape(2, -1)
    assert len(here) > 2**20
    alone = corpus([[one] for one in left], [[one] for one in right], metric="edit")
    scores = np.nan_to_num(verify(alone, (here, there), 1e-6, metric="edit"))
    table = (2 * scores / (1 + scores)).reshape(len(left), len(right))
    weight = table[linear_sum_assignment(table, maximize=True)].sum()
    found = corpus([left], [right], metric="edit")
    (score,) = verify(found, ([0], [0]), 0.1, metric="edit")
    assert score == pytest.approx(weight / (sum(table.shape) - weight), abs=1e-9)


@pytest.mark.slow
def test_sets_of_a_hundred_thousand_elements():
    draw = random.Random(2)
    one = sorted({word(draw, 8, "abcdefghijklmnopqrstuvwxyz") for _ in range(100_000)})
    other = [w if draw.random() < 0.8 else w[:7] + draw.choice("abcdef") for w in one]
    found = corpus([one, other])
    exact, low, high = (
        verify(found, ([0], [1]), 0.6, method=method, bound=bound, memory=2**26)[0]
        for method, bound in (("exact", "lower"), ("greedy", "lower"), ("paz_schwartzman", "upper"))
    )
    assert 0.8 < low <= exact <= high < 1
    assert np.isnan(verify(found, ([0], [1]), 0.95)[0])
    assert verify(found, ([0], [0]), 1.0)[0] == 1.0


def word(draw, size, letters="abc"):
    return "".join(draw.choices(letters, k=size))
