"""`reduce_neighbors` on CPU threads: every member adds up its own row, no atomics.

Rows go to threads in chunks; a very long row is added up in pieces of fixed size, by all threads
together, so that the sum does not depend on how many there are. That is a kernel of its own, which
few graphs need. State of several columns is added up by `columns`, what is asked by key by `keyed`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.team import grab
from edgewise.base.threads import launch, team_for
from edgewise.graph import Graph
from edgewise.operators.adjacency import Adjacency, adjacency, toward
from edgewise.operators.cpu import columns
from edgewise.operators.cpu.inner import cast, edge_at, put, row_folder, same, take, weight_at
from edgewise.operators.cpu.long_rows import PIECE, long_rows_kernel, pieces_of, room_for_long
from edgewise.operators.cpu.state import listed, vertex_members
from edgewise.operators.cpu.visit import member
from edgewise.operators.functions import MESSAGE_NAMES, compiled, naming_failures, plain
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import reduced

__all__ = ["reduce_neighbors"]


def reduce_neighbors(graph: Graph, request: Neighborhood) -> Any:
    """See `edgewise.operators.reduce_neighbors`."""
    message, values, reduce = request.message, request.values, request.reduce
    names, n = () if message is None else message.names, graph.num_vertices
    rows = incoming(graph, request.edges, request.weights, names)
    if request.key is not None or request.via is not None:
        from edgewise.operators.cpu.keyed import keyed

        return keyed(graph, rows, request)
    own = values if request.own is None else request.own
    read = (values if "value" in names else None, own if "own" in names else None, message.params)
    members = None if request.frontier is None else vertex_members(graph, request.frontier)
    ids, count = listed(members, n)
    fill = members is not None and request.out is None
    result = reduced(graph, values, reduce, request.dtype, request.out, fill=fill)
    arrays = result if isinstance(result, tuple) else (result,)
    identity = reduce.identity_for(*(a.dtype for a in arrays))
    combine = compiled(reduce.combine, "reduce.combine", 2)
    if arrays[0].ndim == 2:
        kernels, send = (columns.row_kernel, columns.long_kernel), columns.plain_message(message)
    else:
        kernels, send = (row_kernel, long_kernel), plain(message, MESSAGE_NAMES)
    functions = (send, combine, reduce.early_exit)
    long = room_for_long(rows)
    work = len(rows.indices) + n if count > 4096 or members is None else 1 << 13
    tallies = np.zeros(16, np.int64)
    with naming_failures(message, combine):
        launch(kernels[0](*functions), rows, ids, count, read, identity, result, long, tallies,
               work=work, team=team_for(work))  # fmt: skip
        if tallies[0]:
            pieces = pieces_of(rows, long)
            parts: Any = tuple(np.empty((pieces, *a.shape[1:]), a.dtype) for a in arrays)
            parts = parts if isinstance(result, tuple) else parts[0]
            known = (rows, read, identity, result)
            launch(kernels[1](*functions), long[: tallies[0]], known, parts, work=work)
    return result


def incoming(graph, edges, weights, names) -> Adjacency:
    """For every member its edges, with the vertices that send to it along ``edges``."""
    return adjacency(graph, toward(graph, edges), weights, names, False)[0]


@cache
def _adder(message, combine, early_exit):
    """``add_up``: reduce the messages along a part of a row."""
    fold = row_folder(message, combine)

    @inner
    def add_up(v, low, high, rows, read, identity, result):
        sent, target, params = read
        own = take(target, v)
        if not early_exit:
            return fold(low, high, rows, sent, own, identity, params)
        _, indices, weights, edge_ids = rows
        total = identity
        for e in range(low, high):
            u = np.int64(indices[e])
            new = message(
                take(sent, u), weight_at(weights, e), u, edge_at(edge_ids, e), own, params
            )
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
    def run(me, team, control, rows, ids, count, read, identity, result, long, tallies):
        indptr, piece = rows[0], np.uint64(PIECE)
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
                    put(result, v, add_up(v, start, end, rows, read, identity, result))

    return run


@cache
def long_kernel(message, combine, early_exit):
    """The very long rows, each in pieces, by all threads together."""
    add_up = _adder(message, combine, early_exit)

    @inner
    def total(v, low, high, known, parts, i):
        rows, read, identity, result = known
        put(parts, i, add_up(v, low, high, rows, read, identity, result))

    @inner
    def end(v, known, parts, first, last):
        identity, result = known[2], known[3]
        joined = identity
        for i in range(first, last):
            joined = cast(result, combine(joined, take(parts, i)))
        put(result, v, joined)

    return long_rows_kernel(total, end)
