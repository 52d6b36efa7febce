"""The kernel of priority order on CUDA: delta-stepping [1] with piles, wholly on the GPU.

A round expands the near queue; when it is empty the base moves to the best value of the next pile,
and that pile is split (see `piles`). One cooperative kernel runs the loop; its threads keep the
state in registers and compute the same decisions from a few counters that are read after a round's
barrier. Counters come in three turns: one is read, one added to, one cleared.

Pays for: row sssp of ``python -m benchmarks gpu``.

[1] U. Meyer, P. Sanders. Delta-stepping: a parallelizable shortest path algorithm. 2003.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add, grid_barrier, load, store
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.piles import BESTS, PIECES, STARTS, THREADS, WORDS, Shape, expander

__all__ = ["DONE", "FAR", "MIDDLE", "STATE", "STATE_WORDS", "STEPS", "VISITED", "bucket_kernel"]

# Words of ``counts``: counters, each in three turns and on a cache line of its own, then the state.
LINE = 16
NEAR, EDGES, HUBS, MIDDLE, FAR = (3 * LINE * i for i in range(5))
STATE = 15 * LINE
ROUND, FOUND, MIDDLE_TURN, FAR_TURN, VISITED, STEPS, DONE, STATE_WORDS = range(8)
#: How many deltas the middle pile spans.
_MIDDLE = 16


@cache
def bucket_kernel(message: Any, combine: Any, where: Any, shape: Shape) -> Any:
    """The loop for one message, one ordered monoid and one condition; all are device functions."""
    take_up = expander(message, combine, where, shape)
    kind, index, bucketed = shape.wide.type, shape.ids.type, shape.bucketed
    room, lanes, ascending = shape.places * shape.chunk, THREADS + 1, shape.order > 0

    @device
    def beyond(base, width):
        """Where the values end that belong to a pile."""
        return np.float64(base) + width if ascending else np.float64(base) - width

    @device
    def clear(source, turn, middle, far, identity, bests, counts):
        """Make ready what the next round, and the next splits, will add to."""
        store(counts, word(NEAR, turn + 1), 0)
        store(counts, word(EDGES, turn + 1), 0)
        store(counts, word(HUBS, turn + 1), 0)
        if source > 0:
            store(counts, word(MIDDLE, middle + 1), 0)
            store(bests, (middle + 1) % 3, identity)
        if source > 1:
            store(counts, word(FAR, far + 1), 0)
            store(bests, 3 + (far + 1) % 3, identity)

    @device
    def prepare(turn, middle, far, base, far_base, delta, n, half, plan):
        """Write down where a round adds to, and which values belong where; one thread calls it."""
        slots, bases, ends = plan
        slots[WORDS], slots[WORDS + 1] = word(NEAR, turn), word(MIDDLE, middle)
        slots[WORDS + 2], slots[WORDS + 3] = word(FAR, far), word(HUBS, turn)
        slots[STARTS], slots[STARTS + 1] = ((turn + 1) & 1) * half, (middle & 1) * n
        slots[STARTS + 2] = (2 + (far & 1)) * n
        slots[BESTS + 1], slots[BESTS + 2] = middle % 3, 3 + far % 3
        bases[0], bases[1] = base, far_base
        ends[0], ends[1] = beyond(base, delta), beyond(far_base, delta * _MIDDLE)

    @kernel(cooperative=True, bounds=(THREADS, 2))
    def run(rows, values, identity, settled, stamps, near, piles, hubs, bests, counts, control,
            delta, max_rounds, max_edges):  # fmt: skip
        data = (rows, values, identity, settled, stamps, near, piles, hubs, bests, counts)
        offsets = cuda.shared.array(lanes, np.int32)
        warps = cuda.shared.array(32, np.int32)
        lows = cuda.shared.array(THREADS, np.uint64)
        tails = cuda.shared.array(THREADS, index)
        sends = cuda.shared.array(THREADS, kind)
        desk = (offsets, warps, lows, tails, sends)
        slots = cuda.shared.array(12, np.int64)
        bases = cuda.shared.array(2, kind)
        ends = cuda.shared.array(2, np.float64)
        plan = (slots, bases, ends)
        heaps = cuda.shared.array(room, index)
        held = cuda.shared.array(4, np.int32)
        spans = cuda.shared.array(8, np.int64)
        leads = cuda.shared.array(4, kind)
        heap = (heaps, held, spans, leads)
        me, blocks = cuda.threadIdx.x, cuda.gridDim.x
        boss = me == 0 and cuda.blockIdx.x == 0
        if me < 4:
            held[me], leads[me] = 0, identity
        n, half = np.int64(len(stamps)), np.int64(len(near) // 2)
        turn, found = counts[STATE + ROUND], counts[STATE + FOUND]
        middle, far = counts[STATE + MIDDLE_TURN], counts[STATE + FAR_TURN]
        steps, base, far_base = counts[STATE + STEPS], bests[6], bests[7]
        visited, last, done = np.int64(0), turn + max_rounds, False
        while turn < last and visited < max_edges:
            source, waiting, start = np.int64(0), found, (turn & 1) * half
            if found == 0:
                source, waiting = np.int64(1), load(counts, word(MIDDLE, middle))
                start = (middle & 1) * n
                if bucketed and waiting == 0:
                    source, waiting = np.int64(2), load(counts, word(FAR, far))
                    start = (2 + (far & 1)) * n
                if waiting == 0:
                    done = True
                    break
                if source == 1:
                    base = load(bests, middle % 3)
                else:
                    base = load(bests, 3 + far % 3)
                    far_base = base
                    far += 1
                middle += 1
                steps += 1
            if boss:
                clear(source, turn, middle, far, identity, bests, counts)
            if me == 0:
                prepare(turn, middle, far, base, far_base, delta, n, half, plan)
            cuda.syncthreads()
            while waiting > 0:
                edges = take_up(source, start, waiting, np.int32(turn + 1), data, desk, plan, heap)
                if me == 0 and edges > 0:
                    add(counts, word(EDGES, turn), edges)
                grid_barrier(control, blocks)
                waiting = np.int64(0)
                if source != PIECES:
                    source = np.int64(PIECES)
                    waiting = min(load(counts, word(HUBS, turn)), np.int64(len(hubs[0])))
            found = load(counts, word(NEAR, turn))
            visited += load(counts, word(EDGES, turn))
            turn += 1
        if boss:
            counts[STATE + ROUND], counts[STATE + FOUND] = turn, found
            counts[STATE + MIDDLE_TURN], counts[STATE + FAR_TURN] = middle, far
            counts[STATE + VISITED] += visited
            counts[STATE + STEPS], counts[STATE + DONE] = steps, 1 if done else 0
            bests[6], bests[7] = base, far_base

    return run


@device
def word(counter, turn):
    """Where a counter stands in a turn."""
    return counter + LINE * (turn % 3)
