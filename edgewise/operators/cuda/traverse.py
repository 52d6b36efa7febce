"""Rounds of messages over a frontier, wholly on the GPU: the loop behind `advance` and `propagate`.

One cooperative kernel runs round after round; its threads keep the loop's state in registers, each
computing the same decisions from a few counters that are read after the round's one barrier.

A round pushes from a queue or pulls through a bitmap, whichever touches fewer edges [1]. What
happens on the edges is in `steps.py`: values are updated at once (idempotent monoids over one
array), or messages are added up apart and land at the end of the round.

Pays for: rows bfs and bc of ``python -m benchmarks gpu``.

[1] S. Beamer, K. Asanovic, D. Patterson. Direction-optimizing breadth-first search. SC 2012.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add, fetch_or, grid_barrier, load
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.drifting import DRIFTERS, few
from edgewise.operators.cuda.rounds import (
    ALONE,
    AWAKE,
    BLOCKS,
    BUDGET,
    BUFFER,
    COUNT,
    EDGES,
    FORCED,
    FORM,
    HEAVY,
    LANDED,
    LEFT,
    MAX_TURN,
    MODE,
    OFFSETS,
    PAUSE,
    PULL,
    PUSH,
    SCOUT,
    SEEN,
    SIDE,
    SKEWED,
    TAIL,
    THREADS,
    TRACED,
    TRACES,
    TURN,
    VISITED,
    WIDE,
    WORDS,
    block_add,
    worth_pulling,
)
from edgewise.operators.cuda.steps import Shape, steps

__all__ = ["traverse_kernel"]

_BETA = 18


@device
def clear(bitmap):
    for i in range(cuda.grid(1), len(bitmap), cuda.gridsize(1)):
        bitmap[i] = 0


@device
def to_bitmap(queue, count, bitmap):
    for i in range(cuda.grid(1), count, cuda.gridsize(1)):
        v = np.uint64(queue[i])
        fetch_or(bitmap, v >> np.uint64(5), np.uint32(1) << np.uint32(v & np.uint64(31)))


@device
def to_queue(place, bitmap, n, queue, out, counters, at):
    """List the members of a bitmap, and count the edges that leave them."""
    indptr, edges = out[0], np.int64(0)
    for i in range(cuda.grid(1), len(bitmap), cuda.gridsize(1)):
        word = bitmap[i]
        if word != 0:
            many = np.int64(0)
            for j in range(32):
                many += np.int64((word >> np.uint32(j)) & np.uint32(1))
            slot = add(counters, at + LANDED, many)
            for j in range(32):
                if (word >> np.uint32(j)) & np.uint32(1):
                    v = np.uint64(i * 32 + j)
                    queue[slot] = v
                    slot += 1
                    edges += np.int64(indptr[v + np.uint64(1)] - indptr[v])
    block_add(place, counters, at + AWAKE, edges)


@cache
def traverse_kernel(message: Any, combine: Any, where: Any, shape: Shape) -> Any:
    """The loop for one message, one monoid and one condition; all are device functions."""
    push, push_wide, push_heavy, push_alone, drift, pull, land, settle_pulled = steps(
        message, combine, where, shape
    )
    early_exit, at_once, alone = shape.early_exit, shape.at_once, simulated()
    ids = shape.ids.type
    auto = shape.balance == "auto"
    brief = auto and at_once and shape.ids.itemsize == 4

    @kernel(cooperative=True, bounds=(THREADS, BLOCKS))
    def traverse(out, into, data, queues, bitmaps, heavy, scratch, counters, state, control,
                 tickets, limits, trace, blocks):  # fmt: skip
        found = cuda.shared.array(BUFFER, ids)
        other = cuda.shared.array(BUFFER, ids)
        meta = cuda.shared.array(1, np.int32)
        place = cuda.shared.array(1, np.int64)
        offsets = cuda.shared.array(OFFSETS, np.int32)
        starts = cuda.shared.array(THREADS, np.uint64)
        sources = cuda.shared.array(THREADS, ids)
        warps = cuda.shared.array(32, np.int32)
        room = (found, other, meta, place, offsets, starts, sources, warps)
        n = np.int64(len(out[0])) - 1
        first = cuda.grid(1) == 0
        count, mode, form, turn = state[COUNT], state[MODE], state[FORM], state[TURN]
        side, left, visited, edges = state[SIDE], state[LEFT], state[SEEN], state[EDGES]
        traced, even, odd = np.int64(0), np.int64(0), np.int64(0)
        budget, most = visited + limits[BUDGET], min(limits[MAX_TURN], turn + limits[PAUSE])
        while count > 0 and turn < most and visited < budget:
            if (brief and mode == PUSH and form == PUSH and count <= ALONE
                    and 0 <= edges <= BUFFER and limits[TRACES] == 0):  # fmt: skip
                if first:
                    state[COUNT], state[TURN], state[SIDE] = count, turn, side
                    state[LEFT], state[SEEN], state[EDGES] = left, visited, edges
                grid_barrier(control, blocks)
                if cuda.blockIdx.x == 0:
                    push_alone(room, out, data, queues, counters, state, limits, n)
                grid_barrier(control, blocks)
                count, turn, mode = load(state, COUNT), load(state, TURN), load(state, MODE)
                left, visited, edges = load(state, LEFT), load(state, SEEN), load(state, EDGES)
                continue
            drifters = min(np.int64(blocks), np.int64(DRIFTERS))
            if (brief and mode == PUSH and form == PUSH and few(count, edges, drifters)
                    and limits[TRACES] == 0):  # fmt: skip
                if cuda.blockIdx.x < drifters:
                    even, odd = drift(room, out, data, queues, counters, state, limits, tickets,
                                      even, odd, drifters, count, turn, side, left, visited, edges,
                                      n)  # fmt: skip
                grid_barrier(control, blocks)
                count, turn, mode = load(state, COUNT), load(state, TURN), load(state, MODE)
                left, visited, side = load(state, LEFT), load(state, SEEN), load(state, SIDE)
                edges = load(counters, ((turn - 1) % 3) * WORDS + SCOUT)
                continue
            at = (turn % 3) * WORDS
            if first:
                for i in range(WORDS):
                    counters[((turn + 1) % 3) * WORDS + i] = 0
            turn += 1
            queue, spare = queues[0], queues[1]
            bitmap, following = bitmaps[0], bitmaps[1]
            if side == 1:
                queue, spare = queues[1], queues[0]
                bitmap, following = bitmaps[1], bitmaps[0]
            if form != mode:
                if mode == PULL:
                    clear(bitmap)
                    grid_barrier(control, blocks)
                    to_bitmap(queue, count, bitmap)
                    grid_barrier(control, blocks)
                else:
                    to_queue(place, bitmap, n, queue, out, counters, at)
                    grid_barrier(control, blocks)
                    edges = load(counters, at + AWAKE)
                    grid_barrier(control, blocks)
                    if first:
                        counters[at + AWAKE] = 0
                        counters[at + LANDED] = 0
                    grid_barrier(control, blocks)
            old, pulled = count, mode == PULL
            if pulled:
                if alone:
                    clear(following)
                    grid_barrier(control, blocks)
                pull(place, into, data, turn, bitmap, following, n, counters, at)
                grid_barrier(control, blocks)
                if not at_once:
                    settle_pulled(data, following, n)
                    grid_barrier(control, blocks)
                count, scout = load(counters, at + AWAKE), np.int64(0)
                visited += load(counters, at + VISITED)
                side = 1 - side
            else:
                if auto and limits[SKEWED] > 0 and edges > WIDE:
                    push_wide(room, out, data, turn, queue, count, spare, heavy, counters, at,
                              blocks, scratch, control)  # fmt: skip
                else:
                    push(room, out, data, turn, queue, count, spare, heavy, counters, at, blocks,
                         scratch, control)  # fmt: skip
                grid_barrier(control, blocks)
                # Three loads in flight at once: each takes half a microsecond.
                many, count = load(counters, at + HEAVY), load(counters, at + TAIL)
                scout = load(counters, at + SCOUT)
                if many > 0:
                    push_heavy(room, out, data, turn, spare, heavy, counters, at, blocks)
                    grid_barrier(control, blocks)
                    count, scout = load(counters, at + TAIL), load(counters, at + SCOUT)
                visited += max(edges, 0)
                left -= max(edges, 0)
                if at_once:
                    side = 1 - side
                else:
                    grid_barrier(control, blocks)
                    if first:
                        counters[at + SCOUT] = 0
                    grid_barrier(control, blocks)
                    land(room, out, data, turn, spare, count, queue, counters, at)
                    grid_barrier(control, blocks)
                    count, scout = load(counters, at + LANDED), load(counters, at + SCOUT)
                edges = scout
            if first and limits[TRACES] > 0:
                row = traced * 3
                trace[row], trace[row + 1], trace[row + 2] = old, visited, mode
            traced += 1
            form = mode
            if limits[FORCED] >= 0:
                mode = limits[FORCED]
            elif pulled:
                mode = PULL if count >= old or count > n // _BETA else PUSH
            elif early_exit:
                mode = PULL if worth_pulling(scout, left, n) else PUSH
            else:
                mode = PUSH
        grid_barrier(control, blocks)  # all have read the counters
        if first:
            state[COUNT], state[MODE], state[FORM], state[TURN] = count, mode, form, turn
            state[SIDE], state[LEFT], state[SEEN], state[EDGES] = side, left, visited, edges
            state[TRACED] = traced if limits[TRACES] > 0 else 0
            for i in range(3 * WORDS):
                counters[i] = 0

    return traverse
