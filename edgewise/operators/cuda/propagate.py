"""`advance` and `propagate` in message form on CUDA: checks, workspace, launches, reports."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.balance import balance
from edgewise.base.observe import notify, observed
from edgewise.operators.cuda import rounds
from edgewise.operators.cuda.inner import arity, dtypes_of, messenger
from edgewise.operators.cuda.memory import check_work
from edgewise.operators.cuda.rounds import HEAVY_DEGREE, THREADS, WORDS
from edgewise.operators.cuda.state import along, nothing
from edgewise.operators.cuda.steps import Shape
from edgewise.operators.cuda.traverse import traverse_kernel
from edgewise.operators.frontier import Frontier, vertex_members
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.requests import Traversal

__all__ = ["propagate"]

_DIRECTIONS = {"auto": -1, "push": rounds.PUSH, "pull": rounds.PULL}
_FOREVER = 1 << 62
#: Words between those that blocks wait on.
_APART = 32
#: More blocks than any GPU runs at once.
_MOST_BLOCKS = 1 << 14
#: Edges, and rounds, after which a launch comes back: a fraction of a second.
_BUDGET, _ROUNDS, _TRACED = 1 << 33, 1 << 14, 1024


def propagate(graph, request: Traversal) -> Frontier:
    """See `edgewise.operators.propagate`; ``sources`` and one round make it `advance`."""
    names, asked = request.message.names, request.where
    if (
        request.wake is not None
        or request.levels is not None
        or getattr(request.values, "ndim", 1) == 2
        or "own" in names
        or request.message.params
        or (asked is not None and asked.params)
    ):
        raise NotImplementedError("own, params, wake, levels and columns on CUDA")
    reduce, direction, edges, weights = (
        request.reduce, request.direction, request.edges, request.weights
    )  # fmt: skip
    message, where = request.message.given, None if asked is None else asked.given
    arrays, sources, depths = request.values, request.sources, request.depths
    sent = arrays if sources is None else sources
    max_rounds = _FOREVER if request.max_rounds is None else request.max_rounds
    priority, schedule = request.priority, request.schedule
    members = vertex_members(graph, request.frontier)
    functions = (
        compiled(message, "message"),
        compiled(where, "where", 1),
        compiled(reduce.combine, "reduce.combine", 2),
    )
    if priority is not None:
        from edgewise.operators.cuda.buckets import prioritized

        with naming_failures(*functions):
            return prioritized(graph, members, message, names, arrays, reduce, reduce.combine,
                               where, edges, weights, priority, schedule, max_rounds)  # fmt: skip
    pull = direction != "push" and (
        direction == "pull" or (reduce.early_exit and (not graph.directed or edges != "both"))
    )
    out, into = along(graph, edges, weights, names, pull)
    forced = _DIRECTIONS[direction] if pull else rounds.PUSH
    narrow = None
    if any(dtype.itemsize < 4 for dtype in dtypes_of(arrays)):
        narrow, arrays = arrays, _widened(arrays)
        sent = arrays if sources is None else sent
    with naming_failures(*functions):
        last = _traverse(graph, edges, members, message, names, arrays, sent, reduce, where, out,
                         into, depths, forced, max_rounds,
                         dtypes_of(arrays if narrow is None else narrow))  # fmt: skip
    if narrow is not None:
        for old, new in zip(_several(narrow), _several(arrays), strict=True):
            old[:] = new.astype(old.dtype)
    return last


def _traverse(graph, edges, members, message, names, arrays, sent, reduce, where, out, into, depths,
              forced, max_rounds, dtypes) -> Frontier:  # fmt: skip
    from edgewise.base.cuda.kernels import translated

    xp, n = graph.xp, graph.num_vertices
    single, kinds = not isinstance(arrays, tuple), dtypes_of(arrays)
    at_once = reduce.idempotent and single and (where is None or reduce.early_exit)
    read = sent if "value" in names else None
    shape = Shape(
        arity(read), kinds, out.weighted, (out.mapped, into.mapped), reduce.early_exit, at_once,
        depths is not None, np.dtype(out.arrays[1].dtype), balance(),
    )  # fmt: skip
    kernel = traverse_kernel(
        messenger(message, names), translated(reduce.combine), translated(where), shape
    )
    identity = reduce.identity_for(*dtypes)
    identity = _typed(identity, kinds)
    skewed = shape.balance == "auto" and _skewed(graph, edges, out)
    wide = skewed or shape.balance == "output"
    check_work("propagate", (2 * n, shape.ids), (n // 16, np.uint32), (n, np.int32),
               (n if wide else 0, np.int64),
               *((0 if at_once else n, kind) for kind in kinds))  # fmt: skip
    none = nothing()
    sums, locks = (none, none) if at_once else _sums(xp, identity, kinds, n)
    stamps = none if reduce.early_exit and at_once else xp.zeros(n, xp.int32)
    data = (
        none if read is None else read, arrays, identity, stamps,
        none if depths is None else depths, sums, locks,
    )  # fmt: skip
    ids = out.arrays[1].dtype
    queues = (xp.empty(n, ids), xp.empty(n, ids))
    words = -(-n // 64) * 2
    both = xp.zeros(2 * words, xp.uint32)
    bitmaps = (both[:words], both[words:])
    heavy = xp.empty(len(out.arrays[1]) // HEAVY_DEGREE + 1, ids)
    scratch = (nothing(np.int64), nothing(np.int64))
    if wide:
        if len(out.arrays[1]) >= 2**31:
            raise ValueError("balanced('output') takes graphs of fewer than 2**31 arcs")
        scratch = (xp.empty(n, np.int64), xp.empty(_MOST_BLOCKS, np.int64))
    watched = observed()
    known = _start(graph, members, out, forced, queues, bitmaps)
    if watched and known[rounds.EDGES] < 0:  # else the first round does without
        ids, indptr = members.ids, out.arrays[0]
        known[rounds.EDGES] = int((indptr[ids + 1] - indptr[ids]).sum()) if len(ids) else 0
    most = _TRACED if watched else _ROUNDS
    limits = [max_rounds, forced, _BUDGET, most, _TRACED if watched else 0, skewed]
    # One array, one copy to the device: state, limits, counters, and the barriers' words, which are
    # kept apart because many wait on them.
    begin = len(known) + len(limits) + 3 * WORDS
    words = xp.asarray(np.concatenate([known, limits, np.zeros(3 * WORDS + 3 * _APART, np.int64)]))
    state, limits = words[: len(known)], words[len(known) : len(known) + len(limits)]
    counters, waited = words[begin - 3 * WORDS : begin], words[begin:]
    tickets, control = waited[_APART : _APART + 2], waited[2 * _APART :].view(np.int32)
    trace = xp.zeros(3 * _TRACED, xp.int64) if watched else nothing(np.int64)
    arguments = (out.arrays, into.arrays, data, queues, bitmaps, heavy, scratch, counters, state,
                 control, tickets, limits, trace)  # fmt: skip
    reported = 0
    while known[rounds.COUNT] > 0 and known[rounds.TURN] < max_rounds:
        if known[rounds.TURN] > 0:
            waited[:] = 0
        kernel.fill(THREADS, *arguments)
        known = _host(state)
        traced = _host(trace).reshape(-1, 3)[: known[rounds.TRACED]].tolist() if watched else ()
        for row in traced:
            notify(reported, frontier=row[0], edges=row[1], direction=("push", "pull")[row[2]])
            reported += 1
    side, count = known[rounds.SIDE], int(known[rounds.COUNT])
    if known[rounds.FORM] == rounds.PULL:
        return Frontier.trusted(n, bits=bitmaps[side].view(np.uint64), count=count)
    found = queues[side][:count].copy()
    return Frontier.trusted(n, ids=found.view(np.int32 if found.dtype.itemsize == 4 else np.int64))


def _skewed(graph, edges, out) -> bool:
    """Are there rows so long that a block should not be left alone with them?"""
    if len(out.arrays[1]) >= 2**31:
        return False
    return graph.max_degree > HEAVY_DEGREE if edges == "out" or not graph.directed else True


def _start(graph, members, out, forced, queues, bitmaps) -> np.ndarray:
    """The state before the first round; edges that nobody has counted are -1."""
    known = np.zeros(rounds.STATE_WORDS, np.int64)
    known[rounds.COUNT], known[rounds.LEFT] = len(members), len(out.arrays[1])
    if members.dense:
        bitmaps[0][:] = members.bits.view(np.uint32)
        known[rounds.FORM] = known[rounds.MODE] = rounds.PULL
    else:
        queues[0][: len(members)] = members.ids
        whole = len(members) == graph.num_vertices
        known[rounds.EDGES] = len(out.arrays[1]) if whole else -1
        many = len(members) > graph.num_vertices // 2
        known[rounds.MODE] = rounds.PULL if many else rounds.PUSH
    if forced >= 0:
        known[rounds.MODE] = forced
    return known


def _sums(xp, identity, kinds, n):
    """Where messages are added up before they land."""
    if len(kinds) == 1:
        return xp.full(n, identity, kinds[0]), xp.zeros(1, xp.int32)
    sums = tuple(xp.full(n, one, kind) for one, kind in zip(identity, kinds, strict=True))
    return sums, xp.zeros(n, xp.int32)


def _typed(identity, kinds):
    """The identity as numbers of these types."""
    if len(kinds) == 1:
        return kinds[0].type(identity)
    return tuple(kind.type(one) for one, kind in zip(identity, kinds, strict=True))


def _widened(arrays):
    """Elements of 8 and 16 bits, which have no atomics, as int32."""
    wide = tuple(a.astype(np.int32) if a.dtype.itemsize < 4 else a for a in _several(arrays))
    return wide if isinstance(arrays, tuple) else wide[0]


def _several(one: Any) -> tuple:
    return one if isinstance(one, tuple) else (one,)


def _host(array: Any) -> np.ndarray:
    return array.get() if hasattr(array, "get") else array.copy()
