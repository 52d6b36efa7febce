"""Very long rows on CPU threads: each in pieces of fixed size, by all threads together.

So a total does not depend on how many threads there are. The kernel is one of its own, which few
graphs need.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.team import barrier

__all__ = ["PIECE", "long_rows_kernel", "pieces_of", "room_for_long"]

#: Rows longer than this are left to all threads, in pieces of this size.
PIECE = 1 << 15


def room_for_long(rows: Any) -> np.ndarray:
    """Where very long rows are noted."""
    return np.empty(len(rows.indices) // PIECE + 1, np.int64)


def pieces_of(rows: Any, long: np.ndarray) -> int:
    """No fewer than all pieces of the rows noted."""
    return len(rows.indices) // PIECE + len(long) + 1


@inner
def pieces_in(indptr, v):
    """How many pieces a row has."""
    length, piece = indptr[v + 1] - indptr[v], np.uint64(PIECE)
    return np.int64((length + piece - np.uint64(1)) // piece)


def long_rows_kernel(total, end):
    """The kernel for ``long`` rows of ``known[0]``.

    ``total(v, low, high, known, parts, i)`` puts that of a piece into ``parts`` at ``i``;
    ``end(v, known, parts, first, last)`` joins those of a row.
    """

    @kernel(borrows=True)
    def run_long(me, team, control, long, known, parts):
        indptr, piece = known[0][0], np.uint64(PIECE)
        first = np.int64(0)
        for v in long:
            start, stop, pieces = indptr[v], indptr[v + 1], pieces_in(indptr, v)
            for j in range(me, pieces, team):
                low = start + np.uint64(j) * piece
                total(v, low, min(low + piece, stop), known, parts, first + j)
            first += pieces
        if not barrier(control, team):
            return
        first = np.int64(0)
        for i in range(len(long)):
            pieces = pieces_in(indptr, long[i])
            if i % team == me:
                end(long[i], known, parts, first, first + pieces)
            first += pieces

    return run_long
