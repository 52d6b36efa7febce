"""The locally dominant matching on CUDA, in one cooperative kernel that runs round after round.

It keeps lists of the vertices that are still in play, by the length of their rows. A round has
three steps with a barrier after each: those whose last choice has been taken are sorted out; they
look through their rows again, and leave for good if no neighbor is free; those who point at each
other note their mates, each for itself. Rows are walked by a thread, eight lanes, a warp or a
block, by their length.

Pays for: the matching rows of ``python -m benchmarks gpu``.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.matching.cuda.edge_order import Order, edge_order
from edgewise.base.cuda.atomics import add, grid_barrier, load
from edgewise.base.cuda.device import host, simulated
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.graph import Graph
from edgewise.operators.cuda.inner import has_bit, set_bit
from edgewise.operators.cuda.rounds import BLOCKS, OFFSETS, block_scan
from edgewise.operators.cuda.row_plan import Cut, whole_plan
from edgewise.operators.cuda.state import THREADS, along, check_work
from edgewise.operators.cuda.totals import EVERY_LANE, across, block_places, over_block

__all__ = ["locally_dominant"]

#: Rows for a thread, eight lanes, a warp; longer ones are for a block.
CUT = Cut(8, 8, 8, 1 << 40) if simulated() else Cut(8, 64, 2048, 1 << 40)
#: Words of ``state``, which outlives a launch; ALIVE begins the lengths of the four lists.
ALIVE, TURN, SIDE, STATE_WORDS = 0, 4, 5, 6
#: Words of a round's counters: the lengths of the next lists, and of those who look.
WORDS, LOOKING = 8, 4
UNKNOWN = -2
#: Rounds after which a launch comes back, so that a signal is noticed.
_ROUNDS = 1 << 14
#: Rows that a group of lanes takes before it reports.
_EACH = 8


class Play(NamedTuple):
    """What the rounds read and write; the lists of the four kinds of rows stand in one array."""

    rows: tuple[Any, Any, Any]
    mates: Any
    pointers: Any  # whom a vertex has chosen
    taken: Any  # a bitmap
    lists: tuple[Any, Any, Any]  # who is in play, in turns; who looks
    begins: tuple[int, ...]  # where the kinds begin in each
    counters: Any
    state: Any
    control: Any


class Shared(NamedTuple):
    """The shared memory of a block."""

    offsets: Any
    warps: Any
    place: Any
    bests: Any


def locally_dominant(graph: Graph, mates: Any, weights: Any) -> bool:
    """See `edgewise.operators.fused`: find mates for those who have none."""
    xp, n = graph.xp, graph.num_vertices
    if graph.num_arcs == 0:
        return True
    rows, _ = along(graph, "out", weights, ("weight",))
    run = rounds_kernel(
        edge_order(rows.arrays.indices.dtype, getattr(rows.arrays.weights, "dtype", None))
    )
    check_work("locally_dominant", (8 * n, mates.dtype), (n // 32, np.uint32))
    plan = whole_plan(graph, "out", rows.arrays[0], CUT)
    fresh = not bool((mates >= 0).any())
    taken = xp.zeros(-(-n // 32), xp.uint32)
    if not fresh:
        packed = xp.packbits(mates >= 0, bitorder="little")
        taken.view(xp.uint8)[: len(packed)] = packed
    known = np.zeros(STATE_WORDS, np.int64)
    known[ALIVE : ALIVE + 4] = [count for _, count in plan.spans]
    words = xp.asarray(np.concatenate([known, np.zeros(3 * WORDS + 1, np.int64)]))
    play = Play(
        rows.arrays[:3], mates, xp.full(n, UNKNOWN, mates.dtype), taken,
        (plan.ids.copy(), xp.empty_like(plan.ids), xp.empty_like(plan.ids)),
        tuple(begin for begin, _ in plan.spans),
        words[STATE_WORDS:-1], words[:STATE_WORDS], words[-1:].view(np.int32),
    )  # fmt: skip
    while known[ALIVE : ALIVE + 4].any():
        if known[TURN] > 0:
            words[-1] = 0
        run.fill(THREADS, play, fresh, _ROUNDS)
        known = host(play.state)
    return True


@device
def keep(shared, v, stays, following, begin, counters, at):
    """Put the vertices that stay on the next list; all threads of a block call it."""
    block_scan(shared.offsets, stays, shared.warps)
    total = shared.offsets[THREADS]
    if total > 0:
        if cuda.threadIdx.x == 0:
            shared.place[0] = add(counters, at, np.int64(total))
        cuda.syncthreads()
        if stays:
            following[begin + shared.place[0] + shared.offsets[cuda.threadIdx.x]] = v
    cuda.syncthreads()


@device
def sort_out(shared, play, front, following, k, count, at, blocks):
    """Deal a list out: those whose choice still stands stay for the next one, others look."""
    base, begin = np.int64(cuda.blockIdx.x) * THREADS, play.begins[k]
    while base < count:
        i, v, waits, looks = base + cuda.threadIdx.x, np.uint64(0), False, False
        if i < count:
            v = np.uint64(front[begin + i])
            if not has_bit(play.taken, v):
                u = play.pointers[v]
                waits = u >= 0 and not has_bit(play.taken, np.uint64(u))
                looks = not waits
        keep(shared, v, np.int32(waits), following, begin, play.counters, at + k)
        keep(shared, v, np.int32(looks), play.lists[2], begin, play.counters, at + k + LOOKING)
        base += blocks * THREADS


@device
def settle(play, following, k, count):
    """Note the mates of those who point at each other."""
    for i in range(cuda.grid(1), count, cuda.gridsize(1)):
        v = np.uint64(following[play.begins[k] + i])
        u = play.pointers[v]
        if np.int64(play.pointers[np.uint64(u)]) == np.int64(v):
            play.mates[v] = u
            set_bit(play.taken, v)


@device
def sizes_at(counters, at):
    """The lengths of four lists, read together."""
    a, b = load(counters, at), load(counters, at + 1)
    c, d = load(counters, at + 2), load(counters, at + 3)
    return a, b, c, d


def chooser(order: Order, kind: int, lanes: int) -> Any:
    """``choose``: those who look, each through a row for so many lanes, stay if they find one."""
    along, each, groups = order.along, min(lanes, _EACH), THREADS // lanes
    ids, step = order.totals.dtypes[1].type, np.uint64(lanes)
    join, shown = device(lambda mine, v: mine), device(lambda number, lane: number)
    if lanes > 1:
        join = across(order.totals, lanes)
        shown = device(  # what another lane has
            lambda number, lane: np.uint64(cuda.shfl_sync(EVERY_LANE, np.int64(number), lane))
        )

    @device
    def choose(shared, play, lookers, following, count, fresh, at, blocks):
        rows, begin = play.rows, play.begins[kind]
        lane, group = cuda.threadIdx.x % lanes, cuda.threadIdx.x // lanes
        leader = (cuda.threadIdx.x & 31) - lane
        base = np.int64(cuda.blockIdx.x) * (groups * each)
        while base < count:
            # Each of the first lanes fetches one row's bounds, so that these loads go together.
            i = base + group * each + lane
            mine, low, high, found = np.uint64(0), np.uint64(0), np.uint64(0), ids(-1)
            if lane < each and i < count:
                mine = np.uint64(lookers[begin + i])
                low, high = rows[0][mine], rows[0][mine + np.uint64(1)]
            for j in range(each):
                v, end = shown(mine, leader + j), shown(high, leader + j)
                e = shown(low, leader + j) + np.uint64(lane)
                best = join(along(v, e, end, step, rows, play.taken, fresh), v)
                if lane == j:
                    found = best[1]
            if lane < each and i < count:
                play.pointers[mine] = found
            keep(shared, mine, np.int32(found >= 0), following, begin, play.counters, at + kind)
            base += blocks * (groups * each)

    return choose


def block_chooser(order: Order, kind: int) -> Any:
    """The same for rows of a block each."""
    along, whole, step = order.along, over_block(order.totals, THREADS), np.uint64(THREADS)

    @device
    def choose(shared, play, lookers, following, count, fresh, at, blocks):
        rows, begin, me = play.rows, play.begins[kind], cuda.threadIdx.x
        for i in range(cuda.blockIdx.x, count, blocks):
            v = np.uint64(lookers[begin + i])
            e, high = rows[0][v] + np.uint64(me), rows[0][v + np.uint64(1)]
            best = whole(shared.bests, along(v, e, high, step, rows, play.taken, fresh), v)
            if me == 0:
                play.pointers[v] = best[1]
                if best[1] >= 0:
                    following[begin + add(play.counters, at + kind, 1)] = v

    return choose


@cache
def rounds_kernel(order: Order) -> Any:
    """The loop for one order."""
    by_thread, by_block = chooser(order, 0, 1), block_chooser(order, 3)
    nobody = device(lambda shared, play, lookers, following, count, fresh, at, blocks: None)
    by_group = by_warp = nobody  # the simulator knows no warps, and its rows are for the others
    if not simulated():
        by_group, by_warp = chooser(order, 1, 8), chooser(order, 2, 32)
    places = block_places(order.totals, THREADS)

    @kernel(cooperative=True, bounds=(THREADS, BLOCKS))
    def run(play, fresh, rounds, blocks):
        offsets = cuda.shared.array(OFFSETS, np.int32)
        warps = cuda.shared.array(32, np.int32)
        place = cuda.shared.array(1, np.int64)
        shared = Shared(offsets, warps, place, places())
        counters, state, first = play.counters, play.state, cuda.grid(1) == 0
        turn, side, sizes = state[TURN], state[SIDE], sizes_at(state, ALIVE)
        last = turn + rounds
        while sizes[0] + sizes[1] + sizes[2] + sizes[3] > 0 and turn < last:
            at = (turn % 3) * WORDS
            if first:
                for i in range(WORDS):
                    counters[((turn + 1) % 3) * WORDS + i] = 0
            turn += 1
            front, following = play.lists[0], play.lists[1]
            if side == 1:
                front, following = play.lists[1], play.lists[0]
            lookers, new = front, fresh and turn == 1
            if not new:
                lookers = play.lists[2]
                for k in range(4):
                    sort_out(shared, play, front, following, k, sizes[k], at, blocks)
                grid_barrier(play.control, blocks)
                sizes = sizes_at(counters, at + LOOKING)
            by_block(shared, play, lookers, following, sizes[3], new, at, blocks)
            by_warp(shared, play, lookers, following, sizes[2], new, at, blocks)
            by_group(shared, play, lookers, following, sizes[1], new, at, blocks)
            by_thread(shared, play, lookers, following, sizes[0], new, at, blocks)
            grid_barrier(play.control, blocks)
            sizes = sizes_at(counters, at)
            for k in range(4):
                settle(play, following, k, sizes[k])
            grid_barrier(play.control, blocks)
            side = 1 - side
        grid_barrier(play.control, blocks)
        if first:
            for k in range(4):
                state[ALIVE + k] = sizes[k]
            state[TURN], state[SIDE] = turn, side
            for i in range(3 * WORDS):
                counters[i] = 0

    return run
