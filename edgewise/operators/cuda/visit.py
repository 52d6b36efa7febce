"""`advance` in edge form on CUDA: one call of the user's function per edge.

What a block finds is kept in shared memory and moved to the queue at the end with one atomic; what
does not fit there goes to the queue at once.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import exch, load
from edgewise.base.cuda.kernels import device, translated
from edgewise.base.cuda.language import cuda
from edgewise.operators.adjacency import ALL, signed
from edgewise.operators.cuda.inner import edge_at
from edgewise.operators.cuda.rounds import BUFFER, hold, move
from edgewise.operators.cuda.row_plan import FEW_ROWS, Cut, bounds, longest_row, plan_rows
from edgewise.operators.cuda.state import THREADS, along, check_work, nothing
from edgewise.operators.cuda.walk import Deal, Walk, deal_out, walk_rows, walk_short
from edgewise.operators.frontier import Frontier, vertex_members
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.requests import Visit

__all__ = ["visit"]

#: Edges that one thread, and so a block, walks at most.
_EACH = 8
_VISITING = Deal(Cut(_EACH, 8 * _EACH, 32 * _EACH, THREADS * _EACH), (1, 8, 32), (1, 1, 1))


class Shared(NamedTuple):
    """What a block has found, in shared memory: see `rounds.hold`."""

    found: Any
    held: Any
    place: Any


class Data(NamedTuple):
    """What the kernels are given: of every row the edges ``first..last``."""

    rows: tuple[Any, Any, Any, Any]
    first: Any
    last: Any
    arrays: tuple
    outputs: tuple[Any, Any, Any]  # who was found already, the queue, how many are in it


def visit(graph, request: Visit) -> Frontier:
    """See `edgewise.operators.advance`, the edge form."""
    frontier, _, arrays, edges, first, last, output = request
    ids: Any = None if frontier is None else vertex_members(graph, frontier).ids
    out, _ = along(graph, edges, None, ("edge",))
    function = compiled(request.function, "function")
    xp, n, m = graph.xp, graph.num_vertices, graph.num_arcs
    indices = out.arrays[1]
    size, found = (m, np.dtype(np.uint32 if m < 2**31 else np.uint64))
    if output != "edges":
        size, found = n, indices.dtype
    most = {"edges": len(indices), "vertices": n, None: 0}[output]
    check_work("advance", (most, found), (n if output == "vertices" else 0, np.int32))
    queue, tally = xp.empty(most, found), xp.zeros(1, np.int64) if output else nothing(np.int64)
    stamps = xp.zeros(n, np.int32) if output == "vertices" else nothing(np.int32)
    data = Data(out.arrays, np.uint64(first), np.uint64(last), arrays, (stamps, queue, tally))
    with naming_failures(function):
        walk = visiting(translated(function), output, found)
        if last - first <= _EACH or longest_row(graph, edges, out.arrays[0])[0] <= _EACH:
            walk_short(walk, ids, n if ids is None else len(ids), data)
        elif (first, last) == (0, ALL) or (ids is not None and len(ids) <= FEW_ROWS):
            walk_rows(xp, *deal_out(graph, edges, out.arrays[0], ids, _VISITING), walk, data)
        else:
            plan = plan_rows(xp, out.arrays[0], ids, _VISITING.cut, first, last)
            walk_rows(xp, plan, _VISITING, walk, data)
    chosen = queue if output is None else queue[: int(tally[0])]
    if output == "edges" and (edges != "out" and not graph.directed or edges == "both"):
        chosen = xp.unique(chosen)
    ids = chosen.view(signed(chosen.dtype))
    return Frontier._trusted(size, ids=ids, kind=output or "vertices")


@cache
def visiting(function: Any, output: str | None, found: np.dtype) -> Walk:
    """The walk for one visit and one kind of output."""
    note, kind = _note(output), found.type

    @device
    def open(data):
        found = cuda.shared.array(BUFFER, kind)
        held = cuda.shared.array(1, np.int32)
        place = cuda.shared.array(1, np.int64)
        if cuda.threadIdx.x == 0:
            held[0] = 0
        cuda.syncthreads()
        return Shared(found, held, place)

    @device
    def close(so_far, data, shared, block):
        move(shared, data.outputs[1], data.outputs[2], 0)

    @device
    def each(row, lane, step, data, shared):
        e, u = row.low + np.uint64(lane), np.int64(row.v)
        while e < row.high:
            v, edge = np.int64(data.rows[1][e]), edge_at(data.rows[3], e)
            note(function(u, v, edge, *data.arrays), v, edge, data.outputs, shared)
            e += step
        return 0

    walk = Walk(
        fold=lambda lanes: each,
        bounds=device(lambda v, data: bounds(data.rows[0], v, data.first, data.last)),
    )
    return walk if output is None else walk._replace(open=open, close=close)


@cache
def _note(output: str | None) -> Any:
    """``note(hit, ...)``: what is kept of a visit that returned ``hit``."""

    @device
    def edges(hit, v, edge, outputs, shared):
        if hit:
            hold(shared, edge, outputs[1], outputs[2], 0)

    @device
    def vertices(hit, v, edge, outputs, shared):
        stamps = outputs[0]
        if hit and load(stamps, v) == 0 and exch(stamps, v, np.int32(1)) == 0:
            hold(shared, v, outputs[1], outputs[2], 0)

    @device
    def neither(hit, v, edge, outputs, shared):
        pass

    return {"edges": edges, "vertices": vertices, None: neither}[output]
