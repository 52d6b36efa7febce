"""Kernels of `intersect` for given pairs: the shorter list's members, looked up in the longer one.

`few_kernel` gives every pair a thread and leaves those with more to look up to `group_kernel`, or,
where the common neighbors are to be listed, to `fill_kernel`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import cuda

from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import Kernel, device, kernel
from edgewise.operators.cuda.state import blocks_for

__all__ = [
    "ABOVE",
    "FEW",
    "LANES",
    "LONG",
    "LONGER",
    "MANY",
    "NEXT",
    "THREADS",
    "TOTAL",
    "below",
    "control_words",
    "few_kernel",
    "fill_kernel",
    "fill_the_gpu",
    "group_kernel",
    "hitter",
    "holds",
    "side_finder",
]

# The simulator gets small sizes: it is slow, and tiny graphs should take every path.
#: Threads of a block, and of a warp (no kernel here lets the threads of a warp meet).
THREADS, LANES = (8, 4) if simulated() else (256, 32)
#: Of a pair's shorter list: up to the first length for one thread, up to the second for a warp.
FEW, MANY = (2, 4) if simulated() else (16, 2048)
#: Words of ``control``: the next item; how many items are long, and longer; whether some row holds
#: ids not below its own; how many common neighbors there are.
NEXT, LONG, LONGER, ABOVE, TOTAL = range(5)

_1 = np.uint64(1)


def control_words(xp: Any) -> Any:
    """Counters, all zero."""
    return xp.zeros(5, np.int64)


def fill_the_gpu(run: Kernel, threads: int, *args: Any) -> None:
    """Launch for so many threads, at most as many as run at once: the kernels loop."""
    blocks = blocks_for(threads, THREADS)
    if blocks:
        run(min(blocks, run.resident(THREADS, *args)), THREADS, *args)


@cache
def few_kernel(function: Any, ordered: bool, listing: bool) -> Kernel:
    """The loop over pairs, one thread to each whose shorter list is short; it lists the others."""
    hit, sides = hitter(function), side_finder(ordered)

    @kernel
    def run(indptr, indices, us, vs, arrays, control, count, rest, starts, members):
        i, step = np.uint64(cuda.grid(1)), np.uint64(cuda.gridsize(1))
        while i < np.uint64(len(us)):
            low, high, first, last, _ = sides(indptr, indices, us[i], vs[i])
            if high - low <= np.uint64(FEW):
                found = np.int64(0)
                for f in range(low, high):
                    if holds(indices, first, last, indices[f]):
                        hit(us[i], vs[i], indices[f], arrays)
                        if listing:
                            members[starts[i] + found] = np.int64(indices[f])
                        found += 1
                if not listing:
                    count[i] = found
            elif high - low <= np.uint64(MANY):
                rest[cuda.atomic.add(control, LONG, 1)] = np.int64(i)
            else:
                at = len(rest) - 1 - cuda.atomic.add(control, LONGER, 1)
                rest[at] = np.int64(i)
            i += step

    return run


@cache
def group_kernel(function: Any, lanes: int) -> Kernel:
    """The loop over the pairs that `few_kernel` left to warps, or (`THREADS` lanes) to blocks."""
    hit, sides = hitter(function), side_finder(False)
    width, longer = np.uint64(lanes), lanes > LANES

    @kernel
    def run(indptr, indices, us, vs, arrays, control, count, rest):
        me = np.uint64(cuda.grid(1))
        k, step, lane = me // width, np.uint64(cuda.gridsize(1)) // width, me % width
        size = np.uint64(control[LONGER] if longer else control[LONG])
        while k < size:
            i = np.uint64(rest[np.uint64(len(rest)) - _1 - k if longer else k])
            low, high, first, last, _ = sides(indptr, indices, us[i], vs[i])
            found, f = np.int64(0), low + lane
            while f < high:
                if holds(indices, first, last, indices[f]):
                    hit(us[i], vs[i], indices[f], arrays)
                    found += 1
                f += width
            if found > 0:
                cuda.atomic.add(count, np.int64(i), found)
            k += step

    return run


@cache
def fill_kernel(ordered: bool) -> Kernel:
    """The loop over the pairs that `few_kernel` left: a block writes a list in ascending order."""
    sides, threads = side_finder(ordered), np.uint64(THREADS)

    @kernel
    def run(indptr, indices, us, vs, control, rest, starts, members):
        scan = cuda.shared.array(THREADS, np.int64)
        me = np.uint64(cuda.threadIdx.x)
        size = np.uint64(control[LONG])
        k = np.uint64(cuda.blockIdx.x)
        while k < size + np.uint64(control[LONGER]):
            i = np.uint64(rest[k if k < size else np.uint64(len(rest)) - _1 - (k - size)])
            low, high, first, last, _ = sides(indptr, indices, us[i], vs[i])
            at = starts[i]
            while low < high:
                mine = low + me < high and holds(indices, first, last, indices[low + me])
                scan[me] = 1 if mine else 0
                cuda.syncthreads()
                reach = _1
                while reach < threads:
                    before = scan[me - reach] if me >= reach else np.int64(0)
                    cuda.syncthreads()
                    scan[me] += before
                    cuda.syncthreads()
                    reach += reach
                if mine:
                    members[at + scan[me] - 1] = np.int64(indices[low + me])
                at += scan[threads - _1]
                cuda.syncthreads()
                low += threads
            k += np.uint64(cuda.gridDim.x)

    return run


@cache
def hitter(function: Any) -> Any:
    """``hit(u, v, w, arrays)``: the user's function, called; nothing if there is none."""
    if function is None:
        return device(lambda u, v, w, arrays: None)

    @device
    def hit(u, v, w, arrays):
        function(np.int64(u), np.int64(v), np.int64(w), *arrays)

    return hit


@cache
def side_finder(ordered: bool) -> Any:
    """``sides(indptr, indices, u, v)``: both lists as (low, high, first, last), the shorter first.

    The fifth says whether that is v's. ``ordered`` keeps to u > v > common.
    """

    @device
    def sides(indptr, indices, u, v):
        low, high, first, last = indptr[u], indptr[u + _1], indptr[v], indptr[v + _1]
        if ordered:
            high = below(indices, low, high, v) if v < u else low
            last = below(indices, first, last, v)
        if last - first < high - low:
            return first, last, low, high, True
        return low, high, first, last, False

    return sides


@device
def below(indices, low, high, v):
    """The end of those in the ascending ``indices[low:high]`` that are less than ``v``."""
    while low < high:
        middle = (low + high) >> _1
        if np.uint64(indices[middle]) < v:
            low = middle + _1
        else:
            high = middle
    return low


@device
def holds(indices, low, high, wanted):
    """Is ``wanted`` in the ascending ``indices[low:high]``?"""
    at = below(indices, low, high, np.uint64(wanted))
    return at < high and indices[at] == wanted
