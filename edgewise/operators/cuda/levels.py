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

from edgewise.base.cuda.atomics import grid_barrier, load, store
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.base.observe import notify, observed
from edgewise.graph import Graph
from edgewise.operators.cuda.level_steps import (
    KEPT,
    PIECE,
    TAIL,
    WORDS,
    Levels,
    Shared,
    Turn,
    highest,
    level_steps,
)
from edgewise.operators.cuda.messages import params_of
from edgewise.operators.cuda.rounds import BUFFER, OFFSETS, Functions, Shape
from edgewise.operators.cuda.shapes import functions_of, narrowed, shape_of, widened
from edgewise.operators.cuda.state import THREADS, along, check_work, nothing
from edgewise.operators.cuda.workspace import workspace
from edgewise.operators.frontier import Frontier, vertex_members
from edgewise.operators.requests import Traversal

__all__ = ["peel"]

#: Blocks on a multiprocessor: more synchronize too slowly.
_BLOCKS = 2
#: Pieces of a round that is left to one block.
_FEW = 2
#: Rounds after which a launch comes back: a fraction of a second.
_PAUSE = 1 << 14
#: Which list holds those who are left, beside the two: the one given, or nobody has listed them.
GIVEN, EVERYONE = 2, 3


class Peeling(NamedTuple):
    """Work arrays: queues of pieces and lists of vertices, two of each, and counters."""

    ids: Any  # the queues: whose edges
    firsts: Any  # and from which on, so many
    left: Any
    start: Any  # those who are given
    lowest: Any  # the least value by turns, and the level
    report: Any
    counters: Any
    control: Any
    state: Any
    spent: Any  # words of the launch before, for the one after


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


def peel(graph: Graph, request: Traversal) -> Frontier:
    """See `edgewise.operators.propagate`."""
    n, xp, wide = graph.num_vertices, graph.xp, widened(request.values)
    with workspace(graph) as space:
        out, _ = along(graph, request.mode, request.weights, request.message.names)
        shape = shape_of(request, wide, out)
        run, ids = levels_kernel(functions_of(request, "level"), shape), shape.ids
        data = Levels(wide, wide, request.levels, space.stamps(), params_of(request.message))
        rows, firsts, left = _lists(xp, n, len(out.arrays.indices), ids)
        lowest = xp.full(4, highest(wide.dtype), wide.dtype)
        report = space.report(REPORTED)
        start, reached = nothing(ids), Reached(0, 0, 0, n, EVERYONE, 0)
        if request.frontier is not None:
            start = vertex_members(graph, request.frontier).ids.astype(ids)
            reached = Reached(0, 0, 0, len(start), GIVEN, 0)
        while not reached.done:
            counters, _, *words = space.sync()
            work = Peeling(rows, firsts, left, start, lowest, report.words, counters, *words)
            run.fill(THREADS, out.packed, data, work, space.stamp, _PAUSE, reached)
            reached = Reached(*report.read())
            if observed():
                notify(reached.turn, phase="peel", left=reached.left)
        space.stamp += reached.turn + 1
    narrowed(wide, request.values)
    return Frontier._trusted(n, ids=xp.empty(0, np.int32))


def _lists(xp: Any, n: int, arcs: int, ids: np.dtype) -> list[tuple[Any, Any]]:
    """Two queues of pieces, as their rows and their edges, and two lists of vertices."""
    pieces = n + arcs // PIECE + 1
    sizes = (pieces, ids), (pieces, np.uint64), (n, ids)
    check_work("propagate with levels", *sizes, *sizes)
    return [(xp.empty(*size), xp.empty(*size)) for size in sizes]


@cache
def levels_kernel(functions: Functions, shape: Shape) -> Any:
    """The loop for a message of ``(value, weight, source, edge, own, target, level, params)``."""
    push, survey, select = level_steps(functions, shape)
    kind, ids, top = shape.dtypes[0].type, shape.ids.type, highest(shape.dtypes[0])

    @device
    def next_turn(work, turn, side, level, stamp, first):
        """The next round, and its counters; those of the one after are cleared."""
        at = (turn % 3) * WORDS
        if first:
            following = (turn + 1) % 3
            store(work.counters, following * WORDS + TAIL, 0)
            store(work.counters, following * WORDS + KEPT, 0)
            store(work.lowest, following, top)
        queued, firsts = work.ids[1], work.firsts[1]
        if side == 1:
            queued, firsts = work.ids[0], work.firsts[0]
        now = np.int32(stamp + turn + 1)
        return Turn(level, np.int32(stamp), now, queued, firsts, work.counters, at)

    @kernel(cooperative=True, bounds=(THREADS, _BLOCKS))
    def run(rows, data, work, stamp, pause, reached, grid):
        found = cuda.shared.array(BUFFER, ids)
        held = cuda.shared.array(1, np.int32)
        place = cuda.shared.array(1, np.int64)
        offsets = cuda.shared.array(OFFSETS, np.int32)
        starts = cuda.shared.array(THREADS, np.uint64)
        sources = cuda.shared.array(THREADS, ids)
        warps = cuda.shared.array(32, np.int32)
        least = cuda.shared.array(1, kind)
        shared = Shared(found, held, place, offsets, starts, sources, warps, least)
        blocks, first = np.int64(grid), cuda.grid(1) == 0
        for i in range(cuda.grid(1), len(work.spent), cuda.gridsize(1)):
            work.spent[i] = 0
        lowest, report = work.lowest, work.report
        count, turn, side, left, half, done = reached
        level, last = load(lowest, 3), turn + pause
        while done == 0 and turn < last:
            now = next_turn(work, turn, side, level, stamp, first)
            if count == 0:  # the level rises
                members, kept, after = work.left[0], work.left[1], np.int64(1)
                if half == 1:
                    members, kept, after = work.left[1], work.left[0], np.int64(0)
                elif half == GIVEN:
                    members = work.start
                survey(shared, data, members, left, half == EVERYONE, kept, lowest, now)
                grid_barrier(work.control, blocks)
                left, half = load(work.counters, now.at + KEPT), after
                level = load(lowest, turn % 3)
                if left == 0:
                    done = np.int64(1)
                    break
                now = next_turn(work, turn, side, level, stamp, False)
                select(shared, rows, data, kept, left, now)
                grid_barrier(work.control, blocks)
            elif count > _FEW:
                push(shared, rows, data, work, side, count, now, blocks)
                grid_barrier(work.control, blocks)
            else:
                if cuda.blockIdx.x == 0:
                    push(shared, rows, data, work, side, count, now, np.int64(1))
                    count = load(work.counters, now.at + TAIL)
                    while 0 < count <= _FEW and turn + 1 < last:
                        turn, side = turn + 1, 1 - side
                        now = next_turn(work, turn, side, level, stamp, first)
                        push(shared, rows, data, work, side, count, now, np.int64(1))
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
