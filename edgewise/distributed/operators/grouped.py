"""`reduce_neighbors` with ``key=`` or ``via=`` on a grid: totals by key, all or the best of them.

The totals of all keys would be too much to reduce everywhere, so each rank of the group takes a
share of the vertices, gets what the others found about these, and merges it: the 2.5D processing of
Slota and Mandulak (ICPP 2025). Rows of all keys stay with these ranks. What is chosen travels back
as any other value. A group of one rank has all neighbors of its vertices, and the block's operator
chooses.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.offsets import offsets
from edgewise.base.random import draw
from edgewise.distributed.arrays import VertexArray
from edgewise.distributed.elementwise import taker, takes
from edgewise.distributed.exchange import kind_of, pack, spread, unpack
from edgewise.distributed.key_rows import KeyRows
from edgewise.distributed.landing import joined
from edgewise.distributed.operators.reduce_neighbors import gathering_view
from edgewise.distributed.operators.two_steps import with_rows
from edgewise.distributed.operators.views import View
from edgewise.distributed.packet_swap import ask
from edgewise.graph.transfer import rows_of
from edgewise.operators import MAX, for_each
from edgewise.operators.choices import gumbel, score_names
from edgewise.operators.engines import run
from edgewise.operators.finished_rows import in_order, shortened
from edgewise.operators.functions import Function, picker
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import Chosen, Grouped, several

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["Share", "all_keys", "check_way", "chosen", "in_share", "received", "share_of"]


class Share(NamedTuple):
    """The vertices of a side that this rank merges, and where the shares of the group begin."""

    group: Any
    vertices: slice  # local numbers
    bounds: list[int]

    @property
    def size(self) -> int:
        return self.vertices.stop - self.vertices.start

    @property
    def counts(self) -> list[int]:
        return [high - low for low, high in zip(self.bounds, self.bounds[1:], strict=False)]


def chosen(graph: GridGraph, here: Neighborhood, out: Any) -> Chosen:
    """The best key of every member; ``here`` is the request over this rank's parts."""
    view = _view(graph, here)
    alone = here.via is None and graph.grid.along(view.side).size == 1
    found = (_at_hand if alone else _merged)(graph, view, here)
    if out is None:
        made = Chosen(*(None if one is None else VertexArray(graph, one) for one in found))
    else:
        made = Chosen(*out)
    members = slice(None) if here.frontier is None else here.frontier.ids
    for array, into in zip(found, made, strict=True):
        if array is None:
            continue
        spread(graph, view.side, array)
        if out is not None:
            into.local[members] = array[members]
    return made


def all_keys(graph: GridGraph, here: Neighborhood) -> KeyRows:
    """The totals of all keys of every member, finished and in order where that is asked for."""
    view = _view(graph, here)
    _, share, rows = _rows(graph, view, here)
    ids = graph.ids[share.vertices]
    if here.finishing is not None:
        rows = shortened(graph.block.xp, graph.device, rows, ids, here.finishing)
        if here.sort:
            rows = in_order(graph.block.xp, rows)
    return KeyRows(graph, ids, rows)


def _view(graph: GridGraph, here: Neighborhood) -> View:
    """The rows along which members look, which must lie with one group of ranks."""
    check_way(graph, here.mode, "key" if here.via is None else "via")
    view = gathering_view(graph, here.mode, here.weights)
    view.tell_work(graph, None if here.frontier is None else here.frontier.ids)
    return view


def check_way(graph: GridGraph, mode: str, name: str) -> None:
    """ValueError if rows along both directions are asked for: they lie with different ranks."""
    if mode == "both" and graph.directed:
        raise ValueError(
            f'{name} with mode="both" is for undirected graphs on a grid; symmetrize it'
        )


