"""Rows reduced on CUDA: every row of a plan to one total, in the same order every time.

What is combined with what depends on the row alone, so that a sum of floats is always the same;
the totals of the pieces of a long row are combined in order by a second kernel.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.inner import (
    arity,
    caster,
    edge_reader,
    putter,
    sameness,
    taker,
    weight_reader,
)
from edgewise.operators.cuda.plan import LANES, THREADS, Cut, Plan
from edgewise.operators.cuda.state import blocks_for

__all__ = [
    "REDUCING",
    "Ending",
    "Shape",
    "block_folder",
    "blocks_of",
    "joiner",
    "reduce_rows",
    "walk_rows",
]

#: The plan that reductions want; the simulator knows no warps.
REDUCING = Cut(8, 8, 8, 64) if simulated() else Cut(8, 64, 2048, 8192)
#: Rows that a thread, and a group of lanes, takes one after the other.
_EACH, _ROWS = 4, 8
_EVERY_LANE = 0xFFFFFFFF


class Shape(NamedTuple):
    """What a kernel reads (how many arrays, 0 to 4), what it totals, and the flags of its rows."""

    sent: int
    own: int
    dtypes: tuple[np.dtype, ...]
    weighted: bool
    mapped: bool
    early_exit: bool


class Ending(NamedTuple):
    """What happens to a row's total, and at the end of a block.

    ``settle(v, total, so_far, outputs)`` gives the thread's new ``so_far``, and
    ``close(so_far, outputs, block)`` is called by all threads of a block at its end.
    """

    settle: Any
    close: Any


def reduce_rows(xp, rows, plan, message, combine, shape, read, identity, result) -> None:
    """Put the total of every row of the plan into ``result``."""
    keeping = _keeping(arity(result))
    walk_rows(xp, rows, plan, message, combine, shape, read, identity, keeping, 0, result)


@cache
def _keeping(count: int) -> Ending:
    put = putter(count)

    @device
    def settle(v, total, so_far, outputs):
        put(outputs, v, total)
        return so_far

    return Ending(settle, device(lambda so_far, outputs, block: None))


def walk_rows(xp, rows, plan, message, combine, shape, read, identity, ending, zero,
              outputs) -> None:  # fmt: skip
    """Total every row of the plan and settle it.

    ``read`` is what messages read as ``value`` and ``own``, any array where they do not.
    """
    gather, gather_long = row_kernels(message, combine, shape, ending)
    before, after = blocks_of(plan)
    several = tuple(xp.empty(len(plan.owner), dtype) for dtype in shape.dtypes)
    parts = several if len(several) > 1 else several[0]
    lists = (plan.ids, plan.first, plan.owner)
    gather(before[-1], THREADS, rows, lists, plan.spans, before, read, identity, zero, outputs,
           parts)  # fmt: skip
    if after:
        gather_long(after, THREADS, lists, plan.spans, before[-1], identity, zero, outputs, parts)


def blocks_of(plan: Plan) -> tuple[tuple[int, ...], int]:
    """Where the blocks for pieces, warps, groups and threads end; how many long rows take."""
    ends = [len(plan.owner)]
    for kind, each in ((2, _ROWS), (1, _ROWS), (0, _EACH)):
        ends.append(ends[-1] + blocks_for(plan.spans[kind][1], THREADS // LANES[kind] * each))
    return tuple(ends), blocks_for(plan.spans[3][1], THREADS)


@cache
def row_kernels(message: Any, combine: Any, shape: Shape, ending: Ending) -> tuple[Any, Any]:
    """The kernel that walks all rows and pieces, and the one that joins the pieces' totals."""
    take_own, take_part = taker(shape.own), taker(len(shape.dtypes))
    put_part = putter(len(shape.dtypes))
    settle, close = ending
    fold = folder(message, combine, shape)
    join = joiner(combine, shape.dtypes, shape.early_exit)
    whole = block_folder(combine, shape.dtypes, shape.early_exit, THREADS)
    by_groups = walker(8, fold, combine, shape, settle)
    by_warps = walker(32, warp_folder(message, combine, shape, fold), combine, shape, settle)
    size, one, stride = np.uint64(REDUCING.piece), np.uint64(1), np.uint64(THREADS)

    @device
    def by_threads(block, ids, begin, count, rows, read, identity, so_far, outputs):
        for j in range(_EACH):
            i = (block * _EACH + j) * THREADS + cuda.threadIdx.x
            if i < count:
                v = np.uint64(ids[begin + i])
                low, high = rows[0][v], rows[0][v + one]
                total = fold(low, high, one, rows, read[0], take_own(read[1], v), identity)
                so_far = settle(v, total, so_far, outputs)
        return so_far

    @kernel
    def gather(rows, lists, spans, ends, read, identity, zero, outputs, parts):
        ids, first, owner = lists
        block, so_far = np.int64(cuda.blockIdx.x), zero
        if block < ends[0]:
            k = np.int64(owner[block])
            v = np.uint64(ids[spans[3][0] + k])
            low = rows[0][v] + (np.uint64(block) - first[k]) * size
            high = min(low + size, rows[0][v + one])
            start = low + np.uint64(cuda.threadIdx.x)
            total = fold(start, high, stride, rows, read[0], take_own(read[1], v), identity)
            total = whole(total, identity)
            if cuda.threadIdx.x == 0:
                put_part(parts, block, total)
        elif block < ends[1]:
            so_far = by_warps(block - ends[0], ids, spans[2][0], spans[2][1], rows, read, identity,
                              so_far, outputs)  # fmt: skip
        elif block < ends[2]:
            so_far = by_groups(block - ends[1], ids, spans[1][0], spans[1][1], rows, read, identity,
                               so_far, outputs)  # fmt: skip
        else:
            so_far = by_threads(block - ends[2], ids, spans[0][0], spans[0][1], rows, read,
                                identity, so_far, outputs)  # fmt: skip
        close(so_far, outputs, block)

    @kernel
    def gather_long(lists, spans, before, identity, zero, outputs, parts):
        ids, first, _ = lists
        i, so_far = cuda.grid(1), zero
        if i < spans[3][1]:
            total = identity
            for p in range(first[i], first[i + 1]):
                total = join(total, take_part(parts, p), identity)
            so_far = settle(np.uint64(ids[spans[3][0] + i]), total, so_far, outputs)
        close(so_far, outputs, before + cuda.blockIdx.x)

    return gather, gather_long


