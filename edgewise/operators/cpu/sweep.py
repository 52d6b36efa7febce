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

from edgewise.base.cache import inlined, kernel
from edgewise.base.compiler import overload
from edgewise.base.cpu.team import barrier, grab
from edgewise.base.threads import launch
from edgewise.operators.cpu.inner import row_folder
from edgewise.operators.cpu.reduce_neighbors import incoming
from edgewise.operators.functions import compiled, naming_failures, plain_message
from edgewise.operators.requests import Sweep

__all__ = ["sweep"]

#: Rows whose sums are added up together, and how many such blocks a thread takes at once.
_BLOCK, _BLOCKS = 512, 8


def sweep(graph, request: Sweep) -> Any:
    """See `edgewise.operators.sweep`."""
    if "own" in request.message.names or request.finish.params or request.out.ndim == 2:
        raise NotImplementedError("own, params and columns on CPU threads")
    values, arrays, reduce, out, sums = (
        request.values, request.state, request.reduce, request.out, request.sums
    )  # fmt: skip
    n = graph.num_vertices
    rows = incoming(graph, request.edges, request.weights, request.message.names)
    message = compiled(request.message.given, "message")
    finish = compiled(request.finish.given, "finish")
    combine = compiled(reduce.combine, "reduce.combine", 2)
    wide = np.float64 if out.dtype.kind == "f" else out.dtype
    identity = reduce.identity_for(wide)
    totals = np.zeros((-(-n // _BLOCK) + 1, sums))
    run = sweep_kernel(plain_message(request.message), combine, finish, sums)
    with naming_failures(finish, message, combine):
        launch(run, rows, values, identity, arrays, out, totals,
               work=len(rows.indices) + n)  # fmt: skip
    return float(totals[-1, 0]) if sums == 1 else tuple(totals[-1].tolist())


@cache
def sweep_kernel(message, combine, finish, sums):
    """The pass for one message, one monoid and one finish."""
    fold = row_folder(message, combine)

    def checked(found):
        raise TypeError("only for compiled code")

    @overload(checked)
    def _checked(found):
        if not isinstance(found, types.BaseTuple) or len(found) != 1 + sums:
            raise TypingError(f"it must give a value and {sums} number(s), but gives {found}")
        return lambda found: found

    @inlined
    def settle(v, rows, values, identity, arrays, out):
        total = fold(rows[0][v], rows[0][v + np.uint64(1)], rows, values, 0, identity)
        found = checked(finish(np.int64(v), total, *arrays))
        out[v] = found[0]
        return floats(found[1:])

    @inlined
    def block(low, high, rows, values, identity, arrays, out):
        total = settle(low, rows, values, identity, arrays, out)
        for v in range(low + np.uint64(1), high):
            total = added(total, settle(v, rows, values, identity, arrays, out))
        return total

    @kernel(borrows=True)
    def run(me, team, control, rows, values, identity, arrays, out, totals):
        n, width = np.int64(len(out)), np.int64(_BLOCK)
        while True:
            first, last = grab(control, 0, _BLOCKS, len(totals) - 1)
            if first == last:
                break
            for i in range(first, last):
                low, high = np.uint64(i * width), np.uint64(min(i * width + width, n))
                keep(totals[i], block(low, high, rows, values, identity, arrays, out), 0)
        if not barrier(control, team):
            return
        if me == 0:
            for i in range(len(totals) - 1):
                for j in range(sums):
                    totals[-1, j] += totals[i, j]

    return run


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
