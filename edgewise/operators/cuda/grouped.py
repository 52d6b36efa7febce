"""`reduce_neighbors` with ``key=`` on CUDA: sort the messages by member and key, reduce the runs.

Every message is written beside its ``(member, key)``, folded into one int64; a stable sort brings
equal ones together, in the order of the edges, and the runs are reduced as the rows of a graph are.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.kernels import device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cuda.compute import member_reader, source_of
from edgewise.operators.cuda.inner import (
    arity,
    caster,
    edge_reader,
    messenger,
    taker,
    weight_reader,
)
from edgewise.operators.cuda.memory import check_work
from edgewise.operators.cuda.messages import Data, Heard, some_params
from edgewise.operators.cuda.plan import plan_rows
from edgewise.operators.cuda.reduce_neighbors import incoming, keeping
from edgewise.operators.cuda.rows import REDUCING, walk_rows
from edgewise.operators.cuda.state import THREADS, blocks_for
from edgewise.operators.cuda.totals import Totals
from edgewise.operators.frontier import vertex_members
from edgewise.operators.functions import compiled
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import Chosen, Grouped

__all__ = ["grouped"]


def grouped(graph, request: Neighborhood) -> Any:
    """One total per member and key, or only the best of each member."""
    choose, names = request.choose, request.message.names if request.message else ()
    asked = (request.stay, request.via, request.out)
    if choose not in (None, "max", "min") or any(one is not None for one in asked):
        raise NotImplementedError("scores, absent, stay, via and out with key on CUDA")
    if request.message.params:
        raise NotImplementedError("params with key on CUDA")
    xp, n, values, reduce = graph.xp, graph.num_vertices, request.values, request.reduce
    rows = incoming(graph, request.edges, request.weights, names)
    ids = None if request.frontier is None else vertex_members(graph, request.frontier).ids
    own = values if request.own is None else request.own
    sent, target = values if "value" in names else None, own if "own" in names else None
    message = messenger(compiled(request.message.given, "message"), names)
    combine, key = translated(compiled(reduce.combine, "reduce.combine")), request.key
    dtype = np.dtype(request.dtype or values.dtype)
    identity = reduce.identity_for(dtype)
    rank, width, named = _ranks(xp, key.astype(np.int64, copy=False), n)
    pairs, messages = _messages(xp, rows, ids, message, sent, target, rank, width, dtype)
    order = xp.argsort(pairs, kind="stable")
    pairs = pairs[order]
    heads = xp.ones(len(pairs), np.bool_)
    heads[1:] = pairs[1:] != pairs[:-1]
    begins = xp.flatnonzero(heads)
    runs = xp.append(begins, len(pairs))
    totals = xp.empty(len(begins), dtype)
    _reduce(xp, runs, order, combine, messages, (dtype,), identity, totals, reduce.early_exit)
    first = pairs[begins]
    member, ranks = first // width, first % width
    indptr = xp.searchsorted(member, xp.arange(n + 1))
    if choose is None:
        return Grouped(indptr, named(ranks), totals)
    best = (xp.empty(n, dtype), xp.empty(n, np.int64))
    unset = (identity, np.int64(-1))
    everything = xp.arange(len(totals))
    _reduce(xp, indptr, everything, _best(choose), (totals, ranks), (dtype, np.dtype(np.int64)),
            unset, best, False)  # fmt: skip
    none = best[1] < 0
    return Chosen(xp.where(none, -1, named(xp.where(none, 0, best[1]))), best[0])


def _ranks(xp, key, n) -> tuple[Any, int, Any]:
    """The keys as numbers from 0 to below a width in the same order, and the way back to keys.

    They are shifted by the least, or, where their range is too wide to fold a vertex in, numbered.
    """
    least, most = (int(key.min()), int(key.max())) if n else (0, 0)
    width = most - least + 1
    if width * n < 2**62:
        return key - least, width, lambda rank: rank + least
    keys, rank = xp.unique(key, return_inverse=True)
    return rank.astype(np.int64), len(keys), lambda rank: keys[rank]


def _messages(xp, rows, ids, message, sent, target, rank, width, dtype) -> tuple[Any, Any]:
    """For every edge that reaches a member: the pair (member, key) in one number, the message."""
    indptr = rows.arrays[0]
    everyone, offsets = ids is None, indptr
    if not everyone:
        signed = indptr.view(np.int64)
        offsets = xp.zeros(len(ids) + 1, np.int64)
        offsets[1:] = xp.cumsum(signed[ids.astype(np.int64) + 1] - signed[ids])
        offsets = unsigned(offsets)
    count = len(rows.arrays[1]) if everyone else int(offsets[-1])
    # Beside these two their order, what sorting takes, and the pairs sorted.
    check_work("reduce_neighbors with key", (5 * count, np.int64), (count, dtype))
    pairs, messages = xp.empty(count, np.int64), xp.empty(count, dtype)
    run = message_kernel(message, arity(sent), arity(target), rows.weighted, rows.mapped, dtype,
                         everyone)  # fmt: skip
    lists = (offsets, indptr if everyone else ids, rank, pairs, messages)
    read = (indptr if sent is None else sent, indptr if target is None else target)
    run(blocks_for(count), THREADS, rows.arrays, lists, read, count, width)
    return pairs, messages


@cache
def message_kernel(message, sent, target, weighted, mapped, dtype, everyone) -> Any:
    """The kernel that writes the messages, one thread for each."""
    take, take_own, cast = taker(sent), taker(target), caster((dtype,))
    weight, edge, member = weight_reader(weighted), edge_reader(mapped), member_reader(everyone)

    @kernel
    def send(rows, lists, read, count, width):
        offsets, ids, rank, pairs, messages = lists
        i = cuda.grid(1)
        if i < count:
            k = source_of(offsets, np.uint64(i))
            v = member(ids, k)
            e = rows[0][np.uint64(v)] + np.uint64(i) - offsets[np.uint64(k)]
            u = rows[1][e]
            new = message(
                take(read[0], u), weight(rows[2], e), np.int64(u), edge(rows[3], e),
                take_own(read[1], np.uint64(v)),
            )  # fmt: skip
            messages[i] = cast(new)
            pairs[i] = v * width + rank[u]

    return send


def _reduce(xp, indptr, indices, combine, values, dtypes, identity, result, early_exit) -> None:
    """Reduce ``values[indices]`` in the rows that ``indptr`` marks."""
    indptr, indices = unsigned(indptr), unsigned(indices)
    plan = plan_rows(xp, indptr, None, REDUCING.cut)
    walk = keeping(
        Heard(_itself, arity(values), 0, False, False), Totals(combine, dtypes, early_exit)
    )
    rows = (indptr, indices, indptr, indptr)
    data = Data(rows, values, indptr, some_params(()), identity, result)
    walk_rows(xp, plan, REDUCING, walk, data)


@device
def _itself(value, weight, source, edge, own, column, params):
    return value


@cache
def _best(choose: str) -> Any:
    """The better one of two pairs (total, rank of the key); the less key among equals."""
    if choose == "max":
        ahead = device(lambda new, old: new > old)
    else:
        ahead = device(lambda new, old: new < old)

    @device
    def best(old, new):
        if old[1] < 0:
            return new
        if new[1] < 0:
            return old
        if ahead(new[0], old[0]) or (new[0] == old[0] and new[1] < old[1]):
            return new
        return old

    return best