def walker(lanes, fold, combine, shape, settle) -> Any:
    """A device function: every group of ``lanes`` walks several rows, then settles one per lane."""
    if simulated():
        return device(
            lambda block, ids, begin, count, rows, read, identity, so_far, outputs: so_far
        )
    take_own, groups = taker(shape.own), THREADS // lanes
    across, one, stride = lane_folder(combine, shape, lanes), np.uint64(1), np.uint64(lanes)

    @device
    def by_lanes(block, ids, begin, count, rows, read, identity, so_far, outputs):
        lane, group = cuda.threadIdx.x % lanes, cuda.threadIdx.x // lanes
        base = (block * groups + group) * _ROWS
        mine = identity
        for j in range(_ROWS):
            total = identity
            if base + j < count:
                v = np.uint64(ids[begin + base + j])
                start, high = rows[0][v] + np.uint64(lane), rows[0][v + one]
                total = fold(start, high, stride, rows, read[0], take_own(read[1], v), identity)
            total = across(total, identity)
            if lane == j:
                mine = total
        if lane < _ROWS and base + lane < count:
            so_far = settle(np.uint64(ids[begin + base + lane]), mine, so_far, outputs)
        return so_far

    return by_lanes


def folder(message, combine, shape) -> Any:
    """``fold(e, high, step, ...)``: reduce the messages of every ``step``-th edge from ``e`` on.

    Four totals run side by side, because one alone would wait for each load to end before the next
    could begin. A monoid with early exit stops at the first value instead.
    """
    at, same = _messenger_at(message, combine, shape), sameness(shape.dtypes)
    join = joiner(combine, shape.dtypes, shape.early_exit)

    @device
    def until_found(e, high, step, rows, sent, own, identity):
        total = identity
        while e < high:
            total = at(e, rows, sent, own, total)
            if not same(total, identity):
                break
            e += step
        return total

    @device
    def fold(e, high, step, rows, sent, own, identity):
        a, b, c, d = identity, identity, identity, identity
        two = step + step
        three, four = two + step, two + two
        while e + three < high:
            a = at(e, rows, sent, own, a)
            b = at(e + step, rows, sent, own, b)
            c = at(e + two, rows, sent, own, c)
            d = at(e + three, rows, sent, own, d)
            e += four
        if e < high:
            a = at(e, rows, sent, own, a)
        if e + step < high:
            b = at(e + step, rows, sent, own, b)
        if e + two < high:
            c = at(e + two, rows, sent, own, c)
        return join(join(a, b, identity), join(c, d, identity), identity)

    return until_found if shape.early_exit else fold


def warp_folder(message, combine, shape, fold) -> Any:
    """As `folder`'s, for a warp on one row: with early exit all lanes stop when one has a value."""
    if not shape.early_exit or simulated():
        return fold
    at, same = _messenger_at(message, combine, shape), sameness(shape.dtypes)

    @device
    def until_any(e, high, step, rows, sent, own, identity):
        total = identity
        while cuda.any_sync(_EVERY_LANE, e < high):
            if e < high:
                total = at(e, rows, sent, own, total)
            if cuda.any_sync(_EVERY_LANE, not same(total, identity)):
                break
            e += step
        return total

    return until_any


