"""`reduce_neighbors` on CUDA: every member's row by threads enough for its length, no atomics.

Along two steps, rows go to threads by the number of their paths. Each warp takes an edge of the
first step, and its lanes those of the second.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import load, store
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, translated
from edgewise.base.cuda.language import cuda
from edgewise.operators.adjacency import ALL, second_step
from edgewise.operators.cuda.gather import ALONG, Data, together
from edgewise.operators.cuda.inner import caller, cast, dtypes_of, put, same, take, weight_at
from edgewise.operators.cuda.messages import flat, keeping, listening, params_of
from edgewise.operators.cuda.row_plan import Cut
from edgewise.operators.cuda.state import THREADS, incoming
from edgewise.operators.cuda.totals import Totals
from edgewise.operators.cuda.walk import Deal, Walk, deal_out, walk_members, walk_rows
from edgewise.operators.frontier import vertex_members
from edgewise.operators.functions import Function, naming_failures
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import reduced

__all__ = ["reduce_neighbors"]

#: The most paths of two steps for eight lanes and for a warp; others are for a block.
_DEAL = Deal(Cut(127, 4095, ALL, ALL), (8, 32, THREADS), (8, 8, 1))
if simulated():  # which knows no warps
    _DEAL = Deal(Cut(-1, -1, ALL, ALL), (0, 0, THREADS), (1, 1, 1))


def reduce_neighbors(graph, request: Neighborhood) -> Any:
    """See `edgewise.operators.reduce_neighbors`."""
    names = () if request.message is None else request.message.names
    rows = incoming(graph, request.mode, request.weights, names)
    ids = None if request.frontier is None else vertex_members(graph, request.frontier).ids
    if request.key is not None:
        from edgewise.operators.cuda.keyed import keyed

        return keyed(graph, rows, ids, request)
    values, reduce = request.values, request.reduce
    own = values if request.own is None else request.own
    fill = ids is not None and request.out is None
    result = reduced(graph, values, reduce, request.dtype, request.out, fill=fill)
    message, dtypes = request.message, dtypes_of(result)
    if request.via is not None:
        _two_steps(graph, rows, ids, request, result)
        return result
    heard, totals, data = listening(message, rows, values, own, reduce, dtypes)
    data = data._replace(outputs=flat(result))
    with naming_failures(message, Function(reduce.combine, ())):
        walk_members(graph, request.mode, ids, keeping(heard, totals), data)
    return result


def _two_steps(graph, rows: Any, ids: Any, request: Neighborhood, result: Any) -> None:
    """Put the totals over all paths of two steps into the results."""
    from edgewise.operators.cuda.keyed import reached

    message, reduce, dtypes = request.message, request.reduce, dtypes_of(result)
    names, paths = message.names, reached(graph, rows, ids, request.via, request.mode)
    totals = Totals(translated(reduce.combine), dtypes, reduce.early_exit)
    data = Data(
        rows.arrays, second_step(request.via, names)[:3], paths,
        request.values if "value" in names else None, request.own if "own" in names else None,
        params=params_of(message), identity=reduce.identity_for(*dtypes), outputs=result,
    )  # fmt: skip
    plan, deal = deal_out(graph, request.mode, rows.arrays[0], ids, _DEAL, reach=paths)
    with naming_failures(message, Function(reduce.combine, ())):
        walk = along_two(caller(message.given, names, ALONG), totals)
        walk_rows(graph.xp, plan, deal, walk, data)


@cache
def along_two(message: Any, totals: Totals) -> Walk:
    """The walk that puts the total over all paths of two steps of a row into the outputs.

    With early exit, lanes of a row that has a value take no further edge of the first step.
    """
    combine, early_exit = totals.combine, totals.early_exit

    @device
    def at(e, f, weight, own, data, total):
        w = data.onward[1][f]
        value, onward = take(data.sent, w), weight_at(data.onward[2], f)
        new = message(value, weight, onward, np.int64(w), own, data.params)
        return cast(total, combine(total, cast(total, new)))

    @device
    def open(data):
        found = cuda.shared.array(THREADS, np.int32)
        return (found,)

    def fold_of(lanes: int) -> Any:
        inner, sync = min(lanes, 32), together(lanes)
        step = np.uint64(lanes // inner)

        @device
        def fold(row, lane, stride, data, shared):
            own, total, found = take(data.own, row.v), data.identity, shared[0]
            flag = cuda.threadIdx.x // lanes
            if early_exit:
                sync()  # nobody reads the flag of the row before
                if lane == 0:
                    store(found, flag, np.int32(0))
                sync()
            e = row.low + np.uint64(lane // inner)
            while e < row.high and not (early_exit and load(found, flag) != 0):
                u, weight = np.uint64(data.rows[1][e]), weight_at(data.rows[2], e)
                f, last = data.onward[0][u], data.onward[0][u + np.uint64(1)]
                f += np.uint64(lane % inner)
                while f < last:
                    total = at(e, f, weight, own, data, total)
                    f += np.uint64(inner)
                    if early_exit and not same(total, data.identity):
                        store(found, flag, np.int32(1))
                        f = last
                e += step
            return total

        return fold

    @device
    def settle(row, total, so_far, data):
        put(data.outputs, row.v, total)
        return so_far

    return Walk(cache(fold_of), totals, settle, open)
