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
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add, grid_barrier, load
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.inner import set_bit
from edgewise.operators.cuda.rounds import (
    AWAKE,
    BLOCKS,
    BUFFER,
    HEAVY,
    LANDED,
    OFFSETS,
    PULL,
    PUSH,
    SCOUT,
    TAIL,
    VISITED,
    WORDS,
    Functions,
    Progress,
    Round,
    Shape,
    Shared,
    block_add,
    degree,
    save,
    saved,
    worth_pulling,
)
from edgewise.operators.cuda.small_rounds import ALONE, SOME, few
from edgewise.operators.cuda.state import THREADS
from edgewise.operators.cuda.steps import steps

__all__ = ["REPORTED", "Start", "Told", "traverse_kernel"]

_BETA = 18
#: Edges from which a round on a skewed graph is worth two barriers more, for equal shares.
WIDE = 64 if simulated() else 1 << 17
#: Vertices of a first frontier whose edges nobody has counted that may have so many.
_MANY = 16 if simulated() else 1 << 12
#: Words that a launch reports: its `Progress`, and the rounds that were traced.
REPORTED = len(Progress._fields) + 1


class Start(NamedTuple):
    """The first frontier as the caller has it: a queue or a bitmap, a dummy for the other."""

    queue: Any
    bitmap: Any


class Told(NamedTuple):
    """What a launch leaves for the host."""

    report: Any  # `REPORTED` words
    found: Any  # the last frontier, if it is a queue that fits
    trace: Any


@device
def clear(bitmap):
    for i in range(cuda.grid(1), len(bitmap), cuda.gridsize(1)):
        bitmap[i] = 0


@device
def to_bitmap(queue, count, bitmap):
    for i in range(cuda.grid(1), count, cuda.gridsize(1)):
        set_bit(bitmap, np.uint64(queue[i]))


@device
def to_queue(shared, bitmap, queue, rows, counters, at):
    """List the members of a bitmap, and count the edges that leave them."""
    edges = np.int64(0)
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
                    edges += degree(rows.indptr, v)
    block_add(shared.place, counters, at + AWAKE, edges)


@device
def counted(counters, at, first, work, blocks):
    """What all blocks have added to AWAKE, which is then clear again, as LANDED is."""
    grid_barrier(work.control, blocks)
    edges = load(counters, at + AWAKE)
    grid_barrier(work.control, blocks)
    if first:
        counters[at + AWAKE], counters[at + LANDED] = 0, 0
    grid_barrier(work.control, blocks)
    return edges


