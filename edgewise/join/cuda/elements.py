"""How much the elements of two sets are alike: the graph of a pair, as a matrix.

For Jaccard similarity the tokens of a left set are sorted, each with the element that has it: a
block looks up the tokens of the right set there, a thread each, and counts what elements have in
common. For edit similarity a thread compares two words, with the columns of their table as bits.
Larger sets by Jaccard similarity have lists of edges instead (`edgewise.join.cuda.pair_edges`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.bisection import lower_bound, row_of
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.join.cuda.block_team import NOBODY, before, column_in, rank

__all__ = [
    *("LETTERS", "Flat", "connect_matrix", "connect_words", "set_same_aside", "size_of"),
    *("take_all", "token_at"),
]

LETTERS = 60  # of a word, at most
_NEVER = np.int32((1 << 31) - 1)


class Flat(NamedTuple):
    """The arrays of a corpus on a device."""

    left_starts: Any
    left_elements: Any
    right_starts: Any
    right_elements: Any
    element_starts: Any
    element_tokens: Any
    letters: Any
    letter_starts: Any
    posting_starts: Any  #: int64, over left sets and one more: where their tokens begin
    posting_tokens: Any  #: int32, ascending in each set
    posting_owners: Any  #: int32, which element of the set has it


@device
def set_same_aside(corpus, i, j, scratch):
    """Take the elements out that both sets have: how many rows and columns are left."""
    me, threads = cuda.threadIdx.x, cuda.blockDim.x
    first, begin = corpus.left_starts[i], corpus.right_starts[j]
    columns, rows = corpus.left_starts[i + 1] - first, corpus.right_starts[j + 1] - begin
    for c in range(me, columns, threads):
        scratch.via[c] = 1
    cuda.syncthreads()
    left, kept = np.int64(0), np.int64(0)
    for start in range(0, rows, threads):
        r, e, alone = start + me, np.int32(0), False
        if r < rows:
            e = corpus.right_elements[begin + r]
            at = lower_bound(corpus.left_elements, first, first + columns, e)
            alone = at == first + columns or corpus.left_elements[at] != e
            if not alone:
                scratch.via[at - first] = 0
        mine, chosen = before(alone, scratch)
        if alone:
            scratch.rest[left + mine] = e
        left += chosen
    cuda.syncthreads()
    for start in range(0, columns, threads):
        c = start + me
        alone = c < columns and scratch.via[c] == 1
        mine, chosen = before(alone, scratch)
        if alone:
            scratch.place[c], scratch.other[kept + mine] = (
                kept + mine,
                corpus.left_elements[first + c],
            )
        elif c < columns:
            scratch.place[c] = -1
        kept += chosen
    cuda.syncthreads()
    return left, kept


@device
def connect_matrix(corpus, task, i, rows, columns, asked, scratch, tally):
    """Make the matrix: the distance of its rows.

    Also how much each row, and each column, has at most, and the row's first column of those. It
    asks neither for what is ``asked``, nor for a ``tally``, as `connect_rows` does.
    """
    if task.edit:
        return connect_words(corpus, rows, columns, scratch)
    me, threads = cuda.threadIdx.x, cuda.blockDim.x
    stride = _stride(columns)
    for k in range(me, rows * stride, threads):
        scratch.worth[k], scratch.first[k] = 0.0, _NEVER
    for r in range(me, rows, threads):
        scratch.mate[r] = size_of(corpus, scratch.rest[r])
    for c in range(me, columns, threads):
        scratch.via[c] = size_of(corpus, scratch.other[c])
    cuda.syncthreads()
    for r in range(me, rows + 1, threads):
        scratch.begins[r] = _sum(scratch.mate, r)
    cuda.syncthreads()
    high = corpus.posting_starts[i + 1]
    for k in range(me, scratch.begins[rows], threads):
        r = row_of(scratch.begins, 0, rows, k)
        q = k - scratch.begins[r]
        token = corpus.element_tokens[corpus.element_starts[scratch.rest[r]] + q]
        at = token_at(corpus, i, token)
        while at < high and corpus.posting_tokens[at] == token:
            c = scratch.place[corpus.posting_owners[at]]
            if c >= 0:
                cuda.atomic.add(scratch.worth, r * stride + c, 1.0)
                cuda.atomic.min(scratch.first, r * stride + c, np.int32(q))
            at += 1
    cuda.syncthreads()
    for r in range(me, rows, threads):
        most, best = 0.0, NOBODY
        for c in range(columns):
            both = scratch.worth[r * stride + c]
            if both > 0.0:
                worth = both / (scratch.mate[r] + scratch.via[c] - both)
                scratch.worth[r * stride + c] = worth
                key = rank(scratch.first[r * stride + c], c)
                if worth > most or (worth == most and key < best):
                    most, best = worth, key
        scratch.most[r], scratch.best[r] = most, -1
        if best < NOBODY:
            scratch.best[r] = column_in(best)
    cuda.syncthreads()
    _most_by_column(rows, columns, stride, scratch)
    return stride


@device
def take_all(corpus, i, j, scratch):
    """All elements are rows and columns: how many there are."""
    me, threads = cuda.threadIdx.x, cuda.blockDim.x
    first, begin = corpus.left_starts[i], corpus.right_starts[j]
    columns, rows = corpus.left_starts[i + 1] - first, corpus.right_starts[j + 1] - begin
    for r in range(me, rows, threads):
        scratch.rest[r] = corpus.right_elements[begin + r]
    for c in range(me, columns, threads):
        scratch.other[c] = corpus.left_elements[first + c]
    cuda.syncthreads()
    return rows, columns


@device
def connect_words(corpus, rows, columns, scratch):
    """As `connect_matrix`, by edit similarity; edges are in the order of columns."""
    me, threads = cuda.threadIdx.x, cuda.blockDim.x
    stride = _stride(columns)
    for k in range(me, rows * columns, threads):
        r = k // columns
        c = k - r * columns
        worth = _alike(corpus, scratch.rest[r], scratch.other[c])
        scratch.worth[r * stride + c], scratch.first[r * stride + c] = worth, c
    cuda.syncthreads()
    for r in range(me, rows, threads):
        most, best = 0.0, -1
        for c in range(columns):
            if scratch.worth[r * stride + c] > most:
                most, best = scratch.worth[r * stride + c], c
        scratch.most[r], scratch.best[r] = most, best
    cuda.syncthreads()
    _most_by_column(rows, columns, stride, scratch)
    return stride


@device
def _stride(columns):
    """The distance of rows: threads that look at a column each look at different banks."""
    return np.int64(columns) | np.int64(1)


@device
def _most_by_column(rows, columns, stride, scratch):
    for c in range(cuda.threadIdx.x, columns, cuda.blockDim.x):
        most = 0.0
        for r in range(rows):
            most = max(most, scratch.worth[r * stride + c])
        scratch.distance[c] = most
    cuda.syncthreads()


@device
def _alike(corpus, e, other):
    """The edit similarity of two elements."""
    if e == other:
        return 1.0
    first, text = corpus.letter_starts[e], corpus.letter_starts[other]
    size, length = corpus.letter_starts[e + 1] - first, corpus.letter_starts[other + 1] - text
    edits = length
    if size > 0:
        edits = _distance(corpus.letters, first, size, text, length)
    return 1.0 - edits / max(size, length)


@device
def _distance(letters, first, size, text, length):
    """How many edits make one word of another; the bits of a column are where it goes up or down.

    G. Myers. A fast bit-vector algorithm for approximate string matching. Journal of the ACM 46(3),
    1999; in the form of H. Hyyrö. A bit-vector algorithm for computing Levenshtein and Damerau edit
    distances. Nordic Journal of Computing 10, 2003.
    """
    one = np.int64(1)
    every, last = (one << size) - one, size - 1
    up, down, edits = every, np.int64(0), size
    for k in range(length):
        letter, equal = letters[text + k], np.int64(0)
        for q in range(size):
            if letters[first + q] == letter:
                equal |= one << q
        across = (((equal & up) + up) ^ up) | equal
        rises, falls = (down | ~(across | up)) & every, up & across
        edits += ((rises >> last) & one) - ((falls >> last) & one)
        rises, either = (rises << one) | one, equal | down
        up = ((falls << one) | ~(either | rises)) & every
        down = rises & either & every
    return edits


@device
def size_of(corpus, e):
    """How many tokens an element has."""
    return corpus.element_starts[e + 1] - corpus.element_starts[e]


@device
def token_at(corpus, i, token):
    """The first place of a token, or of a later one, among those of left set i."""
    return lower_bound(
        corpus.posting_tokens, corpus.posting_starts[i], corpus.posting_starts[i + 1], token
    )


@device
def _sum(numbers, end):
    total = 0
    for k in range(end):
        total += numbers[k]
    return total
