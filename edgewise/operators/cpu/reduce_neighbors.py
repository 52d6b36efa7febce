"""`reduce_neighbors` on CPU threads: every member adds up its own row, no atomics.

State of several columns is added up by `columns`, what is asked by key by `keyed`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.graph import Graph
from edgewise.operators.adjacency import Adjacency, adjacency, toward
from edgewise.operators.cpu import columns
from edgewise.operators.cpu.inner import cast, edge_at, put, row_folder, same, take, weight_at
from edgewise.operators.cpu.state import listed, vertex_members
from edgewise.operators.cpu.walk import Walk, walk_rows
from edgewise.operators.functions import MESSAGE_NAMES, compiled, naming_failures, plain
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import reduced

__all__ = ["reduce_neighbors"]


def reduce_neighbors(graph: Graph, request: Neighborhood) -> Any:
    """See `edgewise.operators.reduce_neighbors`."""
    message, values, reduce = request.message, request.values, request.reduce
    names, n = () if message is None else message.names, graph.num_vertices
    rows = incoming(graph, request.mode, request.weights, names)
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
        walk_of, send = columns.row_walk, columns.plain_message(message)
    else:
        walk_of, send = row_walk, plain(message, MESSAGE_NAMES)
    work = len(rows.indices) + n if count > 4096 or members is None else 1 << 13

    def parts(pieces: int) -> Any:
        found = tuple(np.empty((pieces, *a.shape[1:]), a.dtype) for a in arrays)
        return found if isinstance(result, tuple) else found[0]

    with naming_failures(message, combine):
        walk = walk_of(send, combine, reduce.early_exit)
        chunk = (1024 if count > 65536 else 64) // (1 if arrays[0].ndim == 1 else 4)
        walk_rows(walk, rows, (ids, count), (rows, read, identity, result), work=work,
                  chunk=chunk, parts=parts)  # fmt: skip
    return result


def incoming(graph, edges, weights, names) -> Adjacency:
    """For every member its edges, with the vertices that send to it along ``edges``."""
    return adjacency(graph, toward(graph, edges), weights, names, False)[0]


@cache
def row_walk(message, combine, early_exit):
    """The walk that adds up rows, for one message and one monoid."""
    fold = row_folder(message, combine)

    @inlined
    def add_up(v, low, high, data):
        """Reduce the messages along a part of a row."""
        rows, (sent, target, params), identity, result = data
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

    @inlined
    def whole(v, low, high, data):
        put(data[3], v, add_up(v, low, high, data))

    @inner
    def piece(v, low, high, data, parts, i):
        put(parts, i, add_up(v, low, high, data))

    @inner
    def end(v, data, parts, first, last):
        joined, result = data[2], data[3]
        for i in range(first, last):
            joined = cast(result, combine(joined, take(parts, i)))
        put(result, v, joined)

    return Walk(whole) if early_exit else Walk(whole, piece, end)
