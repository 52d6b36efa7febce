"""How ranks of a grid bring the copies of vertices in line: the communication patterns of [1].

New values arise on one *side*: pushing changes column vertices, pulling changes row vertices. First
the ranks that share that side reduce (column groups share column vertices); then, along the other
direction, ranks that have a vertex on both sides hand its value on to those that have it on the
other. *Dense* patterns send all values of a side, *sparse* ones queues of (position, value) for
what changed. The reduction of tuples, and by a user's own monoid, is always sparse. Values may be
rows of several columns; a row travels as one.

A group switches by itself: its ranks first tell each other how long their queues are, and send
everything if that is no more bytes. The paper switches below N / max(R, C) updates in all; here it
is each group that counts, this round's updates, and bytes (docs/decisions/0009-grid.md). Short
queues travel with their length, so that a round of few updates takes one collective in each
direction.

[1] G. Slota, M. Mandulak. Scaling distributed graph processing to hundreds of GPUs. ICPP 2025.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.distributed.landing import dense_operation, landed
from edgewise.operators.results import several

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = [
    "OTHER", "Queue", "agree", "dense", "kind_of", "pack", "reduce_along", "reduced_over", "share",
    "spread", "unique", "unpack",
]  # fmt: skip

OTHER = {"row": "column", "column": "row"}
#: Queues up to so many words travel with their length.
_SHORT = 32


def agree(graph: GridGraph, side: str, ids: Any, values: tuple, reduce: Any, pattern: str) -> Any:
    """Combine what the ranks changed on one side, and tell all copies: the changed local numbers.

    ``values[ids]`` holds what this rank found, combined with what was there before.
    """
    ids = reduce_along(graph, side, ids, values, reduce, pattern, apart=reduce.early_exit)
    return unique(graph, [ids, share(graph, side, ids, values, pattern)])


def reduce_along(
    graph: GridGraph, side: str, ids: Any, values: tuple, reduce: Any, pattern: str, *, apart: bool
) -> Any:
    """Combine the values at ``ids`` within the group of a side; the local numbers that changed.

    ``apart`` says that before the call there was the identity at ``ids``: all contributions are
    then combined in the order of the ranks, so that all ranks get bitwise the same.
    """
    group = graph.grid.along(side)
    if group.size == 1:
        return ids
    with group.phase("reduce"):
        queue = Queue(graph, group, ids, values)
        operation = dense_operation(graph.block.xp, reduce, values)
        vertices = graph.numbering.of[side].size
        passes = 2 * (group.size - 1) / group.size  # of an all-reduce over its array
        if operation is not None and queue.is_dense(pattern, passes * vertices):
            part = values[0][graph.numbering.slice(side)]
            total = reduced_over(group, part, operation)
            changed = _places(graph, side, _differs(total, part))
            part[:] = total
            return unique(graph, [ids, changed])
        segments = queue.gather()
    if apart:
        identity = reduce.identity_for(*(array.dtype for array in values))
        for array, one in zip(values, several(identity), strict=True):
            array[ids] = one
    changed = [] if apart else [ids]
    for rank, segment in enumerate(segments):
        if len(segment[0]) and (apart or rank != group.rank):
            places = graph.numbering.local(segment[0])
            changed.append(landed(graph, reduce, values, places, segment[1:]))
    return unique(graph, changed)


def share(graph: GridGraph, side: str, ids: Any, values: tuple, pattern: str = "auto") -> Any:
    """Hand the values at ``ids`` of one side on to the copies on the other; who has new ones."""
    other = OTHER[side]
    group = graph.grid.along(other)
    range_of_other = graph.numbering.slice(other)
    mine = ids[(ids >= range_of_other.start) & (ids < range_of_other.stop)]
    if group.size == 1:
        return mine
    with group.phase("share"):
        queue = Queue(graph, group, mine, values)
        vertices = graph.numbering.of[other].size
        if len(values) == 1 and queue.is_dense(pattern, vertices):
            part = values[0][range_of_other]
            before = part.copy()
            _broadcasts(graph, side, values[0])
            return unique(graph, [mine, _places(graph, other, _differs(part, before))])
        received = [mine]
        for rank, segment in enumerate(queue.gather()):
            if rank != group.rank and len(segment[0]):
                places = graph.numbering.local(segment[0])
                for array, found in zip(values, segment[1:], strict=True):
                    array[places] = found
                received.append(places)
    return graph.block.xp.concatenate(received)  # every vertex has one rank that hands it on


def dense(graph: GridGraph, side: str, part: Any, operation: Any) -> None:
    """Reduce all values of a side, which every rank has found a part of, and tell all copies."""
    group, place = graph.grid.along(side), graph.numbering.slice(side)
    if group.size > 1:
        with group.phase("reduce"):
            part[place] = reduced_over(group, part[place], operation)
    spread(graph, side, part)


def reduced_over(group: Any, part: Any, operation: Any) -> Any:
    """The reduction over a group, of numbers or of rows."""
    return group.allreduce(part.reshape(-1), operation).reshape(part.shape)


def spread(graph: GridGraph, side: str, part: Any) -> None:
    """Hand all values of one side on to the copies on the other."""
    with graph.grid.world.phase("share"):
        _broadcasts(graph, side, part)


def _broadcasts(graph: GridGraph, side: str, part: Any) -> None:
    """Along the other direction, from every rank that has some of these vertices on its side."""
    numbering, layout, other = graph.numbering, graph.layout, OTHER[side]
    group, mine = graph.grid.along(other), graph.numbering.of[other]
    if group.size == 1:
        return
    of_root = layout.columns if side == "column" else layout.rows
    with group.grouped():
        for root in range(group.size):
            both = of_root(root).common(mine)
            if both.size:
                first = numbering.start[other] + both.low - mine.low
                group.broadcast(part[first : first + both.size].reshape(-1), root)


def pack(xp: Any, fields: tuple) -> Any:
    """Arrays of one length as 64-bit words, one after another."""
    parts = []
    for field in fields:
        raw = xp.ascontiguousarray(field).reshape(-1).view(np.uint8)
        padded = xp.zeros(_words(field.size, field.dtype) * 8, np.uint8)
        padded[: len(raw)] = raw
        parts.append(padded.view(np.uint64))
    return xp.concatenate(parts)


def unpack(words: Any, count: int, kinds: list) -> tuple:
    """The arrays of so many rows that `pack` packed; ``kinds`` as `kind_of` gives them."""
    fields, at = [], 0
    for dtype, shape in kinds:
        many = count * math.prod(shape)
        size = _words(many, dtype)
        field = words[at : at + size].view(np.uint8)[: many * dtype.itemsize].view(dtype)
        fields.append(field.reshape(count, *shape))
        at += size
    return tuple(fields)


def kind_of(array: Any) -> tuple[Any, tuple[int, ...]]:
    """Type and shape of an array's rows."""
    return array.dtype, array.shape[1:]


