"""`reduce_neighbors` on a grid: each rank its part of every neighborhood, then one reduction.

With ``key`` the totals of all keys would be too much to reduce everywhere, so each rank of the
group takes a share of the vertices, gets what the others found about these, and merges it: the 2.5D
processing of Slota and Mandulak (ICPP 2025). What is chosen travels back as any other value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.distributed.arrays import VertexArray, local, local_state
from edgewise.distributed.exchange import dense, kind_of, pack, reduce_along, share, spread, unpack
from edgewise.distributed.frontier import local_members
from edgewise.distributed.landing import Span, dense_operation, landed, operation_name
from edgewise.distributed.operators.messages import chosen_weights, localized
from edgewise.distributed.operators.views import View, into_view, out_view
from edgewise.distributed.tuning import tuning
from edgewise.operators import compute, reduce_neighbors as local_reduce
from edgewise.operators.functions import Function
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import Chosen, reduced

__all__ = ["neighbor_totals", "reduce_neighbors", "side_total"]


def reduce_neighbors(graph, request: Neighborhood) -> Any:
    """See `edgewise.operators.reduce_neighbors`."""
    if (
        request.stay is not None
        or request.via is not None
        or request.message is None
        or request.message.params
        or isinstance(request.choose, Function)
        or request.choose == "absent"
    ):
        raise NotImplementedError("params, scores, absent, stay and via on a grid")
    return neighbor_totals(
        graph, request.frontier, request.message.given, request.values, request.reduce,
        request.own, request.key, request.choose, request.edges, request.weights, request.dtype,
        request.out,
    )  # fmt: skip


def neighbor_totals(graph, frontier, message, values, reduce, own, key, choose, edges, weights,
                    dtype, out) -> Any:  # fmt: skip
    """The same, its arguments one by one."""
    if graph.alone:
        return _alone(graph, frontier, message, values, reduce, own, key, choose, edges, weights,
                      dtype, out)  # fmt: skip
    if edges == "both" and graph.directed:
        return _both(graph, frontier, message, values, reduce, own, key, weights, dtype, out)
    view = gathering_view(graph, edges, weights)
    members = local_members(graph, frontier)
    state = local_state(graph, values, "values")
    target = state if own is None else local_state(graph, own, "own")
    if key is not None:
        key = local_state(graph, key, "key")
        return _by_key(graph, view, members, message, state, target, reduce, key, choose, dtype)
    made = None if out is None else local_state(graph, out, "out")
    apart = members is not None  # other ranks' parts meet in an array that holds the identity
    result = reduced(graph.block, state, reduce, _type_of(made, dtype) if apart else dtype,
                     None if apart else made, fill=apart)  # fmt: skip
    arrays = result if isinstance(result, tuple) else (result,)
    _partial(graph, view, members, message, state, target, reduce, result, dtype)
    if members is None and len(arrays) == 1 and dense_operation(graph.block.xp, reduce, arrays):
        dense(graph, view.side, arrays[0], dense_operation(graph.block.xp, reduce, arrays))
    else:
        ids = _found(graph, view.side, arrays, reduce)
        ids = reduce_along(graph, view.side, ids, arrays, reduce, tuning().pattern, apart=True)
        share(graph, view.side, ids, arrays)
    if out is not None:
        if members is not None:
            for old, new in zip(made if isinstance(made, tuple) else (made,), arrays, strict=True):
                old[members.ids] = new[members.ids]
        return out
    found = tuple(VertexArray(graph, array) for array in arrays)
    return found if isinstance(result, tuple) else found[0]


def _type_of(made: Any, dtype: Any) -> Any:
    """The type of the result: that of where it goes, or what is asked for."""
    if made is None:
        return dtype
    return tuple(one.dtype for one in made) if isinstance(made, tuple) else made.dtype


def _alone(graph, frontier, message, values, reduce, own, key, choose, edges, weights, dtype,
           out) -> Any:  # fmt: skip
    """One rank has the whole graph."""
    parts = [
        None if array is None else local_state(graph, array, name)
        for array, name in ((values, "values"), (own, "own"), (key, "key"), (out, "out"))
    ]
    found = local_reduce(
        graph.whole, local_members(graph, frontier), message, parts[0], reduce=reduce,
        own=parts[1], key=parts[2], choose=choose, edges=edges,
        weights=chosen_weights(graph, weights), dtype=dtype, out=parts[3],
    )  # fmt: skip
    if out is not None:
        return out
    if key is not None and choose is None:
        raise ValueError("key on a grid needs choose")
    if not isinstance(found, tuple):
        return VertexArray(graph, found)
    arrays = (VertexArray(graph, array) for array in found)
    return Chosen(*arrays) if key is not None else tuple(arrays)


def _both(graph, frontier, message, values, reduce, own, key, weights, dtype, out) -> Any:
    """Along both directions of a directed graph's arcs: one after the other, then combined."""
    if key is not None:
        raise ValueError('key with edges="both" is for undirected graphs on a grid; symmetrize it')
    parts = [
        neighbor_totals(
            graph, frontier, message, values, reduce, own, None, None, edges, weights, dtype, made
        )  # fmt: skip
        for edges, made in (("in", out), ("out", None))
    ]
    first, second = (part if isinstance(part, tuple) else (part,) for part in parts)
    ids = graph.block.xp.arange(graph.numbering.size, dtype=np.int32)
    landed(graph, reduce, tuple(map(local, first)), ids, tuple(map(local, second)))
    return parts[0]