@cache
def traverse_kernel(functions: Functions, shape: Shape) -> Any:
    """The loop for one message, one monoid and its conditions."""
    push, small, pull, land, settle = steps(functions, shape)
    push_rows, push_edges = push
    early_exit, at_once, pulls = shape.early_exit, shape.at_once, shape.pulls
    ids, brief = shape.ids.type, small is not None
    one_block, some_blocks = small if small is not None else (None, None)

    @device
    def pushed(shared, rows, data, round, edges, spare, work, limits):
        """Push a round from a queue; how many are next, the edges that leave them, those pushed.

        Those who are next are in ``round.following``, or in ``spare`` where messages land first.
        """
        counters, at, blocks = round.counters, round.at, round.blocks
        uneven, wide = round, edges > WIDE or (edges < 0 and round.count > _MANY)
        wide = wide and limits.skewed > 0
        count, scout, heavy = np.int64(0), np.int64(0), np.int64(0)
        if not wide:
            push_rows(shared, rows, data, round, work)
            grid_barrier(work.control, blocks)
            # Three loads in flight at once: each takes half a microsecond.
            heavy, count = load(counters, at + HEAVY), load(counters, at + TAIL)
            scout = load(counters, at + SCOUT)
            uneven = Round(round.turn, round.stamp, work.heavy, heavy, round.following, counters,
                           at, blocks)  # fmt: skip
        if wide or heavy > 0:
            total = push_edges(shared, rows, data, uneven, work)
            if wide:
                edges = total
            grid_barrier(work.control, blocks)
            count, scout = load(counters, at + TAIL), load(counters, at + SCOUT)
        if not at_once:
            landing = Round(round.turn, round.stamp, round.following, count, spare, counters,
                            at + LANDED, blocks)  # fmt: skip
            mine = land(shared, rows, data, landing)
            block_add(shared.place, counters, at + VISITED, mine)
            grid_barrier(work.control, blocks)
            count, scout = load(counters, at + LANDED), load(counters, at + VISITED)
        return count, scout, max(edges, np.int64(0))

    @device
    def pulled(shared, rows, data, bitmap, following, round, work):
        """Pull a round through a bitmap; how many are next, and the edges seen."""
        n = np.int64(len(rows.indptr)) - 1
        pull(shared, rows, data, bitmap, following, n, round)
        grid_barrier(work.control, round.blocks)
        if not at_once:
            settle(shared, data, following, n, round)
            grid_barrier(work.control, round.blocks)
        return load(round.counters, round.at + AWAKE), load(round.counters, round.at + VISITED)

    @kernel(cooperative=True, bounds=(THREADS, BLOCKS))
    def traverse(out, into, data, start, work, limits, progress, told, grid):
        found = cuda.shared.array(BUFFER, ids)
        front = cuda.shared.array(BUFFER, ids)
        held = cuda.shared.array(1, np.int32)
        place = cuda.shared.array(1, np.int64)
        offsets = cuda.shared.array(OFFSETS, np.int32)
        starts = cuda.shared.array(OFFSETS, np.uint64)
        sources = cuda.shared.array(THREADS, ids)
        warps = cuda.shared.array(32, np.int32)
        wide_warps = cuda.shared.array(32, np.int64)
        shared = Shared(found, front, held, place, offsets, starts, sources, warps, wide_warps)
        n, blocks, counters = np.int64(len(out.indptr)) - 1, np.int64(grid), work.counters
        first = cuda.grid(1) == 0
        for i in range(cuda.grid(1), len(work.spent), cuda.gridsize(1)):
            work.spent[i] = 0
        count, mode, form, turn, side, left, visited, edges = progress
        traced, even, odd = np.int64(0), np.int64(0), np.int64(0)
        budget, most = visited + limits.budget, min(limits.turns, turn + limits.pause)
        while count > 0 and turn < most and visited < budget:
            if brief and turn > 0 and mode == PUSH and form == PUSH and limits.traced == 0:
                if count <= ALONE and 0 <= edges <= BUFFER:
                    if first:
                        now = Progress(count, mode, form, turn, side, left, visited, edges)
                        save(work.state, now)
                    grid_barrier(work.control, blocks)
                    if cuda.blockIdx.x == 0:
                        one_block(shared, out, data, work, limits)
                    grid_barrier(work.control, blocks)
                    count, mode, form, turn, side, left, visited, edges = saved(work.state)
                    continue
                some = min(blocks, np.int64(SOME))
                if few(count, edges, some):
                    if cuda.blockIdx.x < some:
                        now = Progress(count, mode, form, turn, side, left, visited, edges)
                        even, odd = some_blocks(
                            shared, out, data, work, limits, now, some, even, odd
                        )
                    grid_barrier(work.control, blocks)
                    count, mode, form, turn, side, left, visited, edges = saved(work.state)
                    edges = load(counters, ((turn - 1) % 3) * WORDS + SCOUT)
                    continue
            at = (turn % 3) * WORDS
            if first:
                for i in range(WORDS):
                    counters[((turn + 1) % 3) * WORDS + i] = 0
            queue, spare = work.queues[0], work.queues[1]
            bitmap, following = work.bitmaps[0], work.bitmaps[1]
            if side == 1:
                queue, spare = work.queues[1], work.queues[0]
                bitmap, following = work.bitmaps[1], work.bitmaps[0]
            senders = queue
            if turn == 0 and form == PUSH:
                senders = start.queue
            elif turn == 0:
                bitmap = start.bitmap
            turn += 1
            if form != mode:
                if mode == PULL:
                    clear(bitmap)
                    grid_barrier(work.control, blocks)
                    to_bitmap(senders, count, bitmap)
                    grid_barrier(work.control, blocks)
                else:
                    to_queue(shared, bitmap, queue, out, counters, at)
                    edges = counted(counters, at, first, work, blocks)
            old, was = count, mode
            round = Round(turn, np.int32(limits.stamp + turn), senders, count, spare, counters, at,
                          blocks)  # fmt: skip
            scout = np.int64(0)
            if pulls and mode == PULL:
                count, seen = pulled(shared, into, data, bitmap, following, round, work)
                visited += seen
                side = 1 - side
            else:
                count, scout, edges = pushed(shared, out, data, round, edges, queue, work, limits)
                visited += edges
                left -= edges
                edges = scout
                if at_once:
                    side = 1 - side
            if first and limits.traced > 0:
                row = traced * 3
                told.trace[row], told.trace[row + 1], told.trace[row + 2] = old, visited, mode
            traced += 1
            form = mode
            if limits.forced >= 0:
                mode = limits.forced
            elif was == PULL:
                mode = np.int64(PULL if count >= old or count > n // _BETA else PUSH)
            elif early_exit:
                mode = np.int64(PULL if worth_pulling(scout, left, n) else PUSH)
        if cuda.blockIdx.x == 0 and form == PUSH and count <= len(told.found):
            queue = work.queues[1] if side == 1 else work.queues[0]
            for i in range(cuda.threadIdx.x, count, THREADS):
                told.found[i] = queue[i]
        if first:
            save(told.report, Progress(count, mode, form, turn, side, left, visited, edges))
            told.report[REPORTED - 1] = traced

    return traverse
