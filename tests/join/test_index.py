"""Long lists of the index are split into trees: fewer hits, which grow slowly, the same pairs."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from edgewise.join import fuzzy_join, index
from edgewise.join.corpus import corpus
from tests.join import oracle

plans = import_module("edgewise.join.candidates")


def titles(count, words=300, seed=2):
    """StringSets of words by Zipf's law; every tenth is the one before with a word changed."""
    draw = np.random.default_rng(seed)
    spelled = ["".join(row) for row in draw.choice(list("abcdefghijklmnop"), (words, 6))]
    chance = np.cumsum(1 / (np.arange(words) + 3.0))
    made = []
    for size in draw.integers(3, 12, count):
        ranks = np.searchsorted(chance, draw.random(size) * chance[-1])
        made.append([spelled[rank] for rank in ranks])
    for i in range(9, count, 10):
        made[i] = [*made[i - 1][:-1], "changed"]
    return made


def unsplit(patch):
    patch.setattr(index, "_LONG", 1 << 60)


def columns(pairs):
    return pairs.left.tolist(), pairs.right.tolist(), pairs.score.tolist()


@pytest.mark.parametrize("threshold", [0.7, 0.8])
def test_fewer_hits_and_the_same_pairs(threshold, monkeypatch):
    made = titles(8000)
    found = fuzzy_join(made, threshold=threshold)
    unsplit(monkeypatch)
    flat = fuzzy_join(made, threshold=threshold)
    assert columns(found) == columns(flat) and len(found) > 200
    assert flat.tally["length"] > 5 * found.tally["length"]
    assert flat.tally["prefix"] > 3 * found.tally["prefix"]


def test_hits_grow_slowly():
    hits = []
    for count in (4000, 16_000):
        found = plans.plan(corpus(titles(count)), 0.8)
        list(plans.blocks(found))
        hits.append(found.tally["prefix"])
    assert hits[1] < 8 * hits[0]  # 16 times as many if each list grows with the sets


@pytest.mark.parametrize("similarity", ["jaccard", "edit"])
@pytest.mark.parametrize("threshold", [0.6, 0.7, 0.8])
def test_deep_trees_equal_brute_force(similarity, threshold, monkeypatch):
    monkeypatch.setattr(index, "_LONG", 2)
    monkeypatch.setattr(index, "_SPREAD", 100)
    draw = np.random.default_rng(4)
    stock = titles(30)[0] + ["of", "the", "a", "in", "to", "what", "that", "this"]
    sets = [draw.choice(stock, draw.integers(2, 9)).tolist() for _ in range(160)]
    sets += [[*one[:-1], "other"] for one in sets[:40]]
    found = fuzzy_join(sets, threshold=threshold, metric=similarity)
    pairs = zip(found.left.tolist(), found.right.tolist(), strict=True)
    wanted = oracle.join(sets, threshold=threshold, similarity=similarity)
    assert dict(zip(pairs, found.score, strict=True)) == pytest.approx(wanted)
    assert len(wanted) > 10


def test_lists_are_split_as_far_as_it_pays(monkeypatch):
    sets = corpus(titles(4000))
    made = plans.plan(sets, 0.8).join.elements.index
    assert np.diff(made.starts).max() <= index._LONG and len(made.tokens) > 0
    monkeypatch.setattr(index, "_SPREAD", 0)
    flat = plans.plan(sets, 0.8).join.elements.index
    assert len(flat.tokens) == 0 and flat.plain == len(flat.starts) - 1


def test_the_costliest_tokens_are_named():
    rows = [[f"x{i:04}", "the", "of"] for i in range(300)]
    pairs = fuzzy_join(rows, threshold=0.4, tokens="words")
    assert pairs.tally["tokens"].keys() <= {"the", "of"} and sum(pairs.tally["tokens"].values())
    costs = fuzzy_join(titles(1000), threshold=0.6).tally["tokens"]
    assert len(costs) == 10 and list(costs.values()) == sorted(costs.values(), reverse=True)
    for kind in ({"top": 5}, {"k": 1}, {"metric": "edit"}):
        named = fuzzy_join(rows[:40], threshold=0.4, **kind).tally["tokens"]
        assert all(isinstance(name, str) and count > 0 for name, count in named.items())
    assert fuzzy_join([], threshold=0.4).tally["tokens"] == {}
