"""By what a set is found: its tokens, or its elements, with what each is worth.

A scheme bounds the weight of a matching from what two sets share. Tokens: an element's token is
worth one of its number of tokens, as `edgewise.join.candidates` says. Elements: one that a set
shares with the other weighs at most 1, and any other at most as much as it is like the most
similar other element that occurs at all. With ``g`` the difference of the two, a matching of a set
of ``n`` elements weighs at most n, less ``g`` of all elements, plus ``g`` of the shared ones: an
element is worth ``g``. Elements are rarer than tokens by far, so where ``g`` of a set is large
enough, its elements find less that is not similar. Where it takes too long to compare all elements,
their numbers of tokens say how much alike two that differ can be.

What two sets of ``a`` and ``b`` elements must share is, for both,
share (a + b) - spare min(a, b) + the larger shift of the two. If that is nothing by elements, the
pair is found by tokens; so only sets for which that may be are in the index of tokens then.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.parallel import exclusive_scan, get_threads, launch, sort
from edgewise.base.random import hashed
from edgewise.graph.csr import frozen
from edgewise.join.corpus import Corpus, Sets
from edgewise.join.distinct import Distinct

__all__ = ["TOLERANCE", "Scheme", "by_elements", "by_tokens", "level_of", "reindex"]

#: Scores that are less than this below a threshold count as reaching it.
TOLERANCE = 1e-9

_FLOOR = 0.3  # elements that are less alike are taken to be so much alike
_GAIN = 8  # how much cheaper than the search it must be to compare elements


class Scheme(NamedTuple):
    """What sets have, and the index of the right sets."""

    left: Any  #: Rows
    right: Any  #: Rows
    index: Any  #: Index
    left_shift: np.ndarray  #: float64 for each left set
    right_shift: np.ndarray
    edits: float  #: how many tokens one edit may change; 1 if there are no edits
    elements: bool  #: are sets found by their elements?


def by_tokens(
    corpus: Corpus, left: Distinct, right: Distinct | None, threshold: float, edits: int
) -> Scheme:
    """Find sets by their tokens."""
    starts, tokens = frozen(corpus.element_starts), frozen(corpus.element_tokens)
    worth = 1.0 / np.diff(starts)
    kinds = len(corpus.frequency)
    rows = _rows(corpus.left, left, starts, tokens, worth, kinds)
    others = rows
    if right is not None and right is not left:
        assert corpus.right is not None
        others = _rows(corpus.right, right, starts, tokens, worth, kinds)
    shifts = [frozen(np.zeros(len(one.sizes))) for one in (rows, others)]
    index = _index(others, shifts[1], threshold, edits, right is None, kinds)
    return Scheme(rows, others, index, shifts[0], shifts[1], float(edits), False)


def by_elements(
    corpus: Corpus, left: Distinct, right: Distinct | None, tokens: Scheme, threshold: float
) -> Scheme | None:
    """Find sets by their elements; None where it would not pay."""
    budget = _square(tokens.index.starts) / _GAIN
    alike = _alike(corpus, budget)
    known = alike is not None
    if alike is None:
        alike = _most_alike(corpus)
    kinds = len(alike)
    starts = frozen(np.arange(kinds + 1, dtype=np.int64))
    worth = np.maximum((1.0 - alike) * (1 - 1e-6), 1e-20)
    both = [(corpus.left, left)]
    if right is not None and right is not left:
        assert corpus.right is not None
        both.append((corpus.right, right))
    often = sum(np.bincount(sets.elements, minlength=kinds) for sets, _ in both)
    rank = np.empty(kinds, np.int32)
    rank[np.argsort(often, kind="stable")] = np.arange(kinds, dtype=np.int32)
    rows = [_rows(sets, order, starts, frozen(rank), worth, kinds) for sets, order in both]
    shifts = [
        frozen(np.add.reduceat(one.worth, one.starts[:-1], dtype=np.float64) - one.sizes)
        for one in rows
    ]
    index = _index(rows[-1], shifts[-1], threshold, 1.0, right is None, kinds)
    if not known and _square(index.starts) > budget:
        return None
    return Scheme(rows[0], rows[-1], index, shifts[0], shifts[-1], 1.0, True)


def reindex(
    scheme: Scheme, threshold: float, alone: bool, elements: Scheme | None = None
) -> Scheme:
    """The same for another threshold, or beside ``elements`` for the same threshold."""
    chosen = None
    if elements is not None:
        chosen = _needed(elements.right, elements.right_shift, threshold, 1.0, alone)
        chosen = chosen <= 8 * TOLERANCE * scheme.right.sizes
    index = _index(scheme.right, scheme.right_shift, threshold, scheme.edits, alone,
                   len(scheme.index.starts) - 1, chosen)  # fmt: skip
    return scheme._replace(index=index)


def level_of(threshold: Any) -> Any:
    """What scores are compared with: a little less than a threshold."""
    return np.maximum(threshold - 2 * TOLERANCE, threshold / 2)


def _rows(
    sets: Sets, order: Distinct, starts: np.ndarray, tokens: np.ndarray, worth: np.ndarray,
    kinds: int,
) -> Any:  # fmt: skip
    """What the distinct sets of a collection have, and what it is worth."""
    from edgewise.join.cpu.utilities import Rows, fill_rows

    before = np.concatenate(([0], np.cumsum(np.diff(starts)[sets.elements])))
    first = order.first
    begins = exclusive_scan(before[sets.starts[first + 1]] - before[sets.starts[first]] + 1)
    total = int(begins[-1])
    rows = Rows(frozen(order.sizes), begins, np.empty(total, np.int32),
                np.empty(total, np.float32), np.empty(total, np.float32))  # fmt: skip
    team = get_threads()
    launch(fill_rows, Sets(*map(frozen, sets)), first, starts, tokens, worth,
           np.zeros((team, kinds)), rows, team=team, work=8 * total)  # fmt: skip
    return Rows(*map(frozen, rows))


def _needed(
    rows: Any, shift: np.ndarray, threshold: float, edits: float, alone: bool
) -> np.ndarray:
    """What each right set must share with any left set at the least."""
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold must lie in (0, 1], got {threshold!r}")
    level = float(level_of(threshold))
    share, spare = edits * level / (1 + level), edits - 1
    least = 2 * share - spare  # what an element must share with a set of the same size
    if not alone:  # smaller sets ask, too
        least = min(least, share * (1 + level) - spare * level)
    return (least - 4 * TOLERANCE * edits) * rows.sizes + shift


def _index(
    rows: Any, shift: np.ndarray, threshold: float, edits: float, alone: bool, kinds: int,
    chosen: np.ndarray | None = None,
) -> Any:  # fmt: skip
    """The index of the prefixes of sets, or of the chosen ones, for a threshold."""
    from edgewise.join.cpu.utilities import Index, count_postings, fill_postings, find_prefixes

    needed = _needed(rows, shift, threshold, edits, alone)
    if chosen is not None:
        needed = np.where(chosen, needed, np.inf)
    team, count = get_threads(), len(rows.sizes)
    ends, counts = np.empty(count, np.int64), np.zeros(kinds, np.int64)
    launch(find_prefixes, rows, needed, ends, work=8 * count)
    launch(count_postings, rows, frozen(ends), counts, team=team, work=8 * count)
    starts = exclusive_scan(counts)
    total = int(starts[-1])
    bounds = np.searchsorted(starts, np.arange(team + 1) * total // team)
    bounds[0], bounds[-1] = 0, kinds
    largest = int(rows.sizes.max(initial=0))
    by_size = np.searchsorted(rows.sizes, np.arange(largest + 2)).astype(np.int32)
    index = Index(starts, np.empty(total, np.int32), np.empty(total, np.float32),
                  np.empty(total, np.float32), frozen(ends), by_size)  # fmt: skip
    launch(fill_postings, rows, index, bounds, starts[:-1].copy(), team=team, work=8 * count)
    return Index(*map(frozen, index))


def _alike(corpus: Corpus, budget: float) -> np.ndarray | None:
    """How much each element is like the most similar other one (Jaccard), `_FLOOR` at the least.

    None if the lists of elements are too long to be looked through.
    """
    from edgewise.join.cpu.alike import find_alike

    starts, tokens = frozen(corpus.element_starts), frozen(corpus.element_tokens)
    sizes = np.diff(starts)
    prefix = sizes - np.ceil(_FLOOR * sizes - TOLERANCE).astype(np.int64) + 1
    ends = starts[:-1] + prefix
    element = np.repeat(np.arange(len(sizes)), prefix)
    place = np.arange(len(element)) - np.repeat(exclusive_scan(prefix)[:-1], prefix)
    keys = (tokens[starts[element] + place].astype(np.int64) << 32) | element
    sort(keys)
    lists = np.searchsorted(keys, np.arange(len(corpus.frequency) + 1) << 32)
    if _square(lists) > budget:
        return None
    team = get_threads()
    alike = np.full((team, len(sizes)), _FLOOR)
    launch(
        find_alike, starts, tokens, ends, lists, (keys & 0xFFFFFFFF).astype(np.int32),
        np.zeros((team, len(sizes)), np.int32), np.empty((team, len(sizes)), np.int32), alike,
        team=team, work=8 * len(keys),
    )  # fmt: skip
    return alike.max(axis=0)


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


def _square(starts: np.ndarray) -> int:
    """How much it is to look through each list once for each of its entries."""
    sizes = np.diff(starts).astype(np.float64)
    return int(sizes @ sizes)
