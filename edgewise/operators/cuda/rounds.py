"""What the kernels of traversal share on CUDA: their records, queues filled through shared memory.

Threads of a block append to a buffer in shared memory and flush it to the queue in global memory
with one atomic; who finds the buffer full appends directly. ``counters`` holds three sets of eight
words: round r adds to set r % 3 while one thread clears set (r + 1) % 3, so that one barrier a
round is enough.

Shared memory is declared in kernels and handed down: arrays declared in two device functions may
get one name and be linked into one.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add, load
from edgewise.base.cuda.bisection import row_of
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.inner import place_of
from edgewise.operators.cuda.state import THREADS
from edgewise.operators.cuda.totals import EVERY_LANE

# Words of a set of counters.
TAIL, SCOUT, AWAKE, HEAVY, VISITED, LANDED = range(6)
WORDS = 8
#: Modes of a round, and forms of a frontier: a queue is pushed, a bitmap is pulled.
PUSH, PULL = 0, 1
_ALPHA, _SCAN = 15, 64
#: Rows up to this length are walked by one thread each, if all of a block's are.
SHORT = 16
#: Longer rows than this are shared by all blocks.
HEAVY_DEGREE = 1 << 13
#: How many blocks a multiprocessor is to hold: more do not fit the registers.
BLOCKS = 1 if simulated() else 4
BUFFER, OFFSETS = 2048, THREADS + 1


class Functions(NamedTuple):
    """The user's functions as device functions; None for a condition that always holds."""

    message: Any  # of (value, weight, source, edge, own, ..., params)
    combine: Any
    where: Any  # of (value, params)
    wake: Any


class Shape(NamedTuple):
    """What of its arguments a kernel of `propagate` is made for."""

    dtypes: tuple[np.dtype, ...]  # of the values, as the kernel has them
    ids: np.dtype  # of the indices
    reads: bool  # do messages read values?
    early_exit: bool = False
    idempotent: bool = False
    parts: tuple[Any, ...] = ()  # monoids by which the values are combined each for itself
    at_once: bool = False
    deep: bool = False  # are depths wanted?
    several: bool = False  # columns
    once: bool = False  # one round
    pulls: bool = False  # may it pull?
    narrow: Any = None  # in priority order: the type of the values as the user has them
    order: int = 0


class Data(NamedTuple):
    """What a traversal reads and writes: arrays over vertices, those of several columns flat."""

    sources: Any  # what messages read; None if that is nothing
    values: Any
    identity: Any
    stamps: Any  # for which round a vertex was queued last
    depths: Any
    sums: Any  # messages that have not landed yet
    locks: Any
    params: Any
    width: Any  # columns


class Shared(NamedTuple):
    """The shared memory of a block."""

    found: Any  # vertices for the next round
    front: Any  # the frontier, where one block has all of it
    held: Any  # how many are in ``found``
    place: Any  # one number that all threads see
    offsets: Any  # a scan of the rows' lengths
    starts: Any
    sources: Any
    warps: Any
    wide_warps: Any


class Work(NamedTuple):
    """Work arrays in global memory, and the grid's barrier."""

    queues: Any
    bitmaps: Any
    heavy: Any  # rows that all blocks share
    ends: Any  # where rows end among the frontier's edges
    shares: Any  # edges of each block's rows
    counters: Any
    tickets: Any
    control: Any
    state: Any  # a `Progress`, where blocks tell each other
    spent: Any  # words of the launch before, for the one after


class Progress(NamedTuple):
    """How far the loop has come; what it leaves with, and comes back with."""

    count: Any  # vertices in the frontier
    mode: Any  # push or pull next?
    form: Any  # is the frontier a queue or a bitmap?
    turn: Any
    side: Any  # which of the two queues, or bitmaps
    left: Any  # edges that nobody has walked
    visited: Any  # edges walked
    edges: Any  # those that leave the frontier, -1 if nobody has counted


class Limits(NamedTuple):
    """When a launch ends, and what it may do."""

    turns: Any  # rounds in all
    forced: Any  # PUSH or PULL always; -1: whichever touches fewer edges
    budget: Any  # edges of a launch
    pause: Any  # rounds of a launch
    traced: Any  # rounds that are told one by one, 0 if none are
    skewed: Any  # are there very long rows?
    stamp: Any  # of the round before the first


class Round(NamedTuple):
    """One round as its steps see it."""

    turn: Any
    stamp: Any
    front: Any  # who sends, ``count`` vertices
    count: Any
    following: Any  # where those go who send next
    counters: Any
    at: Any  # the round's set of counters
    blocks: Any


class Columns(NamedTuple):
    """How vertices have several numbers: device functions that come to nothing for one."""

    several: bool
    items: Any  # numbers that go along so many edges
    split: Any  # an item as an edge and a column
    place: Any  # where a vertex's number of a column is


