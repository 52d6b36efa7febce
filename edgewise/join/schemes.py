"""By what a set is found: its tokens, or its elements, with what each is worth.

A scheme bounds the weight of a matching from what two sets share. Tokens: an element's token is
worth one of its number of tokens, as `edgewise.join.candidates` says. Elements: one that a set
shares with the other weighs at most 1, and any other at most as much as it is like the most
similar other element that occurs at all. With ``g`` the difference of the two, a matching of a set
of ``n`` elements weighs at most n, less ``g`` of all elements, plus ``g`` of the shared ones: an
element is worth ``g``. Elements are rarer than tokens by far, so where ``g`` of a set is large
enough, its elements find less that is not similar. Frequent tokens say little about how much alike
elements are, and take long: beyond the rare ones, numbers of tokens bound it.

What two sets of ``a`` and ``b`` elements must share is, for both,
share (a + b) - spare min(a, b) + the larger shift of the two. If that is nothing by elements, the
pair is found by tokens; so only sets for which that may be are in the index of tokens then.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.base.parallel import get_threads, launch, sort
from edgewise.base.random import hashed
from edgewise.graph.csr import frozen
from edgewise.join.corpus import Corpus, StringSets
from edgewise.join.distinct import Distinct
from edgewise.join.index import hits, index_of

__all__ = ["TOLERANCE", "Scheme", "by_elements", "by_tokens", "indexed", "level_of"]

#: Scores that are less than this below a threshold count as reaching it.
TOLERANCE = 1e-9

_FLOOR = 0.3  # elements that are less alike are taken to be so much alike
_READ = 1 << 9  # entries of lists that are read for an element
_GAIN = 1  # how many times fewer entries must be read to find sets by elements


class Scheme(NamedTuple):
    """What sets have, and the index of the right sets."""

    left: Any  #: Rows
    right: Any  #: Rows
    index: Any  #: Index
    left_shift: np.ndarray  #: float64 for each left set
    right_shift: np.ndarray
    edits: float  #: how many tokens one edit may change; 1 if there are no edits
    elements: bool  #: are sets found by their elements?
    ids: np.ndarray  #: int64, which token, or element, each number stands for

    @property
    def kinds(self) -> int:
        """How many tokens, or elements, there are."""
        return len(self.ids)


def by_tokens(corpus: Corpus, left: Distinct, right: Distinct | None, edits: int) -> Scheme:
    """Find sets by their tokens; the index is still to be made."""
    starts, tokens = frozen(corpus.element_starts), frozen(corpus.element_tokens)
    worth = 1.0 / np.diff(starts)
    kinds = len(corpus.frequency)
    both = _sides(corpus, left, right)
    rows = [_rows(sets, order, starts, tokens, worth, kinds) for sets, order in both]
    shifts = [frozen(np.zeros(len(one.sizes))) for one in rows]
    ids = frozen(np.arange(kinds))
    return Scheme(rows[0], rows[-1], None, shifts[0], shifts[-1], float(edits), False, ids)


def by_elements(
    corpus: Corpus, left: Distinct, right: Distinct | None, tokens: Scheme, threshold: float
) -> Scheme | None:
    """Find sets by their elements; the index is still to be made. None where it would not pay."""
    alike = _alike(corpus)
    kinds = len(alike)
    starts = frozen(np.arange(kinds + 1, dtype=np.int64))
    worth = np.maximum((1.0 - alike) * (1 - 1e-6), 1e-20)
    both = _sides(corpus, left, right)
    rank = np.empty(kinds, np.int32)
    often = sum(np.bincount(sets.elements, minlength=kinds) for sets, _ in both)
    ids = frozen(np.argsort(often, kind="stable"))
    rank[ids] = np.arange(kinds, dtype=np.int32)
    rows = [_rows(sets, order, starts, frozen(rank), worth, kinds) for sets, order in both]
    shifts = [
        frozen(np.add.reduceat(one.worth, one.starts[:-1], dtype=np.float64) - one.sizes)
        for one in rows
    ]
    scheme = Scheme(rows[0], rows[-1], None, shifts[0], shifts[-1], 1.0, True, ids)
    if _hits(scheme, threshold, right is None) * _GAIN > _hits(tokens, threshold, right is None):
        return None
    return scheme


def indexed(
    scheme: Scheme, threshold: float, alone: bool, elements: Scheme | None = None
) -> Scheme:
    """The scheme with its index for a threshold, alone or beside ``elements``."""
    needed = _needed(scheme, threshold, alone)
    if elements is not None:
        least = _needed(elements, threshold, alone)
        needed[least > 8 * TOLERANCE * scheme.right.sizes] = np.inf
    return scheme._replace(index=index_of(scheme.right, needed, scheme.kinds))


def _sides(
    corpus: Corpus, left: Distinct, right: Distinct | None
) -> list[tuple[StringSets, Distinct]]:
    """The collections with their distinct sets, once if both are the same."""
    both = [(corpus.left, left)]
    if right is not None and right is not left:
        assert corpus.right is not None
        both.append((corpus.right, right))
    return both


def _hits(scheme: Scheme, threshold: float, alone: bool) -> float:
    return hits(scheme.right, _needed(scheme, threshold, alone), scheme.kinds)


def level_of(threshold: Any) -> Any:
    """What scores are compared with: a little less than a threshold."""
    return np.maximum(threshold - 2 * TOLERANCE, threshold / 2)


def _rows(
    sets: StringSets, order: Distinct, starts: np.ndarray, tokens: np.ndarray, worth: np.ndarray,
    kinds: int,
) -> Any:  # fmt: skip
    """What the distinct sets of a collection have, and what it is worth."""
    from edgewise.join.cpu.utilities import Rows, fill_rows

    before = offsets(np.diff(starts)[sets.elements])
    first = order.first
    begins = offsets(before[sets.starts[first + 1]] - before[sets.starts[first]] + 1)
    total = int(begins[-1])
    rows = Rows(frozen(order.sizes), begins, np.empty(total, np.int32),
                np.empty(total, np.float32), np.empty(total, np.float32))  # fmt: skip
    team = get_threads()
    launch(fill_rows, StringSets(*map(frozen, sets)), first, starts, tokens, worth,
           np.zeros((team, kinds)), rows, team=team, work=8 * total)  # fmt: skip
    return Rows(*map(frozen, rows))


def _needed(scheme: Scheme, threshold: float, alone: bool) -> np.ndarray:
    """What each right set must share with any left set at the least."""
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold must lie in (0, 1], got {threshold!r}")
    level, edits = float(level_of(threshold)), scheme.edits
    share, spare = edits * level / (1 + level), edits - 1
    least = 2 * share - spare  # what an element must share with a set of the same size
    if not alone:  # smaller sets ask, too
        least = min(least, share * (1 + level) - spare * level)
    return (least - 4 * TOLERANCE * edits) * scheme.right.sizes + scheme.right_shift


def _alike(corpus: Corpus) -> np.ndarray:
    """How much each element is like the most similar other one at the most (Jaccard).

    Lists of the elements that have a token are read from the rarest token on. What is not found by
    then shares the other tokens at the most.
    """
    from edgewise.join.cpu.alike import Elements, Postings, find_alike

    starts, tokens = frozen(corpus.element_starts), frozen(corpus.element_tokens)
    sizes = np.diff(starts)
    prefix = sizes - np.ceil(_FLOOR * sizes - TOLERANCE).astype(np.int64) + 1
    ends = starts[:-1] + prefix
    element = np.repeat(np.arange(len(sizes)), prefix)
    place = np.arange(len(element)) - np.repeat(offsets(prefix)[:-1], prefix)
    keys = (tokens[starts[element] + place].astype(np.int64) << 32) | element
    sort(keys)
    lists = np.searchsorted(keys, np.arange(len(corpus.frequency) + 1) << 32)
    team, alike = get_threads(), np.full(len(sizes), _FLOOR)
    postings = Postings(lists, (keys & 0xFFFFFFFF).astype(np.int32))
    met = np.full((team, len(sizes)), -1, np.int32)
    launch(find_alike, Elements(starts, tokens, ends), postings, _READ, met, alike, team=team,
           work=8 * len(keys))  # fmt: skip
    return np.minimum(alike, _most_alike(corpus))


def _most_alike(corpus: Corpus) -> np.ndarray:
    """How much each element can be like any other one at the most, from the numbers of tokens.

    Of two that have n tokens each, one differs unless all are the same: (n - 1) / (n + 1). Those of
    n and m > n tokens are at most n / m alike.
    """
    starts, tokens = corpus.element_starts, corpus.element_tokens
    sizes = np.diff(starts)
    number, which, count = np.unique(sizes, return_inverse=True, return_counts=True)
    most = np.where(count > 1, (number - 1) / (number + 1), 0.0)
    steps = number[:-1] / number[1:]
    most[:-1] = np.maximum(most[:-1], steps)
    most[1:] = np.maximum(most[1:], steps)
    sums = np.add.reduceat(
        hashed(0, tokens), starts[:-1]
    )  # of equal hashes, all tokens may be equal
    _, row, twins = np.unique(sums, return_inverse=True, return_counts=True)
    return np.where(twins[row] > 1, 1.0, np.maximum(most[which], _FLOOR))
