"""Scores on a GPU are those of CPU threads; for the simulator see `tests.cuda.cases`."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise.join.corpus import corpus
from edgewise.join.on_gpu import to_gpu
from edgewise.join.verify import METHODS, verify
from tests.operators.engines import no_gpu

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(bool(no_gpu()), reason=str(no_gpu()))]


def some_sets(count, sizes, seed=0, letters="abcde"):
    """StringSets of which some are like others: a few elements are drawn anew, or lose a letter."""
    draw = np.random.default_rng(seed)
    words = ["".join(draw.choice(list(letters), draw.integers(1, 12))) for _ in range(5 * count)]
    sets: list[list[str]] = []
    for i in range(count):
        if i % 3 and sets:
            old = list(sets[-1])
            for k in draw.integers(0, len(old), max(1, len(old) // 5)):
                old[k] = old[k][1:] if draw.random() < 0.7 else words[draw.integers(len(words))]
            sets.append(old)
        else:
            sets.append([words[k] for k in draw.integers(0, len(words), draw.choice(sizes))])
    return sets


def same(found, pairs, threshold, **options):
    """How many scores there are."""
    here = verify(found, pairs, threshold, **options)
    there = verify(to_gpu(found), pairs, threshold, **options)
    np.testing.assert_allclose(there, here, rtol=0, atol=1e-12)
    return np.count_nonzero(~np.isnan(here))


def near(count, reach=6):
    """Pairs of sets that stand near each other."""
    left = np.repeat(np.arange(count - reach), reach)
    return left, left + np.tile(np.arange(1, reach + 1), count - reach)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("bound", ["lower", "upper"])
@pytest.mark.parametrize(("count", "sizes"), [(3000, [1, 3, 9, 16]), (600, [20, 32, 33, 60])])
def test_as_on_cpu_threads(method, bound, count, sizes):
    found = corpus(some_sets(count, sizes))
    for threshold in (0.3, 0.7):
        assert same(found, near(count), threshold, method=method, bound=bound) > count / 3


@pytest.mark.parametrize("method", METHODS)
def test_large_sets_of_words_that_are_much_alike(method):
    found = corpus(some_sets(24, [200, 700, 1024, 1500], letters="ab"), tokens="words")
    assert same(found, near(24), 0.3, method=method)
    found = corpus(some_sets(24, [200, 700, 1024], letters="ab"))
    assert same(found, near(24), 0.3, method=method)


@pytest.mark.parametrize("method", METHODS)
def test_edit_similarity(method):
    found = corpus(some_sets(1000, [1, 5, 16, 25, 50]), metric="edit")
    assert same(found, near(1000), 0.5, metric="edit", method=method, bound="upper") > 300


def test_two_collections_and_what_is_odd_about_them():
    left = [[], ["a"], [""], ["x" * 100_000, "b"], ["y" * 2_000_000], ["a b", "c d", "e"]]
    right = [[""], ["x" * 99_999, "b"], [], ["a", "b"], ["y" * 2_000_001], ["a b", "d c", "e"]]
    pairs = np.indices((6, 6)).reshape(2, -1)
    assert same(corpus(left, right), pairs, 0.1) > 4
    assert same(corpus(left, right, metric="edit"), pairs, 0.1, metric="edit") > 3
    assert same(corpus([], []), ([], []), 0.5) == 0


@pytest.mark.parametrize("options", [{}, {"top": 50}, {"k": 2}, {"method": "greedy"}])
def test_joins_are_those_of_cpu_threads(options):
    sets = some_sets(2000, [2, 5, 30, 50])
    here, there = (ew.join.fuzzy_join(sets, device=device, **options) for device in ("cpu", "cuda"))
    np.testing.assert_array_equal(there.left, here.left)
    np.testing.assert_array_equal(there.right, here.right)
    np.testing.assert_allclose(there.score, here.score, rtol=0, atol=1e-12)
    assert len(here.left)
