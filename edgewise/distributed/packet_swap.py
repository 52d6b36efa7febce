"""Packet swapping: what does not follow edges travels from any rank to any other in two hops.

A packet goes along its row group to the column of its destination, then along that column group: so
a rank sends to about 2 sqrt(p) others, not to p.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.distributed.exchange import Queue, kind_of, pack, share, unpack

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["ask", "hop", "post", "publish"]


def post(graph: GridGraph, ranks: Any, fields: tuple) -> tuple:
    """Send entry i of all fields to rank ``ranks[i]``; the fields of what arrives here."""
    grid, columns = graph.grid, graph.grid.shape[1]
    with grid.world.phase("packets"):
        ranks, *rest = hop(graph, grid.row, ranks % columns, (ranks, *fields))
        return hop(graph, grid.column, ranks // columns, tuple(rest))


def hop(graph: GridGraph, group: Any, toward: Any, fields: tuple) -> tuple:
    """Send entry i of all fields to rank ``toward[i]`` of one group; the fields of what arrives."""
    xp = graph.block.xp
    if group.size == 1:
        return fields
    order = xp.argsort(toward, kind="stable")
    counts = xp.bincount(toward, minlength=group.size).tolist()
    kinds = [kind_of(field) for field in fields]
    fields = tuple(field[order] for field in fields)
    ends = offsets(counts)
    parts = [
        pack(xp, tuple(field[low:high] for field in fields))
        for low, high in zip(ends, ends[1:], strict=False)
    ]
    entries, _ = group.alltoallv(np.array(counts, np.int64), [1] * group.size)
    words, sizes = group.alltoallv(xp.concatenate(parts), [len(part) for part in parts])
    starts = offsets(sizes)
    arrived = [
        unpack(words[low:high], int(count), kinds)
        for low, high, count in zip(starts, starts[1:], entries, strict=False)
    ]
    return tuple(xp.concatenate(one) for one in zip(*arrived, strict=True))


def ask(graph: GridGraph, values: Any, positions: Any) -> Any:
    """The values at any positions: those at hand, and of the others each is asked for once."""
    xp, numbering = graph.block.xp, graph.numbering
    here = xp.zeros(len(positions), bool)
    for side in ("row", "column"):
        of = numbering.of[side]
        here |= (positions >= of.low) & (positions < of.high)
    found = xp.empty((len(positions), *values.shape[1:]), values.dtype)
    found[here] = values[numbering.local(positions[here])]
    far = xp.flatnonzero(~here)
    wanted, back = xp.unique(positions[far], return_inverse=True)
    owners = graph.layout.piece(wanted)
    senders = xp.full(len(wanted), graph.grid.rank, np.int32)
    places = xp.arange(len(wanted), dtype=np.int64)
    asked, askers, slots = post(graph, owners, (wanted, senders, places))
    answers = values[numbering.local(asked)]
    slots, answers = post(graph, askers, (slots, answers))
    replies = xp.empty((len(wanted), *values.shape[1:]), values.dtype)
    replies[slots] = answers
    found[far] = replies[back.ravel()]
    return found


def publish(graph: GridGraph, ids: Any, values: tuple) -> Any:
    """Tell all copies what owners know about ``ids`` of their pieces; who has new values."""
    xp, group = graph.block.xp, graph.grid.row
    rows = ids
    if group.size > 1:
        with group.phase("share"):
            segments = Queue(graph, group, ids, values).gather()
        received = []
        for positions, *found in segments:
            places = graph.numbering.local(positions)
            received.append(places)
            for array, new in zip(values, found, strict=True):
                array[places] = new
        rows = xp.concatenate(received)
    return xp.unique(xp.concatenate([rows, share(graph, "row", rows, values)]))