def unique(graph: GridGraph, parts: list) -> Any:
    """Local numbers of which some may be there twice, each once."""
    xp, parts = graph.block.xp, [part for part in parts if len(part)]
    if not parts:
        return xp.zeros(0, np.int32)
    if len(parts) == 1:
        return parts[0]
    together = xp.concatenate(parts)
    if len(together) * 16 < graph.numbering.size:
        return xp.unique(together)
    mask = xp.zeros(graph.numbering.size, bool)
    mask[together] = True
    return xp.flatnonzero(mask)


class Queue:
    """The positions and values of some vertices, on their way to the ranks of a group.

    All learn at once how long the queues are, and what is in them if they are short.
    """

    def __init__(self, graph: GridGraph, group: Any, ids: Any, values: tuple):
        self.graph, self.group, self.ids, self.values = graph, group, ids, values
        self.kinds = [(graph.layout.dtype, ()), *map(kind_of, values)]
        xp = graph.block.xp
        block = xp.zeros(_SHORT + 1, np.uint64)
        block[0] = len(ids)
        if self._words(len(ids)) <= _SHORT and len(ids):
            words = self._packed()
            block[1 : 1 + len(words)] = words
        whole, _ = group.allgatherv(block, [_SHORT + 1] * group.size)
        self._blocks = whole.reshape(group.size, _SHORT + 1)
        self.counts = [int(count) for count in self._blocks[:, 0].tolist()]
        self.total = sum(self.counts)

    def is_dense(self, pattern: str, vertices: float) -> bool:
        """Send so many values without their positions?"""
        sizes = [dtype.itemsize * math.prod(shape) for dtype, shape in self.kinds]
        fewer = vertices * sizes[1] <= self.total * sum(sizes)
        return pattern == "dense" or (pattern == "auto" and fewer and self.total > 0)

    def gather(self) -> list[tuple]:
        """The queues of all ranks."""
        sizes = [self._words(count) for count in self.counts]
        if max(sizes) <= _SHORT:
            parts = [block[1 : 1 + size] for block, size in zip(self._blocks, sizes, strict=True)]
        else:
            words, _ = self.group.allgatherv(self._packed(), sizes)
            ends = offsets(sizes)
            parts = [words[low:high] for low, high in zip(ends, ends[1:], strict=False)]
        pairs = zip(parts, self.counts, strict=True)
        return [unpack(part, count, self.kinds) for part, count in pairs]

    def _packed(self) -> Any:
        ids = self.ids
        fields = (_positions(self.graph, ids), *(array[ids] for array in self.values))
        return pack(self.graph.block.xp, fields)

    def _words(self, count: int) -> int:
        return sum(_words(count * math.prod(shape), dtype) for dtype, shape in self.kinds)


def _positions(graph: GridGraph, ids: Any) -> Any:
    if graph.numbering.type:
        low = graph.numbering.of["row"].low - graph.numbering.start["row"]
        return (ids + low).astype(graph.layout.dtype)
    return graph.positions[ids]


def _places(graph: GridGraph, side: str, mask: Any) -> Any:
    return graph.block.xp.flatnonzero(mask) + graph.numbering.start[side]


def _differs(new: Any, old: Any) -> Any:
    mask = new != old
    if new.dtype.kind == "f":
        mask &= (new == new) | (old == old)
    return mask if mask.ndim == 1 else mask.any(axis=1)


def _words(count: int, dtype: Any) -> int:
    return -(-count * dtype.itemsize // 8)
