"""Collections of sets of strings as integers: elements, and the tokens that elements have.

A set has elements (strings), each once: how often one is given, and in which order, says nothing.
An element has tokens, by which two elements are alike: its q-grams or its words. A token that
occurs twice in an element is two tokens, the first and the second of its kind: so the tokens of an
element are distinct, and what two elements have in common is counted as in bags. White space around
an element is taken off, and one without letters is left out, so every element has a token.

Letters are code points. For Jaccard similarity an element is filled up with end marks to a multiple
of ``q`` letters, then cut at every letter: "abcd" has abc, bcd, cd., d.. and "abc" has abc alone.
That is what pytokenjoin does, found by trying: phi("abcdefgh", "abcdefgx") is 5/9, phi("aaaa",
"aaaaa") is 3/5; our end mark is no letter, though, while there it is the dollar sign. For edit
similarity ``q - 1`` end marks follow every element, so that one edit changes at most ``q`` of its
q-grams.

Elements are numbered by their first occurrence, left sets first; tokens from the rarest to the one
in most sets. Of tokens in equally many sets those come first that are the first of their kind in an
element, by their first occurrence. So numbers do not depend on threads.

The work is linear in the text and in the tokens of all members, but for sorting small rows.
Elements and tokens are interned by hashing (`edgewise.join.cpu.intern`), and compared: no two that
differ share a number.
"""

from __future__ import annotations

import unicodedata
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_count, check_flag
from edgewise.join.cpu.bags import bags
from edgewise.join.cpu.intern import intern
from edgewise.join.cpu.sorted_rows import distinct_rows
from edgewise.join.cpu.split import split
from edgewise.join.cpu.strings import Texts
from edgewise.join.cpu.tokens import grams, letters, number_repeated, rank_by_frequency
from edgewise.join.string_columns import Members, as_members, as_texts, check_separator

__all__ = ["Corpus", "StringSets", "corpus"]

_LONGEST = 255  # letters of a q-gram, at most


class StringSets(NamedTuple):
    """A collection of sets: the elements of set i are ``elements[starts[i]:starts[i + 1]]``."""

    starts: np.ndarray  #: int64, one more than there are sets
    elements: np.ndarray  #: int32, ascending in each set, each once


class Corpus(NamedTuple):
    """One or two collections whose elements and tokens share one numbering."""

    left: StringSets
    right: StringSets | None  #: None: the left sets are joined with themselves
    element_starts: np.ndarray  #: int64, where the tokens of each element begin
    element_tokens: np.ndarray  #: int32, ascending in each element, each once
    letters: np.ndarray | None  #: uint32, the code points of all elements, for edit similarity
    letter_starts: np.ndarray | None  #: int64, where the letters of each element begin
    frequency: np.ndarray  #: int64, in how many sets each token occurs: ascending
    bags: np.ndarray | None  #: uint64, which letters elements have: see `edgewise.join.cpu.bags`
    element_texts: Texts | None = None  #: what the elements are
    token_texts: Texts | None = None  #: what the tokens are, with bytes 255 for end marks


