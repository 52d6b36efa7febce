"""`intersect` on CUDA for given pairs: the shorter list's members, looked up in the longer one.

A thread takes a pair whose shorter list is short and leaves others to a warp or a block. What
happens to a common neighbor is a `Meeting`: nothing (it is counted), the user's function, a
message, or its place in a list. A thread combines messages in the order of the list, and the
threads of a group combine theirs as a tree: the same total in every run.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import Kernel, device, kernel, translated
from edgewise.operators.adjacency import chosen_weights, unsigned
from edgewise.operators.cuda.inner import caller, weight_reader
from edgewise.operators.cuda.memory import check_work
from edgewise.operators.cuda.state import blocks_for, nothing
from edgewise.operators.requests import COMMON_NAMES, Intersection

__all__ = [
    "ABOVE",
    "LANES",
    "LONG",
    "NEXT",
    "THREADS",
    "TOTAL",
    "below",
    "control_words",
    "fill_the_gpu",
    "hitter",
    "holds",
    "pair_counts",
    "pair_lists",
    "pair_totals",
]

# The simulator gets small sizes: it is slow, and tiny graphs should take every path.
#: Threads of a block, and of a warp (no kernel here lets the threads of a warp meet).
THREADS, LANES = (8, 4) if simulated() else (256, 32)
#: Of a pair's shorter list: up to the first length for one thread, up to the second for a warp.
_FEW, _MANY = (2, 4) if simulated() else (16, 2048)
#: Words of ``control``: the next item; how many items are long, and longer; whether some row holds
#: ids not below its own; how many common neighbors there are.
NEXT, LONG, _LONGER, ABOVE, TOTAL = range(5)

_0, _1 = np.uint64(0), np.uint64(1)


class Meeting(NamedTuple):
    """What a common neighbor brings: ``meet(i, u, v, w, e, f, given, total)``, the new total.

    ``e`` and ``f`` are its positions in the rows of u and v. ``join(old, new)`` combines totals of
    type ``kind``; None where there are none.
    """

    meet: Any
    join: Any = None
    kind: Any = None


def pair_counts(graph, us, vs, function, state) -> Any:
    """How many common neighbors every pair has; the function is called for each."""
    count = graph.xp.zeros(len(us), np.int64)
    _walk(graph, us, vs, visiting(function), state, False, count, nothing(), np.int32(0))
    return count


def pair_totals(graph, us, vs, request: Intersection) -> tuple[Any, Any]:
    """What the messages about its common neighbors make for every pair, and how many there are."""
    xp, message, dtype = graph.xp, request.message, request.dtype
    check_work("intersect with a message", (2 * len(us), np.int64), (len(us), dtype))
    weights = chosen_weights(graph, request.weights, message.names, ("weight_u", "weight_v"))
    given = (nothing() if weights is None else weights, message.params or (nothing(),))
    totals, count = xp.empty(len(us), dtype), xp.zeros(len(us), np.int64)
    meeting = reducing(translated(message.given), message.names, translated(request.reduce.combine),
                       dtype.type, weights is not None)  # fmt: skip
    identity = dtype.type(request.reduce.identity_for(dtype))
    _walk(graph, us, vs, meeting, given, request.ordered, count, totals, identity)
    return totals, count


def pair_lists(graph, us, vs, count, total, ordered) -> tuple[Any, Any]:
    """Where each pair's common neighbors begin, and they themselves, ascending."""
    xp, width = graph.xp, max((graph.shape[1] - 1).bit_length(), 1)
    check_work("intersect with lists", (2 * len(us) + 3 * total, np.int64))
    starts = xp.zeros(len(us) + 1, np.int64)
    starts[1:] = xp.cumsum(count)
    found, cursor = xp.empty(total, np.uint64), xp.zeros(1, np.int64)
    if total:
        given = (found, cursor, np.uint64(width))
        _walk(graph, us, vs, listing(), given, ordered, xp.zeros_like(count), nothing(),
              np.int32(0))  # fmt: skip
        found.sort()  # by pair, and then by neighbor
    return starts, (found & np.uint64((1 << width) - 1)).astype(np.int64)


def _walk(graph, us, vs, meeting, given, ordered, count, totals, identity) -> None:
    """Let all pairs meet: short ones, long ones, longer ones."""
    rows, pairs = (unsigned(graph.indptr), unsigned(graph.indices)), (unsigned(us), unsigned(vs))
    rest, control = graph.xp.empty(len(us), np.int64), control_words(graph.xp)
    args = (rows, pairs, given, identity, totals, count, rest, control)
    fill_the_gpu(short_kernel(meeting, ordered), len(us), *args)
    for lanes in (LANES, THREADS):
        fill_the_gpu(long_kernel(meeting, ordered, lanes), len(us) * lanes, *args)


def control_words(xp: Any) -> Any:
    """Counters, all zero."""
    return xp.zeros(5, np.int64)


def fill_the_gpu(run: Kernel, threads: int, *args: Any) -> None:
    """Launch for so many threads, at most as many as run at once: the kernels loop."""
    blocks = blocks_for(threads, THREADS)
    if blocks:
        run(min(blocks, run.resident(THREADS, *args)), THREADS, *args)


@cache
def visiting(function: Any) -> Meeting:
    """Call the user's function, if there is one."""
    hit = hitter(function)

    @device
    def meet(i, u, v, w, e, f, given, total):
        hit(u, v, w, given)
        return total

    return Meeting(meet)


