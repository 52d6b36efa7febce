"""`sweep` on CUDA: gather, finish and measure in one pass over the rows.

Every block adds up the sums of its rows, and one more block adds up those, in a fixed order.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.hot import hot_first
from edgewise.operators.cuda.inner import arity, messenger
from edgewise.operators.cuda.plan import THREADS, whole_plan
from edgewise.operators.cuda.reduce_neighbors import incoming
from edgewise.operators.cuda.rows import REDUCING, Ending, Shape, block_folder, blocks_of, walk_rows
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.requests import Sweep

__all__ = ["sweep"]

_FLOAT = (np.dtype(np.float64),)
_MANY = 32 if simulated() else 1024


def sweep(graph, request: Sweep) -> Any:
    """See `edgewise.operators.sweep`."""
    names = request.message.names
    if "own" in names or request.message.params or request.finish.params or request.out.ndim == 2:
        raise NotImplementedError("own, params and columns on CUDA")
    xp, values, arrays, out = graph.xp, request.values, request.state, request.out
    reduce, edges, sums = request.reduce, request.edges, request.sums
    rows = incoming(graph, edges, request.weights, names)
    message = compiled(request.message.given, "message")
    finish = compiled(request.finish.given, "finish")
    combine = compiled(reduce.combine, "reduce.combine", 2)
    wide = np.dtype(np.float64) if out.dtype.kind == "f" else out.dtype
    sent = values if "value" in names else None
    shape = Shape(arity(sent), 0, (wide,), rows.weighted, rows.mapped, False)
    indptr, *beside = rows.arrays
    if sent is not None and not {"source", "edge"} & set(names):
        hot = hot_first(graph, edges, beside[0])
        if hot is not None:
            sent, beside[0] = values[hot[0]], hot[1]
    plan = whole_plan(graph, edges, indptr, REDUCING)
    ends, after = blocks_of(plan)
    partial, totals = xp.empty(sums * (ends[-1] + after)), xp.empty(sums)
    with naming_failures(finish, message, combine):
        walk_rows(
            xp, (indptr, *beside), plan, messenger(message, names), translated(combine), shape,
            (indptr if sent is None else sent, indptr), reduce.identity_for(wide),
            ending(translated(finish), sums), (0.0,) * sums, (out, arrays, partial),
        )  # fmt: skip
        total_kernel(sums)(1, _MANY, (partial, totals))
    return float(totals[0]) if sums == 1 else tuple(totals.tolist())


@cache
def ending(finish: Any, sums: int) -> Ending:
    """Finish every vertex, add up the sums of a thread, and then of a block."""
    add, check, whole = _adder(sums), _checker(sums), _block_sum(THREADS)

    @device
    def settle(v, total, so_far, outputs):
        out, arrays, _ = outputs
        found = check(finish(np.int64(v), total, *arrays))
        out[v] = found[0]
        return add(so_far, found[1:])

    @device
    def close(so_far, outputs, block):
        partial = outputs[2]
        blocks = len(partial) // sums
        for j in range(sums):
            mine = whole(so_far[j], 0.0)
            if cuda.threadIdx.x == 0:
                partial[j * blocks + block] = mine

    return Ending(settle, close)


@cache
def total_kernel(sums: int) -> Any:
    whole = _block_sum(_MANY)

    @kernel
    def total(arrays):
        partial, totals = arrays
        blocks = len(partial) // sums
        for j in range(sums):
            mine = 0.0
            for i in range(cuda.threadIdx.x, blocks, cuda.blockDim.x):
                mine += partial[j * blocks + i]
            mine = whole(mine, 0.0)
            if cuda.threadIdx.x == 0:
                totals[j] = mine

    return total


def _block_sum(threads: int) -> Any:
    return block_folder(_plus, _FLOAT, False, threads)


@device
def _plus(old, new):
    return old + new


@cache
def _adder(count: int) -> Any:
    """``add(total, more)``: the sum of two tuples of numbers, in float64."""
    if count == 1:
        return device(lambda total, more: (total[0] + np.float64(more[0]),))
    rest = _adder(count - 1)
    return device(lambda total, more: (total[0] + np.float64(more[0]), *rest(total[1:], more[1:])))


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