def _at_hand(graph: GridGraph, view: View, here: Neighborhood) -> Chosen:
    """By the block's operator; arrays that are read at a key are put in the order of the ids."""
    if here.draw is not None:
        here = here._replace(draw=here.draw._replace(ids=graph.ids))
    ids = graph.block.xp.arange(graph.num_vertices, dtype=graph.layout.dtype)
    order = graph.numbering.local(graph.layout.position(ids)) if here.by_key else None
    request = here._replace(
        mode="out", weights=view.weights, out=None,
        by_key={
            name: one.local[order] if isinstance(one, VertexArray) else one
            for name, one in here.by_key.items()
        },
    )  # fmt: skip
    return run(view.rows, "reduce_neighbors")(view.rows, request)


def _merged(graph: GridGraph, view: View, here: Neighborhood) -> Chosen:
    """By each rank for its share of the vertices, from the totals of all ranks of the group."""
    absent = isinstance(here.choose, str) and here.choose == "absent"
    if absent:
        here = here._replace(message=Function(_present, ()), reduce=MAX, dtype=np.int32)
    if absent and here.via is not None:  # nobody is two steps away from itself
        here = here._replace(message=Function(_other, ("source", "own")), own=graph.ids)
    place, share, rows = _rows(graph, view, here)
    best, total = (_absent if absent else _best)(graph, here, share, rows)
    return Chosen(_returned(graph, share, place, best), _returned(graph, share, place, total))


def _rows(graph: GridGraph, view: View, here: Neighborhood) -> tuple[slice, Share, Grouped]:
    """The rows of this rank's share, from the totals of all ranks of the group; keys ascend."""
    request = here if here.via is None else with_rows(graph, view, here)
    request = request._replace(
        mode="out", weights=view.weights, choose=None, by_key={}, stay=None, out=None, draw=None,
        skip_empty=False, sort=False, finishing=None,
    )  # fmt: skip
    grouped = run(view.rows, "reduce_neighbors")(view.rows, request)
    place, share = share_of(graph, view.side)
    entries = received(graph, share, grouped, place)
    return place, share, _combined(graph, here, share, entries)


