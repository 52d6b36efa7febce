"""What peeling does on edges, pieces of rows and lists of vertices on CUDA; see `levels`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add, exch, load
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, translated
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda import inner
from edgewise.operators.cuda.pushes import dealer
from edgewise.operators.cuda.rounds import BUFFER, Functions, Shape, block_scan, columns, hold, move
from edgewise.operators.cuda.state import THREADS
from edgewise.operators.monoids import ADD

__all__ = ["KEPT", "PIECE", "TAIL", "WORDS", "Levels", "Shared", "Turn", "highest",
           "level_steps"]  # fmt: skip

#: Edges of a piece: one for each thread of a block.
PIECE = 8 if simulated() else THREADS
#: The bits of a piece from which on its length stands, above its first edge.
_LENGTH = 48
# Words of a set of counters, of which there are three: pieces queued, vertices left.
TAIL, KEPT, WORDS = 0, 1, 2


class Levels(NamedTuple):
    """Arrays over vertices."""

    sources: Any  # the values, as messages read them
    values: Any
    levels: Any
    marks: Any
    params: Any


class Shared(NamedTuple):
    """The shared memory of a block."""

    found: Any
    held: Any
    place: Any
    offsets: Any
    starts: Any
    sources: Any
    warps: Any
    least: Any


class Turn(NamedTuple):
    """One round as its steps see it."""

    level: Any
    stamp: Any  # of nobody in this call
    now: Any  # of those who send in this round
    ids: Any  # the queue of the next round
    firsts: Any
    counters: Any
    at: Any


def highest(dtype: np.dtype) -> Any:
    """No value of a type is above."""
    return dtype.type(np.inf if dtype.kind == "f" else np.iinfo(dtype).max)


@device
def put_pieces(u, first, end, slot, turn):
    """Write a row to the queue, piece by piece."""
    while first < end:
        turn.ids[slot] = u
        length = min(end - first, np.uint64(PIECE))
        turn.firsts[slot] = first | (length << np.uint64(_LENGTH))
        slot += 1
        first += np.uint64(PIECE)


@device
def find(u, rows, shared, turn):
    """Note who sends next, in the block's buffer, or if that is full in the queue."""
    slot = cuda.atomic.add(shared.held, 0, 1)
    if slot < BUFFER:
        shared.found[slot] = u
    else:
        first, end = rows.indptr[u], rows.indptr[u + np.uint64(1)]
        pieces = (np.int64(end - first) + PIECE - 1) // PIECE
        put_pieces(u, first, end, add(turn.counters, turn.at + TAIL, pieces), turn)


@device
def queue_found(shared, rows, turn):
    """Move the rows of the vertices that the block has found to the queue; all threads call it."""
    cuda.syncthreads()
    me, base, count = cuda.threadIdx.x, np.int64(0), np.int64(min(shared.held[0], BUFFER))
    while base < count:
        u, first, end = np.uint64(0), np.uint64(0), np.uint64(0)
        if base + me < count:
            u = np.uint64(shared.found[base + me])
            first, end = rows.indptr[u], rows.indptr[u + np.uint64(1)]
        pieces = (np.int64(end - first) + PIECE - 1) // PIECE
        block_scan(shared.offsets, pieces, shared.warps)
        if me == 0:
            shared.place[0] = add(turn.counters, turn.at + TAIL, np.int64(shared.offsets[THREADS]))
        cuda.syncthreads()
        put_pieces(u, first, end, shared.place[0] + np.int64(shared.offsets[me]), turn)
        base += THREADS
        cuda.syncthreads()
    if me == 0 and count > 0:  # else another thread may still look how many there are
        shared.held[0] = 0
    cuda.syncthreads()


