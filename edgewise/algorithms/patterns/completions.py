"""The number of vertices that complete a match, if the last need only be in one to three rows.

Candidates are then not tested one by one: the shortest row is merged with the others.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.patterns.match_candidates import between
from edgewise.algorithms.patterns.plan import IN, OUT
from edgewise.operators.helpers import find_edge, first_from, inlined, inner

__all__ = ["COUNTABLE", "completions"]

#: The most rows that are gone through together.
COUNTABLE = 3


@inner
def completions(kept, base, rows, low, high):
    """Return how many vertices above ``low`` and below ``high`` are in all rows of the last one."""
    last, many = len(rows.rules) - 1, 0
    a, a_end, a_into = np.int64(0), np.int64(0), False  # the shortest row
    b, b_end, b_into, c, c_end, c_into = a, a, False, a, a, False
    for j in range(last):
        rule, v = rows.rules[last, j], kept[base + j]
        for into in (False, True):
            if not rule & (IN if into else OUT):
                continue
            if into:
                first, end = between(rows.into_indptr, rows.into_indices, v, low, high)
            else:
                first, end = between(rows.indptr, rows.indices, v, low, high)
            if many == 0 or end - first < a_end - a:
                c, c_end, c_into = b, b_end, b_into
                b, b_end, b_into = a, a_end, a_into
                a, a_end, a_into = first, end, into
            elif many == 1:
                b, b_end, b_into = first, end, into
            else:
                c, c_end, c_into = first, end, into
            many += 1
    number = a_end - a
    if many > 1:
        number = _shared(
            (rows.into_indices if a_into else rows.indices, a, a_end),
            (rows.into_indices if b_into else rows.indices, b, b_end),
            (rows.into_indices if c_into else rows.indices, c, c_end),
            many,
        )
    return number - _matched(kept, base, rows, low, high)


@inlined
def _shared(first, second, third, many):
    """How many are in two, or in three, rows."""
    ids, a, a_end = first
    others, b, b_end = second
    more, c, c_end = third
    number = np.int64(0)
    for e in range(a, a_end):
        w = ids[e]
        b = first_from(others, b, b_end, w)
        if b == b_end:
            break
        if others[b] == w:
            if many == 2:
                number += 1
            else:
                c = first_from(more, c, c_end, w)
                if c == c_end:
                    break
                number += more[c] == w
    return number


@inner
def _matched(kept, base, rows, low, high):
    """How many of those matched already are in all the rows."""
    last, number = len(rows.rules) - 1, np.int64(0)
    for other in range(last):
        w, there = kept[base + other], rows.rules[last, other] & (OUT | IN) == 0
        if low < w < high and there:
            for j in range(last):
                rule, v = rows.rules[last, j], kept[base + j]
                if rule & OUT and find_edge(rows.indptr, rows.indices, v, w) < 0:
                    there = False
                if rule & IN and find_edge(rows.into_indptr, rows.into_indices, v, w) < 0:
                    there = False
            number += there
    return number
