"""How much the elements of two sets are alike: the edges of the graph of a pair, row by row.

Jaccard similarity goes by an index of the left set, token by token: a row finds the columns with
which it has tokens in common, and how many, and never meets the others. The index stays while the
left set does. Edit similarity compares every row with every column. There also the elements that
both sets have stay in the graph, since 1 - similarity knows no triangle: "ab" and "bc" are not
alike at all, but both are like "abc", so equal elements need not be mates in a greatest matching.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.cpu.team import stopped
from edgewise.join.cpu.levenshtein import LETTERS, distance, learn, short_distance
from edgewise.join.cpu.room import HELD, SPARE, SPARE_END, STORED

__all__ = ["edges_of", "find_edges", "forget", "hold", "likely_row", "set_same_aside"]


@inner
def hold(corpus, i, room):
    """Have the left set i in the index, instead of what is there.

    The columns of a token follow each other in ``owner``, the last of the set first, from ``head``
    to one that is inverted.
    """
    forget(corpus, room)
    room.state[HELD] = i
    low, high = corpus.left_starts[i], corpus.left_starts[i + 1]
    starts, tokens, elements = corpus.element_starts, corpus.element_tokens, corpus.left_elements
    for p in range(low, high):  # head is one less for every column
        for q in range(starts[elements[p]], starts[elements[p] + 1]):
            room.head[tokens[q]] -= np.int32(1)
    at = np.int32(0)
    for p in range(low, high):  # then where the columns end, of which the last is marked
        for q in range(starts[elements[p]], starts[elements[p] + 1]):
            count = np.int32(-1) - room.head[tokens[q]]
            if count > 0:
                for place in range(at, at + count):
                    room.owner[place] = 0
                at += count
                room.head[tokens[q]], room.owner[at - 1] = at, -1
    for p in range(low, high):  # then where they begin
        for q in range(starts[elements[p]], starts[elements[p] + 1]):
            room.head[tokens[q]] -= np.int32(1)
            place, c = room.head[tokens[q]], np.int32(p - low)
            room.owner[place] = ~c if room.owner[place] == -1 else c


@inner
def forget(corpus, room):
    """Have nothing in the index."""
    i = room.state[HELD]
    if i < 0:
        return
    for p in range(corpus.left_starts[i], corpus.left_starts[i + 1]):
        e = corpus.left_elements[p]
        for q in range(corpus.element_starts[e], corpus.element_starts[e + 1]):
            room.head[corpus.element_tokens[q]] = -1
    room.state[HELD] = -1


@inner
def set_same_aside(corpus, i, j, room):
    """Take the elements out that both sets have; how many rows are left, in ``rest``."""
    p, left_end = corpus.left_starts[i], corpus.left_starts[i + 1]
    q, right_end = corpus.right_starts[j], corpus.right_starts[j + 1]
    first, rows = p, 0
    while q < right_end:
        e = corpus.right_elements[q]
        while p < left_end and corpus.left_elements[p] < e:
            p += 1
        if p < left_end and corpus.left_elements[p] == e:
            room.taken[p - first] = True
        else:
            room.rest[rows] = e
            rows += 1
        q += 1
    return rows


@inner
def edges_of(r, pair):
    """Where the edges of row r begin and end; they are found now, if they are not stored.

    A row that is not stored has none, if stopped: so whatever asks for them is soon done.
    """
    room, state = pair.room, pair.room.state
    if r < state[STORED]:
        return room.indptr[r], room.indptr[r + 1]
    at = room.indptr[state[STORED]]
    if stopped(pair.control):
        return at, at
    if state[SPARE] != r:
        state[SPARE], state[SPARE_END] = r, find_edges(pair, r, at)
    return at, state[SPARE_END]


@inner
def find_edges(pair, r, at):
    """Write the edges of row r from ``at``; their end."""
    if pair.edit:
        return _edit_row(pair, pair.room.rest[r], at)
    return _jaccard_row(pair, pair.room.rest[r], at)


@inner
def _jaccard_row(pair, e, at):
    """To the columns that are not taken, and have a token in common."""
    corpus, room = pair.corpus, pair.room
    low, high = corpus.element_starts[e], corpus.element_starts[e + 1]
    count = 0
    for q in range(low, high):
        place = room.head[corpus.element_tokens[q]]
        more = place >= 0
        while more:
            c = room.owner[place]
            more = c >= 0
            c = c if more else ~c
            if room.shared[c] == 0:
                room.seen[count] = c
                count += 1
            room.shared[c] += np.int32(1)
            place += 1
    first = corpus.left_starts[pair.left]
    for k in range(count):
        c = room.seen[k]
        both, room.shared[c] = room.shared[c], 0
        if not room.taken[c]:
            other = corpus.left_elements[first + c]
            size = corpus.element_starts[other + 1] - corpus.element_starts[other]
            room.indices[at] = c
            room.worth[at] = both / (high - low + size - both)
            at += 1
    return at


@inner
def _edit_row(pair, e, at):
    """To all columns that are alike at all."""
    corpus, room = pair.corpus, pair.room
    first, size = _word(corpus, e)
    short = size <= LETTERS
    if short:
        learn(corpus.letters, first, size, room.codes, room.places)
    begin = corpus.left_starts[pair.left]
    for p in range(begin, corpus.left_starts[pair.left + 1]):
        other, similarity = corpus.left_elements[p], 1.0
        if other != e:
            text, length = _word(corpus, other)
            if short:
                edits = short_distance(corpus.letters, size, text, length, room.codes, room.places)
            else:
                edits = distance(pair.control, corpus.letters, first, size, text, length,
                                 room.codes, room.places, room.flow)  # fmt: skip
            similarity = 1.0 - edits / max(size, length)
        if similarity > 0.0:
            room.indices[at], room.worth[at] = p - begin, similarity
            at += 1
    return at


@inner
def likely_row(corpus, i, e):
    """What the edit similarity of element e to those of set i cannot exceed, by their lengths."""
    _, size = _word(corpus, e)
    best = 0.0
    for p in range(corpus.left_starts[i], corpus.left_starts[i + 1]):
        other = corpus.left_elements[p]
        if other == e:
            return 1.0
        _, length = _word(corpus, other)
        best = max(best, min(size, length) / max(size, length))
    return best


@inner
def _word(corpus, e):
    """Where the letters of an element begin, and how many they are."""
    first = corpus.letter_starts[e]
    return first, corpus.letter_starts[e + 1] - first
