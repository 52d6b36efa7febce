"""StringSets found by their elements, where comparing all elements would take too long."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.join import fuzzy_join, schemes
from edgewise.join.corpus import corpus
from tests.join import oracle
from tests.tiers import later


def titles(count, seed=1):
    """Words by Zipf's law, as in titles; some titles with one word changed."""
    rng = np.random.default_rng(seed)
    words = [
        "".join(rng.choice(list("abcdefghij"), 2 + int(np.log2(rank + 2))))
        for rank in range(20_000)
    ]
    chance = 1 / (np.arange(len(words)) + 3.0)
    made = [
        list(rng.choice(words, rng.integers(3, 12), p=chance / chance.sum())) for _ in range(count)
    ]
    for i in range(0, count, 20):
        made[i] = [*made[i + 1][:-1], "changed"]
    return made


def unknown(patch):
    patch.setattr(schemes, "_READ", 0)  # no list of elements is read


def test_no_element_is_more_alike_than_its_tokens_allow():
    rng = np.random.default_rng(3)
    words = sorted({"".join(rng.choice(list("ab"), rng.integers(1, 12))) for _ in range(120)})
    words += ["abcabcab", "bcabcabc"]
    found = schemes._most_alike(corpus([[word] for word in words]))
    for i, word in enumerate(words):
        assert found[i] >= max(oracle.jaccard(word, other) for other in words if other != word)
    assert schemes._most_alike(corpus([["abcdef"], ["xyz"]])).tolist() == [0.3, 0.3]


def test_elements_with_the_same_tokens_count_as_equal():
    found = schemes._most_alike(corpus([["a b"], ["b a"], ["a c d"]], tokens="words"))
    assert found[:2].tolist() == [1, 1] and found[2] == pytest.approx(2 / 3)


@pytest.mark.parametrize("threshold", [later(0.5), 0.8])
def test_pairs_equal_brute_force(threshold, monkeypatch):
    unknown(monkeypatch)
    monkeypatch.setattr(schemes, "_GAIN", 1e-9)  # whatever it costs
    sets = titles(120)
    found = fuzzy_join(sets, threshold=threshold)
    wanted = oracle.join(sets, threshold=threshold)
    pairs = zip(found.left.tolist(), found.right.tolist(), strict=True)
    assert dict(zip(pairs, found.score, strict=True)) == pytest.approx(wanted)


def test_frequent_tokens_cost_little(monkeypatch):
    sets = titles(5000)
    unknown(monkeypatch)
    few = fuzzy_join(sets, threshold=0.8)
    monkeypatch.setattr(
        schemes, "_most_alike", lambda corpus: np.ones(len(corpus.element_starts) - 1)
    )
    many = fuzzy_join(sets, threshold=0.8)
    assert many.tally["prefix"] > 5 * few.tally["prefix"]
    for name in ("left", "right", "score"):
        np.testing.assert_array_equal(getattr(few, name), getattr(many, name))
