"""`propagate` in priority order on CUDA: checks, workspace, launches; the kernel is in `delta`."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.kernels import translated
from edgewise.base.observe import notify, observed
from edgewise.operators.cuda.delta import (
    DONE,
    FAR,
    MIDDLE,
    STATE,
    STATE_WORDS,
    STEPS,
    VISITED,
    bucket_kernel,
)
from edgewise.operators.cuda.inner import MESSAGE
from edgewise.operators.cuda.memory import check_work
from edgewise.operators.cuda.piles import HEAVY_DEGREE, THREADS, Shape
from edgewise.operators.cuda.propagate import called, widened
from edgewise.operators.cuda.state import along, blocks_for
from edgewise.operators.frontier import Frontier, vertex_members
from edgewise.operators.requests import Traversal

__all__ = ["prioritized"]

#: More blocks than this (two on each of an H200's multiprocessors) meet too slowly.
_BLOCKS = 264
_FOREVER = 1 << 62
#: Rounds and edges after which a launch comes back, unwatched and watched.
_LIMITS, _WATCHED = (1 << 13, 1 << 33), (1 << 7, 1 << 26)


def prioritized(graph: Any, request: Traversal) -> Frontier:
    """Run the loop until no vertex improves; see `edgewise.operators.propagate`."""
    xp, n, reduce = graph.xp, graph.num_vertices, request.reduce
    out, _ = along(graph, request.edges, request.weights, request.message.names, False)
    members = vertex_members(graph, request.frontier)
    nobody = Frontier.trusted(n, ids=xp.empty(0, np.int32))
    if len(members) == 0:
        return nobody
    values, wide, delta = request.values, widened(request.values), request.priority
    shape = Shape(
        np.dtype(values.dtype), np.dtype(wide.dtype), np.dtype(out.arrays[1].dtype),
        out.weighted, out.mapped, reduce.order, request.schedule == "bucketed",
    )  # fmt: skip
    run = bucket_kernel(called(request.message, MESSAGE), translated(reduce.combine),
                        called(request.where, ("value",)), shape)  # fmt: skip
    identity = shape.wide.type(reduce.identity_for(values.dtype))
    arguments = _workspace(xp, n, members, wide, identity, out, shape, float(delta))
    watched = observed()
    limits = _WATCHED if watched else _LIMITS
    fitting = min(run.resident(THREADS, *arguments, *limits), _BLOCKS)
    blocks = max(1, min(fitting, blocks_for(len(out.arrays[1]) + n, THREADS)))
    counts, known = arguments[-3], [0] * STATE_WORDS
    while not known[DONE]:
        run(blocks, THREADS, *arguments, *limits)
        known = counts[STATE:].tolist()
        if watched:
            notify(known[STEPS], edges=known[VISITED])
    if wide is not values:
        values[:] = wide.astype(values.dtype)
    return nobody


def _workspace(xp, n, members, values, identity, out, shape, delta) -> tuple:
    """The kernel's arguments, with the members on the last pile."""
    arcs, ids = len(out.arrays[1]), members.ids
    pieces = arcs // shape.chunk + arcs // HEAVY_DEGREE + 1
    queued, piled = 2 * (n + _BLOCKS * shape.chunk), (4 if shape.bucketed else 2) * n
    check_work("propagate with priority", (queued + piled + pieces, shape.ids), (n, np.int32),
               (n, shape.wide), (pieces, np.uint64))  # fmt: skip
    piles = xp.empty(piled, shape.ids)
    top = 2 if shape.bucketed else 1
    piles[2 * (top - 1) * n :][: len(ids)] = ids
    counts = xp.zeros(STATE + STATE_WORDS, np.int64)
    counts[FAR if shape.bucketed else MIDDLE] = len(ids)
    stamps = xp.zeros(n, np.int32)
    stamps[ids] = -top
    settled = xp.full(n, identity, shape.wide)
    bests = xp.full(8, identity, shape.wide)  # of the piles' three turns; the two bases
    bests[3 * (top - 1)] = values[ids].min() if shape.order > 0 else values[ids].max()
    hubs = (xp.empty(pieces, shape.ids), xp.empty(pieces, np.uint64))
    near = xp.empty(queued, shape.ids)
    control = xp.zeros(2, np.int32)
    return (out.arrays, values, identity, settled, stamps, near, piles, hubs, bests, counts,
            control, delta)  # fmt: skip