@cache
def columns(several: bool) -> Columns:
    """The device functions for arrays of one column, or of ``several``."""
    if several:
        return Columns(
            True,
            device(lambda edges, data: edges * data.width),
            device(lambda item, data: (item // data.width, item % data.width)),
            place_of(True),
        )
    return Columns(
        False,
        device(lambda edges, data: edges),
        device(lambda item, data: (item, np.int64(0))),
        place_of(False),
    )


@device
def save(state, progress):
    """Write a `Progress` down; one thread calls it."""
    state[0], state[1], state[2], state[3] = progress[0], progress[1], progress[2], progress[3]
    state[4], state[5], state[6], state[7] = progress[4], progress[5], progress[6], progress[7]


@device
def saved(state):
    """The `Progress` as it was written down."""
    return Progress(
        load(state, 0), load(state, 1), load(state, 2), load(state, 3),
        load(state, 4), load(state, 5), load(state, 6), load(state, 7),
    )  # fmt: skip


@device
def hold(shared, v, queue, counters, at):
    """Put a member into the block's buffer, or at once into the queue; was it the buffer?

    Of ``shared`` there are the ``found``, how many are ``held``, and the ``place`` of one number.
    """
    slot = cuda.atomic.add(shared.held, 0, 1)
    if slot < BUFFER:
        shared.found[slot] = v
        return True
    queue[add(counters, at, 1)] = v
    return False


@device
def move(shared, queue, counters, at):
    """Move the block's buffer to the queue; all threads call it."""
    cuda.syncthreads()
    me, count = cuda.threadIdx.x, min(shared.held[0], BUFFER)
    if me == 0 and count > 0:
        shared.place[0] = add(counters, at, np.int64(count))
    cuda.syncthreads()
    for i in range(me, count, cuda.blockDim.x):
        queue[shared.place[0] + i] = shared.found[i]
    if me == 0:
        shared.held[0] = 0
    cuda.syncthreads()


@device
def append(shared, v, round):
    """`hold` a vertex for the next round."""
    return hold(shared, v, round.following, round.counters, round.at + TAIL)


@device
def flush(shared, indptr, round):
    """`move` those held to the next round, and count the edges that leave this thread's."""
    cuda.syncthreads()
    count = min(shared.held[0], BUFFER)
    edges = np.int64(0)
    if count > 0:
        if cuda.threadIdx.x == 0:
            shared.place[0] = add(round.counters, round.at + TAIL, count)
        for i in range(cuda.threadIdx.x, count, cuda.blockDim.x):
            edges += degree(indptr, np.uint64(shared.found[i]))
        cuda.syncthreads()
        for i in range(cuda.threadIdx.x, count, cuda.blockDim.x):
            round.following[shared.place[0] + i] = shared.found[i]
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            shared.held[0] = 0
    cuda.syncthreads()  # all have seen how many there were: nobody may append before
    return edges


@device
def degree(indptr, v):
    """The length of a row."""
    return np.int64(indptr[v + np.uint64(1)] - indptr[v])


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


def scanner(kind: Any) -> Any:
    """``scan(offsets, mine, warps)``: write the exclusive sums of ``mine``, and the total last.

    All threads of a block call it; ``warps`` are 32 numbers of the type ``kind``.
    """

    @device
    def by_one(offsets, mine, warps):
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

    @device
    def up_to(mine, lane):
        """The sum over the lanes of a warp up to this one."""
        step = 1
        while step < 32:
            other = cuda.shfl_up_sync(EVERY_LANE, mine, step)
            if lane >= step:
                mine = kind(mine + other)
            step *= 2
        return mine

    @device
    def by_warps(offsets, mine, warps):
        lane, warp = cuda.threadIdx.x & 31, cuda.threadIdx.x >> 5
        upto = up_to(kind(mine), lane)
        if lane == 31:
            warps[warp] = upto
        cuda.syncthreads()
        if warp == 0:
            warps[lane] = up_to(warps[lane] if lane < (cuda.blockDim.x >> 5) else kind(0), lane)
        cuda.syncthreads()
        before = warps[warp - 1] if warp > 0 else kind(0)
        offsets[cuda.threadIdx.x] = kind(before + upto - kind(mine))
        if cuda.threadIdx.x == cuda.blockDim.x - 1:
            offsets[cuda.blockDim.x] = kind(before + upto)
        cuda.syncthreads()

    return by_one if simulated() else by_warps


block_scan, wide_scan = scanner(np.int32), scanner(np.int64)


@device
def owner(offsets, item):
    """Which thread's part an item of a block scan belongs to."""
    return row_of(offsets, 0, cuda.blockDim.x, item)


@device
def worth_pulling(edges, left, n):
    """Would pulling touch less than so many edges pushed? It looks at every vertex, though."""
    return edges > max(left // _ALPHA, n // _SCAN)
