"""`propagate` in priority order on CUDA: delta-stepping [1] with piles, wholly on the GPU.

A round expands the near queue; when it is empty the base moves to the best value of the next pile,
and that pile is split (see `bucket_steps`). One cooperative kernel runs the loop; its threads keep
the state in registers and compute the same decisions from a few counters that are read after a
round's barrier. Counters come in three turns: one is read, one added to, one cleared.

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
from edgewise.base.observe import notify, observed
from edgewise.graph import Graph
from edgewise.operators.cuda.bucket_steps import (
    BESTS,
    HEAVY_DEGREE,
    PIECES,
    PLACES,
    STARTS,
    WORDS,
    Batch,
    Data,
    Found,
    Plan,
    chunk_of,
    expander,
)
from edgewise.operators.cuda.messages import params_of
from edgewise.operators.cuda.rounds import Functions, Shape
from edgewise.operators.cuda.shapes import functions_of, narrowed, shape_of, widened
from edgewise.operators.cuda.state import THREADS, Along, along, blocks_for, check_work
from edgewise.operators.frontier import Frontier, vertex_members
from edgewise.operators.requests import Traversal

__all__ = ["DONE", "STATE", "prioritized"]

#: More blocks than this (two on each of an H200's multiprocessors) synchronize too slowly.
_BLOCKS = 264
#: Rounds and edges after which a launch comes back, unwatched and watched.
_LIMITS, _WATCHED = (1 << 13, 1 << 33), (1 << 7, 1 << 26)
# Words of ``counts``: counters, each in three turns and on a cache line of its own, then the state.
LINE = 16
NEAR, EDGES, LONG, MIDDLE, FAR = (3 * LINE * i for i in range(5))
STATE = 15 * LINE
ROUND, FOUND, MIDDLE_TURN, FAR_TURN, VISITED, STEPS, DONE, STATE_WORDS = range(8)
#: How many deltas the middle pile spans.
_MIDDLE = 16


def prioritized(graph: Graph, request: Traversal) -> Frontier:
    """Run the loop until no vertex improves; see `edgewise.operators.propagate`."""
    reduce, values, wide = request.reduce, request.values, widened(request.values)
    out, _ = along(graph, request.mode, request.weights, request.message.names)
    members = vertex_members(graph, request.frontier)
    nobody = Frontier._trusted(graph.num_vertices, ids=graph.xp.empty(0, np.int32))
    if len(members) == 0:
        return nobody
    arcs, n = len(out.arrays.indices), graph.num_vertices
    shape = shape_of(request, wide, out, narrow=np.dtype(values.dtype), order=reduce.order)
    run = bucket_kernel(functions_of(request), shape)
    data = _data(graph, request, members, wide, out, shape)
    watched, known = observed(), [0] * STATE_WORDS
    delta = float(request.priority or 0)
    span = delta * _MIDDLE if request.schedule == "bucketed" else np.inf
    arguments = data, graph.xp.zeros(2, np.int32), delta, span
    limits = _WATCHED if watched else _LIMITS
    fitting = min(run.resident(THREADS, *arguments, *limits), _BLOCKS)
    blocks = max(1, min(fitting, blocks_for(arcs + n, THREADS)))
    while not known[DONE]:
        run(blocks, THREADS, *arguments, *limits)
        known = data.counts[STATE:].tolist()
        if watched:
            notify(known[STEPS], edges=known[VISITED])
    narrowed(wide, values)
    return nobody


def _data(
    graph: Graph, request: Traversal, members: Frontier, values: Any, out: Along, shape: Shape
) -> Data:
    """The kernel's arrays, with the members on the last pile."""
    xp, n, arcs, ids = graph.xp, graph.num_vertices, len(out.arrays.indices), members.ids
    (wide,), chunk = shape.dtypes, chunk_of(shape)
    identity = wide.type(request.reduce.identity_for(request.values.dtype))
    pieces = arcs // chunk + arcs // HEAVY_DEGREE + 1
    queued, piled = 2 * (n + _BLOCKS * chunk), 4 * n
    check_work("propagate with priority", (queued + piled + pieces, shape.ids), (n, np.int32),
               (n, wide), (pieces, np.uint64))  # fmt: skip
    piles = xp.empty(piled, shape.ids)
    piles[2 * n :][: len(ids)] = ids
    counts = xp.zeros(STATE + STATE_WORDS, np.int64)
    counts[FAR] = len(ids)
    stamps = xp.zeros(n, np.int32)
    stamps[ids] = -2
    settled = xp.full(n, identity, wide)
    bests = xp.full(8, identity, wide)  # of the piles' three turns; the two bases
    bests[3] = values[ids].min() if shape.order > 0 else values[ids].max()
    params = params_of(request.message), params_of(request.where)
    return Data(
        out.arrays, values, identity, settled, stamps, xp.empty(queued, shape.ids), piles,
        xp.empty(pieces, shape.ids), xp.empty(pieces, np.uint64), bests, counts, params,
    )  # fmt: skip


