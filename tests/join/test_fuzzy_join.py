"""`fuzzy_join`: all three kinds of join equal brute force; pytokenjoin's pairs; bad input."""

from __future__ import annotations

import gzip
import hashlib

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import edgewise as ew
from edgewise.base.observe import Trace, observe
from edgewise.base.threads import threads
from edgewise.join import Pairs, fuzzy_join
from tests.join import oracle

SIMILARITIES = ("jaccard", "edit")
APPROXIMATE = ("greedy", "locally_dominant", "paz_schwartzman")

words = st.text("abc", max_size=7) | st.sampled_from(["kitten", "kittens", "sitting", "Müller"])
collections = st.lists(st.none() | st.lists(words, max_size=5), max_size=9)
thresholds = st.sampled_from([0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.95, 1.0])

PEOPLE = [
    ["Anna Smith", "MIT"],
    ["Ana Smith", "MIT"],
    ["Bob Jones", "ETH"],
    ["MIT", "Anna Smith"],
    None,
    [],
    ["Bob Johnes", "ETH", "Zurich"],
]


def as_dict(pairs: Pairs) -> dict:
    rows = zip(pairs.left.tolist(), pairs.right.tolist(), pairs.score.tolist(), strict=True)
    return {(i, j): score for i, j, score in rows}


def ranked(scores: dict) -> list:
    """Best first; of equal ones those with the smaller positions."""
    return sorted(scores, key=lambda pair: (-round(scores[pair], 9), pair))


def same(found: dict, expected: dict) -> bool:
    return found.keys() == expected.keys() and all(
        abs(found[pair] - expected[pair]) < 1e-9 for pair in expected
    )


@pytest.mark.parametrize("similarity", SIMILARITIES)
@settings(max_examples=60)
@given(left=collections, right=st.none() | collections, threshold=thresholds)
def test_threshold_joins_equal_brute_force(similarity, left, right, threshold):
    found = fuzzy_join(left, right, threshold=threshold, metric=similarity)
    expected = oracle.join(left, right, threshold, similarity)
    assert same(as_dict(found), expected)
    assert list(as_dict(found)) == sorted(expected)
    assert found.sizes == (len(left), None if right is None else len(right))


@pytest.mark.parametrize("similarity", SIMILARITIES)
@settings(max_examples=40)
@given(left=collections, right=st.none() | collections, k=st.integers(1, 6), threshold=thresholds)
def test_best_pairs_equal_brute_force(similarity, left, right, k, threshold):
    found = fuzzy_join(left, right, threshold=threshold, metric=similarity, top=k)
    every = oracle.join(left, right, threshold, similarity)
    best = ranked(every)[:k]
    assert list(as_dict(found)) == best
    assert same(as_dict(found), {pair: every[pair] for pair in best})


@pytest.mark.parametrize("similarity", SIMILARITIES)
@settings(max_examples=40)
@given(left=collections, right=st.none() | collections, k=st.integers(1, 4), threshold=thresholds)
def test_nearest_equal_brute_force(similarity, left, right, k, threshold):
    found = fuzzy_join(left, right, threshold=threshold, metric=similarity, k=k)
    every = oracle.join(left, right, threshold, similarity)
    if right is None:
        every |= {(j, i): score for (i, j), score in every.items()}
    expected = []
    for i in range(len(left)):
        expected += ranked({pair: score for pair, score in every.items() if pair[0] == i})[:k]
    assert list(as_dict(found)) == expected
    assert same(as_dict(found), {pair: every[pair] for pair in expected})


@pytest.mark.parametrize("method", APPROXIMATE)
@settings(max_examples=25)
@given(left=collections, right=st.none() | collections, threshold=thresholds)
def test_approximate_joins_keep_what_they_promise(method, left, right, threshold):
    expected = set(oracle.join(left, right, threshold))
    lower, upper = (
        as_dict(fuzzy_join(left, right, threshold=threshold, method=method, bound=bound))
        for bound in ("lower", "upper")
    )
    assert set(lower) <= expected <= set(upper)


