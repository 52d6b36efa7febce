"""The arrays in which one thread compares pairs of sets; they grow to what a pair needs.

Of a pair, the elements of the left set are columns and those of the right set rows. What a pair
leaves behind is clean: ``head`` -1 but for the tokens of the left set that stands there, ``shared``
0, ``taken`` False, ``distance`` infinite and ``place`` -1.

The edges of rows follow each other in ``indices`` and ``worth`` while there is memory; those of the
rows that are left are found anew whenever they are asked for, after the others. Of a large pair a
row has its heaviest edges at first, those above one of the `FLOORS`, and lighter ones as soon as
they are asked for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import helper

__all__ = [
    *("ALL", "COLUMNS", "EDGES", "FLOORS", "FREE", "HELD", "LATE", "LISTED", "PARTIAL"),
    *("POSTINGS", "ROWS", "SORTED", "SPARE", "SPARE_END", "SPARE_LEVEL", "Flat", "Pair", "Scratch"),
    "make_scratch",
]

#: What the edges of a row weigh more than, level by level; on the last one, it has them all.
FLOORS = (0.5, 0.35, 0.25, 0.18, 0.12, 0.08, -np.inf)
ALL = len(FLOORS) - 1
#: Tokens of an element that are sorted by how many columns have them, at most.
SORTED = 64

#: Words of ``state``: sizes that are needed,
COLUMNS, ROWS, POSTINGS, EDGES, LISTED = range(5)
#: the left set that the index has (-1: none); where the stored edges end, how many rows have not
#: all of theirs there; which row's are behind them (-1: none), of which level, and where these end;
#: how many rows are in ``late``.
HELD, FREE, PARTIAL, SPARE, SPARE_LEVEL, SPARE_END, LATE = range(5, 12)
_WORDS = 32


class Flat(NamedTuple):
    """The arrays of a corpus, read-only."""

    left_starts: np.ndarray
    left_elements: np.ndarray
    right_starts: np.ndarray
    right_elements: np.ndarray
    element_starts: np.ndarray
    element_tokens: np.ndarray
    letters: np.ndarray
    letter_starts: np.ndarray
    bags: np.ndarray


class Scratch(NamedTuple):
    """What one thread works in."""

    state: np.ndarray  #: see `HELD`
    head: np.ndarray  #: int32, over tokens: where its columns begin in ``owner``, -1 if it has none
    owner: np.ndarray  #: int32, the columns of each token, and before them how many they are
    lists: np.ndarray  #: int64, the tokens of a row by how many columns have them
    shared: np.ndarray  #: int32, over columns: tokens in common with the row
    seen: np.ndarray  #: int32, the columns that have one
    taken: np.ndarray  #: bool, over columns: the right set has the same element
    most_by_column: np.ndarray  #: float64, over columns: the greatest similarity
    rest: np.ndarray  #: int32, over rows: their elements
    most: np.ndarray  #: float64, over rows: the greatest similarity
    likely: np.ndarray  #: float64, over rows: what the greatest similarity cannot exceed
    late: np.ndarray  #: int32, the rows whose best column another one has
    begin: np.ndarray  #: int64, over rows: where their edges begin, -1 if they are not stored
    end: np.ndarray  #: int64, over rows: where they end
    level: np.ndarray  #: int64, over rows: above which of the `FLOORS` they are
    indices: np.ndarray  #: int32, over edges: the column
    worth: np.ndarray  #: float64, over edges: the similarity
    source: np.ndarray  #: int32, over listed edges, as are the next two: the row
    target: np.ndarray  #: int32, the column, or the place among edges
    heavy: np.ndarray  #: float64, the similarity
    mate: np.ndarray  #: int64, over rows: the column, -1 if free
    mate_of_column: np.ndarray  #: int64, over columns
    u: np.ndarray  #: float64, over rows: the price
    v: np.ndarray  #: float64, over columns: the price
    distance: np.ndarray  #: float64, over columns, as are the next four: for searches
    via: np.ndarray
    heap: np.ndarray
    place: np.ndarray
    passed: np.ndarray
    codes: np.ndarray  #: uint32, the letters of a pattern
    places: np.ndarray  #: uint64, where they occur
    flow: np.ndarray  #: int8, over the letters of the longest element


class Pair(NamedTuple):
    """The pair that a thread is at."""

    control: np.ndarray
    corpus: Flat
    edit: bool  #: edit similarity, not Jaccard
    level: int  #: of the edges that are found at first
    left: int  #: the left set
    rows: int
    columns: int
    scratch: Scratch


@helper
def make_scratch(head, flow, columns, rows, postings, edges, listed):
    """Scratch for so many, with an index of nothing; ``head`` must be clean."""
    state = np.zeros(_WORDS, np.int64)
    state[HELD] = -1
    return Scratch(
        state, head, np.empty(postings, np.int32), np.empty(SORTED, np.int64),
        np.zeros(columns, np.int32), np.empty(columns, np.int32), np.zeros(columns, np.bool_),
        np.empty(columns, np.float64), np.empty(rows, np.int32), np.empty(rows, np.float64),
        np.empty(rows, np.float64), np.empty(rows, np.int32), np.empty(rows, np.int64),
        np.empty(rows, np.int64), np.empty(rows, np.int64),
        np.empty(edges, np.int32), np.empty(edges, np.float64), np.empty(listed, np.int32),
        np.empty(listed, np.int32), np.empty(listed, np.float64), np.empty(rows, np.int64),
        np.empty(columns, np.int64), np.empty(rows, np.float64), np.empty(columns, np.float64),
        np.full(columns, np.inf, np.float64), np.empty(columns, np.int64),
        np.empty(columns, np.int64), np.full(columns, -1, np.int64), np.empty(columns, np.int64),
        np.empty(128, np.uint32), np.empty(128, np.uint64), flow,
    )  # fmt: skip
