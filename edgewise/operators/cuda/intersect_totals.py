"""`intersect` with a message, on CUDA: what pairs of lists add up to where they meet.

The shorter list's members are looked up in the longer one, by a thread, a warp or a block. Each
thread combines what it finds in the order of the list, and the threads of a group combine theirs
as a tree: the same total in every run.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import cuda

from edgewise.base.cuda.kernels import Kernel, device, kernel, translated
from edgewise.operators.adjacency import chosen_weights, unsigned
from edgewise.operators.cuda.inner import caller, weight_reader
from edgewise.operators.cuda.intersect_pairs import (
    FEW,
    LANES,
    LONG,
    LONGER,
    MANY,
    THREADS,
    below,
    control_words,
    fill_the_gpu,
    side_finder,
)
from edgewise.operators.cuda.memory import check_work
from edgewise.operators.cuda.state import nothing
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.requests import COMMON_NAMES, Intersection

__all__ = ["pair_totals"]

_0, _1 = np.uint64(0), np.uint64(1)


def pair_totals(graph, us, vs, request: Intersection) -> tuple[Any, Any]:
    """The total of every pair, and its number of common neighbors."""
    xp, message, reduce = graph.xp, request.message, request.reduce
    check_work("intersect with a message", (2 * len(us), np.int64), (len(us), request.dtype))
    compiled(reduce.combine, "reduce.combine", 2)
    identity = request.dtype.type(reduce.identity_for(request.dtype))
    totals, count = xp.empty(len(us), request.dtype), xp.zeros(len(us), np.int64)
    rest, control = xp.empty(len(us), np.int64), control_words(xp)
    weights = chosen_weights(graph, request.weights, message.names, ("weight_u", "weight_v"))
    rows = (unsigned(graph.indptr), unsigned(graph.indices),
            nothing() if weights is None else weights)  # fmt: skip
    params = message.params or (nothing(),)
    args = (rows, unsigned(us), unsigned(vs), params, identity, totals, count, rest, control)
    with naming_failures(message.given, reduce.combine):
        meet = meeting(message, reduce.combine, request.dtype, weights is not None)
        fill_the_gpu(short_kernel(meet, request.ordered), len(us), *args)
        for lanes in (LANES, THREADS):
            combine = combining(reduce.combine, request.dtype)
            run = long_kernel(meet, combine, request.dtype.type, request.ordered, lanes)
            fill_the_gpu(run, len(us) * lanes, *args)
    return totals, count


_meetings: dict[Any, Any] = {}


def meeting(message: Any, combine: Any, dtype: np.dtype, weighted: bool) -> Any:
    """``meet(rows, pair, f, params, total)``: the total with what row position f brings to it."""
    key = (translated(message.given), message.names, translated(combine), dtype, weighted)
    if key not in _meetings:
        call = caller(message.given, message.names, (*COMMON_NAMES, "params"))
        weight, join, kind = weight_reader(weighted), combining(combine, dtype), dtype.type

        @device
        def meet(rows, pair, f, params, total):
            indptr, indices, weights = rows
            low, high, first, last, turned = pair
            w = indices[f]
            at = below(indices, first, last, np.uint64(w))
            if at >= last or indices[at] != w:
                return total, np.int64(0)
            e = f
            if turned:
                e, at = at, f
            new = kind(call(weight(weights, e), weight(weights, at), np.int64(w), params))
            return join(total, new), np.int64(1)

        _meetings[key] = meet
    return _meetings[key]


@cache
def combining(combine: Any, dtype: np.dtype) -> Any:
    """``join(old, new)``: a monoid's function in this type."""
    inside, kind = translated(combine), dtype.type
    return device(lambda old, new: kind(inside(old, new)))


@cache
def short_kernel(meet: Any, ordered: bool) -> Kernel:
    """The loop over pairs, one thread to each whose shorter list is short; it lists the others."""
    sides = side_finder(ordered)

    @kernel
    def run(rows, us, vs, params, identity, totals, count, rest, control):
        indptr, indices, weights = rows
        i, step = np.uint64(cuda.grid(1)), np.uint64(cuda.gridsize(1))
        while i < np.uint64(len(us)):
            pair = sides(indptr, indices, us[i], vs[i])
            size = pair[1] - pair[0]
            if size <= np.uint64(FEW):
                total, found = identity, np.int64(0)
                for f in range(pair[0], pair[1]):
                    total, met = meet(rows, pair, np.uint64(f), params, total)
                    found += met
                totals[i], count[i] = total, found
            elif size <= np.uint64(MANY):
                rest[cuda.atomic.add(control, LONG, 1)] = np.int64(i)
            else:
                rest[len(rest) - 1 - cuda.atomic.add(control, LONGER, 1)] = np.int64(i)
            i += step

    return run


@cache
def long_kernel(meet: Any, join: Any, kind: Any, ordered: bool, lanes: int) -> Kernel:
    """The loop over the pairs that `short_kernel` left to warps, or (`THREADS` lanes) to blocks.

    All groups of a block go on together: they meet to combine.
    """
    sides, longer = side_finder(ordered), lanes > LANES
    width, groups = np.uint64(lanes), np.uint64(THREADS // lanes)

    @kernel
    def run(rows, us, vs, params, identity, totals, count, rest, control):
        indptr, indices, weights = rows
        parts = cuda.shared.array(THREADS, kind)
        founds = cuda.shared.array(THREADS, np.int64)
        me = np.uint64(cuda.threadIdx.x)
        lane, group = me % width, me // width
        size = np.uint64(control[LONGER] if longer else control[LONG])
        base = np.uint64(cuda.blockIdx.x) * groups
        while base < size:
            k, i = base + group, _0
            total, found = identity, np.int64(0)
            if k < size:
                i = np.uint64(rest[np.uint64(len(rest)) - _1 - k if longer else k])
                pair = sides(indptr, indices, us[i], vs[i])
                f = pair[0] + lane
                while f < pair[1]:
                    total, met = meet(rows, pair, f, params, total)
                    found += met
                    f += width
            parts[me], founds[me] = total, found
            reach = width >> _1
            while reach > _0:
                cuda.syncthreads()
                if lane < reach:
                    parts[me] = join(parts[me], parts[me + reach])
                    founds[me] += founds[me + reach]
                reach >>= _1
            if lane == _0 and k < size:
                totals[i], count[i] = parts[me], founds[me]
            cuda.syncthreads()
            base += np.uint64(cuda.gridDim.x) * groups

    return run