@settings(max_examples=25)
@given(left=collections, right=st.none() | collections, threshold=thresholds)
def test_bounded_joins_have_the_right_pairs(left, right, threshold):
    expected = set(oracle.join(left, right, threshold))
    assert set(as_dict(fuzzy_join(left, right, threshold=threshold, method="bounded"))) == (
        expected
    )


def test_bounded_gives_exact_scores_where_pairs_are_ranked():
    exact, bounded = (
        as_dict(fuzzy_join(PEOPLE, threshold=0.3, top=3, method=method))
        for method in ("exact", "bounded")
    )
    assert exact == bounded and len(exact) == 3


@pytest.mark.parametrize("options", [{"q": 2}, {"tokens": "words"}])
def test_other_tokens(options):
    found = fuzzy_join(PEOPLE, threshold=0.3, **options)
    cut = {"q": 2} if "q" in options else {"kind": "words"}
    assert len(found) and same(as_dict(found), oracle.join(PEOPLE, None, 0.3, **cut))


def test_letters_that_count_as_equal():
    sets = [["STRASSE"], ["straße"], ["ﬁn"], ["fin"]]
    assert len(fuzzy_join(sets, threshold=1)) == 0
    assert as_dict(fuzzy_join(sets, threshold=1, casefold=True)) == {(0, 1): 1.0, (2, 3): 1.0}
    assert as_dict(fuzzy_join(sets, threshold=1, normalize_unicode=True)) == {(2, 3): 1.0}


def test_many_equal_sets():
    """Of thousands of equal sets no more pairs are made than are asked for."""
    sets = [["a"], ["b", "c"]] * 3000 + [["b", "cc"]]
    best = fuzzy_join(sets, threshold=0.3, top=4)
    assert list(as_dict(best)) == [(0, 2), (0, 4), (0, 6), (0, 8)]
    near = fuzzy_join(sets, threshold=0.3, k=2)
    assert len(near) == 2 * 6001
    assert near.right[:4].tolist() == [2, 4, 3, 5] and near.right[-2:].tolist() == [1, 3]
    assert near.left[-2:].tolist() == [6000, 6000]


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "strings"])
def test_columns(kind):
    pa = pytest.importorskip("pyarrow")
    expected = as_dict(fuzzy_join(PEOPLE, threshold=0.3))
    if kind == "strings":
        texts = [None if row is None else "; ".join(row) for row in PEOPLE]
        assert as_dict(fuzzy_join(texts, threshold=0.3, separator=";")) == expected
        return
    column = pa.array(PEOPLE)
    if kind != "arrow":
        library = pytest.importorskip(kind)
        column = library.Series(PEOPLE) if kind == "pandas" else library.from_arrow(column)
    assert as_dict(fuzzy_join(column, threshold=0.3)) == expected
    assert len(fuzzy_join(column, PEOPLE, threshold=1)) == 3 + 1 + 1 + 1 + 1


@pytest.mark.parametrize("kind", [{}, {"top": 50}, {"k": 2}])
def test_the_same_for_any_number_of_threads_and_any_memory(kind):
    rng = np.random.default_rng(1)
    sets = [rng.choice(["ab", "abc", "abcd", "bcd", "xyz", "xy"], 3).tolist() for _ in range(400)]
    with threads(1):
        one = fuzzy_join(sets, threshold=0.5, **kind)
    for count, memory in ((2, "1GiB"), (3, 1 << 16)):
        with threads(count):
            more = fuzzy_join(sets, threshold=0.5, memory=memory, **kind)
        for ours, theirs in zip(pairs_of(one), pairs_of(more), strict=True):
            assert np.array_equal(ours, theirs)


def pairs_of(pairs: Pairs) -> tuple:
    return pairs.left, pairs.right, pairs.score


def test_tables():
    pytest.importorskip("pandas")
    pairs = fuzzy_join(PEOPLE, threshold=0.5)
    frame = pairs.to_pandas()
    assert list(frame) == ["left", "right", "score"]
    assert frame.left.tolist() == pairs.left.tolist()
    named = pairs.to_pandas([f"p{i}" for i in range(7)])
    assert named.right.tolist() == [f"p{i}" for i in pairs.right]
    two = fuzzy_join(PEOPLE, PEOPLE[:2], threshold=0.9).to_arrow(list("abcdefg"), ["x", "y"])
    assert two.column("right").to_pylist() == ["x", "y", "x"]
    with pytest.raises(ValueError, match="left must have a name for each of 7 sets, got 2"):
        pairs.to_arrow(["a", "b"])


