"""Totals of several threads on CUDA joined into one: over lanes of a warp, over a block.

What is combined with what is always the same, and so is a sum of floats.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.inner import cast, each, put, same, take

__all__ = ["COUNT", "EVERY_LANE", "Totals", "across", "block_folder", "block_places", "joiner",
           "over_block"]  # fmt: skip

EVERY_LANE = 0xFFFFFFFF


class Totals(NamedTuple):
    """How totals are combined (a device function), and of what types they are."""

    combine: Any
    dtypes: tuple[np.dtype, ...]
    early_exit: bool = False
    join: Any = None  # what `joiner` gives, if not by the others


#: Counts, which are added.
COUNT = Totals(device(lambda old, new: old + new), (np.dtype(np.int64),))


@cache
def joiner(totals: Totals) -> Any:
    """``join(a, b, identity)``: combine two totals; with early exit keep the first that is one."""
    combine, _, early_exit, join = totals
    if early_exit:
        join = device(lambda a, b, identity: b if same(a, identity) else a)
    return join or device(lambda a, b, identity: cast(identity, combine(a, b)))


@cache
def across(totals: Totals, lanes: int) -> Any:
    """``across(mine, identity)``: the total over each ``lanes`` lanes of a warp; all 32 call it."""
    join, other = joiner(totals), _shuffler(totals.dtypes)

    @device
    def over_lanes(mine, identity):
        step = lanes // 2
        while step > 0:
            mine = join(mine, other(mine, step), identity)
            step //= 2
        return mine

    return over_lanes


def block_folder(totals: Totals, threads: int) -> Any:
    """``whole(mine, identity)``: as `over_block`, for a kernel that calls it in one place."""
    whole, places = over_block(totals, threads), block_places(totals, threads)
    return device(lambda mine, identity: whole(places(), mine, identity))


@cache
def over_block(totals: Totals | None, threads: int) -> Any:
    """``whole(places, mine, identity)``: the total over a block of so many threads; all call it.

    ``places`` are what `block_places` gives. Where there are no totals each has its own.
    """
    if totals is None:
        return device(lambda places, mine, identity: mine)
    join, count = joiner(totals), len(totals.dtypes)

    @device
    def tree(places, mine, identity):
        t, step = cuda.threadIdx.x, threads // 2
        cuda.syncthreads()
        put(places, t, mine)
        cuda.syncthreads()
        while step > 0:
            if t < step:
                put(places, t, join(take(places, t), take(places, t + step), identity))
            cuda.syncthreads()
            step //= 2
        return take(places, 0)

    over_warp = None if simulated() else across(totals, 32)

    @device
    def by_warps(places, mine, identity):
        mine = over_warp(mine, identity)
        cuda.syncthreads()
        if cuda.threadIdx.x % 32 == 0:
            put(places, cuda.threadIdx.x // 32, mine)
        cuda.syncthreads()
        mine = take(places, 0)
        for i in range(1, threads // 32):
            mine = join(mine, take(places, i), identity)
        return mine

    whole = tree if simulated() else by_warps
    if count == 1:
        return device(lambda places, mine, identity: whole(places[0], mine, identity))
    return whole


@cache
def block_places(totals: Totals | None, threads: int) -> Any:
    """``places()``: a tuple of arrays in shared memory for `over_block`.

    A kernel may call it in one place only, and not in two functions: arrays are linked by name.
    The simulator tells such arrays apart by the lines that make them.
    """
    if totals is None:
        return device(lambda: 0)
    dtypes, count = totals.dtypes, threads if simulated() else threads // 32
    several = len(dtypes)
    p, q, r, s = [*(dtype.type for dtype in dtypes), np.int8, np.int8, np.int8][:4]
    second, third, fourth = [*[count] * (several - 1), 1, 1, 1][:3]

    @device
    def places():
        a = cuda.shared.array(count, p)
        b = cuda.shared.array(second, q)
        c = cuda.shared.array(third, r)
        d = cuda.shared.array(fourth, s)
        return (a, b, c, d)[:several]

    return places


@cache
def _shuffler(dtypes: tuple[np.dtype, ...]) -> Any:
    """``other(mine, step)``: what the lane ``step`` away holds, a number or a tuple."""
    if len(dtypes) > 1:
        several = [_shuffler((dtype,)) for dtype in dtypes]

        def one(k: int) -> Any:
            other = several[k]
            return device(lambda mine, step: other(mine[k], step))

        return each(len(dtypes), one)
    kind, wide = dtypes[0].type, dtypes[0].type
    if dtypes[0].kind != "f":  # only these integers can be shuffled
        wide = np.int64 if dtypes[0].itemsize == 8 else np.int32
    return device(lambda mine, step: kind(cuda.shfl_xor_sync(EVERY_LANE, wide(mine), step)))