@cache
def reducing(message: Any, names: tuple, combine: Any, kind: Any, weighted: bool) -> Meeting:
    """Combine what the message gives."""
    call, weight = caller(message, names, (*COMMON_NAMES, "params")), weight_reader(weighted)
    join = device(lambda old, new: kind(combine(old, new)))

    @device
    def meet(i, u, v, w, e, f, given, total):
        weights, params = given
        new = call(weight(weights, e), weight(weights, f), np.int64(w), params)
        return join(total, kind(new))

    return Meeting(meet, join, kind)


@cache
def listing() -> Meeting:
    """Note pair and neighbor as one number, anywhere."""

    @device
    def meet(i, u, v, w, e, f, given, total):
        found, cursor, width = given
        found[cuda.atomic.add(cursor, 0, 1)] = (np.uint64(i) << width) | np.uint64(w)
        return total

    return Meeting(meet)


@cache
def short_kernel(meeting: Meeting, ordered: bool) -> Kernel:
    """The loop over pairs, one thread to each whose shorter list is short; it lists the others."""
    look, sides, totalled = looker(meeting.meet), side_finder(ordered), meeting.kind is not None

    @kernel
    def run(rows, pairs, given, identity, totals, count, rest, control):
        us, vs = pairs
        i, step = np.uint64(cuda.grid(1)), np.uint64(cuda.gridsize(1))
        while i < np.uint64(len(us)):
            lists = sides(rows, us[i], vs[i])
            size = lists[1] - lists[0]
            if size <= np.uint64(_FEW):
                total, found, f = identity, np.int64(0), lists[0]
                while f < lists[1]:
                    total, met = look(rows, lists, i, us[i], vs[i], f, given, total)
                    found += met
                    f += _1
                count[i] = found
                if totalled:
                    totals[i] = total
            elif size <= np.uint64(_MANY):
                rest[cuda.atomic.add(control, LONG, 1)] = np.int64(i)
            else:
                rest[len(rest) - 1 - cuda.atomic.add(control, _LONGER, 1)] = np.int64(i)
            i += step

    return run


@cache
def long_kernel(meeting: Meeting, ordered: bool, lanes: int) -> Kernel:
    """The loop over the pairs that `short_kernel` left to warps, or (`THREADS` lanes) to blocks.

    All groups of a block go on together: they meet to combine.
    """
    look, sides, longer = looker(meeting.meet), side_finder(ordered), lanes > LANES
    width, groups = np.uint64(lanes), np.uint64(THREADS // lanes)
    join, totalled, kind = meeting.join, meeting.kind is not None, meeting.kind or np.int32

    @kernel
    def run(rows, pairs, given, identity, totals, count, rest, control):
        parts = cuda.shared.array(THREADS, kind)
        us, vs = pairs
        me = np.uint64(cuda.threadIdx.x)
        lane, group = me % width, me // width
        size = np.uint64(control[_LONGER] if longer else control[LONG])
        base = np.uint64(cuda.blockIdx.x) * groups
        while base < size:
            k, i = base + group, _0
            total = identity
            if k < size:
                i = np.uint64(rest[np.uint64(len(rest)) - _1 - k if longer else k])
                lists = sides(rows, us[i], vs[i])
                found, f = np.int64(0), lists[0] + lane
                while f < lists[1]:
                    total, met = look(rows, lists, i, us[i], vs[i], f, given, total)
                    found += met
                    f += width
                if found > 0:
                    cuda.atomic.add(count, np.int64(i), found)
            if totalled:
                parts[me] = total
                reach = width >> _1
                while reach > _0:
                    cuda.syncthreads()
                    if lane < reach:
                        parts[me] = join(parts[me], parts[me + reach])
                    reach >>= _1
                if lane == _0 and k < size:
                    totals[i] = parts[me]
                cuda.syncthreads()
            base += np.uint64(cuda.gridDim.x) * groups

    return run


@cache
def looker(meet: Any) -> Any:
    """``look(...)``: the total after position f of the shorter list, and 1 if the other has it."""

    @device
    def look(rows, lists, i, u, v, f, given, total):
        indices = rows[1]
        w = indices[f]
        at = below(indices, lists[2], lists[3], np.uint64(w))
        if at >= lists[3] or indices[at] != w:
            return total, np.int64(0)
        e = f
        if lists[4]:
            e, at = at, f
        return meet(i, u, v, w, e, at, given, total), np.int64(1)

    return look


@cache
def side_finder(ordered: bool) -> Any:
    """``sides(rows, u, v)``: both lists as (low, high, first, last), the shorter first.

    The fifth says whether that is v's. ``ordered`` keeps to u > v > common.
    """

    @device
    def sides(rows, u, v):
        indptr, indices = rows
        low, high, first, last = indptr[u], indptr[u + _1], indptr[v], indptr[v + _1]
        if ordered:
            high = below(indices, low, high, v) if v < u else low
            last = below(indices, first, last, v)
        if last - first < high - low:
            return first, last, low, high, True
        return low, high, first, last, False

    return sides


@cache
def hitter(function: Any) -> Any:
    """``hit(u, v, w, arrays)``: the user's function, called; nothing if there is none."""
    if function is None:
        return device(lambda u, v, w, arrays: None)

    @device
    def hit(u, v, w, arrays):
        function(np.int64(u), np.int64(v), np.int64(w), *arrays)

    return hit


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