def corpus(
    left: Any,
    right: Any = None,
    *,
    metric: str = "jaccard",
    tokens: str = "qgrams",
    q: int = 3,
    casefold: bool = False,
    normalize_unicode: bool = False,
    separator: str | None = None,
) -> Corpus:
    """Return one or two collections of sets of strings as a `Corpus`.

    Parameters
    ----------
    left, right : collections of sets of strings
        Lists of lists (tuples, sets) of strings; lists of strings, with ``separator``; or columns
        of pandas, Polars or Arrow of either kind. None is an empty set. Without ``right``, the
        corpus is for a self-join. White space around elements is removed, and empty elements are
        dropped.
    metric : "jaccard" or "edit"
        The similarity of elements. "edit" also keeps the letters, and needs q-grams.
    tokens : "qgrams" or "words"
        The tokens of an element; words are separated by white space.
    q : int
        The length of a q-gram in letters, up to 255.
    casefold, normalize_unicode : bool
        Whether to ignore letter case, or differences in Unicode form (NFKC).
    separator : str, optional
        The separator between elements, if each set is one string.

    Returns
    -------
    Corpus

    Examples
    --------
    >>> found = corpus([["abcd", "xyz"], ["xyz", "xyz"], []])
    >>> found.left.starts.tolist(), found.left.elements.tolist()
    ([0, 2, 3, 3], [0, 1, 1])
    >>> found.element_starts.tolist(), found.element_tokens.tolist(), found.frequency.tolist()
    ([0, 4, 5], [0, 1, 2, 3, 4], [1, 1, 1, 1, 2])
    """
    check_choice(metric, "metric", ("jaccard", "edit"))
    check_choice(tokens, "tokens", ("qgrams", "words"))
    check_count(q, "q", 1, _LONGEST)
    check_flag(casefold, "casefold")
    check_flag(normalize_unicode, "normalize_unicode")
    check_separator(separator)
    if metric == "edit" and tokens == "words":
        raise ValueError(f"tokens must be 'qgrams' for edit similarity, got {tokens!r}")
    given = [as_members(left, "left", separator)]
    if right is not None:
        given.append(as_members(right, "right", separator))
    elements, collections = _elements(given, casefold, normalize_unicode)
    if tokens == "words":
        starts, parts = split(elements, least=1)
    else:
        starts, parts = grams(elements, q, metric == "edit")
    ids, kinds = intern(parts)
    kind = number_repeated(starts, ids, len(kinds))
    frequency, order = rank_by_frequency(collections, starts, ids, len(kind))
    places = kinds[kind[order]]
    points = point_starts = words = None
    if metric == "edit":
        points, point_starts = letters(elements)
        words = bags(points, point_starts)
    return Corpus(
        collections[0], collections[1] if right is not None else None,
        starts, ids, points, point_starts, frequency, words, elements,
        Texts(parts.buffer, parts.begins[places], parts.ends[places]),
    )  # fmt: skip


def _elements(
    given: list[Members], casefold: bool, normalize: bool
) -> tuple[Texts, list[StringSets]]:
    """The distinct elements of all collections, and the collections in their numbers."""
    count = sum(len(one.starts) - 1 for one in given)
    if count >= 1 << 31:
        raise ValueError(f"there must be fewer than 2**31 sets, got {count}")
    texts = _joined([one.texts for one in given])
    ids, firsts = intern(texts)
    elements = Texts(texts.buffer, texts.begins[firsts], texts.ends[firsts])
    if casefold or normalize:
        elements = as_texts(_folded(elements, casefold, normalize))
        new, firsts = intern(elements)
        ids = new[ids]
        elements = Texts(elements.buffer, elements.begins[firsts], elements.ends[firsts])
    collections, before = [], 0
    for one in given:
        count = int(one.starts[-1])
        collections.append(StringSets(*distinct_rows(one.starts, ids[before : before + count])))
        before += count
    return elements, collections


def _joined(texts: list[Texts]) -> Texts:
    """The texts of all collections over one buffer."""
    if len(texts) == 1:
        return texts[0]
    first, second = texts
    shift = len(first.buffer)
    return Texts(
        np.concatenate((first.buffer, second.buffer)),
        np.concatenate((first.begins, second.begins + shift)),
        np.concatenate((first.ends, second.ends + shift)),
    )


def _folded(texts: Texts, casefold: bool, normalize: bool) -> list[str]:
    """Distinct elements, normalized and folded; folding may undo the form, so it comes between."""
    whole = texts.buffer.tobytes()
    pairs = zip(texts.begins.tolist(), texts.ends.tolist(), strict=True)
    strings = [whole[begin:end].decode() for begin, end in pairs]
    if normalize:
        strings = [unicodedata.normalize("NFKC", string) for string in strings]
    if casefold:
        strings = [string.casefold() for string in strings]
    if normalize and casefold:
        strings = [unicodedata.normalize("NFKC", string) for string in strings]
    return [string.strip() for string in strings]  # a letter's other form may begin with a space