def share_of(graph: GridGraph, side: str) -> tuple[slice, Share]:
    """The local numbers of a side, and the share of them that this rank takes."""
    place, group = graph.numbering.slice(side), graph.grid.along(side)
    bounds = [(place.stop - place.start) * k // group.size for k in range(group.size + 1)]
    low, high = (place.start + bound for bound in bounds[group.rank : group.rank + 2])
    return place, Share(group, slice(low, high), bounds)


def received(graph: GridGraph, share: Share, grouped: Grouped, place: slice) -> tuple:
    """Send every row of the side to the rank that takes it: rows, keys and totals of the share.

    The totals may be several arrays.
    """
    xp, group = graph.block.xp, share.group
    ends = grouped.indptr[place.start : place.stop + 1]
    first, last = int(ends[0]), int(ends[-1])
    rows = rows_of(ends - first, last - first, np.int32, xp)
    found = grouped.keys, *several(grouped.totals)
    fields = rows, *(one[first:last] for one in found)
    cuts = [int(ends[bound]) - first for bound in share.bounds]
    pieces = list(zip(cuts, cuts[1:], strict=False))
    packed = [pack(xp, tuple(one[low:high] for one in fields)) for low, high in pieces]
    lengths = np.array([high - low for low, high in pieces])
    with group.phase("reduce"):
        entries, _ = group.alltoallv(lengths, [1] * group.size)
        words, sizes = group.alltoallv(xp.concatenate(packed), [len(part) for part in packed])
    starts, kinds = offsets(sizes), [kind_of(one) for one in fields]
    parts = [
        unpack(words[low:high], int(count), kinds)
        for low, high, count in zip(starts, starts[1:], entries, strict=False)
    ]
    rows, *rest = (xp.concatenate(one) for one in zip(*parts, strict=True))
    return rows - share.bounds[group.rank], *rest


def _combined(graph: GridGraph, here: Neighborhood, share: Share, entries: tuple) -> Grouped:
    """Rows of ascending keys, each once, with the totals combined; the keys to stay among them."""
    xp = graph.block.xp
    rows, keys, totals = entries
    if here.stay is not None:
        stay = here.stay[share.vertices]
        some = xp.flatnonzero((stay >= 0) & in_share(graph, here.frontier, share))
        nothing = here.reduce.identity_for(totals.dtype)
        rows = xp.concatenate([rows, some.astype(rows.dtype)])
        keys = xp.concatenate([keys, stay[some].astype(keys.dtype)])
        totals = xp.concatenate([totals, xp.full(len(some), nothing, totals.dtype)])
    order = xp.lexsort(xp.stack([keys.astype(np.int64), rows.astype(np.int64)]))
    rows, keys, totals = rows[order], keys[order], totals[order]
    fresh = xp.ones(len(rows), bool)
    fresh[1:] = (rows[1:] != rows[:-1]) | (keys[1:] != keys[:-1])
    first = joined(graph, here.reduce, fresh, (totals,))
    rows, keys, totals = rows[first], keys[first], totals[first]
    if here.skip_empty:
        some = totals != here.reduce.identity_for(totals.dtype)
        if here.stay is not None:
            some |= keys == here.stay[share.vertices][rows]
        rows, keys, totals = rows[some], keys[some], totals[some]
    return Grouped(offsets(xp.bincount(rows, minlength=share.size)), keys, totals)


def in_share(graph: GridGraph, members: Any, share: Share) -> Any:
    """Which vertices of the share are members."""
    xp = graph.block.xp
    if members is None:
        return xp.ones(share.size, bool)
    mask = xp.zeros(graph.numbering.size, bool)
    mask[members.ids] = True
    return mask[share.vertices]


def _best(graph: GridGraph, here: Neighborhood, share: Share, rows: Grouped) -> tuple:
    """The best key of each row, and how it is rated; the least key among equals."""
    xp = graph.block.xp
    ratings, nothing = rows.totals, here.reduce.identity_for(rows.totals.dtype)
    if isinstance(here.choose, Function):
        ratings, nothing = _rated(graph, here, share, rows), np.float64(-np.inf)
    ranks = ratings
    if here.draw is not None:
        ranks = ratings.copy()
        members = rows_of(rows.indptr, len(ranks), np.int64, xp)
        noise = (ranks, graph.ids[share.vertices], members, rows.keys, *here.draw[:2])
        for_each(len(ranks), _add_noise, noise, device=graph.device)
    best = xp.full(share.size, -1, np.int64)
    rating = xp.full(share.size, nothing, ratings.dtype)
    pick = _pick_least if here.choose == "min" else _pick_greatest
    state = (rows.indptr, rows.keys, ranks, ratings, best, rating)
    for_each(share.size, pick, state, device=graph.device)
    return best, rating


def _rated(graph: GridGraph, here: Neighborhood, share: Share, rows: Grouped) -> Any:
    """The score of every key of every row; what it reads at the keys is asked for."""
    xp, count = graph.block.xp, len(rows.keys)
    read = tuple(_at_keys(graph, array, rows.keys) for array in here.by_key.values())
    owned = graph.ids if here.own is None else here.own  # with via nobody may name it then
    own = tuple(array[share.vertices] for array in several(owned))
    ratings = xp.empty(count, np.float64)
    score = picker(here.choose, score_names(here.by_key), "choose")
    members = rows_of(rows.indptr, count, np.int64, xp)
    staying = _staying(graph, here, share, rows, members)
    kept = tuple(
        _at_stay(graph, array, here, share, rows) if f"staying_{name}" in here.choose.names
        else staying for name, array in here.by_key.items()
    )  # fmt: skip
    state = (ratings, members, rows.keys, rows.totals, staying, *own, *read, *kept)
    rate = _rating(score, len(own), len(read))
    for_each(count, rate, (*state, *here.choose.params), device=graph.device)
    return ratings


def _staying(
    graph: GridGraph, here: Neighborhood, share: Share, rows: Grouped, members: Any
) -> Any:
    """The total of the key that each row stays with; the identity where there is none."""
    nothing = here.reduce.identity_for(rows.totals.dtype)
    staying = graph.block.xp.full(share.size, nothing, rows.totals.dtype)
    if "staying" in here.choose.names:
        same = rows.keys == here.stay[share.vertices][members]
        staying[members[same]] = rows.totals[same]
    return staying


def _at_keys(graph: GridGraph, array: Any, keys: Any) -> Any:
    """The elements of an array at keys: vertices anywhere, or positions in one at hand."""
    if not isinstance(array, VertexArray):
        return array[keys]
    return ask(graph, array.local, graph.layout.position(keys.astype(graph.layout.dtype)))


def _at_stay(graph: GridGraph, array: Any, here: Neighborhood, share: Share, rows: Grouped) -> Any:
    """The elements of an array at the keys that rows stay with, which are asked for; else 0."""
    xp, stay = graph.block.xp, here.stay[share.vertices]
    some = xp.flatnonzero((stay >= 0) & (rows.indptr[1:] > rows.indptr[:-1]))
    found = _at_keys(graph, array, stay[some])
    kept = xp.zeros(share.size, found.dtype)
    kept[some] = found
    return kept


@cache
def _rating(score: Any, width: int, read: int) -> Any:
    """``rate(i, ratings, rows, keys, totals, staying, *own, *read, *kept, *params)``."""
    owned, at_key, ends = taker(width), takes(read), width + read
    last = ends + read

    def rate(i, ratings, rows, keys, totals, staying, *rest):
        v = rows[i]
        given = (totals[i], keys[i], owned(rest[:width], v), staying[v])
        read, kept = at_key(rest[width:ends], i), at_key(rest[ends:last], v)
        ratings[i] = score((*given, *read, *kept, *rest[last:]))

    return rate


def _absent(graph: GridGraph, here: Neighborhood, share: Share, rows: Grouped) -> tuple:
    """The least key from 0 on that is not in a member's row."""
    best = graph.block.xp.full(share.size, -1, np.int64)
    state = (rows.indptr, rows.keys, rows.totals, in_share(graph, here.frontier, share), best)
    for_each(share.size, _least_absent, state, device=graph.device)
    return best, None


def _returned(graph: GridGraph, share: Share, place: slice, part: Any) -> Any:
    """What all ranks of the group found for their shares, at its place among local numbers."""
    if part is None:
        return None
    whole = graph.block.xp.empty(graph.numbering.size, part.dtype)
    with share.group.phase("reduce"):
        whole[place] = share.group.allgatherv(part, share.counts)[0]
    return whole


def _present():
    return 1


def _other(source, own):
    return 1 if source != own else 0


def _least_absent(v, indptr, keys, present, members, best):
    if members[v]:
        absent = 0
        for e in range(indptr[v], indptr[v + 1]):
            if keys[e] == absent and present[e] > 0:
                absent += 1
        best[v] = absent


def _add_noise(e, ranks, ids, rows, keys, temperature, seed):
    word = _draw(seed, np.uint64(ids[rows[e]]), np.uint64(keys[e]) + np.uint64(1))
    ranks[e] += temperature * _gumbel(word)


def _pick_greatest(v, indptr, keys, ranks, ratings, best, rating):
    top = indptr[v]
    for e in range(top + 1, indptr[v + 1]):
        new, old = ranks[e], ranks[top]
        if new > old or (old != old and new == new):
            top = e
    if top < indptr[v + 1]:
        best[v], rating[v] = keys[top], ratings[top]


def _pick_least(v, indptr, keys, ranks, ratings, best, rating):
    top = indptr[v]
    for e in range(top + 1, indptr[v + 1]):
        new, old = ranks[e], ranks[top]
        if new < old or (old != old and new == new):
            top = e
    if top < indptr[v + 1]:
        best[v], rating[v] = keys[top], ratings[top]


_draw, _gumbel = inner(draw), inner(gumbel)
