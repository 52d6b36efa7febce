"""`sweep` on CPU threads: gather, finish and measure in one pass over the rows.

The sums are added up in blocks of fixed size, so that every team gives the same ones.

Pays for: row pagerank of ``python -m benchmarks gap``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import types
from numba.core.errors import TypingError

from edgewise.base.bit_blocks import Blocks
from edgewise.base.cache import inlined, inner
from edgewise.base.compiler import overload
from edgewise.base.cpu.bit_blocks import nearby, reach
from edgewise.base.cpu.team import barrier
from edgewise.base.threads import launch, team_for
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.cpu import columns
from edgewise.operators.cpu.inner import cast, row_folder, take
from edgewise.operators.cpu.reduce_neighbors import incoming
from edgewise.operators.cpu.walk import over
from edgewise.operators.functions import (
    MESSAGE_NAMES,
    compiled,
    finish_names,
    naming_failures,
    picker,
    plain,
)
from edgewise.operators.requests import Sweep

__all__ = ["sweep"]

#: Rows whose sums are added up together, and how many such blocks a thread takes at once.
_BLOCK, _BLOCKS = 512, 8


def sweep(graph: AnyGraph, request: Sweep) -> Any:
    """See `edgewise.operators.sweep`."""
    message, values, finish, state, reduce, out, edges, weights, sums = request
    n, names = graph.num_vertices, message.names
    rows = incoming(graph, edges, weights, names)
    combine = compiled(reduce.combine, "reduce.combine", 2)
    wide = np.float64 if out.dtype.kind == "f" else out.dtype
    identity = reduce.identity_for(wide)
    read = (values if "value" in names else None, values if "own" in names else None,
            message.params)  # fmt: skip
    totals = np.zeros((-(-n // _BLOCK) + 1, sums))
    leading = finish_names("total", states=len(state))
    work = len(rows.indices) + n
    spare = np.empty((team_for(work), out.shape[1] if out.ndim == 2 else 0), wide)
    if out.ndim == 2:
        send, finished = columns.plain_message(message), picker(finish, (*leading, "column"))
        run = wide_kernel(send, combine, finished, sums)
    else:
        make = packed_kernel if isinstance(rows.indptr, Blocks) else sweep_kernel
        run = make(plain(message, MESSAGE_NAMES), combine, picker(finish, leading), sums)
    with naming_failures(finish, message, combine):
        data = ((rows, read, identity, state, finish.params, out), spare, totals)
        launch(run, len(totals) - 1, _BLOCKS, data, work=work, team=len(spare))
    return float(totals[-1, 0]) if sums == 1 else tuple(totals[-1].tolist())


@cache
def _checker(sums):
    """``checked``: raise, when it is compiled, unless finish gives a value and so many numbers."""

    def checked(found):
        raise TypeError("only for compiled code")

    @overload(checked)
    def _checked(found):
        if not isinstance(found, types.BaseTuple) or len(found) != 1 + sums:
            raise TypingError(f"it must give a value and {sums} number(s), but gives {found}")
        return lambda found: found

    return checked


@cache
def sweep_kernel(message, combine, finish, sums):
    """The pass for one message, one monoid and one finish."""
    fold, checked = row_folder(message, combine), _checker(sums)

    @inlined
    def settle(v, given):
        rows, read, identity, state, params, out = given
        own = take(read[1], v)
        total = fold(rows[0][v], rows[0][v + np.uint64(1)], rows, read[0], own, identity, read[2])
        found = checked(finish((np.int64(v), total, *state, *params)))
        out[v] = cast(out, found[0])
        return floats(found[1:])

    @inlined
    def block(low, high, given, row):
        total = settle(low, given)
        for v in range(low + np.uint64(1), high):
            total = added(total, settle(v, given))
        return total

    return _pass(block)


@cache
def packed_kernel(message, combine, finish, sums):
    """`sweep_kernel` of a compressed graph: row starts and rows are decoded ahead, many at once."""
    fold, checked = row_folder(message, combine, ahead=True), _checker(sums)
    nothing = (0.0,) * sums

    @inlined
    def block(low, high, given, row):
        rows, read, identity, state, params, out = given
        v, one, total = low, np.uint64(1), nothing
        decoded, last = np.uint64(rows[0][low]), np.uint64(rows[0][high])
        near = nearby(rows[1], decoded, decoded)
        while v < high:
            until = reach(rows[0], v, high + one)
            ends = nearby(rows[0], v, until)
            while v + one < until:
                first, end = np.uint64(ends[v]), np.uint64(ends[v + one])
                if end > decoded:
                    decoded = reach(rows[1], first, last)
                    near = nearby(rows[1], first, decoded)
                own = take(read[1], v)
                sent = fold(first, end, near, min(end, decoded), rows, read[0], own, identity,
                            read[2])  # fmt: skip
                found = checked(finish((np.int64(v), sent, *state, *params)))
                out[v] = cast(out, found[0])
                total = added(total, floats(found[1:]))
                v += one
        return total

    return _pass(block)


@cache
def wide_kernel(message, combine, finish, sums):
    """The same over state of several columns."""
    add_row, checked = columns.row_adder(message, combine, False), _checker(sums)

    @inlined
    def settle(v, j, row, state, params, out):
        found = checked(finish((np.int64(v), row[j], *state, j, *params)))
        out[v, j] = cast(out, found[0])
        return floats(found[1:])

    @inner
    def block(low, high, given, row):
        rows, read, identity, state, params, out = given
        add_row(low, rows[0][low], rows[0][low + np.uint64(1)], rows, read, identity, row)
        total = settle(low, 0, row, state, params, out)
        for j in range(1, len(row)):
            total = added(total, settle(low, j, row, state, params, out))
        for v in range(low + np.uint64(1), high):
            add_row(v, rows[0][v], rows[0][v + np.uint64(1)], rows, read, identity, row)
            for j in range(len(row)):
                total = added(total, settle(v, j, row, state, params, out))
        return total

    return _pass(block)


def _pass(block):
    """The kernel that goes over all blocks of rows, and adds up their sums."""

    @inlined
    def step(i, me, control, data):
        given, spare, totals = data
        n, width = np.int64(len(given[5])), np.int64(_BLOCK)
        low, high = np.uint64(i * width), np.uint64(min(i * width + width, n))
        keep(totals[i], block(low, high, given, spare[me]), 0)

    @inner
    def add_up(me, team, control, data):
        """One thread adds up the sums of all blocks."""
        if not barrier(control, team) or me != 0:
            return
        totals = data[2]
        for i in range(len(totals) - 1):
            for j in range(totals.shape[1]):
                totals[-1, j] += totals[i, j]

    return over(step, add_up)


def floats(numbers):
    """A tuple of numbers, each as float64."""
    raise TypeError("only for compiled code")


@overload(floats)
def _floats(numbers):
    if len(numbers) == 0:
        return lambda numbers: ()
    return lambda numbers: (np.float64(numbers[0]), *floats(numbers[1:]))


def added(total, more):
    """The sum of two tuples, number by number."""
    raise TypeError("only for compiled code")


@overload(added)
def _added(total, more):
    if len(more) == 0:
        return lambda total, more: ()
    return lambda total, more: (total[0] + more[0], *added(total[1:], more[1:]))


def keep(row, total, at):
    """Write a tuple of numbers to a row, from ``at`` on."""
    raise TypeError("only for compiled code")


@overload(keep)
def _keep(row, total, at):
    if len(total) == 0:
        return lambda row, total, at: None

    def one(row, total, at):
        row[at] = total[0]
        keep(row, total[1:], at + 1)

    return one