def gathering_view(graph: Any, edges: str, weights: Any) -> View:
    """The rows along which members look at their neighbors."""
    weights = chosen_weights(graph, weights)
    if edges == "out" and graph.directed:
        return into_view(graph, "pull", weights)
    return out_view(graph, "pull", weights)


def side_total(graph, view, message, state, reduce, dtype, sent) -> Any:
    """For every vertex of the view's side the total, the same within the group of that side.

    Each rank's part is totalled in ``dtype`` and travels in the type ``sent``.
    """
    total = graph.block.xp.empty(graph.numbering.size, dtype)
    _partial(graph, view, None, message, state, state, reduce, total, dtype)
    place, group = graph.numbering.slice(view.side), graph.grid.along(view.side)
    operation = dense_operation(graph.block.xp, reduce, (total,))
    if operation is None:
        raise ValueError("reduce must be MIN, MAX, ADD or ANY here on a grid")
    with group.phase("reduce"):
        total[place] = group.allreduce(total[place].astype(sent, copy=False), operation)
    return total


def _partial(graph, view, members, message, state, target, reduce, out, dtype) -> None:
    """What this rank's arcs contribute."""
    view.tell_work(graph, None if members is None else members.ids)
    adapted, seen = localized(graph, message, state)
    local_reduce(view.rows, members, adapted, seen, reduce=reduce, own=target, edges="out",
                 weights=view.weights, out=out)  # fmt: skip


def _found(graph: Any, side: str, arrays: tuple, reduce: Any) -> Any:
    """The vertices of a side that this rank found something for."""
    xp, place = graph.block.xp, graph.numbering.slice(side)
    identity = reduce.identity_for(*(array.dtype for array in arrays))
    identity = identity if isinstance(identity, tuple) else (identity,)
    some = xp.zeros(place.stop - place.start, bool)
    for array, one in zip(arrays, identity, strict=True):
        some |= array[place] != one
    return (xp.flatnonzero(some) + place.start).astype(np.int32)


