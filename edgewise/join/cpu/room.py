"""The arrays in which one thread compares pairs of sets; they grow to what a pair needs.

Of a pair, the elements of the left set are columns and those of the right set rows. What a pair
leaves behind is clean: ``head`` -1 but for the tokens of the left set that stands there, ``shared``
0, ``taken`` False, ``distance`` infinite and ``place`` -1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import helper

__all__ = ["COLUMNS", "EDGES", "HELD", "POSTINGS", "ROWS", "WORDS", "Room", "make_room"]

#: Words of ``state``: the left set that the index has (-1: none), and what room is needed.
HELD, COLUMNS, ROWS, POSTINGS, EDGES = range(5)
WORDS = 8


class Room(NamedTuple):
    """What one thread works in."""

    state: np.ndarray  #: see `HELD`
    head: np.ndarray  #: int32, over tokens: its last place in the left set, -1 if none
    following: np.ndarray  #: int32, over these places: the one before with the same token
    owner: np.ndarray  #: int32, over these places: the column
    shared: np.ndarray  #: int32, over columns: tokens in common with the row
    seen: np.ndarray  #: int32, the columns that have one
    taken: np.ndarray  #: bool, over columns: the right set has the same element
    most_by_column: np.ndarray  #: float64, over columns: the greatest similarity
    rest: np.ndarray  #: int32, over rows: their elements
    most: np.ndarray  #: float64, over rows: the greatest similarity
    likely: np.ndarray  #: float64, over rows: what the greatest similarity cannot exceed
    late: np.ndarray  #: int32, the rows whose best column another one has
    indptr: np.ndarray  #: int64, over rows: where their edges begin
    indices: np.ndarray  #: int32, over edges: the column
    worth: np.ndarray  #: float64, over edges: the similarity
    order: np.ndarray  #: int32, over edges: a list of them, for approximate matchings
    source: np.ndarray  #: int32, over edges: the row, for approximate matchings
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


@helper
def make_room(head, flow, columns, rows, postings, edges, listed):
    """Room for so many, with an index of nothing; ``head`` must be clean."""
    state = np.zeros(WORDS, np.int64)
    state[HELD] = -1
    return Room(
        state, head, np.empty(postings, np.int32), np.empty(postings, np.int32),
        np.zeros(columns, np.int32), np.empty(columns, np.int32), np.zeros(columns, np.bool_),
        np.empty(columns, np.float64), np.empty(rows, np.int32), np.empty(rows, np.float64),
        np.empty(rows, np.float64), np.empty(rows, np.int32), np.empty(rows + 1, np.int64),
        np.empty(edges, np.int32), np.empty(edges, np.float64), np.empty(listed, np.int32),
        np.empty(listed, np.int32), np.empty(rows, np.int64), np.empty(columns, np.int64),
        np.empty(rows, np.float64), np.empty(columns, np.float64),
        np.full(columns, np.inf, np.float64), np.empty(columns, np.int64),
        np.empty(columns, np.int64), np.full(columns, -1, np.int64), np.empty(columns, np.int64),
        np.empty(128, np.uint32), np.empty(128, np.uint64), flow,
    )  # fmt: skip