def test_clusters():
    pairs = fuzzy_join(PEOPLE, threshold=0.3)
    groups = pairs.clusters()
    assert groups.left.tolist() == [0, 0, 1, 0, 2, 3, 1]
    assert groups.right is None
    assert (groups.sizes.tolist(), groups.duplicates) == ([3, 2, 1, 1], 3)
    two = fuzzy_join(PEOPLE[:3], PEOPLE[3:], threshold=0.3).clusters()
    assert (two.left.tolist(), two.right.tolist()) == ([0, 0, 1], [0, 2, 3, 1])
    assert fuzzy_join([]).clusters().sizes.tolist() == []


def test_what_is_told():
    told = []
    with observe(Trace()) as trace:
        pairs = fuzzy_join(PEOPLE, threshold=0.3, progress=lambda *count: told.append(count))
    assert told[-1] == (7, 7) and told == sorted(told)
    assert trace.rows and trace.rows[-1]["pairs"] == len(pairs)
    assert pairs.tally["pairs"] == len(pairs) == 4
    assert {"tokens", "candidates", "verification", "in all"} <= set(pairs.seconds)
    assert repr(pairs) == "Pairs(4 of 7 sets, scores 0.3953 to 1)"
    assert repr(fuzzy_join([], [])) == "Pairs(0 of 0 and 0 sets)"


@pytest.mark.parametrize(
    ("left", "right"), [([], None), ([], []), ([], [["a"]]), ([["a"]], []), ([None, []], None)]
)
@pytest.mark.parametrize("kind", [{}, {"top": 2}, {"k": 2}, {"metric": "edit"}])
def test_nothing_to_join(left, right, kind):
    found = fuzzy_join(left, right, **kind)
    assert len(found) == 0
    assert (found.left.dtype, found.score.dtype) == (np.int64, np.float64)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"threshold": 0}, r"threshold must be .*, got 0"),
        ({"threshold": 1.01}, r"threshold must be .*, got 1.01"),
        ({"threshold": -0.5}, r"threshold must be .*, got -0.5"),
        ({"threshold": float("nan")}, r"threshold must be .*, got nan"),
        ({"threshold": "0.7"}, r"threshold must be .*, got '0.7'"),
        ({"method": "fast"}, "method must be one of 'exact'.*, got 'fast'"),
        ({"bound": "both"}, "bound must be one of 'lower', 'upper', got 'both'"),
        ({"metric": "cosine"}, "metric must be one of .*, got 'cosine'"),
        ({"tokens": "letters"}, "tokens must be one of .*, got 'letters'"),
        ({"q": 0}, "q must be at least 1, got 0"),
        ({"equal_sets": "some"}, "equal_sets must be one of 'all', 'first', got 'some'"),
        ({"equal_sets": "first", "top": 3}, "equal_sets must be 'all' with top or k"),
        ({"top": 0}, "top must be at least 1, got 0"),
        ({"k": 1.5}, "k must be a whole number, got 1.5"),
        ({"top": 1, "k": 2}, "top and k must not both be given, got 1 and 2"),
        ({"memory": "lots"}, "memory must be a number of bytes, as 1GiB or 500MB, got 'lots'"),
        ({"memory": 5}, "memory must be at least 65536 bytes, got 5"),
        ({"device": "gpu"}, "device must be 'cpu', 'cuda' or 'cuda:<number>', got 'gpu'"),
        ({"progress": 3}, "progress must be a function or None, got 3"),
        ({"left": None}, "left must be a list or a column of sets of strings, got None"),
        ({"left": ["a b"]}, "left holds strings: give separator"),
        ({"left": [["a"], [1]]}, r"left\[1\] must hold strings alone, got \[1\]"),
        ({"right": 7}, "right must be a list or a column of sets of strings, got 7"),
    ],
)
def test_what_is_refused(options, text):
    given = {"left": PEOPLE} | options
    with pytest.raises((ValueError, TypeError), match=text):
        fuzzy_join(given.pop("left"), given.pop("right", None), **given)


