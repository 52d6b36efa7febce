"""`advance` and `propagate` in message form on CUDA: workspace, launches, reports."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import host, simulated
from edgewise.base.cuda.kernels import Kernel
from edgewise.base.observe import notify, observed
from edgewise.graph import Graph
from edgewise.operators.adjacency import signed
from edgewise.operators.cuda.inner import dtypes_of
from edgewise.operators.cuda.messages import columns_of, flat, params_of
from edgewise.operators.cuda.rounds import (
    HEAVY_DEGREE,
    PULL,
    PUSH,
    Data,
    Limits,
    Progress,
    Shape,
    Work,
)
from edgewise.operators.cuda.shapes import functions_of, narrowed, shape_of, widened
from edgewise.operators.cuda.state import THREADS, Along, along, nothing
from edgewise.operators.cuda.traverse import REPORTED, Start, Told, traverse_kernel
from edgewise.operators.cuda.workspace import Sync, Workspace, workspace
from edgewise.operators.frontier import Frontier, vertex_members
from edgewise.operators.functions import Function, naming_failures
from edgewise.operators.requests import Traversal
from edgewise.operators.results import several

__all__ = ["propagate"]

_DIRECTIONS = {"auto": -1, "push": PUSH, "pull": PULL}
_FOREVER = 1 << 62
#: More blocks than any GPU runs at once.
_MOST_BLOCKS = 1 << 14
#: Vertices of a last frontier that comes with the launch, without a copy of its own.
_SMALL = 8 if simulated() else 1024
#: So many programs are kept with a workspace.
_PROGRAMS = 64
#: Edges, and rounds, after which a launch comes back: a fraction of a second.
_BUDGET, _ROUNDS, _TRACED = 1 << 33, 1 << 14, 1024


def propagate(graph: Graph, request: Traversal) -> Frontier:
    """See `edgewise.operators.propagate`; ``sources`` and one round make it `advance`."""
    combine = Function(request.reduce.combine, ("old", "new"))
    with naming_failures(request.message, request.where, request.wake, combine):
        if request.priority is not None:
            from edgewise.operators.cuda.buckets import prioritized

            return prioritized(graph, request)
        if request.levels is not None:
            from edgewise.operators.cuda.levels import peel

            return peel(graph, request)
        arrays = widened(request.values)
        with workspace(graph) as space:
            last = _traverse(graph, request, arrays, space)
        narrowed(arrays, request.values)
    return last


def _traverse(graph: Graph, request: Traversal, arrays: Any, space: Workspace) -> Frontier:
    n = graph.num_vertices
    out, into, pull, forced, skewed, shape, kernel, identity = _program(
        graph, request, arrays, space
    )
    data = _data(request, arrays, shape, identity, space)
    members, watched = vertex_members(graph, request.frontier), observed()
    start, known = _start(space, members, out, forced, watched)
    limits = Limits(
        _FOREVER if request.max_iter is None else request.max_iter, forced, _BUDGET,
        _TRACED if watched else _ROUNDS, _TRACED if watched else 0, int(skewed), space.stamp,
    )  # fmt: skip
    report = space.report(REPORTED)
    trace = space.array("trace", 3 * _TRACED, np.int64) if watched else nothing(np.int64)
    told, reported = Told(report.words, graph.xp.empty(_SMALL, signed(shape.ids)), trace), 0
    while known.count > 0 and known.turn < limits.turns:
        work = _work(space, out, shape, pull or members.dense, skewed)
        kernel.fill(THREADS, out.packed, into.packed, data, start, work, limits, known, told)
        *words, traced = report.read()
        known = Progress(*words)
        for row in host(trace)[: 3 * traced].reshape(-1, 3).tolist() if watched else ():
            notify(reported, frontier=row[0], edges=row[1], direction=("push", "pull")[row[2]])
            reported += 1
    space.stamp += known.turn
    if known.turn == 0:
        return members
    if known.form == PULL:
        bits = _bitmaps(space, True)[known.side].copy()
        return Frontier._trusted(n, bits=bits.view(np.uint64), count=known.count)
    found = told.found[: known.count]
    if known.count > _SMALL:
        found = _queues(space, shape.ids)[known.side][: known.count].view(found.dtype).copy()
    return Frontier._trusted(n, ids=found)


class Program(NamedTuple):
    """What calls by the same functions over the same kinds of arrays have in common."""

    out: Along
    into: Along
    pull: bool
    forced: int
    skewed: bool
    shape: Shape
    kernel: Kernel
    identity: Any


def _program(graph: Graph, request: Traversal, arrays: Any, space: Workspace) -> Program:
    """The program of a call; those of the last calls are kept, since most come again."""
    kind, kept = _kind(request), space.programs
    try:
        found = kept.get(kind)
    except TypeError:  # an identity that has no hash
        kind = found = None
    if found is not None:
        return found
    pull = _may_pull(graph, request)
    out, into = along(graph, request.mode, request.weights, request.message.names, pull)
    shape = _rounds_shape(request, arrays, out, pull)
    found = Program(
        out, into, pull, _DIRECTIONS[request.direction] if pull else PUSH,
        _skewed(graph, request.mode), shape,
        traverse_kernel(functions_of(request, "column"), shape), _identity(request, shape.dtypes),
    )  # fmt: skip
    if kind is not None:
        if len(kept) >= _PROGRAMS:
            kept.clear()
        kept[kind] = found
    return found


def _kind(request: Traversal) -> tuple | None:
    """All that a program depends on, beside the graph; None if arrays are among it."""
    where, wake, weights = request.where, request.wake, request.weights
    if weights is not None and not isinstance(weights, str):
        return None
    return (
        request.message.given, where and where.given, wake and wake.given, request.reduce,
        _kinds(request.values), _kinds(request.sources), request.depths is None, weights,
        request.mode, request.direction, request.max_iter == 1,
    )  # fmt: skip


def _kinds(values: Any) -> Any:
    if isinstance(values, tuple):
        return tuple(map(_kinds, values))
    return None if values is None else (values.dtype.char, values.ndim)


def _may_pull(graph: Graph, request: Traversal) -> bool:
    """May a round pull? Of itself where one message is enough, and each edge has one way in."""
    if request.direction != "auto":
        return request.direction == "pull"
    way_in = not graph.directed or request.mode != "both"
    return request.reduce.early_exit and way_in and not columns_of(request.values)


def _rounds_shape(request: Traversal, arrays: Any, out: Along, pull: bool) -> Shape:
    reduce, columned = request.reduce, columns_of(arrays) > 0
    changing = request.where is not None and not reduce.early_exit
    at_once = reduce.idempotent and isinstance(arrays, tuple) is columned is changing is False
    return shape_of(
        request, arrays, out, early_exit=reduce.early_exit, idempotent=reduce.idempotent,
        parts=reduce.parts, at_once=at_once and request.wake is None,
        deep=request.depths is not None,
        several=columned, once=request.max_iter == 1, pulls=pull,
    )  # fmt: skip


def _data(request: Traversal, arrays: Any, shape: Shape, identity: Any, space: Workspace) -> Data:
    """The arrays over vertices, flat."""
    kinds, none = shape.dtypes, nothing()
    sent = arrays if request.sources is None else request.sources
    columns = columns_of(arrays) or 1
    sums = locks = none
    if not shape.at_once:
        made = [
            space.filled(space.n * columns, kind, one)
            for kind, one in zip(kinds, several(identity), strict=True)
        ]
        sums = tuple(made) if isinstance(arrays, tuple) else made[0]
        locks = space.array("locks", space.n, np.int32, "zeros") if len(kinds) > 1 else none
    stamped = not (shape.early_exit and shape.at_once)
    return Data(
        flat(sent) if shape.reads else None,
        flat(arrays),
        identity,
        space.stamps() if stamped else none,
        request.depths if shape.deep else none,
        sums,
        locks,
        tuple(map(params_of, (request.message, request.where, request.wake))),
        columns,
    )


def _identity(request: Traversal, kinds: tuple[np.dtype, ...]) -> Any:
    """The identity of the values as they are, as numbers of the types that kernels have."""
    identity = request.reduce.identity_for(*dtypes_of(request.values))
    typed = [kind.type(one) for one, kind in zip(several(identity), kinds, strict=True)]
    return tuple(typed) if isinstance(request.values, tuple) else typed[0]


def _work(space: Workspace, out: Along, shape: Shape, bits: bool, skewed: bool) -> Any:
    """The work arrays of the next launch."""
    arcs, ids = len(out.arrays.indices), shape.ids

    def make(sync: Sync) -> Work:
        ends = shares = nothing(np.int64)
        if skewed:
            ends = space.array("ends", space.n, np.int64)
            shares = space.array("shares", _MOST_BLOCKS, np.int64)
        heavy = space.array("heavy", arcs // HEAVY_DEGREE + 1, ids)
        return Work(_queues(space, ids), _bitmaps(space, bits), heavy, ends, shares, *sync)

    return space.packed(("rounds", arcs, ids.char, bits, skewed), make)


def _queues(space: Workspace, ids: np.dtype) -> tuple[Any, Any]:
    return space.array("queue 0", space.n, ids), space.array("queue 1", space.n, ids)


def _bitmaps(space: Workspace, wanted: bool) -> tuple[Any, Any]:
    """Two bitmaps; bits beyond the last vertex are never set."""
    if not wanted:
        return nothing(np.uint32), nothing(np.uint32)
    words = -(-space.n // 64) * 2
    return tuple(space.array(f"bitmap {side}", words, np.uint32, "zeros") for side in (0, 1))


def _skewed(graph: Graph, mode: str) -> bool:
    """Are there rows so long that a block should not be left alone with them?"""
    return graph.longest_row > HEAVY_DEGREE if mode == "out" or not graph.directed else True


def _start(
    space: Workspace, members: Frontier, out: Along, forced: int, watched: bool
) -> tuple[Start, Progress]:
    """The first frontier, and the state before the first round."""
    rows, n, count = out.arrays, space.n, len(members)
    arcs, ids = len(rows.indices), np.dtype(rows.indices.dtype)
    if members.dense:
        start, form, edges = Start(nothing(ids), members.bits.view(np.uint32)), PULL, -1
    else:
        chosen = members.ids
        if chosen.dtype.itemsize != ids.itemsize:
            chosen = chosen.astype(ids)
        start, form = Start(chosen.view(ids), nothing(np.uint32)), PUSH
        edges = arcs if count == n else -1
        if watched and edges < 0:  # else the first round does without
            edges = int((rows.indptr[chosen + 1] - rows.indptr[chosen]).sum()) if count else 0
    mode = forced if forced >= 0 else PULL if members.dense or count > n // 2 else PUSH
    return start, Progress(count, mode, form, 0, 0, arcs, 0, edges)
