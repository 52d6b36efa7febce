"""`reduce_neighbors` on CUDA: every member's row by threads enough for its length, no atomics."""

from __future__ import annotations

from functools import cache
from typing import Any

from edgewise.base.cuda.kernels import Packed, device
from edgewise.operators.cuda.inner import dtypes_of, place_of, put
from edgewise.operators.cuda.messages import (
    Heard,
    flat,
    hearing,
    listening,
)
from edgewise.operators.cuda.row_plan import longest_row
from edgewise.operators.cuda.state import incoming
from edgewise.operators.cuda.totals import Totals
from edgewise.operators.cuda.walk import (
    COLUMNED,
    REDUCING,
    SHORT,
    Walk,
    deal_out,
    walk_rows,
    walk_short,
)
from edgewise.operators.frontier import vertex_members
from edgewise.operators.functions import Function, naming_failures
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import reduced

__all__ = ["keeping", "reduce_neighbors", "walk_members"]


def reduce_neighbors(graph, request: Neighborhood) -> Any:
    """See `edgewise.operators.reduce_neighbors`."""
    names = () if request.message is None else request.message.names
    rows = incoming(graph, request.edges, request.weights, names)
    ids = None if request.frontier is None else vertex_members(graph, request.frontier).ids
    if request.key is not None or request.via is not None:
        from edgewise.operators.cuda.keyed import keyed

        return keyed(graph, rows, ids, request)
    values, reduce = request.values, request.reduce
    own = values if request.own is None else request.own
    fill = ids is not None and request.out is None
    result = reduced(graph, values, reduce, request.dtype, request.out, fill=fill)
    message, dtypes = request.message, dtypes_of(result)
    heard, totals, data = listening(message, rows, values, own, reduce, dtypes)
    data = data._replace(outputs=flat(result))
    with naming_failures(message, Function(reduce.combine, ())):
        walk_members(graph, request.edges, ids, keeping(heard, totals), data)
    return result


def walk_members(graph, edges, ids, walk: Walk, data: Any, zero: Any = 0) -> None:
    """Walk the rows of all vertices (``ids`` is None), of a few, or of many."""
    arrays = data.rows.argument if isinstance(data.rows, Packed) else data.rows
    if longest_row(graph, edges, arrays[0])[0] <= SHORT:
        count = graph.num_vertices if ids is None else len(ids)
        return walk_short(walk, ids, count, data, zero)
    deal = COLUMNED if walk.columned else REDUCING
    plan, deal = deal_out(graph, edges, arrays[0], ids, deal)
    return walk_rows(graph.xp, plan, deal, walk, data, zero)


@cache
def keeping(heard: Heard, totals: Totals) -> Walk:
    """The walk that puts the total of every row into the outputs."""
    place = place_of(heard.columned)

    @device
    def settle(row, total, so_far, data):
        put(data.outputs, place(row.v, row.column, data), total)
        return so_far

    return Walk(hearing(heard, totals), totals, settle, columned=heard.columned)
