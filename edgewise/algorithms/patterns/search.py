"""The search for matches below an edge: vertex after vertex, to a fixed depth.

At each position the shortest of the rows that the vertex must be in is walked, between the bounds
that symmetry sets, and every candidate is looked up in the others: the intersection of rows, as
worst-case-optimal joins do it [1]. Each search keeps its place in a few words of its own, so one
compiled function does for all patterns, on CPU threads and on a GPU alike.

[1] H. Ngo, E. Porat, C. Re, A. Rudra. Worst-case optimal join algorithms. J. ACM 65, 2018.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.patterns.plan import ABSENT_IN, ABSENT_OUT, IN, LESS, MORE, OUT
from edgewise.operators.helpers import find_edge, first_edge, inner

__all__ = ["LABELLED", "LONE", "MOST", "WANTED", "WORDS", "Rows", "from_edge"]

#: The most vertices that a pattern may have.
MOST = 6
#: Words that a search keeps: who is matched; then cursor, end and row of positions 2 to 4.
WORDS = 16

# Columns of the rules after those of the positions.
WANTED = MOST  # the label that is wanted here
LABELLED = MOST + 1  # do labels matter?
LONE = MOST + 2  # must a candidate be in a single row, and fulfil nothing else but bounds?


class Rows(NamedTuple):
    """What a search reads: rows out of and into every vertex, the rules, and the labels."""

    indptr: Any
    indices: Any
    into_indptr: Any
    into_indices: Any
    rules: Any
    labels: Any


def from_edge(u, v, e, indptr, indices, into_indptr, into_indices, rules, labels, low, kept,
              counts, places, found):  # fmt: skip
    """Count the matches whose first two vertices are the ends of an edge, for `compute`.

    They are written down from ``places[e]`` on while there is room in ``found``; ``kept`` has room
    for the searches from edge ``low`` on.
    """
    rows = Rows(indptr, indices, into_indptr, into_indices, rules, labels)
    base, size = (e - low) * WORDS, len(rules)
    along = rules[1, 0] & OUT
    first, second = (u, v) if along else (v, u)
    number = np.int64(0)
    if rules[0, LABELLED] == 0 or labels[first] == rules[0, WANTED]:
        kept[base] = first
        kept[base + 1] = second
        if _fits(1, second, kept, base, rows, np.int64(0 if along else 1)):
            if size > 2:
                number = _search(kept, base, rows, found, places[e])
            else:
                number = _written(kept, base, size, found, places[e])
    counts[e] = number


@inner
def _search(kept, base, rows, found, at):
    """The number of matches that begin with the first two vertices in ``kept``."""
    last, number, i = len(rows.rules) - 1, np.int64(0), np.int64(2)
    opened = True  # is position i new, with its row to be chosen?
    while i >= 2:
        place = base + MOST + 3 * (i - 2)
        if opened:
            low, high = _bounds(i, kept, base, rows)
            begin, end, walked = _shortest(i, kept, base, rows, low, high)
            if i == last:
                number += _at_last(kept, base, rows, (low, high, begin, end, walked), found,
                                   at + number)  # fmt: skip
                opened = False
                i -= 1
                continue
            kept[place], kept[place + 1], kept[place + 2] = begin, end, walked
        cursor, end, walked = kept[place], kept[place + 1], kept[place + 2]
        opened = False
        while cursor < end and not opened:
            w = np.int64(rows.into_indices[cursor] if walked & 1 else rows.indices[cursor])
            cursor += 1
            opened = _fits(i, w, kept, base, rows, walked)
            kept[base + i] = w
        kept[place] = cursor
        i += 1 if opened else -1
    return number


@inner
def _at_last(kept, base, rows, row, found, at):
    """The number of candidates in ``row`` that complete a match."""
    last = len(rows.rules) - 1
    low, high, begin, end, walked = row
    if rows.rules[last, LONE] and (at + 1) * (last + 1) > len(found):
        return end - begin - _already(last, kept, base, rows, low, high)
    number = np.int64(0)
    for e in range(begin, end):
        w = np.int64(rows.into_indices[e] if walked & 1 else rows.indices[e])
        if _fits(last, w, kept, base, rows, walked):
            kept[base + last] = w
            number += _written(kept, base, last + 1, found, at + number)
    return number


@inner
def _written(kept, base, size, found, at):
    """One match, written down if there is room."""
    if (at + 1) * size <= len(found):
        for j in range(size):
            found[at * size + j] = kept[base + j]
    return np.int64(1)


@inner
def _bounds(i, kept, base, rows):
    """The candidates for position ``i`` lie above the one and below the other."""
    low, high = np.int64(-1), np.int64(len(rows.indptr))
    for j in range(i):
        if rows.rules[i, j] & LESS:
            low = max(low, kept[base + j])
        elif rows.rules[i, j] & MORE:
            high = min(high, kept[base + j])
    return low, high


@inner
def _shortest(i, kept, base, rows, low, high):
    """Where the shortest row of candidates begins and ends, and whose it is.

    2 j stands for the row out of the vertex at position j, 2 j + 1 for the one into it.
    """
    begin, end, walked = np.int64(0), np.int64(0), np.int64(-1)
    for j in range(i):
        rule, v = rows.rules[i, j], kept[base + j]
        if rule & OUT:
            first, final = _between(rows.indptr, rows.indices, v, low, high)
            if walked < 0 or final - first < end - begin:
                begin, end, walked = first, final, np.int64(2 * j)
        if rule & IN:
            first, final = _between(rows.into_indptr, rows.into_indices, v, low, high)
            if walked < 0 or final - first < end - begin:
                begin, end, walked = first, final, np.int64(2 * j + 1)
    return begin, end, walked


@inner
def _between(indptr, indices, v, low, high):
    """The part of v's row that lies above ``low`` and below ``high``."""
    begin, end = np.int64(indptr[v]), np.int64(indptr[v + 1])
    if low >= 0:
        begin = np.int64(first_edge(indptr, indices, v, low + 1))
    if high < len(indptr):
        end = np.int64(first_edge(indptr, indices, v, high))
    return begin, max(begin, end)


@inner
def _fits(i, w, kept, base, rows, walked):
    """May ``w``, of the row ``walked``, stand at position ``i`` after those that are matched?"""
    if rows.rules[0, LABELLED] != 0 and rows.labels[w] != rows.rules[i, WANTED]:
        return False
    for j in range(i):
        v, rule = kept[base + j], rows.rules[i, j]
        if w == v or (rule & LESS and w <= v) or (rule & MORE and w >= v):
            return False
        if rule & (OUT | ABSENT_OUT) and walked != 2 * j:
            there = find_edge(rows.indptr, rows.indices, v, w) >= 0
            if there != ((rule & OUT) != 0):
                return False
        if rule & (IN | ABSENT_IN) and walked != 2 * j + 1:
            there = find_edge(rows.into_indptr, rows.into_indices, v, w) >= 0
            if there != ((rule & IN) != 0):
                return False
    return True


@inner
def _already(i, kept, base, rows, low, high):
    """How many of those matched are in the row that a lone candidate must be in."""
    number = np.int64(0)
    for j in range(i):
        rule, v = rows.rules[i, j], kept[base + j]
        for other in range(i):
            w = kept[base + other]
            if other != j and low < w < high:
                if rule & OUT and find_edge(rows.indptr, rows.indices, v, w) >= 0:
                    number += 1
                if rule & IN and find_edge(rows.into_indptr, rows.into_indices, v, w) >= 0:
                    number += 1
    return number
