"""Filters lose no pair that brute force finds, and give the same blocks for any thread count."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.threads import threads
from edgewise.join.candidates import Plan, blocks, candidates, plan
from edgewise.join.corpus import corpus
from edgewise.join.distinct import distinct, expand
from tests.join import oracle

words = st.text("abc", max_size=6)
collections = st.lists(st.one_of(st.none(), st.lists(words, max_size=5)), max_size=8)
thresholds = st.one_of(st.floats(0.1, 1.0), st.sampled_from([0.5, 0.6, 0.7, 0.75, 0.8, 1.0]))


@pytest.fixture(autouse=True, scope="module")
def _wake_the_team():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("edgewise.base.threads.SERIAL_WORK", 0)
        yield


def pairs_of(found: Plan, **options) -> dict:
    """All candidates of a plan, as pairs of sets with their bounds; each pair comes once."""
    out: dict = {}
    for block in blocks(found, **options):
        columns = expand(found.left, found.right, block)
        pairs = list(zip(columns[0].tolist(), columns[1].tolist(), strict=True))
        assert len(set(pairs)) == len(pairs) and not out.keys() & set(pairs)
        out.update(zip(pairs, columns[2].tolist(), strict=True))
    return out


def split(patch: pytest.MonkeyPatch, long: int) -> None:
    """Split lists of the index that are longer, however many entries that makes."""
    patch.setattr("edgewise.join.index._LONG", long)
    patch.setattr("edgewise.join.index._SPREAD", 1 << 20)
    patch.setattr("edgewise.join.index._SIZE", 1 << 20)


@settings(max_examples=250, deadline=None)
@given(
    left=collections,
    right=st.one_of(st.none(), collections),
    threshold=thresholds,
    kind=st.sampled_from([("jaccard", "qgrams"), ("jaccard", "words"), ("edit", "qgrams")]),
    q=st.integers(1, 4),
    gain=st.sampled_from([1e-9, 1e9]),
    long=st.sampled_from([0, 1, 16]),
)
def test_no_pair_is_lost(left, right, threshold, kind, q, gain, long):
    similarity, tokens = kind
    cut = {"metric": similarity, "tokens": tokens, "q": q}
    with pytest.MonkeyPatch.context() as patch, threads(2):
        patch.setattr("edgewise.join.schemes._GAIN", gain)  # by elements, or by tokens
        split(patch, long)
        found = plan(corpus(left, right, **cut), threshold, metric=similarity, q=q)
        bounds = pairs_of(found, memory=64)
    options = {"kind": tokens, "q": q} if similarity == "jaccard" else {}
    wanted = oracle.join(left, right, threshold, similarity, **options)
    assert not wanted.keys() - bounds.keys()
    assert all(bounds[pair] >= score - 1e-9 for pair, score in wanted.items())
    if right is None:
        assert all(i < j for i, j in bounds)
    assert found.tally["pairs"] >= len(bounds)


@settings(max_examples=40, deadline=None)
@given(
    left=collections,
    levels=st.lists(st.sampled_from([0.3, 0.6, 0.9, 2.0]), min_size=8, max_size=8),
    similarity=st.sampled_from(["jaccard", "edit"]),
)
def test_each_left_set_has_its_threshold(left, levels, similarity):
    cut = corpus(left, metric=similarity)
    found = plan(cut._replace(right=cut.left), 0.3, metric=similarity)
    bounds = pairs_of(found, thresholds=np.array(levels[: len(left)]))
    for (i, j), score in oracle.join(left, left, 0.3, similarity).items():
        if score >= levels[i]:
            assert bounds[i, j] >= score - 1e-9
        equal = [k for k, one in enumerate(left) if set(one or ()) == set(left[i])]
        if all(levels[k] > 1 for k in equal):
            assert (i, j) not in bounds


def sample(count: int, seed: int = 5) -> list[list[str]]:
    """StringSets of words with misspellings, and some that are there many times."""
    rng = np.random.default_rng(seed)
    stock = ["".join(rng.choice(list("abcdefgh"), rng.integers(3, 9))) for _ in range(80)]
    rows = []
    for _ in range(count):
        row = ["the", *rng.choice(stock, rng.integers(1, 7))]
        if rng.random() < 0.5:
            row[-1] += "x"
        rows.append(row)
    return rows + rows[: count // 4]


@pytest.mark.parametrize("similarity", ["jaccard", "edit"])
def test_blocks_are_the_same_for_any_thread_count(similarity):
    cut = corpus(sample(400), metric=similarity)
    found, tallies = [], []
    for team in (1, 2, 3):
        with threads(team):
            one = plan(cut, 0.6, metric=similarity)
            found.append([[column.tolist() for column in part] for part in blocks(one, 1 << 11)])
            tallies.append(one.tally)
    assert found[0] == found[1] == found[2]
    assert tallies[0] == tallies[1] == tallies[2]
    assert len(found[0]) > 2
    assert max(len(part[0]) for part in found[0]) <= 64 + 100 * (similarity == "edit")
    with threads(2):
        half = len(one.left.sizes) // 2
        parts = [candidates(one, 0, half), candidates(one, half, len(one.left.sizes))]
    for column, joined in zip(zip(*found[0], strict=True), zip(*parts, strict=True), strict=True):
        assert sum(column, []) == np.concatenate(joined).tolist()


def test_filters_leave_little_more_than_the_pairs():
    rows = sample(90)
    found = plan(corpus(rows), 0.7)
    bounds = pairs_of(found)
    wanted = oracle.join(rows, threshold=0.7)
    assert wanted.keys() <= bounds.keys()
    assert len(bounds) <= 1.2 * len(wanted)
    tally = found.tally
    assert tally["prefix"] >= tally["length"] >= tally["positional"]
    assert tally["pairs"] == len(bounds) > tally["joint"]


def test_another_threshold_shares_the_rows():
    cut = corpus(sample(200))
    high = plan(cut, 0.9)
    low = high.at(0.6)
    assert low.join.tokens.left is high.join.tokens.left
    assert pairs_of(low) == pairs_of(plan(cut, 0.6))
    assert pairs_of(high).keys() < pairs_of(low).keys()


def test_sets_of_one_size_and_large_ones():
    many = [["same"]] * 3000 + [[f"e{i}" for i in range(5000)]] * 2 + [["same", "other"]]
    found = plan(corpus(many), 0.5)
    (block,) = blocks(found)
    assert found.tally["joint"] == len(block.left) == 3
    assert found.tally["pairs"] == 3000 * 2999 // 2 + 1 + 3000


@pytest.mark.parametrize("rows", [[], [None], [[], []]])
def test_without_elements_there_is_no_pair(rows):
    assert not pairs_of(plan(corpus(rows), 0.5))
    assert not pairs_of(plan(corpus(rows, [["a"]]), 0.5))
    assert not pairs_of(plan(corpus([["a"]], rows), 0.5))


@pytest.mark.parametrize("threshold", [0, -1, 1.01, float("nan")])
def test_thresholds_outside_are_refused(threshold):
    with pytest.raises(ValueError, match=r"threshold must lie in \(0, 1\]"):
        plan(corpus([["a"]]), threshold)


def test_thresholds_must_fit_the_plan():
    found = plan(corpus([["a"], ["b"]]), 0.5)
    with pytest.raises(ValueError, match="one entry per left set"):
        list(blocks(found, thresholds=np.ones(3)))
    with pytest.raises(ValueError, match="must not be below the plan's"):
        list(blocks(found, thresholds=np.array([0.6, 0.4])))
    with pytest.raises(ValueError, match="first and last must lie in 0..2"):
        candidates(found, 1, 3)


@pytest.mark.parametrize("threshold", [1e-300, 1e-12])
def test_tiny_thresholds(threshold):
    rows = sample(20)
    bounds = pairs_of(plan(corpus(rows), threshold))
    wanted = oracle.join(rows, threshold=1e-12)
    assert wanted.keys() <= bounds.keys()


def test_equal_sets_are_one_group():
    sets = corpus([["a"], ["b"], ["a"], ["c"], ["b"]]).left
    found = distinct(sets)
    assert len(found.sizes) == 3
    for group in range(3):
        members = found.members[found.starts[group] : found.starts[group + 1]]
        assert len({int(sets.elements[sets.starts[i]]) for i in members}) == 1
        assert (found.group[members] == group).all()


@pytest.mark.data
def test_no_more_pairs_are_left_than_by_pytokenjoin(shared_sets):
    with gzip.open(shared_sets / "yelp_sample.csv.gz", "rt") as file:
        rows = corpus(file.read().splitlines(), separator=";")
    found = plan(rows, 0.7)
    assert sum(len(block.left) for block in blocks(found)) == found.tally["joint"]
    assert found.tally["positional"] < 413_867
    assert 134_356 <= found.tally["pairs"] <= 134_892  # the pairs, and what it verifies for them


@pytest.mark.slow
def test_sets_of_a_hundred_thousand_elements():
    large = [f"w{i * 7919 % 10**6}" for i in range(100_000)]
    rows = [large, large[5000:], large[50_000:], *([word] for word in large[:20_000])]
    found = plan(corpus(rows), 0.8)
    assert pairs_of(found).keys() == {(0, 1)}
