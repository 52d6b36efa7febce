"""`mark_duplicates` on a grid: each rank its part of every row, then the best of all parts.

A rank marks the duplicates of its own part of a row. The best vertex of each key then travels to
the rank that takes the row, as totals by key do, where the best of all parts keeps the key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.distributed.arrays import local_state
from edgewise.distributed.frontier import local_members
from edgewise.distributed.operators.grouped import check_way, in_share, received, share_of
from edgewise.distributed.operators.reduce_neighbors import gathering_view
from edgewise.distributed.operators.views import View
from edgewise.distributed.packet_swap import post, publish
from edgewise.operators import MIN
from edgewise.operators.engines import run
from edgewise.operators.functions import Function
from edgewise.operators.requests import Duplicates, Neighborhood

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["mark_duplicates"]


def mark_duplicates(graph: GridGraph, request: Duplicates) -> Any:
    """See `edgewise.operators.mark_duplicates`."""
    out = graph.full(False, bool) if request.out is None else request.out
    marks, key = local_state(graph, out, "out"), local_state(graph, request.key, "key")
    rank = None if request.rank is None else local_state(graph, request.rank, "rank")
    here = request._replace(frontier=local_members(graph, request.frontier), key=key, rank=rank)
    if graph.alone:
        run(graph.whole, "mark_duplicates")(graph.whole, here._replace(out=marks))
        return out
    check_way(graph, request.mode, "mark_duplicates")
    ids = _marked(graph, gathering_view(graph, request.mode, None), here)
    positions = graph.layout.position(ids.astype(graph.layout.dtype))
    (positions,) = post(graph, graph.layout.piece(positions), (positions,))
    places = graph.numbering.local(graph.block.xp.unique(positions))
    marks[places] = True
    publish(graph, places, (marks,))
    return out


def _marked(graph: GridGraph, view: View, here: Duplicates) -> Any:
    """The ids of vertices that this rank finds to be duplicates."""
    xp, ids, key = graph.block.xp, graph.ids, here.key
    rank = ids if here.rank is None else here.rank
    order = _sorted((ids, rank))
    place = xp.empty(len(order), np.int64)
    place[order] = xp.arange(len(order))
    view.tell_work(graph, None if here.frontier is None else here.frontier.ids)
    local = here._replace(rank=place, closed=False, mode="out", out=xp.zeros(len(order), bool))
    worse = run(view.rows, "mark_duplicates")(view.rows, local)
    asked = Neighborhood(here.frontier, Function(_value, ("value",)), place, MIN, key=key,
                         mode="out", weights=None)  # fmt: skip
    grouped = run(view.rows, "reduce_neighbors")(view.rows, asked)
    best = order[grouped.totals]
    side, share = share_of(graph, view.side)
    sent = grouped._replace(totals=(rank[best], ids[best]))
    rows, keys, ranks, names = received(graph, share, sent, side)
    if here.closed:
        own = share.vertices
        some = xp.flatnonzero(in_share(graph, here.frontier, share))
        more = some, key[own][some], rank[own][some], ids[own][some]
        rows, keys, ranks, names = (
            xp.concatenate([one, new.astype(one.dtype)])
            for one, new in zip((rows, keys, ranks, names), more, strict=True)
        )
    order = _sorted((names, ranks, keys, rows))
    order = order[keys[order] >= 0]
    rows, keys, names = rows[order], keys[order], names[order]
    fresh = xp.ones(len(rows), bool)
    fresh[1:] = (rows[1:] != rows[:-1]) | (keys[1:] != keys[:-1])
    winners = names[fresh][xp.cumsum(fresh) - 1]
    return xp.unique(xp.concatenate([ids[worse], names[names != winners]]))


def _sorted(keys: tuple) -> Any:
    """The positions in the order of keys, of which the last counts first; NaN is the last."""
    order = keys[0].argsort(kind="stable")
    for key in keys[1:]:
        order = order[key[order].argsort(kind="stable")]
    return order


def _value(value):
    return value
