"""Collections as integers equal a plain-Python oracle, number by number, for any thread count."""

from __future__ import annotations

import unicodedata
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.threads import threads
from edgewise.join.corpus import Corpus, corpus
from edgewise.join.cpu.strings import Texts

END = None  # no letter


@pytest.fixture(autouse=True, scope="module")
def _wake_the_team():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("edgewise.base.threads.SERIAL_WORK", 0)
        yield


def cut(element: str, similarity: str, tokens: str, q: int) -> list:
    """An element's tokens, in order, with repetitions."""
    if tokens == "words":
        return element.split() or [""]
    marks = q if not element else q - 1 if similarity == "edit" else -len(element) % q
    letters = [*element, *[END] * marks]
    return [tuple(letters[i : i + q]) for i in range(len(letters) - q + 1)]


def plain(left, right=None, *, metric="jaccard", tokens="qgrams", q=3, casefold=False,
          normalize_unicode=False) -> Corpus:  # fmt: skip
    """`corpus` by dictionaries; its records hold lists."""

    def folded(element):
        element = unicodedata.normalize("NFKC", element) if normalize_unicode else element
        element = element.casefold() if casefold else element
        element = (
            unicodedata.normalize("NFKC", element) if normalize_unicode and casefold else element
        )
        return element.strip()

    given = [
        [[folded(e.strip()) for e in row or () if e.strip()] for row in one]
        for one in (left, right or [])
    ]
    elements = list(dict.fromkeys(e for one in given for row in one for e in row))
    bags = [cut(e, metric, tokens, q) for e in elements]
    most: dict = {}
    for bag in bags:
        for kind, count in Counter(bag).items():
            most[kind] = max(most.get(kind, 0), count)
    order = list(dict.fromkeys(kind for bag in bags for kind in bag))  # by first occurrence
    names = [(kind, 1) for kind in order]
    names += [(kind, k) for kind in order for k in range(2, most[kind] + 1)]
    owned = {
        e: {(kind, k + 1) for kind, count in Counter(bag).items() for k in range(count)}
        for e, bag in zip(elements, bags, strict=True)
    }
    frequency = Counter()
    for one in given:
        for row in one:
            frequency.update(set().union(*(owned[e] for e in row)))
    names.sort(key=lambda name: frequency[name])
    token = {name: i for i, name in enumerate(names)}
    place = {e: i for i, e in enumerate(elements)}
    rows = [sorted(token[name] for name in owned[e]) for e in elements]
    sets = [flat([sorted({place[e] for e in row}) for row in one]) for one in given]
    letters = flat([[ord(letter) for letter in e] for e in elements])
    edit = metric == "edit"
    return Corpus(
        sets[0], sets[1] if right is not None else None, *flat(rows),
        letters[1] if edit else None, letters[0] if edit else None,
        [frequency[name] for name in names], letter_bags(elements) if edit else None,
        elements, ["".join("$" if one == END else one for one in kind) for kind, _ in names],
    )  # fmt: skip


def letter_bags(elements: list[str]) -> list[int]:
    """Four bits for each class of letters, by their last five bits; two words an element."""
    words = []
    for element in elements:
        kinds = Counter(ord(letter) % 32 for letter in element)
        word = sum((1 << min(count, 4)) - 1 << 4 * kind for kind, count in kinds.items())
        words += [word % 2**64, word >> 64]
    return words


def flat(rows: list[list]) -> tuple[list, list]:
    starts = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(int).tolist()
    return starts, [value for row in rows for value in row]


def listed(value):
    """A record's arrays, and texts, as lists."""
    if isinstance(value, Texts):
        return [value.text(i) for i in range(len(value.begins))]
    if isinstance(value, np.ndarray):
        return value.tolist()
    return tuple(map(listed, value)) if isinstance(value, tuple) else value


def assert_equals_plain(left, right=None, **options):
    wanted = listed(plain(left, right, **options))
    for team in (1, 2):
        with threads(team):
            assert listed(corpus(left, right, **options)) == wanted


# Letters of one to four bytes, white space of each width, combining marks, ligatures, emoji.
ALPHABET = "aab \t\x1c\u0085\u2003\u3000éß\u0301\u0327Åﬁ\0$中👩‍👧🇫\U0010ffff"
STRINGS = st.text(ALPHABET, max_size=9) | st.text(st.characters(exclude_categories=["Cs"]))
COLLECTIONS = st.lists(st.lists(STRINGS, max_size=5) | st.none(), max_size=6)


