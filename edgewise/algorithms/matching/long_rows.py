"""Shortlists of vertices with very long rows, each row walked by many threads.

A list with few places is filled place by place: one pass over the row (`for_rows`) finds the best
edge that comes after the last one on the list. See `edgewise.algorithms.matching.shortlist`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.order import outranks
from edgewise.algorithms.matching.shortlist import Shortlists, before
from edgewise.algorithms.weighted_rows import WeightedRows
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import Frontier, Monoid, for_rows
from edgewise.operators.helpers import inner

__all__ = ["fill_hubs", "refill_hubs"]

#: Rows longer than the first, with no more places than the second, are those of hubs.
_LONG, _PLACES = 1 << 13, 64


def fill_hubs(graph: AnyGraph, rows: WeightedRows, bars: Any, lists: Shortlists) -> Any:
    """Fill the lists of all vertices whose rows are long and whose lists are short: their ids."""
    xp = graph.xp
    places = xp.diff(lists.starts)
    ids = xp.flatnonzero((xp.diff(graph.indptr) > _LONG) & (places > 0) & (places <= _PLACES))
    _fill(graph, ids, rows, bars, lists)
    return ids


def refill_hubs(
    graph: AnyGraph, ids: Any, owed: Any, rows: WeightedRows, bars: Any, lists: Shortlists
) -> None:
    """Fill the lists of those hubs again that owe something and have come to their lists' ends."""
    ended = (lists.coming[ids] >= lists.stop[ids]) & (lists.whole[ids] == 0) & (owed[ids] > 0)
    _fill(graph, ids[ended], rows, bars, lists)


def _fill(graph: AnyGraph, ids: Any, rows: WeightedRows, bars: Any, lists: Shortlists) -> None:
    """As `fill` for these vertices: their best edges, or the next ones."""
    starts, edges, coming, stop, whole, sign, _ = lists
    if len(ids) == 0:
        return
    last = graph.full(-1, np.int64)
    again = ids[stop[ids] > starts[ids]]
    last[again] = edges[stop[again] - 1]
    coming[ids], stop[ids], whole[ids] = starts[ids], starts[ids], 0
    own = (graph.vertex_ids(), last)
    params = {"rows": rows, "bars": bars, "least": lists.least}
    while len(ids):
        for_rows(
            graph, Frontier._trusted(graph.num_vertices, ids=ids.astype(np.int32)),
            _next_heavy if sign > 0 else _next_light, _append, (lists, last), own=own,
            reduce=_HEAVIEST if sign > 0 else _LIGHTEST, params=params,
            dtype=(rows.weights.dtype, np.int64, np.int64, np.int64),
        )  # fmt: skip
        ids = ids[(whole[ids] == 0) & (stop[ids] < starts[ids + 1])]


def _append(v, best, lists, last):
    """Put the edge that was found at the end of the list; there is no other if none was found."""
    if best[3] < 0:
        lists.whole[v] = 1
    else:
        lists.edges[lists.stop[v]] = best[3]
        last[v] = best[3]
        lists.stop[v] += 1


@inner
def _first_of(old, new, sign):
    """Of two edges (weight, vertex, neighbor, edge) the one that comes first on a list."""
    if old[2] < 0 or new[2] < 0:
        return new if old[2] < 0 else old
    if sign > 0:
        return new if outranks(new[1], new[0], new[2], old[0], old[2]) else old
    return new if outranks(new[1], old[0], old[2], new[0], new[2]) else old


_HEAVIEST = Monoid((0, -1, -1, -1), lambda old, new: _first_of(old, new, 1), idempotent=True)
_LIGHTEST = Monoid((0, -1, -1, -1), lambda old, new: _first_of(old, new, -1), idempotent=True)


def _next_heavy(source, edge, own, total, rows, bars, least):
    return _next(source, edge, own, total, rows, bars, least, 1)


def _next_light(source, edge, own, total, rows, bars, least):
    return _next(source, edge, own, total, rows, bars, least, -1)


@inner
def _next(u, e, own, total, rows, bars, least, sign):
    """The edge, if it follows the last one on the list and comes before the best so far."""
    weight = rows.weights[e * rows.stride]
    if total[2] >= 0 and sign * weight < sign * total[0]:
        return total
    if u == own[0] or not weight > least or weight < bars[u]:
        return total
    if own[1] >= 0 and not before(own[0], own[1], e, rows, sign):
        return total
    return _first_of(total, (weight, np.int64(own[0]), np.int64(u), np.int64(e)), sign)