def _by_key(graph, view, members, message, state, target, reduce, key, choose, dtype) -> Chosen:
    """Totals by key, merged by the rank of the group that takes the vertex; the best comes back."""
    name = operation_name(reduce)
    if choose is None or name is None:
        raise ValueError("key on a grid needs choose, and MIN, MAX or ADD as reduce")
    view.tell_work(graph, None if members is None else members.ids)
    adapted, seen = localized(graph, message, state)
    grouped = local_reduce(view.rows, members, adapted, seen, reduce=reduce, own=target, key=key,
                           edges="out", weights=view.weights, dtype=dtype)  # fmt: skip
    xp, place, group = graph.block.xp, graph.numbering.slice(view.side), graph.grid.along(view.side)
    size = place.stop - place.start
    shares = [size * k // group.size for k in range(group.size + 1)]
    rows = grouped.indptr[place.start : place.stop + 1]
    lengths = xp.diff(rows)
    low, high = int(rows[0]), int(rows[-1])
    with group.phase("reduce"):
        merged = _merged(graph, group, shares, lengths, grouped.keys[low:high],
                         grouped.totals[low:high], name)  # fmt: skip
        indptr, keys, totals = merged
        mine = shares[group.rank + 1] - shares[group.rank]
        nothing = reduce.identity_for(totals.dtype)
        best, total = xp.full(mine, -1, keys.dtype), xp.full(mine, nothing, totals.dtype)
        pick = _pick_greatest if choose == "max" else _pick_least
        compute(Span(mine, graph.device, xp), None, pick, (indptr, keys, totals, best, total))
        counts = [high - low for low, high in zip(shares, shares[1:], strict=False)]
        best, total = group.allgatherv(best, counts)[0], group.allgatherv(total, counts)[0]
    whole = []
    for part, fill in ((best, -1), (total, nothing)):
        array = xp.full(graph.numbering.size, fill, part.dtype)
        array[place] = part
        spread(graph, view.side, array)
        whole.append(VertexArray(graph, array))
    return Chosen(*whole)


def _merged(graph, group, shares, lengths, keys, totals, name) -> tuple:
    """Send every row to the rank that takes it; equal keys of a row are combined there."""
    xp = graph.block.xp
    if group.size == 1:
        return xp.concatenate([xp.zeros(1, np.int64), lengths.cumsum()]), keys, totals
    ends = xp.concatenate([xp.zeros(1, np.int64), lengths.cumsum()])
    bounds = [int(ends[share]) for share in shares]
    rows = xp.repeat(xp.arange(len(lengths), dtype=np.int32), lengths) if xp is np else (
        xp.searchsorted(ends, xp.arange(len(keys)), side="right").astype(np.int32) - 1)  # fmt: skip
    kinds = [kind_of(one) for one in (rows, keys, totals)]
    cuts = list(zip(bounds, bounds[1:], strict=False))
    packed = [pack(xp, (rows[low:high], keys[low:high], totals[low:high])) for low, high in cuts]
    entries, _ = group.alltoallv(np.array([high - low for low, high in cuts]), [1] * group.size)
    words, sizes = group.alltoallv(xp.concatenate(packed), [len(part) for part in packed])
    starts = np.cumsum([0, *sizes])
    parts = [
        unpack(words[low:high], int(count), kinds)
        for low, high, count in zip(starts, starts[1:], entries, strict=False)
    ]
    rows, keys, totals = (xp.concatenate(one) for one in zip(*parts, strict=True))
    first = shares[group.rank]
    return _combined_rows(xp, rows - first, keys, totals, shares[group.rank + 1] - first, name)


def _combined_rows(xp: Any, rows: Any, keys: Any, totals: Any, count: int, name: str) -> tuple:
    """Rows of ascending keys, each once, with the totals combined."""
    order = xp.lexsort(xp.stack([keys.astype(np.int64), rows.astype(np.int64)]))
    rows, keys, totals = rows[order], keys[order], totals[order]
    fresh = xp.ones(len(rows), bool)
    fresh[1:] = (rows[1:] != rows[:-1]) | (keys[1:] != keys[:-1])
    starts = xp.flatnonzero(fresh)
    place = fresh.cumsum() - 1
    out = totals[starts]
    later = xp.flatnonzero(~fresh)
    ufunc = {"sum": xp.add, "min": xp.minimum, "max": xp.maximum}[name]
    ufunc.at(out, place[later], totals[later])
    counts = xp.bincount(rows[starts], minlength=count)
    indptr = xp.concatenate([xp.zeros(1, np.int64), counts.cumsum().astype(np.int64)])
    return indptr, keys[starts], out


def _pick_greatest(v, indptr, keys, totals, best, total):
    for e in range(indptr[v], indptr[v + 1]):
        if e == indptr[v] or totals[e] > total[v]:
            best[v] = keys[e]
            total[v] = totals[e]


def _pick_least(v, indptr, keys, totals, best, total):
    for e in range(indptr[v], indptr[v + 1]):
        if e == indptr[v] or totals[e] < total[v]:
            best[v] = keys[e]
            total[v] = totals[e]
