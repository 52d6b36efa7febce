"""`reduce_neighbors` on CPU threads: every member adds up its own row, no atomics.

Rows go to threads in chunks; a very long row is added up in pieces of fixed size, by all threads
together, so that the sum does not depend on how many there are. That is a kernel of its own, which
few graphs need.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.team import barrier, grab
from edgewise.base.threads import launch
from edgewise.operators.adjacency import Adjacency, adjacency, toward
from edgewise.operators.cpu.inner import cast, edge_at, put, row_folder, same, take, weight_at
from edgewise.operators.cpu.state import listed, vertex_members
from edgewise.operators.cpu.visit import member
from edgewise.operators.functions import Function, compiled, naming_failures, plain_message
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import reduced

__all__ = ["reduce_neighbors"]

_PIECE = 1 << 15


def reduce_neighbors(graph, request: Neighborhood) -> Any:
    """See `edgewise.operators.reduce_neighbors`."""
    if (
        isinstance(request.choose, Function)
        or request.choose == "absent"
        or request.stay is not None
        or request.via is not None
        or getattr(request.values, "ndim", 1) == 2
        or (request.choose and request.out is not None)
    ):
        raise NotImplementedError("scores, absent, stay, via and columns on CPU threads")
    message, values, reduce, dtype = (
        request.message, request.values, request.reduce, request.dtype
    )  # fmt: skip
    frontier, key, out = request.frontier, request.key, request.out
    names, n = message.names, graph.num_vertices
    own = values if request.own is None else request.own
    sent = values if "value" in names else None
    target = own if "own" in names else None
    rows = incoming(graph, request.edges, request.weights, names)
    members = None if frontier is None else vertex_members(graph, frontier)
    ids, count = listed(members, n)
    plainly = plain_message(message)
    message = compiled(message.given, "message")
    combine = compiled(reduce.combine, "reduce.combine", 2)
    if key is not None:
        from edgewise.operators.cpu.grouped import grouped

        with naming_failures(message, combine):
            return grouped(rows, ids, count, n, plainly, combine, reduce, sent, target, values,
                           key, request.choose, dtype)  # fmt: skip
    result = reduced(graph, values, reduce, dtype, out, fill=members is not None and out is None)
    arrays = result if isinstance(result, tuple) else (result,)
    identity = reduce.identity_for(*(a.dtype for a in arrays))
    functions = (plainly, combine, reduce.early_exit)
    long = np.empty(len(rows.indices) // _PIECE + 1, np.int64)
    work = len(rows.indices) + n if count > 4096 or members is None else 1 << 13
    tallies = np.zeros(16, np.int64)
    with naming_failures(message, combine):
        launch(row_kernel(*functions), rows, ids, count, sent, target, identity, result, long,
               tallies, work=work)  # fmt: skip
        if tallies[0]:
            pieces = len(rows.indices) // _PIECE + len(long) + 1
            parts: Any = tuple(np.empty(pieces, a.dtype) for a in arrays)
            parts = parts if isinstance(result, tuple) else parts[0]
            launch(long_kernel(*functions), rows, sent, target, identity, result,
                   long[: tallies[0]], parts, work=work)  # fmt: skip
    return result


def incoming(graph, edges, weights, names) -> Adjacency:
    """For every member its edges, with the vertices that send to it along ``edges``."""
    return adjacency(graph, toward(graph, edges), weights, names, False)[0]


@cache
def _adder(message, combine, early_exit):
    """``add_up``: reduce the messages along a part of a row."""
    fold = row_folder(message, combine)

    @inner
    def add_up(v, low, high, rows, sent, target, identity, result):
        own = take(target, v)
        if not early_exit:
            return fold(low, high, rows, sent, own, identity)
        _, indices, weights, edge_ids = rows
        total = identity
        for e in range(low, high):
            u = np.int64(indices[e])
            new = message(take(sent, u), weight_at(weights, e), u, edge_at(edge_ids, e), own)
            total = cast(result, combine(total, cast(result, new)))
            if not same(total, identity):
                break
        return total

    return add_up


@cache
def row_kernel(message, combine, early_exit):
    """The loop for one message and one monoid; very long rows are only noted."""
    add_up = _adder(message, combine, early_exit)

    @kernel(borrows=True)
    def run(me, team, control, rows, ids, count, sent, target, identity, result, long, tallies):
        indptr, piece = rows[0], np.uint64(_PIECE)
        chunk = 1024 if count > 65536 else 64
        while True:
            low, high = grab(control, 0, chunk, count)
            if low == high:
                break
            for i in range(low, high):
                v = member(ids, i)
                start, end = indptr[v], indptr[v + 1]
                if end - start > piece and not early_exit:
                    long[fetch_add(tallies, 0, 1)] = v
                else:
                    put(result, v, add_up(v, start, end, rows, sent, target, identity, result))

    return run


@cache
def long_kernel(message, combine, early_exit):
    """The very long rows, each in pieces, by all threads together."""
    add_up = _adder(message, combine, early_exit)

    @kernel(borrows=True)
    def run_long(me, team, control, rows, sent, target, identity, result, long, parts):
        indptr, piece = rows[0], np.uint64(_PIECE)
        first = np.int64(0)
        for v in long:
            start, end = indptr[v], indptr[v + 1]
            pieces = np.int64((end - start + piece - np.uint64(1)) // piece)
            for j in range(me, pieces, team):
                at = start + np.uint64(j) * piece
                total = add_up(v, at, min(at + piece, end), rows, sent, target, identity, result)
                put(parts, first + j, total)
            first += pieces
        if not barrier(control, team):
            return
        first = np.int64(0)
        for i in range(len(long)):
            v = long[i]
            pieces = np.int64((indptr[v + 1] - indptr[v] + piece - np.uint64(1)) // piece)
            if i % team == me:
                total = identity
                for j in range(pieces):
                    total = cast(result, combine(total, take(parts, first + j)))
                put(result, v, total)
            first += pieces

    return run_long
