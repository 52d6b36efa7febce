"""Color refinement of two graphs at once, with undo: see `isomorphism`.

A partition of the vertices of both graphs is kept in cells. ``elements`` lists the vertices by
cell, and a cell is named by the position where it begins. A cell is split by the numbers of arcs
that its vertices have to another cell, weighted by the kinds of the arcs. Every cell must have as
many vertices of one graph as of the other. O(m log n) work for a whole refinement.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.patterns.cell_sort import sort, swap
from edgewise.base.offsets import offsets
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going

__all__ = ["Cells", "individualize", "refine", "start", "undo"]


class Cells(NamedTuple):
    """The rows of both graphs, side by side, and the partition."""

    half: int  # the first vertex of the second graph
    indptr: Any
    indices: Any
    kinds: Any  # a number for each kind of arc; each row is ordered by it
    elements: Any
    place: Any  # of each vertex in elements
    cell: Any  # of each vertex
    size: Any  # by cell
    count: Any  # of vertices that an arc leads to, by cell
    value: Any  # the sum of the kinds of these arcs, by vertex
    seen: Any
    touched: Any
    split: Any  # the cells of these vertices
    queue: Any  # of cells to split others by
    queued: Any
    trail: Any  # for each new cell, its name and that of the cell it is from
    numbers: Any  # the lengths of queue and trail


def start(half: int, indptr: Any, indices: Any, kinds: Any, colors: Any) -> Cells:
    """The partition by colors; all cells are queued."""
    n = len(colors)
    elements = np.argsort(colors, kind="stable")
    place = np.empty(n, np.int64)
    place[elements] = np.arange(n)
    begins = offsets(np.bincount(colors))
    size, queue, queued = np.zeros(n, np.int64), np.zeros(n + 1, np.int64), np.zeros(n, np.bool_)
    size[begins[:-1]], queued[begins[:-1]] = np.diff(begins), True
    queue[: len(begins) - 1] = begins[:-1]
    return Cells(
        half, indptr, indices, kinds, elements, place, begins[:-1][colors], size,
        np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.bool_), np.empty(n, np.int64),
        np.empty(n, np.int64), queue, queued, np.empty((n, 2), np.int64),
        np.array([len(begins) - 1, 0]),
    )  # fmt: skip


@inner
def refine(control, one):
    """Split cells until all is even; False as soon as a cell has more vertices of one graph."""
    steps, fine = 0, True
    while one.numbers[0] > 0 and fine:
        one.numbers[0] -= 1
        by = one.queue[one.numbers[0]]
        one.queued[by] = False
        reached = 0
        for i in range(by, by + one.size[by]):
            u = one.elements[i]
            for e in range(one.indptr[u], one.indptr[u + 1]):
                steps += 1
                v = one.indices[e]
                if not one.seen[v]:
                    one.seen[v], one.touched[reached] = True, v
                    reached += 1
                one.value[v] += one.kinds[e]
            if steps > 4096:
                steps = 0
                fine = fine and going(control, one.numbers[1])
        cells = _gather(one, reached)
        for i in range(cells):
            cell = one.split[i]
            many = one.count[cell]
            one.count[cell] = 0
            fine = fine and _split(one, cell, many)
        for i in range(reached):
            one.value[one.touched[i]], one.seen[one.touched[i]] = 0, False
    for i in range(one.numbers[0]):
        one.queued[one.queue[i]] = False
    one.numbers[0] = 0
    return fine


@inner
def _gather(one, reached):
    """Move touched vertices to the ends of their cells; the number of these cells."""
    cells = 0
    for i in range(reached):
        v = one.touched[i]
        cell = one.cell[v]
        if one.count[cell] == 0:
            one.split[cells] = cell
            cells += 1
        one.count[cell] += 1
        swap(one, one.place[v], cell + one.size[cell] - one.count[cell])
    return cells


@inner
def _split(one, cell, many):
    """Split a cell by the values of its last vertices; False if the graphs differ."""
    end = cell + one.size[cell]
    low = end - many
    least = most = one.value[one.elements[low]]
    for i in range(low, end):
        least = min(least, one.value[one.elements[i]])
        most = max(most, one.value[one.elements[i]])
    if least == most and low == cell:
        return True
    if least < most:
        sort(one, low, end)
    before, high = one.numbers[1], end
    for i in range(end - 1, low - 1, -1):  # groups of equal values, from the last
        if i == low or one.value[one.elements[i - 1]] != one.value[one.elements[i]]:
            if i > cell and not _part(one, cell, i, high):
                return False
            high = i
    _enqueue(one, cell, before)
    return True


@inner
def _part(one, cell, low, high):
    """Make a cell of the last elements of another one; False if the graphs differ."""
    first = 0
    for i in range(low, high):
        if one.elements[i] < one.half:
            first += 1
    if 2 * first != high - low:
        return False
    one.size[low] = high - low
    one.size[cell] -= high - low
    for i in range(low, high):
        one.cell[one.elements[i]] = low
    one.trail[one.numbers[1], 0], one.trail[one.numbers[1], 1] = low, cell
    one.numbers[1] += 1
    return True


@inner
def _enqueue(one, cell, before):
    """Queue a cell and its new parts, but for the largest one if the cell was not queued."""
    largest = cell
    for i in range(before, one.numbers[1]):
        if one.size[one.trail[i, 0]] > one.size[largest]:
            largest = one.trail[i, 0]
    all_of_them = one.queued[cell]
    if largest != cell and not all_of_them:
        _push(one, cell)
    for i in range(before, one.numbers[1]):
        if one.trail[i, 0] != largest or all_of_them:
            _push(one, one.trail[i, 0])


@inner
def _push(one, cell):
    if not one.queued[cell]:
        one.queued[cell], one.queue[one.numbers[0]] = True, cell
        one.numbers[0] += 1


@inner
def individualize(one, u, v):
    """Make a cell of one vertex of each graph."""
    cell = one.cell[u]
    end = cell + one.size[cell]
    swap(one, one.place[u], end - 1)
    swap(one, one.place[v], end - 2)
    _part(one, cell, end - 2, end)
    _push(one, end - 2)


@inner
def undo(one, length):
    """Merge the newest cells again, until the trail has a length."""
    while one.numbers[1] > length:
        one.numbers[1] -= 1
        low, cell = one.trail[one.numbers[1], 0], one.trail[one.numbers[1], 1]
        for i in range(low, low + one.size[low]):
            one.cell[one.elements[i]] = cell
        one.size[cell] += one.size[low]
