"""Peeling on CUDA: `propagate` with ``levels``, wholly in one cooperative kernel.

The vertices that have not sent are in a list, ``left``. When nobody is left to send, one pass over
it drops those that have sent and finds the least value, the level; a second one lets those that
have come down to it send. In between, a round pushes the edges of the senders: values change at
once, and who falls to the level is queued for the next round. ``marks[v]`` is the round in which v
sends: it listens until then.

A queue holds rows in pieces of at most `PIECE` edges, dealt out to the blocks evenly. Rounds of
very few pieces, of which a graph with hubs has thousands, are left to the first block while the
others wait: they need no barrier of the grid.

Pays for: row core_number of ``python -m benchmarks gpu``.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add, cas, exch, grid_barrier, load, store
from edgewise.base.cuda.device import host, simulated
from edgewise.base.cuda.kernels import device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.base.observe import notify, observed
from edgewise.operators.cuda import inner
from edgewise.operators.cuda.inner import MESSAGE
from edgewise.operators.cuda.propagate import called, narrowed, numbers, widened
from edgewise.operators.cuda.rounds import (
    BLOCKS,
    BUFFER,
    OFFSETS,
    THREADS,
    block_scan,
    owner,
)
from edgewise.operators.cuda.state import nothing
from edgewise.operators.cuda.workspace import Sync, Workspace, workspace
from edgewise.operators.frontier import Frontier, vertex_members
from edgewise.operators.monoids import ADD
from edgewise.operators.requests import Traversal

__all__ = [
    "EVERYONE",
    "GIVEN",
    "PIECE",
    "REPORTED",
    "Levels",
    "Peeling",
    "Reached",
    "Shape",
    "levels_kernel",
]

#: Edges of a piece: one for each thread of a block.
PIECE = 8 if simulated() else THREADS
#: Pieces of a round that is left to one block.
_FEW = 2
#: Rounds after which a launch comes back: a fraction of a second.
_PAUSE = 1 << 14
# Words of a set of counters, of which there are three: pieces queued, vertices left.
TAIL, KEPT, WORDS = 0, 1, 2
#: Which list holds those who are left, beside the two: the one given, or nobody has listed them.
GIVEN, EVERYONE = 2, 3


class Shape(NamedTuple):
    """What of its arguments a kernel is made for."""

    dtype: np.dtype  # of the values
    weighted: bool
    mapped: bool
    ids: np.dtype
    combine: Any  # a device function


class Levels(NamedTuple):
    """Arrays over vertices."""

    values: Any
    levels: Any
    marks: Any
    params: Any


class Peeling(NamedTuple):
    """Work arrays: queues of pieces and lists of vertices, two of each, and counters."""

    ids: Any  # the queues: whose edges
    firsts: Any  # and from which on
    left: Any
    counters: Any
    control: Any
    state: Any


class Reached(NamedTuple):
    """How far the loop has come."""

    count: Any  # pieces to push
    turn: Any
    side: Any  # which queue
    left: Any
    half: Any  # which list
    done: Any


#: Words that a launch reports.
REPORTED = len(Reached._fields)


class _Room(NamedTuple):
    """The shared memory of a block."""

    found: Any
    held: Any
    place: Any
    offsets: Any
    starts: Any
    sources: Any
    warps: Any
    least: Any


class _Turn(NamedTuple):
    """One round as its steps see it."""

    level: Any
    stamp: Any  # of nobody in this call
    now: Any  # of those who send in this round
    ids: Any  # the queue of the next round
    firsts: Any
    counters: Any
    at: Any


def peel(graph: Any, request: Traversal) -> Frontier:
    """See `edgewise.operators.propagate`."""
    n, reduce, wide = graph.num_vertices, request.reduce, widened(request.values)
    members = request.frontier
    with workspace(graph) as space:
        out, _ = space.along(graph, request.edges, request.weights, request.message.names, False)
        ids = np.dtype(out.arrays.indices.dtype)
        shape = Shape(
            np.dtype(wide.dtype), out.weighted, out.mapped, ids, translated(reduce.combine)
        )
        run = levels_kernel(called(request.message, (*MESSAGE, "level")), shape)
        data = Levels(wide, request.levels, space.stamps(), numbers(request.message))
        start = nothing(ids.type)
        reached = Reached(0, 0, 0, n, EVERYONE, 0)
        if members is not None:
            start = vertex_members(graph, members).ids.astype(ids)
            reached = Reached(0, 0, 0, len(start), GIVEN, 0)
        lowest = space.xp.full(4, _highest(shape.dtype), shape.dtype)
        report = space.array("peeled", REPORTED, np.int64)
        while not reached.done:
            work, spent = _work(space, ids, len(out.arrays.indices))
            run.fill(THREADS, out.packed, data, work, spent, start, lowest, space.stamp, _PAUSE,
                     reached, report)  # fmt: skip
            reached = Reached(*host(report).tolist())
            if observed():
                notify(reached.turn, phase="peel", left=reached.left)
        space.stamp += reached.turn + 1
    narrowed(wide, request.values)
    return Frontier.trusted(n, ids=graph.xp.empty(0, np.int32))


def _work(space: Workspace, ids: np.dtype, arcs: int) -> tuple[Any, Any]:
    """The work arrays of the next launch, and the words of the one before."""
    n, pieces = space.n, space.n + arcs // PIECE + 1

    def make(sync: Sync) -> Peeling:
        queues = [space.array(f"pieces {side}", pieces, ids) for side in (0, 1)]
        firsts = [space.array(f"firsts {side}", pieces, np.uint64) for side in (0, 1)]
        left = [space.array(f"queue {side}", n, ids) for side in (0, 1)]
        return Peeling(tuple(queues), tuple(firsts), tuple(left), sync.counters, sync.control,
                       sync.state)  # fmt: skip

    return space.packed(("levels", arcs, ids.char), make)


def _highest(dtype: np.dtype) -> Any:
    return dtype.type(np.inf if dtype.kind == "f" else np.iinfo(dtype).max)


@device
def put_pieces(u, first, end, slot, turn):
    """Write a row to the queue, piece by piece."""
    while first < end:
        turn.ids[slot] = u
        turn.firsts[slot] = first
        slot += 1
        first += np.uint64(PIECE)


@device
def find(u, rows, room, turn):
    """Note who sends next, in the block's buffer, or if that is full in the queue."""
    slot = cuda.atomic.add(room.held, 0, 1)
    if slot < BUFFER:
        room.found[slot] = u
    else:
        first, end = rows.indptr[u], rows.indptr[u + np.uint64(1)]
        pieces = (np.int64(end - first) + PIECE - 1) // PIECE
        put_pieces(u, first, end, add(turn.counters, turn.at + TAIL, pieces), turn)