@settings(max_examples=60)
@given(
    COLLECTIONS,
    st.none() | COLLECTIONS,
    st.sampled_from([("jaccard", "qgrams"), ("edit", "qgrams"), ("jaccard", "words")]),
    st.integers(1, 5),
    st.booleans(),
    st.booleans(),
)
def test_equals_oracle(left, right, kind, q, casefold, normalize):
    similarity, tokens = kind
    assert_equals_plain(left, right, metric=similarity, tokens=tokens, q=q,
                        casefold=casefold, normalize_unicode=normalize)  # fmt: skip


@settings(max_examples=60)
@given(st.lists(STRINGS | st.none(), max_size=8), st.sampled_from([";", " ", "aa", "中", "\t-"]))
def test_separated_strings_are_stripped_parts(texts, separator):
    rows = [
        [part.strip() for part in (text or "").split(separator) if part.strip()] for text in texts
    ]
    for team in (1, 2):
        with threads(team):
            assert listed(corpus(texts, separator=separator)) == listed(plain(rows))


def test_types():
    found = corpus([["ab"]], [["b"]], metric="edit")
    assert {a.dtype for a in (found.left.starts, found.element_starts, found.letter_starts)} == {
        np.dtype(np.int64)
    }
    assert found.left.elements.dtype == found.element_tokens.dtype == np.int32
    assert found.letters.dtype == np.uint32
    assert found.frequency.dtype == np.int64
    assert corpus([["ab"]]).letters is None
    assert corpus([["ab"]]).right is None


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("aaaa", "aaaaa", 3 / 5),  # what pytokenjoin says
        ("aaaa", "aaaaaaaa", 3 / 8),
        ("banana", "bananana", 4 / 7),
        ("abcdefgh", "abcdefgx", 5 / 9),
        ("abcdefgh", "abcdefghi", 3 / 4),
        ("abcd", "abcx", 1 / 7),
        ("abc", "abcd", 1 / 4),
        ("abcabc", "abc", 1 / 4),
        ("éééé", "ééééé", 3 / 5),
        ("a", "ab", 0.0),
        ("a$", "a", 0.0),  # there 1.0: its end mark is the dollar sign
    ],
)
def test_tokens_are_counted_as_pytokenjoin_does(one, other, both):
    found = corpus([[one], [other]])
    a, b = (set(row.tolist()) for row in np.split(found.element_tokens, found.element_starts[1:-1]))
    assert len(a & b) / len(a | b) == both


def test_elements_without_letters_are_left_out():
    assert corpus([["", "a"], [""]]).frequency.tolist() == [1]
    assert corpus([[" ", "a"], [""]], tokens="words").frequency.tolist() == [1]
    assert corpus([[""]], metric="edit", q=1).element_tokens.tolist() == []


def test_one_edit_changes_at_most_q_tokens():
    word, q = "abcdefg", 3
    for i in range(len(word)):
        for edited in (
            word[:i] + word[i + 1 :],
            word[:i] + "x" + word[i:],
            word[:i] + "x" + word[i + 1 :],
        ):
            found = corpus([[word], [edited]], metric="edit", q=q)
            a, b = np.split(found.element_tokens, found.element_starts[1:-1])
            assert len(np.setdiff1d(a, b)) <= q
            assert len(np.setdiff1d(b, a)) <= q


def test_many_equal_texts_at_once():
    """Threads race for the same places; the first occurrence wins all the same."""
    rng = np.random.default_rng(5)
    words = [f"w{i}" for i in rng.integers(0, 300, 20_000)]
    rows = [words[i : i + 7] for i in range(0, len(words), 7)]
    assert_equals_plain(rows, rows[::3])


def test_large_sets_and_long_strings():
    many = [f"{i}" for i in range(100_000)]
    long = "añ中👩" * 100_000  # 1 MB
    found = corpus([many, many[::-1], [long], [long, "a"]])
    assert np.diff(found.left.starts).tolist() == [100_000, 100_000, 1, 2]
    assert (found.left.elements[:100_000] == np.arange(100_000)).all()
    assert (found.left.elements[100_000:200_000] == np.arange(100_000)).all()
    tokens = found.element_tokens[found.element_starts[100_000] :]
    assert len(tokens) == -(-400_000 // 3) * 3 - 2 + 1
    assert (np.diff(tokens[:-1]) > 0).all()