def _messenger_at(message, combine, shape) -> Any:
    """``at(e, ..., total)``: the total with the message of edge ``e`` combined in."""
    take, cast = taker(shape.sent), caster(shape.dtypes)
    weight, edge = weight_reader(shape.weighted), edge_reader(shape.mapped)

    @device
    def at(e, rows, sent, own, total):
        u = rows[1][e]
        new = message(take(sent, u), weight(rows[2], e), np.int64(u), edge(rows[3], e), own)
        return cast(combine(total, cast(new)))

    return at


@cache
def joiner(combine: Any, dtypes: tuple[np.dtype, ...], early_exit: bool) -> Any:
    """``join(a, b, identity)``: combine two totals; with early exit keep the first that is one."""
    cast, same = caster(dtypes), sameness(dtypes)
    if early_exit:
        return device(lambda a, b, identity: b if same(a, identity) else a)
    return device(lambda a, b, identity: cast(combine(a, b)))


@cache
def block_folder(combine, dtypes, early_exit, threads) -> Any:
    """``whole(mine, identity)``: the total over a block, the same way every time; all call it."""
    join, take, put = joiner(combine, dtypes, early_exit), taker(len(dtypes)), putter(len(dtypes))

    @device
    def tree(totals, mine, identity):
        t, step = cuda.threadIdx.x, threads // 2
        cuda.syncthreads()
        put(totals, t, mine)
        cuda.syncthreads()
        while step > 0:
            if t < step:
                put(totals, t, join(take(totals, t), take(totals, t + step), identity))
            cuda.syncthreads()
            step //= 2
        return take(totals, 0)

    if simulated():
        return _with_shared(tree, dtypes, threads)
    across = lane_folder(combine, Shape(0, 0, dtypes, False, False, early_exit), 32)
    warps = threads // 32

    @device
    def by_warps(totals, mine, identity):
        mine = across(mine, identity)
        cuda.syncthreads()
        if cuda.threadIdx.x % 32 == 0:
            put(totals, cuda.threadIdx.x // 32, mine)
        cuda.syncthreads()
        mine = take(totals, 0)
        for i in range(1, warps):
            mine = join(mine, take(totals, i), identity)
        return mine

    return _with_shared(by_warps, dtypes, warps)


def lane_folder(combine, shape, lanes) -> Any:
    """``across(mine, identity)``: the total over each ``lanes`` lanes of a warp; all 32 call it."""
    join = joiner(combine, shape.dtypes, shape.early_exit)
    other = _shuffler(shape.dtypes)

    @device
    def across(mine, identity):
        step = lanes // 2
        while step > 0:
            mine = join(mine, other(mine, step), identity)
            step //= 2
        return mine

    return across


def _shuffler(dtypes) -> Any:
    """``other(mine, step)``: what the lane ``step`` away holds."""
    if len(dtypes) == 1:
        kind, wide = dtypes[0].type, dtypes[0].type
        if dtypes[0].kind != "f":  # only these integers can be shuffled
            wide = np.int64 if dtypes[0].itemsize == 8 else np.int32
        return device(lambda mine, step: kind(cuda.shfl_xor_sync(_EVERY_LANE, wide(mine), step)))
    each = [_shuffler((dtype,)) for dtype in dtypes]
    if len(each) == 2:
        p, q = each
        return device(lambda mine, step: (p(mine[0], step), q(mine[1], step)))
    if len(each) == 3:
        p, q, r = each
        return device(lambda mine, step: (p(mine[0], step), q(mine[1], step), r(mine[2], step)))
    p, q, r, s = each
    return device(
        lambda mine, step: (
            p(mine[0], step), q(mine[1], step), r(mine[2], step), s(mine[3], step))
    )  # fmt: skip


def _with_shared(function, dtypes, count) -> Any:
    """The function with its first argument, arrays in shared memory of these types, supplied.

    The simulator tells such arrays apart by the lines that make them.
    """
    first, second, third, fourth = [*(dtype.type for dtype in dtypes), None, None, None][:4]

    def one(mine, identity):
        a = cuda.shared.array(count, first)
        return function(a, mine, identity)

    def two(mine, identity):
        a = cuda.shared.array(count, first)
        b = cuda.shared.array(count, second)
        return function((a, b), mine, identity)

    def three(mine, identity):
        a = cuda.shared.array(count, first)
        b = cuda.shared.array(count, second)
        c = cuda.shared.array(count, third)
        return function((a, b, c), mine, identity)

    def four(mine, identity):
        a = cuda.shared.array(count, first)
        b = cuda.shared.array(count, second)
        c = cuda.shared.array(count, third)
        d = cuda.shared.array(count, fourth)
        return function((a, b, c, d), mine, identity)

    return device({1: one, 2: two, 3: three, 4: four}[len(dtypes)])