@device
def queue_found(room, rows, turn):
    """Move the rows of the vertices that the block has found to the queue; all threads call it."""
    cuda.syncthreads()
    me, base, count = cuda.threadIdx.x, np.int64(0), np.int64(min(room.held[0], BUFFER))
    while base < count:
        u, first, end = np.uint64(0), np.uint64(0), np.uint64(0)
        if base + me < count:
            u = np.uint64(room.found[base + me])
            first, end = rows.indptr[u], rows.indptr[u + np.uint64(1)]
        pieces = (np.int64(end - first) + PIECE - 1) // PIECE
        block_scan(room.offsets, pieces, room.warps)
        if me == 0:
            room.place[0] = add(turn.counters, turn.at + TAIL, np.int64(room.offsets[THREADS]))
        cuda.syncthreads()
        put_pieces(u, first, end, room.place[0] + np.int64(room.offsets[me]), turn)
        base += THREADS
        cuda.syncthreads()
    if me == 0:
        room.held[0] = 0
    cuda.syncthreads()


@device
def list_found(room, kept, turn):
    """Move the vertices that the block has found to a list; all threads call it."""
    cuda.syncthreads()
    me, count = cuda.threadIdx.x, min(room.held[0], BUFFER)
    if me == 0 and count > 0:
        room.place[0] = add(turn.counters, turn.at + KEPT, np.int64(count))
    cuda.syncthreads()
    for i in range(me, count, THREADS):
        kept[room.place[0] + i] = room.found[i]
    if me == 0:
        room.held[0] = 0
    cuda.syncthreads()


