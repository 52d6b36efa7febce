"""What the kernels of traversal share on CUDA: queues filled through shared memory, block scans.

Threads of a block append to a buffer in shared memory and flush it to the queue in global memory
with one atomic; who finds the buffer full appends directly. ``counters`` holds three sets of eight
words: round r adds to set r % 3 while one thread clears set (r + 1) % 3, so that one barrier a
round is enough.

Shared memory is declared in kernels and handed down: arrays declared in two device functions may
get one name and be linked into one.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cuda.atomics import add
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda

__all__ = [
    "ALONE",
    "AWAKE",
    "BLOCKS",
    "BUDGET",
    "BUFFER",
    "COUNT",
    "EDGES",
    "FORCED",
    "FORM",
    "HEAVY",
    "HEAVY_DEGREE",
    "LANDED",
    "LEFT",
    "MAX_TURN",
    "MODE",
    "OFFSETS",
    "PAUSE",
    "PIECE",
    "PULL",
    "PUSH",
    "SCOUT",
    "SEEN",
    "SETS",
    "SHORT",
    "SIDE",
    "SKEWED",
    "STATE_WORDS",
    "TAIL",
    "THREADS",
    "TRACED",
    "TRACES",
    "TURN",
    "VISITED",
    "WIDE",
    "WORDS",
    "append",
    "block_add",
    "block_scan",
    "flush",
    "owner",
    "worth_pulling",
]

TAIL, SCOUT, AWAKE, HEAVY, VISITED, LANDED = 0, 1, 2, 3, 4, 5
SETS, WORDS = 3, 8
PUSH, PULL = 0, 1
# Words of ``state``, which outlives a launch; and of ``limits``.
COUNT, MODE, FORM, TURN, SIDE, LEFT, SEEN, EDGES, TRACED, STATE_WORDS = range(10)
MAX_TURN, FORCED, BUDGET, PAUSE, TRACES, SKEWED = range(6)
_ALPHA, _SCAN = 15, 64
#: Rows up to this length are walked by one thread each, if all of a block's are.
SHORT = 16
#: Longer rows than this are shared by all blocks.
HEAVY_DEGREE = 1 << 13
#: Edges from which a round on a skewed graph is worth two barriers more, for equal shares.
WIDE = 64 if simulated() else 1 << 17
#: A block, and how many of them a multiprocessor is to hold: more do not fit the registers.
THREADS, BLOCKS = (32, 1) if simulated() else (256, 4)
#: Vertices of a round that is left to one block.
ALONE = 8 if simulated() else THREADS
BUFFER, OFFSETS, PIECE = 2048, THREADS + 1, 4 * THREADS


@device
def append(found, meta, v, queue, counters, at):
    """Put a vertex into the block's buffer, or at once into the queue; was it the buffer?"""
    slot = cuda.atomic.add(meta, 0, 1)
    if slot < BUFFER:
        found[slot] = v
        return True
    queue[add(counters, at + TAIL, 1)] = v
    return False


@device
def flush(found, meta, place, queue, counters, at, indptr):
    """Move the block's buffer to the queue; all threads call it. Edges that leave this thread's."""
    cuda.syncthreads()
    count = min(meta[0], BUFFER)
    edges = np.int64(0)
    if count > 0:
        if cuda.threadIdx.x == 0:
            place[0] = add(counters, at + TAIL, count)
        for i in range(cuda.threadIdx.x, count, cuda.blockDim.x):
            v = np.uint64(found[i])
            edges += np.int64(indptr[v + np.uint64(1)] - indptr[v])
        cuda.syncthreads()
        for i in range(cuda.threadIdx.x, count, cuda.blockDim.x):
            queue[place[0] + i] = found[i]
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            meta[0] = 0
        cuda.syncthreads()
    return edges


@device
def block_add(total, counters, at, mine):
    """Add every thread's number to a counter, through shared memory; all threads call it."""
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        total[0] = 0
    cuda.syncthreads()
    if mine != 0:
        cuda.atomic.add(total, 0, mine)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0 and total[0] != 0:
        add(counters, at, total[0])


if simulated():

    @device
    def block_scan(offsets, mine, warps):
        """Write the exclusive sums of ``mine`` to ``offsets``, the total last; all threads call."""
        offsets[cuda.threadIdx.x] = mine
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            total = 0
            for i in range(cuda.blockDim.x):
                here = offsets[i]
                offsets[i] = total
                total += here
            offsets[cuda.blockDim.x] = total
        cuda.syncthreads()

else:

    @device
    def block_scan(offsets, mine, warps):
        """Write the exclusive sums of ``mine`` to ``offsets``, the total last; all threads call."""
        lane, warp = cuda.threadIdx.x & 31, cuda.threadIdx.x >> 5
        upto = np.int32(mine)
        step = 1
        while step < 32:
            other = cuda.shfl_up_sync(0xFFFFFFFF, upto, step)
            if lane >= step:
                upto = np.int32(upto + other)
            step *= 2
        if lane == 31:
            warps[warp] = upto
        cuda.syncthreads()
        if warp == 0:
            whole = warps[lane] if lane < (cuda.blockDim.x >> 5) else np.int32(0)
            step = 1
            while step < 32:
                other = cuda.shfl_up_sync(0xFFFFFFFF, whole, step)
                if lane >= step:
                    whole = np.int32(whole + other)
                step *= 2
            warps[lane] = whole
        cuda.syncthreads()
        before = warps[warp - 1] if warp > 0 else np.int32(0)
        offsets[cuda.threadIdx.x] = np.int32(before + upto - np.int32(mine))
        if cuda.threadIdx.x == cuda.blockDim.x - 1:
            offsets[cuda.blockDim.x] = np.int32(before + upto)
        cuda.syncthreads()


@device
def owner(offsets, item):
    """Which thread's part an item of a block scan belongs to."""
    low, high = 0, cuda.blockDim.x
    while high - low > 1:
        middle = (low + high) >> 1
        if offsets[middle] <= item:
            low = middle
        else:
            high = middle
    return low


@device
def worth_pulling(edges, left, n):
    """Would pulling touch less than so many edges pushed? It looks at every vertex, though."""
    return edges > max(left // _ALPHA, n // _SCAN)
