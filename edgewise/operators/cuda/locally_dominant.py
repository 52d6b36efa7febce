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
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add, bit_or, grid_barrier, load
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.edge_order import NONE, Look, Shape, acrosser, looking
from edgewise.operators.cuda.memory import check_work
from edgewise.operators.cuda.plan import THREADS, Cut, whole_plan
from edgewise.operators.cuda.rounds import BLOCKS, OFFSETS, block_scan
from edgewise.operators.cuda.state import along

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
_GROUPS, _EVERY_LANE = 8, 0xFFFFFFFF


def locally_dominant(graph: Any, mates: Any, weights: Any) -> bool:
    """See `edgewise.operators.fused`: find mates for those who have none."""
    xp, n = graph.xp, graph.num_vertices
    if graph.num_arcs == 0:
        return True
    rows, _ = along(graph, "out", weights, ("weight",), False)
    run = rounds_kernel(Shape.of(rows.arrays[1], rows.arrays[2], rows.weighted))
    check_work("locally_dominant", (8 * n, mates.dtype), (n // 32, np.uint32))
    plan = whole_plan(graph, "out", rows.arrays[0], CUT)
    alive = (plan.ids.copy(), xp.empty_like(plan.ids), xp.empty_like(plan.ids))
    pointers = xp.full(n, UNKNOWN, mates.dtype)
    fresh = not bool((mates >= 0).any())
    taken = xp.zeros(-(-n // 32), xp.uint32)
    if not fresh:
        packed = xp.packbits(mates >= 0, bitorder="little")
        taken.view(xp.uint8)[: len(packed)] = packed
    known = np.zeros(STATE_WORDS, np.int64)
    known[ALIVE : ALIVE + 4] = [count for _, count in plan.spans]
    words = xp.asarray(np.concatenate([known, np.zeros(3 * WORDS + 1, np.int64)]))
    state, counters = words[:STATE_WORDS], words[STATE_WORDS:-1]
    begins = tuple(begin for begin, _ in plan.spans)
    while known[ALIVE : ALIVE + 4].any():
        if known[TURN] > 0:
            words[-1] = 0
        run.fill(THREADS, rows.arrays[:3], mates, pointers, taken, fresh, alive, begins, counters,
                 state, words[-1:].view(np.int32), _ROUNDS)  # fmt: skip
        known = state.get() if hasattr(state, "get") else state.copy()
    return True


@device
def is_taken(taken, v):
    return (taken[v >> np.uint64(5)] >> np.uint32(v & np.uint64(31))) & np.uint32(1) != np.uint32(0)


@device
def must_look(v, pointers, taken):
    """0: out of play; 1: its choice still stands; 2: it must choose anew."""
    if is_taken(taken, v):
        return 0
    u = pointers[v]
    return 1 if u >= 0 and not is_taken(taken, np.uint64(u)) else 2


@device
def keep(room, v, stays, following, begin, counters, at):
    """Put the vertices that stay on the next list; all threads of a block call it."""
    offsets, warps, place = room[0], room[1], room[2]
    block_scan(offsets, stays, warps)
    total = offsets[THREADS]
    if total > 0:
        if cuda.threadIdx.x == 0:
            place[0] = add(counters, at, np.int64(total))
        cuda.syncthreads()
        if stays:
            following[begin + place[0] + offsets[cuda.threadIdx.x]] = v
    cuda.syncthreads()


@device
def sort_out(room, front, begin, count, pointers, taken, following, lookers, counters, at, blocks):
    """Deal a list out: those who wait stay for the next one, others look."""
    base = np.int64(cuda.blockIdx.x) * THREADS
    while base < count:
        i, v, play = base + cuda.threadIdx.x, np.uint64(0), 0
        if i < count:
            v = np.uint64(front[begin + i])
            play = must_look(v, pointers, taken)
        keep(room, v, np.int32(play == 1), following, begin, counters, at)
        keep(room, v, np.int32(play == 2), lookers, begin, counters, at + LOOKING)
        base += blocks * THREADS


def by_threads(shape: Shape, look: Look) -> Any:
    """Rows for one thread each."""
    along, one, ids = look.along, np.uint64(1), shape.ids.type

    @device
    def walk(room, front, begin, count, rows, pointers, taken, fresh, following, counters, at,
             blocks):  # fmt: skip
        base = np.int64(cuda.blockIdx.x) * THREADS
        while base < count:
            i, v, u = base + cuda.threadIdx.x, np.uint64(0), ids(NONE)
            if i < count:
                v = np.uint64(front[begin + i])
                low, high = rows[0][v], rows[0][v + np.uint64(1)]
                _, u = along(v, low, high, one, rows, taken, fresh)
                pointers[v] = u
            keep(room, v, np.int32(u >= 0), following, begin, counters, at)
            base += blocks * THREADS

    return walk


def by_lanes(shape: Shape, look: Look, lanes: int) -> Any:
    """Rows for some lanes of a warp each; none in the simulator."""
    if simulated():
        return device(lambda room, front, begin, count, rows, pointers, taken, fresh, following,
                      counters, at, blocks: None)  # fmt: skip
    along, groups = look.along, THREADS // lanes
    across, ids = acrosser(shape, look.better, lanes), shape.ids.type

    @device
    def walk(room, front, begin, count, rows, pointers, taken, fresh, following, counters, at,
             blocks):  # fmt: skip
        lane, group = cuda.threadIdx.x % lanes, cuda.threadIdx.x // lanes
        leader = (cuda.threadIdx.x & 31) - lane
        base = np.int64(cuda.blockIdx.x) * (groups * _GROUPS)
        while base < count:
            # Each of the first lanes fetches one row's bounds, so that these loads go together.
            i = base + group * _GROUPS + lane
            mine, low, high = np.uint64(0), np.uint64(0), np.uint64(0)
            if lane < _GROUPS and i < count:
                mine = np.uint64(front[begin + i])
                low, high = rows[0][mine], rows[0][mine + np.uint64(1)]
            found = ids(NONE)
            for j in range(_GROUPS):
                v = np.uint64(cuda.shfl_sync(_EVERY_LANE, np.int64(mine), leader + j))
                start = np.uint64(cuda.shfl_sync(_EVERY_LANE, np.int64(low), leader + j))
                end = np.uint64(cuda.shfl_sync(_EVERY_LANE, np.int64(high), leader + j))
                w, u = along(v, start + np.uint64(lane), end, np.uint64(lanes), rows, taken, fresh)
                w, u = across(v, w, u)
                if lane == j:
                    found = u
            if lane < _GROUPS and i < count:
                pointers[mine] = found
            keep(room, mine, np.int32(found >= 0), following, begin, counters, at)
            base += blocks * (groups * _GROUPS)

    return walk


def by_blocks(shape: Shape, look: Look) -> Any:
    """Rows for a block each."""
    along, better = look.along, look.better
    lanes = 1 if simulated() else 32
    across = device(lambda v, w, u: (w, u)) if simulated() else acrosser(shape, better, 32)
    parts = THREADS // lanes

    @device
    def walk(room, front, begin, count, rows, pointers, taken, fresh, following, counters, at,
             blocks):  # fmt: skip
        best, chosen, me = room[3], room[4], cuda.threadIdx.x
        for i in range(cuda.blockIdx.x, count, blocks):
            v = np.uint64(front[begin + i])
            low, high = rows[0][v], rows[0][v + np.uint64(1)]
            w, u = along(v, low + np.uint64(me), high, np.uint64(THREADS), rows, taken, fresh)
            w, u = across(v, w, u)
            if me % lanes == 0:
                best[me // lanes], chosen[me // lanes] = w, u
            cuda.syncthreads()
            if me == 0:
                for k in range(1, parts):
                    if better(v, w, u, best[k], chosen[k]):
                        w, u = best[k], chosen[k]
                pointers[v] = u
                if u >= 0:
                    following[begin + add(counters, at, 1)] = v
            cuda.syncthreads()

    return walk


@device
def settle(following, begin, count, mates, pointers, taken):
    """Note the mates of those who point at each other."""
    for i in range(cuda.grid(1), count, cuda.gridsize(1)):
        v = np.uint64(following[begin + i])
        u = pointers[v]
        if np.int64(pointers[np.uint64(u)]) == np.int64(v):
            mates[v] = u
            bit_or(taken, v >> np.uint64(5), np.uint32(1) << np.uint32(v & np.uint64(31)))


@device
def sizes_at(counters, at):
    """The lengths of four lists, read together."""
    a, b = load(counters, at), load(counters, at + 1)
    c, d = load(counters, at + 2), load(counters, at + 3)
    return a, b, c, d


@cache
def rounds_kernel(shape: Shape) -> Any:
    """The loop for given types."""
    look = looking(shape)
    by_thread, by_group = by_threads(shape, look), by_lanes(shape, look, 8)
    by_warp, by_block = by_lanes(shape, look, 32), by_blocks(shape, look)
    ids, kind = shape.ids.type, shape.weights.type

    @device
    def look_all(room, lookers, begins, sizes, rows, pointers, taken, fresh, following, counters,
                 at, blocks):  # fmt: skip
        by_block(room, lookers, begins[3], sizes[3], rows, pointers, taken, fresh, following,
                 counters, at + 3, blocks)  # fmt: skip
        by_warp(room, lookers, begins[2], sizes[2], rows, pointers, taken, fresh, following,
                counters, at + 2, blocks)  # fmt: skip
        by_group(room, lookers, begins[1], sizes[1], rows, pointers, taken, fresh, following,
                 counters, at + 1, blocks)  # fmt: skip
        by_thread(room, lookers, begins[0], sizes[0], rows, pointers, taken, fresh, following,
                  counters, at, blocks)  # fmt: skip

    @kernel(cooperative=True, bounds=(THREADS, BLOCKS))
    def run(rows, mates, pointers, taken, fresh, alive, begins, counters, state, control, rounds,
            blocks):  # fmt: skip
        offsets = cuda.shared.array(OFFSETS, np.int32)
        sums = cuda.shared.array(32, np.int32)
        place = cuda.shared.array(1, np.int64)
        best = cuda.shared.array(THREADS, kind)
        chosen = cuda.shared.array(THREADS, ids)
        room = (offsets, sums, place, best, chosen)
        first = cuda.grid(1) == 0
        turn, side, sizes = state[TURN], state[SIDE], sizes_at(state, ALIVE)
        last = turn + rounds
        while sizes[0] + sizes[1] + sizes[2] + sizes[3] > 0 and turn < last:
            at = (turn % 3) * WORDS
            if first:
                for i in range(WORDS):
                    counters[((turn + 1) % 3) * WORDS + i] = 0
            turn += 1
            front, following = alive[0], alive[1]
            if side == 1:
                front, following = alive[1], alive[0]
            lookers, new = front, fresh and turn == 1
            if not new:
                lookers = alive[2]
                for k in range(4):
                    sort_out(room, front, begins[k], sizes[k], pointers, taken, following, lookers,
                             counters, at + k, blocks)  # fmt: skip
                grid_barrier(control, blocks)
                sizes = sizes_at(counters, at + LOOKING)
            look_all(room, lookers, begins, sizes, rows, pointers, taken, new, following, counters,
                     at, blocks)  # fmt: skip
            grid_barrier(control, blocks)
            sizes = sizes_at(counters, at)
            for k in range(4):
                settle(following, begins[k], sizes[k], mates, pointers, taken)
            grid_barrier(control, blocks)
            side = 1 - side
        grid_barrier(control, blocks)
        if first:
            for k in range(4):
                state[ALIVE + k] = sizes[k]
            state[TURN], state[SIDE] = turn, side
            for i in range(3 * WORDS):
                counters[i] = 0

    return run
