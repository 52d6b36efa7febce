"""One look at compressed rows on all threads: may kernels go through them without harm?"""

from __future__ import annotations

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.team import barrier, grab

__all__ = ["survey", "survey_blocks"]

_ROWS, _FEW = 1 << 16, 1 << 10


@kernel(borrows=True)
def survey(me, team, control, indptr, columns, falls, disorder, highest):
    """Per thread: rows that end before they begin; columns out of order; the rows' last columns.

    Columns that are not above the one before are counted over all arcs, and taken off again where
    a row begins: ``disorder`` sums to zero if all rows ascend. Then the last column of a row is its
    highest. ``columns`` are unsigned, so that a negative one is high. The first entry of ``indptr``
    must be 0, the last the number of columns.
    """
    n = len(indptr) - 1
    while True:
        low, high = grab(control, 0, _ROWS, n)
        if low == high:
            break
        falls[me] += _count_falls(indptr[low:high], indptr[low + 1 : high + 1])
    if not barrier(control, team) or falls.any():
        return
    while True:
        low, high = grab(control, 1, _FEW, n)
        if low == high:
            break
        first, last = max(indptr[low], 1), indptr[high]
        if first < last:
            disorder[me] += _count_drops(columns[first - 1 : last - 1], columns[first:last])
        drops, top = _look_at_ends(indptr[low : high + 1], columns)
        disorder[me] -= drops
        highest[me] = max(highest[me], top)


@kernel(borrows=True)
def survey_blocks(me, team, control, indptr, columns, falls, disorder, highest):
    """`survey` of rows in `Blocks`, which have no slices."""
    n = len(indptr) - 1
    while True:
        low, high = grab(control, 0, _ROWS, n)
        if low == high:
            break
        for v in range(low, high):
            falls[me] += indptr[v] > indptr[v + 1]
    if not barrier(control, team) or falls.any():
        return
    while True:
        low, high = grab(control, 1, _FEW, n)
        if low == high:
            break
        for v in range(low, high):
            first, last = indptr[v], indptr[v + 1]
            for e in range(first + 1, last):
                disorder[me] += columns[e - 1] >= columns[e]
            if first < last:
                highest[me] = max(highest[me], columns[last - 1])


# Plain loops over slices, each with one sum, run at the speed of memory.


@helper
def _count_falls(begins, ends):
    count = 0
    for i in range(len(begins)):
        count += begins[i] > ends[i]
    return count


@helper
def _count_drops(before, here):
    count = 0
    for i in range(len(here)):
        count += before[i] >= here[i]
    return count


@helper
def _look_at_ends(indptr, columns):
    """How often a row begins not above the end of the one before it; the highest end of a row."""
    count, top = 0, columns.dtype.type(0)
    for i in range(len(indptr) - 1):
        begin, end = indptr[i], indptr[i + 1]
        if begin < end:
            top = max(top, columns[end - 1])
            if begin > 0:
                count += columns[begin] <= columns[begin - 1]
    return count, top