def level_steps(functions: Functions, shape: Shape) -> tuple[Any, Any, Any]:
    """``push``, ``survey`` and ``select``.

    The message is of ``(value, weight, source, edge, own, target, level, params)``.
    """
    top, none, reads = highest(shape.dtypes[0]), shape.dtypes[0].type(0), shape.reads
    say = inner.sayer(functions.message)
    change = _changer(functions.combine, shape.dtypes[0])

    @device
    def send(u, value, e, column, rows, data, shared, turn):
        """Send along an edge; whoever falls to the level is found."""
        v = np.uint64(rows.indices[e])
        mark = load(data.marks, v)
        if turn.stamp < mark <= turn.now:
            return 0
        sent = say(value, u, e, data.values[v], rows, np.int64(v), turn.level, data.params)
        new, changed = change(data.values, v, inner.cast(data.values, sent))
        following = np.int32(turn.now + 1)
        if new > turn.level or not changed or mark == following:
            return 0
        if exch(data.marks, v, following) != following:
            data.levels[v] = turn.level
            find(v, rows, shared, turn)
        return 0

    read = device(lambda values, u: load(values, u) if reads else none)
    deal = dealer(send, read, columns(False), shape.ids.type)

    @device
    def push(shared, rows, data, work, side, count, turn, blocks):
        """One round, by so many blocks: the edges of a queue's pieces, dealt out evenly."""
        me, block = np.int64(cuda.threadIdx.x), np.int64(cuda.blockIdx.x)
        queued, firsts = work.ids[0], work.firsts[0]
        if side == 1:
            queued, firsts = work.ids[1], work.firsts[1]
        spread, base = count <= blocks * THREADS, np.int64(0)
        if me == 0:
            shared.held[0] = 0
        while base < count:
            i = me * blocks + block if spread else base + block * THREADS + me
            u, first, length = np.uint64(0), np.uint64(0), np.int64(0)
            if i < count:
                piece, u = firsts[i], np.uint64(queued[i])
                length = np.int64(piece >> np.uint64(_LENGTH))
                first = piece & np.uint64((1 << _LENGTH) - 1)
            deal(shared, u, first, length, rows, data, turn)
            queue_found(shared, rows, turn)
            base += blocks * THREADS

    @device
    def survey(shared, data, members, count, whole, kept, lowest, turn):
        """List those who have not sent, and find their least value."""
        me, base, least = cuda.threadIdx.x, np.int64(cuda.blockIdx.x) * THREADS, top
        if me == 0:
            shared.held[0], shared.least[0] = 0, top
        cuda.syncthreads()
        while base < count:
            if base + me < count:
                v = np.uint64(base + me) if whole else np.uint64(members[base + me])
                value = load(data.values, v)
                if load(data.marks, v) <= turn.stamp and value == value:  # NaN never sends
                    least = min(least, value)
                    hold(shared, v, kept, turn.counters, turn.at + KEPT)
            move(shared, kept, turn.counters, turn.at + KEPT)
            base += cuda.gridsize(1)
        if least < top:
            cuda.atomic.min(shared.least, 0, least)
        cuda.syncthreads()
        if me == 0 and shared.least[0] < top:
            cuda.atomic.min(lowest, turn.at // WORDS, shared.least[0])

    @device
    def select(shared, rows, data, kept, count, turn):
        """Queue those of the list whose value is at most the level."""
        me, base = cuda.threadIdx.x, np.int64(cuda.blockIdx.x) * THREADS
        while base < count:
            if base + me < count:
                v = np.uint64(kept[base + me])
                if load(data.values, v) <= turn.level:
                    data.marks[v] = np.int32(turn.now + 1)
                    data.levels[v] = turn.level
                    find(v, rows, shared, turn)
            queue_found(shared, rows, turn)
            base += cuda.gridsize(1)

    return push, survey, select


def _changer(combine: Any, dtype: np.dtype) -> Any:
    """``change(values, v, sent)``: combine a message in, atomically; what is there, is it new?"""
    change = inner.changer(combine)

    @device
    def added(values, v, sent):
        old = add(values, v, sent)
        new = inner.cast(values, old + sent)
        return new, not inner.same(old, new)

    if combine is translated(ADD.combine) and dtype.char in "ilqLQfd":
        return added
    return device(lambda values, v, sent: change(values, v, load(values, v), sent, sent))