@cache
def bucket_kernel(functions: Functions, shape: Shape) -> Any:
    """The loop for one message, one ordered monoid and one condition."""
    take_up = expander(functions, shape)
    kind, index, ascending = shape.dtypes[0].type, shape.ids.type, shape.order > 0
    capacity, lanes = PLACES * chunk_of(shape), THREADS + 1

    @device
    def beyond(base, width):
        """Where the values end that belong to a pile."""
        return np.float64(base) + width if ascending else np.float64(base) - width

    @device
    def clear(source, turn, middle, far, data):
        """Make ready what the next round, and the next splits, will add to."""
        store(data.counts, word(NEAR, turn + 1), 0)
        store(data.counts, word(EDGES, turn + 1), 0)
        store(data.counts, word(LONG, turn + 1), 0)
        if source > 0:
            store(data.counts, word(MIDDLE, middle + 1), 0)
            store(data.bests, (middle + 1) % 3, data.identity)
        if source > 1:
            store(data.counts, word(FAR, far + 1), 0)
            store(data.bests, 3 + (far + 1) % 3, data.identity)

    @device
    def prepare(turn, middle, far, base, far_base, delta, span, data, plan):
        """Write down where a round adds to, and which values belong where; one thread calls it."""
        slots, n, half = plan.slots, np.int64(len(data.stamps)), np.int64(len(data.near) // 2)
        slots[WORDS], slots[WORDS + 1] = word(NEAR, turn), word(MIDDLE, middle)
        slots[WORDS + 2], slots[WORDS + 3] = word(FAR, far), word(LONG, turn)
        slots[STARTS], slots[STARTS + 1] = ((turn + 1) & 1) * half, (middle & 1) * n
        slots[STARTS + 2] = (2 + (far & 1)) * n
        slots[BESTS + 1], slots[BESTS + 2] = middle % 3, 3 + far % 3
        plan.bases[0], plan.bases[1] = base, far_base
        plan.ends[0], plan.ends[1] = beyond(base, delta), beyond(far_base, span)

    @kernel(cooperative=True, bounds=(THREADS, 2))
    def run(data, control, delta, span, max_rounds, max_edges):
        offsets = cuda.shared.array(lanes, np.int32)
        warps = cuda.shared.array(32, np.int32)
        starts = cuda.shared.array(THREADS, np.uint64)
        sources = cuda.shared.array(THREADS, index)
        sent = cuda.shared.array(THREADS, kind)
        batch = Batch(offsets, warps, starts, sources, sent)
        slots = cuda.shared.array(12, np.int64)
        bases = cuda.shared.array(2, kind)
        ends = cuda.shared.array(2, np.float64)
        plan = Plan(slots, bases, ends)
        ids = cuda.shared.array(capacity, index)
        held = cuda.shared.array(4, np.int32)
        spans = cuda.shared.array(8, np.int64)
        best = cuda.shared.array(4, kind)
        found = Found(ids, held, spans, best)
        counts, bests = data.counts, data.bests
        me, blocks = cuda.threadIdx.x, cuda.gridDim.x
        first = me == 0 and cuda.blockIdx.x == 0
        if me < 4:
            held[me], best[me] = 0, data.identity
        n, half = np.int64(len(data.stamps)), np.int64(len(data.near) // 2)
        turn, queued = counts[STATE + ROUND], counts[STATE + FOUND]
        middle, far = counts[STATE + MIDDLE_TURN], counts[STATE + FAR_TURN]
        steps, base, far_base = counts[STATE + STEPS], bests[6], bests[7]
        visited, last, done = np.int64(0), turn + max_rounds, False
        while turn < last and visited < max_edges:
            source, waiting, start = np.int64(0), queued, (turn & 1) * half
            if queued == 0:
                source, waiting = np.int64(1), load(counts, word(MIDDLE, middle))
                start = (middle & 1) * n
                if waiting == 0:
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
            if first:
                clear(source, turn, middle, far, data)
            if me == 0:
                prepare(turn, middle, far, base, far_base, delta, span, data, plan)
            cuda.syncthreads()
            while waiting > 0:
                stamp = np.int32(turn + 1)
                edges = take_up(source, start, waiting, stamp, data, batch, plan, found)
                if me == 0 and edges > 0:
                    add(counts, word(EDGES, turn), edges)
                grid_barrier(control, blocks)
                waiting = np.int64(0)
                if source != PIECES:
                    source = np.int64(PIECES)
                    waiting = load(counts, word(LONG, turn))
                    waiting = min(waiting, np.int64(len(data.piece_starts)))
            queued = load(counts, word(NEAR, turn))
            visited += load(counts, word(EDGES, turn))
            turn += 1
        if first:
            counts[STATE + ROUND], counts[STATE + FOUND] = turn, queued
            counts[STATE + MIDDLE_TURN], counts[STATE + FAR_TURN] = middle, far
            counts[STATE + VISITED] += visited
            counts[STATE + STEPS], counts[STATE + DONE] = steps, 1 if done else 0
            bests[6], bests[7] = base, far_base

    return run


@device
def word(counter, turn):
    """Where a counter stands in a turn."""
    return counter + LINE * (turn % 3)
