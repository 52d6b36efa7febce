"""Candidates for the next vertex of a match: the rows that hold them, and the rules they obey."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.patterns.plan import ABSENT_IN, ABSENT_OUT, IN, LESS, MORE, OUT
from edgewise.operators.helpers import find_edge, first_edge, first_from, inlined, inner

__all__ = [
    "LABELLED",
    "MOST",
    "SIMPLE",
    "WANTED",
    "Rows",
    "between",
    "bounds",
    "fits",
    "shortest_row",
]

#: The most vertices that a pattern may have.
MOST = 6

# Columns of the rules after those of the positions.
WANTED = MOST  # the label that is wanted here
LABELLED = MOST + 1  # does the label matter here?
SIMPLE = MOST + 2  # must a candidate be in a few rows, and fulfill nothing else but bounds?


class Rows(NamedTuple):
    """The input of a search: rows out of and into every vertex, the rules, and the labels."""

    indptr: Any
    indices: Any
    into_indptr: Any
    into_indices: Any
    rules: Any
    labels: Any


@inner
def bounds(i, kept, base, rows):
    """Return the exclusive lower and upper bound of the candidates for position ``i``."""
    low, high = np.int64(-1), np.int64(len(rows.indptr))
    for j in range(i):
        if rows.rules[i, j] & LESS:
            low = max(low, kept[base + j])
        elif rows.rules[i, j] & MORE:
            high = min(high, kept[base + j])
    return low, high


@inner
def shortest_row(i, kept, base, rows, low, high):
    """Return the begin, the end and the number of the shortest row of candidates.

    Number 2 j is the row out of the vertex at position j, and 2 j + 1 the row into it.
    """
    begin, end, walked = np.int64(0), np.int64(0), np.int64(-1)
    for j in range(i):
        rule, v = rows.rules[i, j], kept[base + j]
        if rule & OUT:
            first, final = between(rows.indptr, rows.indices, v, low, high)
            if walked < 0 or final - first < end - begin:
                begin, end, walked = first, final, np.int64(2 * j)
        if rule & IN:
            first, final = between(rows.into_indptr, rows.into_indices, v, low, high)
            if walked < 0 or final - first < end - begin:
                begin, end, walked = first, final, np.int64(2 * j + 1)
    return begin, end, walked


@inner
def between(indptr, indices, v, low, high):
    """Return the part of v's row that lies above ``low`` and below ``high``."""
    begin, end = np.int64(indptr[v]), np.int64(indptr[v + 1])
    if low >= 0:
        begin = np.int64(first_edge(indptr, indices, v, low + 1))
    if high < len(indptr):
        end = np.int64(first_edge(indptr, indices, v, high))
    return begin, max(begin, end)


@inlined
def fits(i, w, kept, base, rows, walked, sought):
    """Return whether ``w``, from the row ``walked``, can be matched at position ``i``.

    If candidates ascend, rows are scanned from the positions in ``sought``; else it is -1.
    """
    if rows.rules[i, LABELLED] != 0 and rows.labels[w] != rows.rules[i, WANTED]:
        return False
    for j in range(i):
        v, rule = kept[base + j], rows.rules[i, j]
        if w == v or (rule & LESS and w <= v) or (rule & MORE and w >= v):
            return False
        at = sought + 2 * j if sought >= 0 else sought
        if (
            rule & (OUT | ABSENT_OUT)
            and walked != 2 * j
            and _joined(rows.indptr, rows.indices, v, w, kept, at) != ((rule & OUT) != 0)
        ):
            return False
        at = at + 1 if sought >= 0 else at
        if (
            rule & (IN | ABSENT_IN)
            and walked != 2 * j + 1
            and _joined(rows.into_indptr, rows.into_indices, v, w, kept, at) != ((rule & IN) != 0)
        ):
            return False
    return True


@inlined
def _joined(indptr, indices, v, w, kept, at):
    """Is ``w`` in the row of v? With ``at`` the search begins where the last one has ended."""
    if at < 0:
        return find_edge(indptr, indices, v, w) >= 0
    end = np.int64(indptr[v + 1])
    kept[at] = low = first_from(indices, np.int64(kept[at]), end, w)
    return low < end and indices[low] == w
