"""How much the elements of two sets are alike: the edges of the graph of a pair, row by row.

Jaccard similarity goes by an index of the left set, token by token: a row finds the columns with
which it has tokens in common, and how many, and never meets the others. The index stays while the
left set does. Where only heavy edges are asked for, the tokens that most columns have are left out
of the search. Edit similarity compares every row with every column, but for those whose letters say
that they are not similar enough. There also the elements that both sets have stay in the graph,
since 1 - similarity knows no triangle: "ab" and "bc" are not alike at all, but both are like "abc",
so equal elements need not be mates in a greatest matching.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.cpu.insertion import insert
from edgewise.join.cpu.alike import common_tokens
from edgewise.join.cpu.bags import most_alike
from edgewise.join.cpu.levenshtein import LETTERS, distance, learn, short_distance
from edgewise.join.cpu.pair_arrays import ALL, FLOORS, HELD, SORTED

__all__ = ["closest", "find_edges", "forget", "hold", "likely", "set_same_aside"]

_PLACE = np.int64((1 << 32) - 1)
_LONG = 4  # a token is spared if this times its columns are more than all others have


class Word(NamedTuple):
    """An element, where its letters begin, and how many there are."""

    e: int
    first: int
    size: int


@inner
def hold(corpus, i, scratch):
    """Have the left set i in the index, instead of what is there.

    The columns of a token follow each other in ``owner``, the last of the set first, from ``head``
    on; before the first stands how many they are.
    """
    forget(corpus, scratch)
    scratch.state[HELD] = i
    low, high = corpus.left_starts[i], corpus.left_starts[i + 1]
    starts, tokens, elements = corpus.element_starts, corpus.element_tokens, corpus.left_elements
    for p in range(low, high):  # head is one less for every column
        for q in range(starts[elements[p]], starts[elements[p] + 1]):
            scratch.head[tokens[q]] -= np.int32(1)
    at = np.int32(0)
    for p in range(low, high):  # then where the columns end
        for q in range(starts[elements[p]], starts[elements[p] + 1]):
            count = np.int32(-1) - scratch.head[tokens[q]]
            if count > 0:
                scratch.owner[at] = count
                at += np.int32(1) + count
                scratch.head[tokens[q]] = at
    for p in range(low, high):  # then where they begin
        for q in range(starts[elements[p]], starts[elements[p] + 1]):
            scratch.head[tokens[q]] -= np.int32(1)
            scratch.owner[scratch.head[tokens[q]]] = p - low


@inner
def forget(corpus, scratch):
    """Have nothing in the index."""
    i = scratch.state[HELD]
    if i < 0:
        return
    for p in range(corpus.left_starts[i], corpus.left_starts[i + 1]):
        e = corpus.left_elements[p]
        for q in range(corpus.element_starts[e], corpus.element_starts[e + 1]):
            scratch.head[corpus.element_tokens[q]] = -1
    scratch.state[HELD] = -1


@inner
def set_same_aside(corpus, i, j, scratch):
    """Take the elements out that both sets have; how many rows are left, in ``rest``."""
    p, left_end = corpus.left_starts[i], corpus.left_starts[i + 1]
    q, right_end = corpus.right_starts[j], corpus.right_starts[j + 1]
    first, rows = p, 0
    while q < right_end:
        e = corpus.right_elements[q]
        while p < left_end and corpus.left_elements[p] < e:
            p += 1
        if p < left_end and corpus.left_elements[p] == e:
            scratch.taken[p - first] = True
        else:
            scratch.rest[rows] = e
            rows += 1
        q += 1
    return rows


@inner
def find_edges(pair, r, level, at):
    """Write the edges of row r from ``at``, at least those of the level; their end."""
    e = pair.scratch.rest[r]
    if pair.edit:
        return _edit_row(pair, e, FLOORS[level], at)
    return _jaccard_row(pair, e, at) if level == ALL else _heavy_row(pair, e, FLOORS[level], at)


@inner
def _jaccard_row(pair, e, at):
    """To the columns that are not taken, and have a token in common."""
    corpus, scratch = pair.corpus, pair.scratch
    low, high = corpus.element_starts[e], corpus.element_starts[e + 1]
    count = np.int64(0)
    for q in range(low, high):
        count = _count_common(scratch, corpus.element_tokens[q], count)
    first = corpus.left_starts[pair.left]
    for k in range(count):
        c = scratch.seen[k]
        both, scratch.shared[c] = scratch.shared[c], 0
        if not scratch.taken[c]:
            other = corpus.left_elements[first + c]
            size = corpus.element_starts[other + 1] - corpus.element_starts[other]
            scratch.indices[at] = c
            scratch.worth[at] = both / (high - low + size - both)
            at += 1
    return at


@inner
def _heavy_row(pair, e, floor, at):
    """To the columns that are not taken, and more similar than ``floor``.

    These have at least that share of the row's tokens. If some of these are spared, the column has
    as many fewer of those that are looked at.
    """
    corpus, scratch, tokens = pair.corpus, pair.scratch, pair.corpus.element_tokens
    low, high = corpus.element_starts[e], corpus.element_starts[e + 1]
    size, count = high - low, np.int64(0)
    needed = np.int64(np.ceil(floor * size * (1.0 - 1e-12)))
    spared = _spared(corpus, low, high, needed - 1, scratch)
    for k in range(size - spared):
        q = low + k if size > SORTED else low + (scratch.lists[k] & _PLACE)
        count = _count_common(scratch, tokens[q], count)
    first = corpus.left_starts[pair.left]
    for k in range(count):
        c = scratch.seen[k]
        both, scratch.shared[c] = np.int64(scratch.shared[c]), 0
        if both + spared < needed or scratch.taken[c]:
            continue
        other = corpus.left_elements[first + c]
        begin, end = corpus.element_starts[other], corpus.element_starts[other + 1]
        kinds, most = size + end - begin, min(both + spared, end - begin)
        if most > floor * (kinds - most):
            if spared > 0:
                both = common_tokens(tokens, low, high, begin, end)
            if both > floor * (kinds - both):
                scratch.indices[at], scratch.worth[at] = c, both / (kinds - both)
                at += 1
    return at


@inner
def _spared(corpus, low, high, most, scratch):
    """How many tokens of a row are not looked at, as too many columns have them; at most so many.

    The places of tokens are sorted into ``lists``, from the fewest columns on, if they are few.
    """
    size, total = high - low, np.int64(0)
    if size > SORTED:
        return np.int64(0)
    for q in range(low, high):
        place = scratch.head[corpus.element_tokens[q]]
        number = np.int64(scratch.owner[place - 1]) if place >= 0 else np.int64(0)
        total += number
        insert(scratch.lists, 0, q - low, (number << 32) | (q - low))
    spared = np.int64(0)
    while spared < most:
        number = scratch.lists[size - 1 - spared] >> 32
        total -= number
        if number * _LONG < total:
            break
        spared += 1
    return spared


@inner
def _count_common(scratch, token, count):
    """Count a token for the columns that have it; how many are ``seen`` now."""
    place = np.int64(scratch.head[token])
    if place < 0:
        return count
    for k in range(place, place + scratch.owner[place - 1]):
        c = scratch.owner[k]
        if scratch.shared[c] == 0:
            scratch.seen[count] = c
            count += 1
        scratch.shared[c] += np.int32(1)
    return count


@inner
def _edit_row(pair, e, floor, at):
    """To the columns that are more similar than ``floor``, and alike at all."""
    corpus, scratch = pair.corpus, pair.scratch
    floor, word = max(floor, 0.0), _learned(corpus, e, scratch)
    begin = corpus.left_starts[pair.left]
    for p in range(begin, corpus.left_starts[pair.left + 1]):
        other = corpus.left_elements[p]
        if likely(corpus, e, other) > floor:
            similarity = _alike(pair, word, other)
            if similarity > floor:
                scratch.indices[at], scratch.worth[at] = p - begin, similarity
                at += 1
    return at


@inner
def closest(pair, e):
    """How similar element e is to the most similar column, by edits."""
    corpus, best = pair.corpus, 0.0
    word = _learned(corpus, e, pair.scratch)
    for p in range(corpus.left_starts[pair.left], corpus.left_starts[pair.left + 1]):
        other = corpus.left_elements[p]
        if other == e:
            return 1.0
        if likely(corpus, e, other) > best:
            best = max(best, _alike(pair, word, other))
    return best


@inner
def likely(corpus, e, other):
    """What the edit similarity of two elements cannot exceed, by their letters."""
    if e == other:
        return 1.0
    size = corpus.letter_starts[e + 1] - corpus.letter_starts[e]
    length = corpus.letter_starts[other + 1] - corpus.letter_starts[other]
    return most_alike(corpus.bags, e, size, other, length)


@inner
def _learned(corpus, e, scratch):
    """An element that is to be compared by edits; a short one is in the table of letters."""
    first = corpus.letter_starts[e]
    word = Word(e, first, corpus.letter_starts[e + 1] - first)
    if word.size <= LETTERS:
        learn(corpus.letters, first, word.size, scratch.codes, scratch.places)
    return word


@inner
def _alike(pair, word, other):
    """The edit similarity of the `learned` element and another."""
    if word.e == other:
        return 1.0
    corpus, scratch, text = pair.corpus, pair.scratch, pair.corpus.letter_starts[other]
    length = corpus.letter_starts[other + 1] - text
    if word.size <= LETTERS:
        edits = short_distance(
            corpus.letters, word.size, text, length, scratch.codes, scratch.places
        )
    else:
        edits = distance(pair.control, corpus.letters, word.first, word.size, text, length,
                         scratch.codes, scratch.places, scratch.flow)  # fmt: skip
    return 1.0 - edits / max(word.size, length)