@cache
def levels_kernel(message: Any, shape: Shape) -> Any:
    """The loop for a message of ``(value, weight, source, edge, own, level, params)``."""
    kind, ids, dtypes = shape.dtype.type, shape.ids.type, (shape.dtype,)
    cast, same = inner.caster(dtypes), inner.sameness(dtypes)
    weight_at, edge_at = inner.weight_reader(shape.weighted), inner.edge_reader(shape.mapped)
    change = _changer(shape)
    highest = _highest(shape.dtype)

    @device
    def send(u, value, e, rows, data, room, turn):
        """Send along an edge; whoever falls to the level is found."""
        v = np.uint64(rows.indices[e])
        mark = load(data.marks, v)
        if turn.stamp < mark <= turn.now:
            return
        weight, edge, own = weight_at(rows.weights, e), edge_at(rows.edge_ids, e), data.values[v]
        sent = message(value, weight, np.int64(u), edge, own, turn.level, data.params)
        old, new = change(data.values, v, cast(sent))
        following = np.int32(turn.now + 1)
        if new > turn.level or same(old, new) or mark == following:
            return
        if exch(data.marks, v, following) != following:
            data.levels[v] = turn.level
            find(v, rows, room, turn)

    @device
    def push(room, rows, data, work, side, count, turn, blocks):
        """One round, by so many blocks: the edges of a queue's pieces, dealt out evenly."""
        me, block = np.int64(cuda.threadIdx.x), np.int64(cuda.blockIdx.x)
        queued, firsts = work.ids[0], work.firsts[0]
        if side == 1:
            queued, firsts = work.ids[1], work.firsts[1]
        spread, base = count <= blocks * THREADS, np.int64(0)
        if me == 0:
            room.held[0] = 0
        while base < count:
            i = me * blocks + block if spread else base + block * THREADS + me
            length = np.int64(0)
            if i < count:
                u, start = np.uint64(queued[i]), firsts[i]
                length = min(np.int64(PIECE), np.int64(rows.indptr[u + np.uint64(1)] - start))
                room.starts[me], room.sources[me] = start, ids(u)
            block_scan(room.offsets, length, room.warps)
            for j in range(me, np.int64(room.offsets[THREADS]), THREADS):
                row = owner(room.offsets, j)
                u = np.uint64(room.sources[row])
                e = room.starts[row] + np.uint64(j - np.int64(room.offsets[row]))
                send(u, load(data.values, u), e, rows, data, room, turn)
            queue_found(room, rows, turn)
            base += blocks * THREADS

    @device
    def survey(room, data, members, count, whole, kept, lowest, turn):
        """List those who have not sent, and find their least value."""
        me, base, least = cuda.threadIdx.x, np.int64(cuda.blockIdx.x) * THREADS, highest
        if me == 0:
            room.held[0], room.least[0] = 0, highest
        cuda.syncthreads()
        while base < count:
            if base + me < count:
                v = np.uint64(base + me) if whole else np.uint64(members[base + me])
                value = load(data.values, v)
                if load(data.marks, v) <= turn.stamp and value == value:  # NaN never sends
                    least = min(least, value)
                    slot = cuda.atomic.add(room.held, 0, 1)
                    if slot < BUFFER:
                        room.found[slot] = v
                    else:
                        kept[add(turn.counters, turn.at + KEPT, 1)] = v
            list_found(room, kept, turn)
            base += cuda.gridsize(1)
        if least < highest:
            cuda.atomic.min(room.least, 0, least)
        cuda.syncthreads()
        if me == 0 and room.least[0] < highest:
            cuda.atomic.min(lowest, turn.at // WORDS, room.least[0])

    @device
    def select(room, rows, data, kept, count, turn):
        """Queue those of the list whose value is at most the level."""
        me, base = cuda.threadIdx.x, np.int64(cuda.blockIdx.x) * THREADS
        while base < count:
            if base + me < count:
                v = np.uint64(kept[base + me])
                if load(data.values, v) <= turn.level:
                    data.marks[v] = np.int32(turn.now + 1)
                    data.levels[v] = turn.level
                    find(v, rows, room, turn)
            queue_found(room, rows, turn)
            base += cuda.gridsize(1)

    @device
    def next_turn(work, lowest, turn, side, level, stamp, first):
        """The next round, and its counters; those of the one after are cleared."""
        at = (turn % 3) * WORDS
        if first:
            following = (turn + 1) % 3
            store(work.counters, following * WORDS + TAIL, 0)
            store(work.counters, following * WORDS + KEPT, 0)
            store(lowest, following, highest)
        queued, firsts = work.ids[1], work.firsts[1]
        if side == 1:
            queued, firsts = work.ids[0], work.firsts[0]
        now = np.int32(stamp + turn + 1)
        return _Turn(level, np.int32(stamp), now, queued, firsts, work.counters, at)

    @kernel(cooperative=True, bounds=(THREADS, BLOCKS))
    def run(rows, data, work, spent, start, lowest, stamp, pause, reached, report, grid):
        found = cuda.shared.array(BUFFER, ids)
        held = cuda.shared.array(1, np.int32)
        place = cuda.shared.array(1, np.int64)
        offsets = cuda.shared.array(OFFSETS, np.int32)
        starts = cuda.shared.array(THREADS, np.uint64)
        sources = cuda.shared.array(THREADS, ids)
        warps = cuda.shared.array(32, np.int32)
        least = cuda.shared.array(1, kind)
        room = _Room(found, held, place, offsets, starts, sources, warps, least)
        blocks, first = np.int64(grid), cuda.grid(1) == 0
        for i in range(cuda.grid(1), len(spent), cuda.gridsize(1)):
            spent[i] = 0
        count, turn, side, left, half, done = reached
        level, last = load(lowest, 3), turn + pause
        while done == 0 and turn < last:
            now = next_turn(work, lowest, turn, side, level, stamp, first)
            if count == 0:  # the level rises
                members, kept, after = work.left[0], work.left[1], np.int64(1)
                if half == 1:
                    members, kept, after = work.left[1], work.left[0], np.int64(0)
                elif half == GIVEN:
                    members = start
                survey(room, data, members, left, half == EVERYONE, kept, lowest, now)
                grid_barrier(work.control, blocks)
                left, half = load(work.counters, now.at + KEPT), after
                level = load(lowest, turn % 3)
                if left == 0:
                    done = np.int64(1)
                    break
                now = next_turn(work, lowest, turn, side, level, stamp, False)
                select(room, rows, data, kept, left, now)
                grid_barrier(work.control, blocks)
            elif count > _FEW:
                push(room, rows, data, work, side, count, now, blocks)
                grid_barrier(work.control, blocks)
            else:
                if cuda.blockIdx.x == 0:
                    push(room, rows, data, work, side, count, now, np.int64(1))
                    count = load(work.counters, now.at + TAIL)
                    while 0 < count <= _FEW and turn + 1 < last:
                        turn, side = turn + 1, 1 - side
                        now = next_turn(work, lowest, turn, side, level, stamp, first)
                        push(room, rows, data, work, side, count, now, np.int64(1))
                        count = load(work.counters, now.at + TAIL)
                    if first:
                        store(work.state, 0, turn)
                        store(work.state, 1, side)
                grid_barrier(work.control, blocks)
                turn, side = load(work.state, 0), load(work.state, 1)
            count = load(work.counters, (turn % 3) * WORDS + TAIL)
            turn, side = turn + 1, 1 - side
        if first:
            store(lowest, 3, level)
            report[0], report[1], report[2] = count, turn, side
            report[3], report[4], report[5] = left, half, done

    return run


def _changer(shape: Shape) -> Any:
    """``change(values, v, sent)``: combine a message in, atomically; what was there, what is."""
    kind, combine, same = shape.dtype.type, shape.combine, inner.sameness((shape.dtype,))
    if combine is translated(ADD.combine) and shape.dtype.char in "ilqLQfd":

        @device
        def added(values, v, sent):
            old = add(values, v, sent)
            return old, kind(old + sent)

        return added

    @device
    def changed(values, v, sent):
        old = load(values, v)
        while True:
            new = kind(combine(old, sent))
            if same(new, old):
                return old, new
            found = cas(values, v, old, new)
            if same(found, old):
                return old, new
            old = found

    return changed
