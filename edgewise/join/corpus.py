"""Collections of sets of strings as integers: elements, and the tokens that elements have.

A set has elements (strings), each once: how often one is given, and in which order, says nothing.
An element has tokens, by which two elements are alike: its q-grams or its words. A token that
occurs twice in an element is two tokens, the first and the second of its kind: so the tokens of an
element are distinct, and what two elements have in common is counted as in bags. An element
without letters (or without words) has one token of its own kind, so every element has a token.

Letters are code points. For Jaccard similarity an element is filled up with end marks to a multiple
of ``q`` letters, then cut at every letter: "abcd" has abc, bcd, cd., d.. and "abc" has abc alone.
That is what pytokenjoin does, found by trying: phi("abcdefgh", "abcdefgx") is 5/9, phi("aaaa",
"aaaaa") is 3/5; our end mark is no letter, though, while there it is the dollar sign. For edit
similarity ``q - 1`` end marks follow every element, so that one edit changes at most ``q`` of its
q-grams.

Elements are numbered by their first occurrence, left sets first; tokens from the rarest to the one
in most sets, those in equally many by their first occurrence in the elements. So numbers do not
depend on threads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["Corpus", "Sets", "corpus"]

_END = "\0"


class Sets(NamedTuple):
    """A collection: the elements of set i are ``elements[starts[i]:starts[i + 1]]``."""

    starts: np.ndarray  #: int64, one more than there are sets
    elements: np.ndarray  #: int32, ascending in each set, each once


class Corpus(NamedTuple):
    """Both collections over one numbering of elements and tokens."""

    left: Sets
    right: Sets | None  #: None: the left sets are joined with themselves
    element_starts: np.ndarray  #: int64, where the tokens of each element begin
    element_tokens: np.ndarray  #: int32, ascending in each element, each once
    letters: np.ndarray | None  #: uint32, the code points of all elements, for edit similarity
    letter_starts: np.ndarray | None  #: int64, where the letters of each element begin
    frequency: np.ndarray  #: int64, in how many sets each token occurs: ascending


def corpus(
    left: Any,
    right: Any = None,
    *,
    similarity: str = "jaccard",
    tokens: str = "qgrams",
    q: int = 3,
    casefold: bool = False,
    normalize: bool = False,
    separator: str | None = None,
) -> Corpus:
    """One or two collections of sets of strings as a `Corpus`.

    >>> found = corpus([["abcd", "xyz"], ["xyz", "xyz"], []])
    >>> found.left.starts.tolist(), found.left.elements.tolist()
    ([0, 2, 3, 3], [0, 1, 1])
    >>> found.element_starts.tolist(), found.element_tokens.tolist(), found.frequency.tolist()
    ([0, 4, 5], [0, 1, 2, 3, 4], [1, 1, 1, 1, 2])
    """
    ids: dict[str, int] = {}
    sets = [
        None if one is None else _sets(one, ids, separator, casefold, normalize)
        for one in (left, right)
    ]
    cut = _words if tokens == "words" else _padded if similarity == "edit" else _filled
    kinds: dict[tuple[str, int], int] = {}
    rows = []
    for element in ids:
        seen: dict[str, int] = {}
        row = []
        for gram in cut(element, q):
            seen[gram] = seen.get(gram, 0) + 1
            row.append(kinds.setdefault((gram, seen[gram]), len(kinds)))
        rows.append(row)
    frequency = np.zeros(len(kinds), np.int64)
    for one in sets:
        if one is not None:
            for i in range(len(one.starts) - 1):
                members = one.elements[one.starts[i] : one.starts[i + 1]]
                frequency[sorted({token for e in members for token in rows[e]})] += 1
    order = np.argsort(frequency, kind="stable")
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order))
    starts = _starts([len(row) for row in rows])
    flat = [np.sort(rank[row]) for row in rows]
    letters = letter_starts = None
    if similarity == "edit":
        letters = np.frombuffer("".join(ids).encode("utf-32-le"), np.uint32)
        letter_starts = _starts([len(element) for element in ids])
    assert sets[0] is not None
    return Corpus(
        sets[0], sets[1], starts,
        np.concatenate(flat) if flat else np.zeros(0, np.int32),
        letters, letter_starts, frequency[order],
    )  # fmt: skip


def _sets(rows, ids, separator, casefold, normalize) -> Sets:
    import unicodedata

    members = []
    for row in rows:
        if isinstance(row, str):
            if separator is None:
                raise TypeError(f"left must hold sets of strings, or give separator, got {row!r}")
            row = row.split(separator)
        found = set()
        for element in row if row is not None else ():
            if normalize:
                element = unicodedata.normalize("NFKC", element)
            if casefold:
                element = element.casefold()
            found.add(ids.setdefault(element, len(ids)))
        members.append(sorted(found))
    flat = [element for row in members for element in row]
    return Sets(_starts([len(row) for row in members]), np.array(flat, np.int32))


def _starts(sizes) -> np.ndarray:
    return np.concatenate(([0], np.cumsum(np.array(sizes, np.int64)))).astype(np.int64)


def _filled(element: str, q: int) -> list[str]:
    text = element + _END * (-len(element) % q if element else q)
    return [text[i : i + q] for i in range(len(text) - q + 1)]


def _padded(element: str, q: int) -> list[str]:
    text = element + _END * (q - 1 if element else q)
    return [text[i : i + q] for i in range(len(text) - q + 1)]


def _words(element: str, q: int) -> list[str]:
    return element.split() or [""]
