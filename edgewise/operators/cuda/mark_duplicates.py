"""`mark_duplicates` on CUDA: the vertices of a row compete for their keys in its hash table.

The table holds the best vertex of each key so far, plus one; 0 stands for none. One that meets
another under its key marks the worse of the two at once, so a row is walked once.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import cas
from edgewise.base.cuda.kernels import device
from edgewise.graph import Graph
from edgewise.operators.choices import better_by
from edgewise.operators.cuda.gather import KEYED, Data, Gathering
from edgewise.operators.cuda.long_tables import gather_rows
from edgewise.operators.cuda.state import incoming
from edgewise.operators.cuda.walk import Walk, deal_out
from edgewise.operators.frontier import vertex_members
from edgewise.operators.requests import Duplicates

__all__ = ["mark_duplicates"]


def mark_duplicates(graph: Graph, request: Duplicates) -> Any:
    """See `edgewise.operators.mark_duplicates`."""
    xp, key, rank, mode = graph.xp, request.key, request.rank, request.mode
    out = xp.zeros(graph.num_vertices, bool) if request.out is None else request.out
    rows = incoming(graph, mode, None, ()).arrays
    ids = None if request.frontier is None else vertex_members(graph, request.frontier).ids
    kept = np.dtype(graph.id_dtype)
    how = Gathering(None, _first, kept, narrow=np.can_cast(key.dtype, np.int32),
                    contest=contesting(rank is not None, kept), closed=request.closed)  # fmt: skip
    data = Data(rows, rows[:3], None, own=rank, key=key, empty=kept.type(0), outputs=out)
    plan, deal = deal_out(graph, mode, rows[0], ids, KEYED, alone=KEYED.cut.warp)
    gather_rows(xp, plan, deal, how, _DONE, data)
    return out


@cache
def contesting(ranked: bool, dtype: np.dtype) -> Any:
    """``contest(totals, at, u, data)``: keep the better of u and the vertex that is there."""
    kind, better = dtype.type, better_by(True, device)
    first = device(lambda v, w, rank: v < w)
    if ranked:
        first = device(lambda v, w, rank: better(rank[v], v, rank[w], w))

    @device
    def contest(totals, at, u, data):
        v = np.int64(u)
        mine = kind(v + 1)
        there = cas(totals, at, kind(0), mine)
        while there != 0 and there != mine:
            w = np.int64(there) - 1
            if not first(v, w, data.own):
                data.outputs[v] = True
                break
            found = cas(totals, at, there, mine)
            if found == there:
                data.outputs[w] = True
                break
            there = found

    return contest


@device
def _first(old, new):
    return old


#: There is nothing to look for in a table.
_DONE = Walk(device(lambda row, lane, step, table, data: 0))
