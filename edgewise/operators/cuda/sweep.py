"""`sweep` on CUDA: gather, finish and measure in one pass over the rows.

Every block adds up the sums of its rows, and one more block adds up those, in a fixed order.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.hot import hot_first
from edgewise.operators.cuda.inner import caller, each, place_of
from edgewise.operators.cuda.messages import (
    Heard,
    flat,
    hearing,
    listening,
    params_of,
)
from edgewise.operators.cuda.row_plan import whole_plan
from edgewise.operators.cuda.state import THREADS, incoming
from edgewise.operators.cuda.totals import Totals, block_places, over_block
from edgewise.operators.cuda.walk import COLUMNED, REDUCING, Walk, blocks_of, walk_rows
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.requests import Sweep

__all__ = ["sweep"]

_SUM = Totals(device(lambda old, new: old + new), (np.dtype(np.float64),), False)
_MANY = 32 if simulated() else 1024


def sweep(graph, request: Sweep) -> Any:
    """See `edgewise.operators.sweep`."""
    xp, values, out, sums = graph.xp, request.values, request.out, request.sums
    names, reduce, edges = request.message.names, request.reduce, request.mode
    rows = incoming(graph, edges, request.weights, names)
    combine = compiled(reduce.combine, "reduce.combine", 2)
    wide = np.dtype(np.float64) if out.dtype.kind == "f" else out.dtype
    heard, totals, data = listening(request.message, rows, values, values, reduce, (wide,))
    if data.sent is not None and not {"source", "edge"} & set(names):
        hot = hot_first(graph, edges, rows.arrays.indices)
        if hot is not None:
            hot_rows = rows.arrays._replace(indices=hot[1])
            data = data._replace(rows=hot_rows, sent=flat(values[hot[0]]))
    deal = COLUMNED if heard.columned else REDUCING
    plan = whole_plan(graph, edges, rows.arrays.indptr, deal.cut)
    ends, after = blocks_of(plan, deal, data.width or 1)
    partial, found = xp.empty(sums * (ends[-1] + after)), xp.empty(sums)
    outputs = (flat(out), request.state, params_of(request.finish), partial)
    given = ("v", "total", "column", "params", *(f"state{i}" for i in range(len(request.state))))
    finish = caller(request.finish.given, request.finish.names, given)
    with naming_failures(request.finish, request.message, combine):
        walk = sweeping(heard, totals._replace(early_exit=False), finish, sums)
        walk_rows(xp, plan, deal, walk, data._replace(outputs=outputs), (0.0,) * sums)
        total_kernel(sums)(1, _MANY, (partial, found))
    return float(found[0]) if sums == 1 else tuple(found.tolist())


@cache
def sweeping(heard: Heard, totals: Totals, finish: Any, sums: int) -> Walk:
    """The walk that finishes every vertex, adds up the sums of a thread, and then of a block."""
    add, check, whole = _adder(sums), _checker(sums), over_block(_SUM, THREADS)
    places, place = block_places(_SUM, THREADS), place_of(heard.columned)

    @device
    def settle(row, total, so_far, data):
        out, arrays, params, _ = data.outputs
        found = check(finish(np.int64(row.v), total, row.column, params, *arrays))
        out[place(row.v, row.column, data)] = found[0]
        return add(so_far, found[1:])

    @device
    def close(so_far, data, shared, block):
        partial = data.outputs[3]
        blocks = len(partial) // sums
        for j in range(sums):
            mine = whole(shared, so_far[j], 0.0)
            if cuda.threadIdx.x == 0:
                partial[j * blocks + block] = mine

    return Walk(
        hearing(heard, totals), totals, settle, device(lambda data: places()), close,
        columned=heard.columned,
    )  # fmt: skip


@cache
def total_kernel(sums: int) -> Any:
    whole, places = over_block(_SUM, _MANY), block_places(_SUM, _MANY)

    @kernel
    def total(arrays):
        partial, totals = arrays
        blocks, shared = len(partial) // sums, places()
        for j in range(sums):
            mine = 0.0
            for i in range(cuda.threadIdx.x, blocks, cuda.blockDim.x):
                mine += partial[j * blocks + i]
            mine = whole(shared, mine, 0.0)
            if cuda.threadIdx.x == 0:
                totals[j] = mine

    return total


@cache
def _adder(count: int) -> Any:
    """``add(total, more)``: the sum of two tuples of numbers, in float64."""
    return each(count, lambda k: device(lambda total, more: total[k] + np.float64(more[k])))


@cache
def _checker(sums: int) -> Any:
    """``check(found)``: what finish gives, if that is a value and so many numbers."""
    from numba import types
    from numba.core.errors import TypingError

    def problem(found: Any) -> TypingError:
        return TypingError(f"it must give a value and {sums} number(s), but gives {found}")

    def check(found):
        if not isinstance(found, tuple) or len(found) != 1 + sums:
            raise problem(found)
        return found

    if simulated():
        return check
    from numba.cuda.extending import overload  # type: ignore[attr-defined]

    @overload(check)
    def _check(found):
        if not isinstance(found, types.BaseTuple) or len(found) != 1 + sums:
            raise problem(found)
        return lambda found: found

    return check
