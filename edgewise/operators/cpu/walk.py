"""The loops that operators on CPU threads share: over items in chunks, and over rows.

`over` makes the kernel in which threads take items ``0..count`` in chunks, as they come for them.
`walk_rows` gives every member's row to one thread. Very long rows are left to all threads in pieces
of fixed size, so that a total does not depend on how many threads there are: that is a kernel of
its own, which few graphs need.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.bit_blocks import span
from edgewise.base.cpu.team import barrier, grab
from edgewise.base.threads import launch, team_for
from edgewise.operators.adjacency import Adjacency

__all__ = ["Walk", "member", "over", "walk_rows"]

#: Rows longer than this are left to all threads, in pieces of this size.
_PIECE = 1 << 15


@cache
def over(step: Any, after: Any = None) -> Any:
    """The kernel ``run(count, chunk, data)`` that takes a step for every item.

    ``step(i, me, control, data)`` is called once for each of them. When there are no more, every
    thread calls ``after(me, team, control, data)``, maybe while others still work.
    """
    after = after or inner(lambda me, team, control, data: None)

    @kernel(borrows=True)
    def run(me, team, control, count, chunk, data):
        while True:
            low, high = grab(control, 0, chunk, count)
            if low == high:
                break
            for i in range(low, high):
                step(i, me, control, data)
        after(me, team, control, data)

    return run


@inner
def member(ids, i):
    """The i-th member; the vertex i itself where none are listed, because all are members."""
    if len(ids) == 0:
        return np.int64(i)
    return np.int64(ids[i])


class Walk(NamedTuple):
    """What a walk over rows does, as compiled functions; ``data`` is the caller's.

    ``whole(v, low, high, data)`` walks a row. ``piece(v, low, high, data, parts, i)`` walks a piece
    and puts what it comes to into ``parts`` at ``i``; ``end(v, data, parts, first, last)`` joins
    those of a row. Without them, rows are walked whole however long they are.
    """

    whole: Any
    piece: Any = None
    end: Any = None


def walk_rows(
    walk: Walk, rows: Adjacency, members: tuple[np.ndarray, int], data: Any, *, work: int,
    chunk: int, parts: Callable[[int], Any],
) -> None:  # fmt: skip
    """Walk the rows of members (ids, or none of them for all, and their number).

    A thread takes ``chunk`` rows at a time. ``parts(count)`` makes arrays for so many pieces.
    """
    ids, count = members
    long = np.empty(len(rows.indices) // _PIECE + 1, np.int64)
    noted = np.zeros(8, np.int64)
    launch(_row_kernel(walk), count, chunk, (rows.indptr, ids, long, noted, data), work=work,
           team=team_for(work))  # fmt: skip
    if noted[0]:
        pieces = len(rows.indices) // _PIECE + int(noted[0])
        launch(_piece_kernel(walk), rows.indptr, long[: noted[0]], data, parts(pieces), work=work)


@cache
def _row_kernel(walk: Walk) -> Any:
    """The kernel for rows; very long ones are only noted."""
    whole, splits = walk.whole, walk.piece is not None

    @inlined
    def step(i, me, control, given):
        indptr, ids, long, noted, data = given
        v = member(ids, i)
        low, high = span(indptr, v)
        if splits and high - low > np.uint64(_PIECE):
            long[fetch_add(noted, 0, 1)] = v
        else:
            whole(v, low, high, data)

    return over(step)


@cache
def _piece_kernel(walk: Walk) -> Any:
    """The kernel for very long rows, each by all threads together."""
    walk_piece, end = walk.piece, walk.end

    @kernel(borrows=True)
    def run_long(me, team, control, indptr, long, data, parts):
        size, first = np.uint64(_PIECE), np.int64(0)
        for v in long:
            start, stop, pieces = indptr[v], indptr[v + 1], _pieces(indptr, v)
            for j in range(me, pieces, team):
                low = start + np.uint64(j) * size
                walk_piece(v, low, min(low + size, stop), data, parts, first + j)
            first += pieces
        if not barrier(control, team):
            return
        first = np.int64(0)
        for i in range(len(long)):
            pieces = _pieces(indptr, long[i])
            if i % team == me:
                end(long[i], data, parts, first, first + pieces)
            first += pieces

    return run_long


@inner
def _pieces(indptr, v):
    """How many pieces a row has."""
    length, size = indptr[v + 1] - indptr[v], np.uint64(_PIECE)
    return np.int64((length + size - np.uint64(1)) // size)
