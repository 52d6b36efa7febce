"""State of several columns on CPU threads: a row of numbers per vertex, each column apart.

One pass over the edges serves all columns: along an edge the sender's row is added to the member's,
which the compiler turns into vector instructions where the message allows it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import types

from edgewise.base.cache import inlined, inner
from edgewise.base.compiler import overload
from edgewise.operators.cpu.inner import cast, edge_at, same, weight_at
from edgewise.operators.cpu.walk import Walk
from edgewise.operators.functions import MESSAGE_NAMES, Function, plain

__all__ = ["cell", "plain_message", "row_adder", "row_walk"]


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
def row_walk(message, combine, early_exit):
    """The walk that adds up rows, for one message and one monoid."""
    add_row = row_adder(message, combine, early_exit)

    @inlined
    def whole(v, low, high, data):
        rows, read, identity, result = data
        add_row(v, low, high, rows, read, identity, result[v])

    @inner
    def piece(v, low, high, data, parts, i):
        rows, read, identity, _ = data
        add_row(v, low, high, rows, read, identity, parts[i])

    @inner
    def end(v, data, parts, first, last):
        identity, result = data[2], data[3]
        for j in range(result.shape[1]):
            joined = identity
            for i in range(first, last):
                if not early_exit or not same(parts[i, j], identity):
                    joined = combine(joined, parts[i, j])
            result[v, j] = joined

    return Walk(whole, piece, end)
