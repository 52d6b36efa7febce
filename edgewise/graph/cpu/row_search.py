"""What kernels ask about rows: where a column stands in one, and equal shares of them."""

from __future__ import annotations

from edgewise.base.bisection import bisection
from edgewise.base.cache import helper, inner
from edgewise.base.cpu.bisection import lower_bound
from edgewise.base.cpu.team import share

__all__ = ["find_edge", "first_edge", "share_rows"]


@helper
def share_rows(me, team, indptr):
    """This thread's range of rows ``(low, high)``: about equally many arcs for everyone."""
    rows = len(indptr) - 1
    low, high = share(me, team, indptr[rows] + rows)
    return _row_at(indptr, 0, rows, low), _row_at(indptr, 0, rows, high)


@inner
def first_edge(indptr, indices, u, v):
    """The first position in row u whose column is not below v."""
    return lower_bound(indices, indptr[u], indptr[u + 1], v)


@inner
def find_edge(indptr, indices, u, v):
    """The position of the arc from u to v, or -1."""
    at = lower_bound(indices, indptr[u], indptr[u + 1], v)
    return at if at < indptr[u + 1] and indices[at] == v else -1


def _is_before(indptr, row, work):
    """Do fewer than ``work`` rows and arcs lie before a row?"""
    return indptr[row] + row < work


_row_at = bisection(_is_before, inner)
