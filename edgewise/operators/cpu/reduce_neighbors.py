"""`reduce_neighbors` on CPU threads: every member adds up its own row, no atomics.

State of several columns is added up by `columns`, what is asked by key by `keyed`. Along two steps
the rows of all neighbors are added up one after the other.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.graph import Graph
from edgewise.operators.adjacency import Adjacency, adjacency, second_step, toward
from edgewise.operators.cpu import columns
from edgewise.operators.cpu.inner import cast, edge_at, put, row_folder, same, take, weight_at
from edgewise.operators.cpu.state import listed, vertex_members
from edgewise.operators.cpu.walk import Walk, walk_rows
from edgewise.operators.functions import (
    MESSAGE_NAMES,
    TWO_STEP_NAMES,
    compiled,
    naming_failures,
    plain,
)
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import reduced

__all__ = ["incoming", "reduce_neighbors"]

#: Rows of up to so many edges are added up in turn if totals are tuples.
_FEW_TUPLES = 8


def reduce_neighbors(graph: Graph, request: Neighborhood) -> Any:
    """See `edgewise.operators.reduce_neighbors`."""
    message, values, reduce = request.message, request.values, request.reduce
    names, n = () if message is None else message.names, graph.num_vertices
    rows = incoming(graph, request.mode, request.weights, names)
    if request.key is not None:
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
    known: tuple = (rows, read, identity, result)
    walk_of: Any = row_walk
    chunk = 1024 if count > 65536 else 64
    work = len(rows.indices) + n if count > 4096 or members is None else 1 << 13
    if request.via is not None:
        walk_of = partial(two_step_walk, few=_FEW_TUPLES if len(arrays) > 1 else 0)
        send, chunk = plain(message, TWO_STEP_NAMES), 8
        onward = second_step(request.via, names)
        work *= 1 + len(onward.indices) // max(1, len(onward.indptr) - 1)
        known = (*known, onward)
    elif arrays[0].ndim == 2:
        walk_of, send, chunk = columns.row_walk, columns.plain_message(message), chunk // 4
    else:
        send = plain(message, MESSAGE_NAMES)

    def parts(pieces: int) -> Any:
        found = tuple(np.empty((pieces, *a.shape[1:]), a.dtype) for a in arrays)
        return found if isinstance(result, tuple) else found[0]

    with naming_failures(message, combine):
        walk = walk_of(send, combine, reduce.early_exit)
        walk_rows(walk, rows, (ids, count), known, work=work, chunk=chunk, parts=parts)
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

    return _walk_of(add_up, combine, early_exit)


@cache
def two_step_walk(message, combine, early_exit, few):
    """The walk that adds up the rows of all neighbors of a member.

    In a row of more than a ``few`` edges four totals run side by side.
    """
    # A message is given what belongs to the first step beside what the member owns.
    fold = row_folder(
        inlined(
            lambda value, onward, w, edge, mine, params: message(
                value, mine[1], onward, w, mine[0], params
            )
        ),
        combine,
    )

    @inlined
    def add_up(v, low, high, data):
        (_, indices, weights, _), (sent, target, params), total, result, onward = data
        starts, ends, lengths, _ = onward
        own, identity = take(target, v), total
        for e in range(low, high):
            u, weight = np.uint64(indices[e]), weight_at(weights, e)
            first, last = starts[u], starts[u + np.uint64(1)]
            if not early_exit and last - first > np.uint64(few):
                new = fold(first, last, onward, sent, (own, weight), identity, params)
                total = cast(result, combine(total, new))
                continue
            for f in range(first, last):
                w = np.int64(ends[f])
                new = message(take(sent, w), weight, weight_at(lengths, f), w, own, params)
                total = cast(result, combine(total, cast(result, new)))
                if early_exit and not same(total, identity):
                    return total
        return total

    return _walk_of(add_up, combine, early_exit)


def _walk_of(add_up, combine, early_exit):
    """The walk that puts what ``add_up(v, low, high, data)`` gives into the results."""

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
