"""State of several columns on CPU threads: a row of numbers per vertex, each column apart.

One pass over the edges serves all columns: along an edge the sender's row is added to the member's,
which the compiler turns into vector instructions where the message allows it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import types

from edgewise.base.cache import inner, kernel
from edgewise.base.compiler import overload
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.team import barrier, grab
from edgewise.operators.cpu.inner import cast, edge_at, same, weight_at
from edgewise.operators.cpu.visit import member
from edgewise.operators.functions import MESSAGE_NAMES, Function, plain

__all__ = ["cell", "long_kernel", "plain_message", "row_adder", "row_kernel"]

_PIECE = 1 << 15


def plain_message(message: Function) -> Any:
    """The compiled message as a function of all values, the column after them, and params."""
    return plain(message, (*MESSAGE_NAMES, "column"))


def cell(values, i, j):
    """Column ``j`` of row ``i``; where there is one number per vertex, that; 0 for None."""
    raise TypeError("only for compiled code")


@overload(cell)
def _cell(values, i, j):
    if isinstance(values, types.NoneType):
        return lambda values, i, j: 0
    return (
        (lambda values, i, j: values[i]) if values.ndim == 1 else lambda values, i, j: values[i, j]
    )


@cache
def row_adder(message, combine, early_exit):
    """``add_row``: reduce the messages along a part of a row into ``totals``, by column."""

    @inner
    def add_row(v, low, high, rows, read, identity, totals):
        _, indices, weights, edge_ids = rows
        sent, target, params = read
        for j in range(len(totals)):
            totals[j] = identity
        for e in range(low, high):
            u, weight, edge = np.int64(indices[e]), weight_at(weights, e), edge_at(edge_ids, e)
            for j in range(len(totals)):
                if early_exit and not same(totals[j], identity):
                    continue
                new = message(cell(sent, u, j), weight, u, edge, cell(target, v, j), j, params)
                totals[j] = combine(totals[j], cast(totals, new))

    return add_row


@cache
def row_kernel(message, combine, early_exit):
    """The loop for one message and one monoid; very long rows are only noted."""
    add_row = row_adder(message, combine, early_exit)

    @kernel(borrows=True)
    def run(me, team, control, rows, ids, count, read, identity, result, long, tallies):
        indptr, chunk = rows[0], 256 if count > 65536 else 16
        while True:
            low, high = grab(control, 0, chunk, count)
            if low == high:
                break
            for i in range(low, high):
                v = member(ids, i)
                start, end = indptr[v], indptr[v + 1]
                if end - start > np.uint64(_PIECE):
                    long[fetch_add(tallies, 0, 1)] = v
                else:
                    add_row(v, start, end, rows, read, identity, result[v])

    return run


@cache
def long_kernel(message, combine, early_exit):
    """The very long rows, each in pieces, by all threads together."""
    add_row = row_adder(message, combine, early_exit)

    @kernel(borrows=True)
    def run_long(me, team, control, rows, read, identity, result, long, parts):
        indptr, piece = rows[0], np.uint64(_PIECE)
        first = np.int64(0)
        for v in long:
            start, end = indptr[v], indptr[v + 1]
            pieces = np.int64((end - start + piece - np.uint64(1)) // piece)
            for j in range(me, pieces, team):
                at = start + np.uint64(j) * piece
                add_row(v, at, min(at + piece, end), rows, read, identity, parts[first + j])
            first += pieces
        if not barrier(control, team):
            return
        first = np.int64(0)
        for i in range(len(long)):
            v = long[i]
            pieces = np.int64((indptr[v + 1] - indptr[v] + piece - np.uint64(1)) // piece)
            if i % team == me:
                for j in range(result.shape[1]):
                    total = identity
                    for k in range(first, first + pieces):
                        if not early_exit or not same(parts[k, j], identity):
                            total = combine(total, parts[k, j])
                    result[v, j] = total
            first += pieces

    return run_long
