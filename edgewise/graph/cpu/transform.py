"""Other numbers for all vertices, or some: rows move to their place, columns get new numbers."""

from __future__ import annotations

from edgewise.base.cache import kernel
from edgewise.base.cpu.optional import copy_item
from edgewise.base.cpu.team import grab
from edgewise.graph.cpu.row_search import share_rows

__all__ = ["count_inside", "fill_inside", "renumber"]

_ROWS = 512  # that a thread takes at a time


@kernel
def renumber(me, team, control, rows, old_ids, new_ids, out):
    """Fill the new rows, whose beginnings are given; columns keep their old order."""
    (indptr, indices, weights), (starts, columns, values) = rows, out
    low, high = share_rows(me, team, starts)
    for row in range(low, high):
        u, at = old_ids[row], starts[row]
        for e in range(indptr[u], indptr[u + 1]):
            columns[at] = new_ids[indices[e]]
            copy_item(values, at, weights, e)
            at += 1


@kernel
def count_inside(me, team, control, indptr, indices, old_ids, new_ids, sizes):
    """How many arcs of every row that stays lead to a vertex that stays."""
    while True:
        low, high = grab(control, 0, _ROWS, len(old_ids))
        if low == high:
            break
        for row in range(low, high):
            u, found = old_ids[row], 0
            for e in range(indptr[u], indptr[u + 1]):
                found += new_ids[indices[e]] >= 0
            sizes[row] = found


@kernel
def fill_inside(me, team, control, rows, old_ids, new_ids, out):
    """Fill the rows that stay with those of their arcs; columns keep their old order."""
    (indptr, indices, weights), (starts, columns, values) = rows, out
    while True:
        low, high = grab(control, 0, _ROWS, len(old_ids))
        if low == high:
            break
        for row in range(low, high):
            u, at = old_ids[row], starts[row]
            for e in range(indptr[u], indptr[u + 1]):
                v = new_ids[indices[e]]
                if v >= 0:
                    columns[at] = v
                    copy_item(values, at, weights, e)
                    at += 1