@pytest.mark.slow
def test_long_strings():
    """Of a million letters; the same with one letter changed is almost the same."""
    long = "abcdefghij" * 100_000
    other = long[:500_000] + "X" + long[500_001:]
    found = fuzzy_join([[long, "a"], [other, "a"], ["b"]])
    assert as_dict(found).keys() == {(0, 1)}
    assert 0.9 < found.score[0] < 1


@pytest.mark.slow
def test_large_sets():
    """Of 100,000 elements, most of them in both sets."""
    sets = [[f"element {i}" for i in range(start, start + 100_000)] for start in (0, 5000)]
    found = fuzzy_join([*sets, ["element 7"]], threshold=0.9)
    assert as_dict(found).keys() == {(0, 1)}
    assert found.score[0] >= 95_000 / 105_000


def test_ctrl_c_says_how_far_it_got():
    def interrupt(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        fuzzy_join(PEOPLE, threshold=0.5, progress=interrupt)
    (note,) = caught.value.__notes__
    assert note.startswith("fuzzy_join had joined ") and " of 7 left sets at 0.5 and" in note


def test_public_name():
    assert not hasattr(ew, "fuzzy_join")


#: Of "left right" lines of pytokenjoin's pairs at 0.7 (each set's elements once), sorted.
YELP = "b0f1bf686995f592e2bcd2347ddd724d116e4fe9ad4aab13ab88506dd40bacd9"
YELP_SCORES = 117_561.97652


@pytest.fixture(scope="module")
def yelp(shared_sets):
    with gzip.open(shared_sets / "yelp_sample.csv.gz", "rt") as file:
        return [line.rstrip("\n").split(";") for line in file]


@pytest.mark.data
def test_pairs_are_those_of_pytokenjoin(yelp):
    found = fuzzy_join(yelp, threshold=0.7)
    assert len(found) == 134_356
    lines = "".join(
        f"{i} {j}\n"
        for i, j in zip(*map(np.ndarray.tolist, (found.left, found.right)), strict=True)
    )
    assert hashlib.sha256(lines.encode()).hexdigest() == YELP
    assert abs(found.score.sum() - YELP_SCORES) < 1e-4


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "threshold", "precision", "recall"),
    [("DBLP-ACM", 0.6, 0.85, 0.98), ("cddb", 0.7, 0.75, 0.75)],
)
def test_linkage(shared_sets, name, threshold, precision, recall):
    """Titles alone find most of the true matches."""
    from benchmarks.join.sets import load

    data = load(name)
    pairs = fuzzy_join(data.left, data.right, threshold=threshold)
    found = set(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))
    hits = len(found & data.truth)
    assert hits / len(found) >= precision
    assert hits / len(data.truth) >= recall


def test_equal_sets_are_connected_by_few_pairs():
    words = ["ann", "anna", "bob", "bobby", "carl"]
    left = [[words[i * i % 5], "x"] for i in range(40)]
    right = [[words[i * 3 % 5], "x"] for i in range(30)]
    for other in (None, right):
        every, few = (
            ew.join.fuzzy_join(left, other, threshold=0.5, equal_sets=name)
            for name in ("all", "first")
        )
        assert len(few) < len(every) / 3
        pairs = dict(zip(zip(every.left, every.right, strict=True), every.score, strict=True))
        for i, j, score in zip(few.left, few.right, few.score, strict=True):
            assert pairs[i, j] == score
        for one, two in zip(every.clusters(), few.clusters(), strict=True):
            np.testing.assert_array_equal(one, two)


def test_more_pairs_than_memory_has_room_for(monkeypatch):
    monkeypatch.setattr("edgewise.join.pair_selection.free_memory", lambda: 1 << 20)
    sets = [["unknown"]] * 3000
    with pytest.raises(MemoryError, match=r"at least 4,498,500 pairs, .*duplicates='first'"):
        ew.join.fuzzy_join(sets)
    assert ew.join.fuzzy_join(sets, equal_sets="first").clusters().duplicates == 2999
