"""`for_rows` on CPU threads: members go to threads in chunks, very long rows in pieces to all.

A row longer than a piece is noted and walked afterwards, its pieces by whoever is free; the last
step joins what they came to and finishes the row. That is a kernel of its own, which few graphs
need. What is combined with what depends on the row alone.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import types

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.compiler import overload
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.team import grab
from edgewise.base.threads import launch, team_for
from edgewise.graph import Graph
from edgewise.operators.cpu.inner import alike, edge_at, put, row_folder, same, take, weight_at
from edgewise.operators.cpu.long_rows import PIECE, long_rows_kernel, pieces_of, room_for_long
from edgewise.operators.cpu.reduce_neighbors import incoming
from edgewise.operators.cpu.state import listed, vertex_members
from edgewise.operators.cpu.visit import member, work_of
from edgewise.operators.functions import MESSAGE_NAMES, compiled, naming_failures, plain
from edgewise.operators.requests import Rows
from edgewise.operators.rows import ROW_NAMES

__all__ = ["for_rows"]


def for_rows(graph: Graph, request: Rows) -> None:
    """See `edgewise.operators.for_rows`."""
    message, finish, reduce = request.message, request.finish, request.reduce
    if request.key is not None:
        from edgewise.operators.cpu.keyed import keyed

        rows = incoming(graph, request.edges, request.weights, message.names)
        ended = compiled(finish.given, "finish"), (*request.state, *finish.params)
        keyed(graph, rows, request.choice, ended)
        return
    sent = request.values if "value" in message.names else None
    own = request.own if "own" in message.names else None
    rows = incoming(graph, request.edges, request.weights, message.names)
    members = None if request.frontier is None else vertex_members(graph, request.frontier)
    ids, count = listed(members, graph.num_vertices)
    work = work_of(rows, ids, count)
    identity = reduce.identity_for(*request.dtypes)
    combine = compiled(reduce.combine, "reduce.combine", 2)
    ending = compiled(finish.given, "finish")
    ongoing = "total" in message.names
    heard = plain(message, ROW_NAMES if ongoing else MESSAGE_NAMES)
    functions = (heard, combine, ending, ongoing, reduce.early_exit)
    known = (rows, sent, own, identity, message.params, (*request.state, *finish.params))
    long, tallies = room_for_long(rows), np.zeros(8, np.int64)
    with naming_failures(compiled(message.given, "message"), combine, ending):
        launch(row_kernel(*functions), ids, count, known, long, tallies, work=work,
               team=team_for(work))  # fmt: skip
        if tallies[0]:
            pieces = pieces_of(rows, long)
            parts: Any = tuple(np.empty(pieces, dtype) for dtype in request.dtypes)
            parts = parts if isinstance(identity, tuple) else parts[0]
            launch(long_kernel(*functions), long[: tallies[0]], known, parts, work=work)


@cache
def _walker(message, combine, ongoing, early_exit):
    """``walk(v, low, high, known)``: the messages along a part of a row, reduced.

    A message that takes itself in (``ongoing``) is given the total. Else four totals run side by
    side, unless the first may be enough.
    """
    fold = row_folder(message, combine)

    @inlined
    def taken_in(v, low, high, known):
        rows, sent, own, total, params, _ = known
        _, indices, weights, edge_ids = rows
        mine = own_at(own, v)
        for e in range(low, high):
            u = np.int64(indices[e])
            total = alike(
                message(take(sent, u), weight_at(weights, e), u, edge_at(edge_ids, e), mine, total,
                        params), total)  # fmt: skip
        return total

    @inlined
    def until_found(v, low, high, known):
        rows, sent, own, identity, params, _ = known
        _, indices, weights, edge_ids = rows
        mine, total = own_at(own, v), identity
        for e in range(low, high):
            u = np.int64(indices[e])
            new = message(
                take(sent, u), weight_at(weights, e), u, edge_at(edge_ids, e), mine, params
            )
            total = alike(combine(total, alike(new, total)), total)
            if not same(total, identity):
                break
        return total

    @inlined
    def whole(v, low, high, known):
        rows, sent, own, identity, params, _ = known
        return fold(low, high, rows, sent, own_at(own, v), identity, params)

    if ongoing:
        return taken_in
    return until_found if early_exit else whole


@cache
def row_kernel(message, combine, finish, ongoing, early_exit):
    """The loop for one message, one monoid and one finish; very long rows are only noted."""
    walk = _walker(message, combine, ongoing, early_exit)
    finish = inlined(finish.py_func)

    @kernel(borrows=True)
    def run(me, team, control, ids, count, known, long, tallies):
        indptr, state, piece = known[0][0], known[5], np.uint64(PIECE)
        chunk = 256 if count > 16384 else 16
        while True:
            low, high = grab(control, 0, chunk, count)
            if low == high:
                break
            for i in range(low, high):
                v = member(ids, i)
                start, end = indptr[np.uint64(v)], indptr[np.uint64(v) + np.uint64(1)]
                if end - start > piece and not early_exit:
                    long[fetch_add(tallies, 0, 1)] = v
                else:
                    finish(v, walk(v, start, end, known), *state)

    return run


@cache
def long_kernel(message, combine, finish, ongoing, early_exit):
    """The very long rows, each in pieces, by all threads together."""
    walk = _walker(message, combine, ongoing, early_exit)

    @inner
    def total(v, low, high, known, parts, i):
        put(parts, i, walk(v, low, high, known))

    @inner
    def end(v, known, parts, first, last):
        joined = known[3]
        for i in range(first, last):
            joined = alike(combine(joined, take(parts, i)), joined)
        finish(v, joined, *known[5])

    return long_rows_kernel(total, end)


def own_at(own, v):
    """What a message of v has as ``own``; v itself where there is nothing else."""
    raise TypeError("only for compiled code")


@overload(own_at)
def _own_at(own, v):
    if isinstance(own, types.NoneType):
        return lambda own, v: np.int64(v)
    return lambda own, v: take(own, v)
