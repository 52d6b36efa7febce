"""`for_rows` on CPU threads: the walk over rows that operators share, with the user's finish."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import types

from edgewise.base.cache import inlined, inner
from edgewise.base.compiler import overload
from edgewise.graph import Graph
from edgewise.operators.cpu.inner import cast, edge_at, put, row_folder, same, take, weight_at
from edgewise.operators.cpu.reduce_neighbors import incoming
from edgewise.operators.cpu.state import listed, vertex_members
from edgewise.operators.cpu.visit import work_of
from edgewise.operators.cpu.walk import Walk, walk_rows
from edgewise.operators.functions import MESSAGE_NAMES, compiled, naming_failures, plain
from edgewise.operators.requests import Rows
from edgewise.operators.rows import ROW_NAMES

__all__ = ["for_rows"]


def for_rows(graph: Graph, request: Rows) -> None:
    """See `edgewise.operators.for_rows`."""
    message, finish, reduce = request.message, request.finish, request.reduce
    if request.key is not None:
        from edgewise.operators.cpu.keyed import keyed

        rows = incoming(graph, request.mode, request.weights, message.names)
        ended = compiled(finish.given, "finish"), (*request.state, *finish.params)
        keyed(graph, rows, request.choice, ended)
        return
    sent = request.values if "value" in message.names else None
    own = request.own if "own" in message.names else None
    rows = incoming(graph, request.mode, request.weights, message.names)
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

    def parts(pieces: int) -> Any:
        found = tuple(np.empty(pieces, dtype) for dtype in request.dtypes)
        return found if isinstance(identity, tuple) else found[0]

    with naming_failures(compiled(message.given, "message"), combine, ending):
        walk_rows(row_walk(*functions), rows, (ids, count), known, work=work,
                  chunk=256 if count > 16384 else 16, parts=parts)  # fmt: skip


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
            value, weight, edge = take(sent, u), weight_at(weights, e), edge_at(edge_ids, e)
            total = cast(total, message(value, weight, u, edge, mine, total, params))
        return total

    @inlined
    def until_found(v, low, high, known):
        rows, sent, own, identity, params, _ = known
        _, indices, weights, edge_ids = rows
        mine, total = own_at(own, v), identity
        for e in range(low, high):
            u = np.int64(indices[e])
            value, weight, edge = take(sent, u), weight_at(weights, e), edge_at(edge_ids, e)
            new = message(value, weight, u, edge, mine, params)
            total = cast(total, combine(total, cast(total, new)))
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
def row_walk(message, combine, finish, ongoing, early_exit):
    """The walk for one message, one monoid and one finish."""
    walk, finish = _walker(message, combine, ongoing, early_exit), inlined(finish.py_func)

    @inlined
    def whole(v, low, high, known):
        finish(v, walk(v, low, high, known), *known[5])

    @inner
    def piece(v, low, high, known, parts, i):
        put(parts, i, walk(v, low, high, known))

    @inner
    def end(v, known, parts, first, last):
        joined = known[3]
        for i in range(first, last):
            joined = cast(joined, combine(joined, take(parts, i)))
        finish(v, joined, *known[5])

    return Walk(whole) if early_exit else Walk(whole, piece, end)


def own_at(own, v):
    """What a message of v has as ``own``; v itself where there is nothing else."""
    raise TypeError("only for compiled code")


@overload(own_at)
def _own_at(own, v):
    if isinstance(own, types.NoneType):
        return lambda own, v: np.int64(v)
    return lambda own, v: take(own, v)
