"""Rows merged with a batch: first how long each becomes, then what it holds.

A row of the result is the old row without the row of ``minus``, and the row of ``plus``. Rows that
the batch leaves alone are copied as one run of memory each.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper, inlined, kernel
from edgewise.base.cpu.optional import copy_item
from edgewise.graph.cpu.row_search import share_rows

__all__ = ["ABSENT", "COUNTED", "FIRST", "LAST", "MAX", "MIN", "OVERFLOW", "PRESENT", "SUM",
           "TALLIED", "count_merged", "fill_merged"]  # fmt: skip

FIRST, LAST, SUM, MIN, MAX = range(5)
#: What threads note: the first arc to add that is there, the first to remove that is not, the
#: first whose sum does not fit; -1 where there is none.
PRESENT, ABSENT, OVERFLOW, COUNTED = range(4)
#: What threads count: edges that are new, are gone, have a new weight, and go and come again.
ADDED, REMOVED, CHANGED, AGAIN, TALLIED = range(5)


@kernel
def count_merged(me, team, control, old, plus, minus, sizes, notes, tallies, directed):
    """The length of every row of the result; ``notes`` and ``tallies`` are per thread."""
    low, high = share_rows(me, team, old.indptr)
    for row in range(low, high):
        start, end = old.indptr[row], old.indptr[row + 1]
        sizes[row] = end - start
        a, last_a = plus.indptr[row], plus.indptr[row + 1]
        b, last_b = minus.indptr[row], minus.indptr[row + 1]
        if a == last_a and b == last_b:
            continue
        kept = 0
        for e in range(start, end):
            v = old.indices[e]
            while b < last_b and minus.indices[b] < v:
                _note(notes[me], ABSENT, row, minus.indices[b], len(sizes))
                b += 1
            while a < last_a and plus.indices[a] < v:
                tallies[me, ADDED] += _is_edge(row, plus.indices[a], directed)
                a += 1
            both = a < last_a and plus.indices[a] == v
            if b < last_b and minus.indices[b] == v:
                tallies[me, AGAIN if both else REMOVED] += _is_edge(row, v, directed)
                b += 1
            elif both:
                _note(notes[me], PRESENT, row, v, len(sizes))
                if _differ(old.weights, e, plus.weights, a):
                    tallies[me, CHANGED] += _is_edge(row, v, directed)
            else:
                kept += 1
            a += both
        while a < last_a:
            tallies[me, ADDED] += _is_edge(row, plus.indices[a], directed)
            a += 1
        if b < last_b:
            _note(notes[me], ABSENT, row, minus.indices[b], len(sizes))
        sizes[row] = kept + last_a - plus.indptr[row]


@kernel
def fill_merged(me, team, control, old, plus, minus, out, how, limits, notes):
    """Fill the rows of the result, whose beginnings are given."""
    low, high = share_rows(me, team, out.indptr)
    row = low
    while row < high:
        run = row
        while run < high and not _is_touched(plus, minus, run):
            run += 1
        if run > row:
            start, end, at = old.indptr[row], old.indptr[run], out.indptr[row]
            out.indices[at : at + end - start] = old.indices[start:end]
            _copy_run(out.weights, at, old.weights, start, end)
        if run < high:
            _merge(old, plus, minus, out, run, how, limits, notes[me])
        row = run + 1


@helper
def _merge(old, plus, minus, out, row, how, limits, note):
    """Fill one row."""
    at, a, b = out.indptr[row], plus.indptr[row], minus.indptr[row]
    last_a, last_b = plus.indptr[row + 1], minus.indptr[row + 1]
    for e in range(old.indptr[row], old.indptr[row + 1]):
        v = old.indices[e]
        while b < last_b and minus.indices[b] < v:
            b += 1
        if b < last_b and minus.indices[b] == v:
            b += 1
            continue
        while a < last_a and plus.indices[a] < v:
            out.indices[at] = plus.indices[a]
            copy_item(out.weights, at, plus.weights, a)
            at, a = at + 1, a + 1
        out.indices[at] = v
        if a < last_a and plus.indices[a] == v:
            _combine(out.weights, at, old.weights, e, plus.weights, a, how, limits, note)
            a += 1
        else:
            copy_item(out.weights, at, old.weights, e)
        at += 1
    while a < last_a:
        out.indices[at] = plus.indices[a]
        copy_item(out.weights, at, plus.weights, a)
        at, a = at + 1, a + 1


@inlined
def _is_touched(plus, minus, row):
    return plus.indptr[row] < plus.indptr[row + 1] or minus.indptr[row] < minus.indptr[row + 1]


@inlined
def _is_edge(row, column, directed):
    """Is an arc the one that counts for its edge?"""
    return np.int64(directed or row <= column)


@helper
def _differ(old, e, new, a):
    return old is not None and old[e] != new[a]


@inlined
def _note(note, what, row, column, n):
    if note[what] < 0:
        note[what] = np.int64(row) * n + column


@helper
def _copy_run(target, at, source, start, end):
    if source is not None:
        target[at : at + end - start] = source[start:end]


@helper
def _combine(target, at, old, e, new, a, how, limits, note):
    """One weight of an old and a new one; ``limits`` are the least and greatest of the type."""
    if target is None:
        return
    x, y, (least, most) = old[e], new[a], limits
    if how == FIRST:
        y = x
    elif how == SUM:
        if (y > 0 and x > most - y) or (y < 0 and x < least - y):
            note[OVERFLOW] = at
        y = x + y
    elif how == MIN:
        y = x if x < y or x != x else y
    elif how == MAX:
        y = x if x > y or x != x else y
    target[at] = y
