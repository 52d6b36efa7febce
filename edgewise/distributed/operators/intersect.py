"""`intersect` on a grid: common neighbors of all edges' ends, block by block (2D, after [1]).

The common neighbors of the ends of an arc (u, v) of block (r, c) are the common targets of u and v.
Targets are taken one column block k at a time: rank (r, k) broadcasts its arcs along the row group,
which gives the targets of every u of row block r; of those, each rank passes on the rows that are
vertices of its column block, which gives the targets of every v. No rank holds more than its own
arcs and one block of either kind. What the blocks give for an arc is combined in their order. The
arcs may be those of another graph that has its vertices in the same places.

[1] A. Tom, G. Karypis. A 2D parallel triangle counting algorithm for distributed-memory
    architectures. ICPP 2019.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.base import atomic
from edgewise.base.offsets import offsets
from edgewise.distributed.arrays import ArcArray, VertexArray
from edgewise.distributed.exchange import dense
from edgewise.distributed.operators.messages import chosen_weights, with_ids
from edgewise.distributed.orient import DownwardArcs
from edgewise.graph.csr import CSR
from edgewise.graph.transfer import like, row_ids
from edgewise.graph.weight_columns import WEIGHT, column
from edgewise.operators import for_each
from edgewise.operators.engines import run
from edgewise.operators.functions import compiled
from edgewise.operators.requests import Intersection
from edgewise.operators.results import Common

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["intersect"]


class _Lists(NamedTuple):
    """Targets of the vertices of a row block, counted from the start of a column block."""

    indptr: Any
    indices: Any
    weights: Any  # None where nobody asks, or where there are none
    xp: Any


def intersect(rows: Any, request: Intersection) -> Common:
    """See `edgewise.operators.intersect`."""
    oriented = isinstance(rows, DownwardArcs)
    _check(request, oriented)
    graph = rows.graph if oriented else rows
    grid, xp, message = graph.grid, graph.block.xp, request.message
    mine = _Lists(rows.indptr, rows.indices, None, xp) if oriented else _own_lists(graph, request)
    us, vs, owner = _ends(graph, mine, request.pairs)
    met = _Met(graph) if request.vertices else None
    count = xp.zeros(len(us), np.int64)
    totals = None
    if message is not None:
        totals = xp.full(len(count), request.reduce.identity_for(request.dtype), request.dtype)
    for k, (block, ids) in enumerate(_blocks(graph, mine)):
        if grid.world.priced:
            grid.world.work(edges=_steps(block, us, vs), vertices=len(us))
        if len(us):
            sent = message
            if message is not None and "source" in message.names:
                sent = with_ids(message, ids)
            here = request._replace(
                pairs=(us, vs), message=sent, weights=WEIGHT, each=True, ordered=False,
                vertices=False,
            )  # fmt: skip
            if met is not None:
                here = here._replace(function=_note_common, state=(met.start(len(ids)),))
            found = run(block, "intersect")(block, here)
            count += found.counts
            if message is not None:
                join = _joining(request.reduce.combine)
                for_each(len(us), join, (totals, found.totals), device=graph.device)
        if met is not None:
            met.keep(k, len(ids))
    with grid.world.phase("control"):
        total = grid.world.allreduce(np.array([int(count.sum())], np.int64), "sum")
    return Common(
        int(total[0]),
        ArcArray(owner, count) if request.each else None,
        totals=None if totals is None else ArcArray(owner, totals),
        vertices=None if met is None else met.by_vertex(us, vs, count),
    )


def _check(request: Intersection, oriented: bool) -> None:
    """ValueError for what has no answer on a grid."""
    if request.function is not None:
        raise ValueError("intersect on a grid is about all edges: it takes no function")
    if request.lists or (request.ordered and not oriented):
        name = "lists" if request.lists else "ordered"
        raise ValueError(f"intersect on a grid has no {name}=True: no rank has whole lists")
    if oriented and (request.each or request.message is not None):
        raise ValueError(
            "intersect of an oriented graph on a grid gives the total alone: each=False asks for it"
        )


def _ends(graph: GridGraph, mine: _Lists, pairs: Any) -> tuple[Any, Any, GridGraph]:
    """The rows of the two ends of each arc, those of the column block last; and whose arcs."""
    height, numbering = graph.numbering.of["row"].size, graph.numbering
    if pairs is None:
        return row_ids(mine).astype(np.int64), mine.indices.astype(np.int64) + height, graph
    owner = pairs[0].graph
    graph.check_alike(owner, "pairs")
    us, vs = (
        one.numbers.astype(np.int64) - numbering.start[side]
        for one, side in zip(pairs, ("row", "column"), strict=True)
    )
    return us, vs + height, owner


class _Met:
    """How often every vertex is an end of an arc with a common neighbor, or that neighbor."""

    def __init__(self, graph: GridGraph):
        self.graph, xp = graph, graph.block.xp
        self.rows, self.columns = (xp.zeros(graph.numbering.size, np.int64) for _ in range(2))
        self.common = xp.zeros(0, np.int64)

    def start(self, size: int) -> Any:
        """An array over the vertices of a column block, for `_note_common`."""
        self.common = self.graph.block.xp.zeros(size, np.int64)
        return self.common

    def keep(self, k: int, size: int) -> None:
        """Bring what the ranks of a row have noted about column block k to its rank."""
        group = self.graph.grid.row
        mine = self.common if len(self.common) else self.start(size)
        self.common = mine[:0]
        with group.phase("reduce"):
            total = group.allreduce(mine, "sum")
        if k == group.rank:
            self.columns[self.graph.numbering.slice("column")] += total

    def by_vertex(self, us: Any, vs: Any, count: Any) -> VertexArray:
        """The sum of all, with the counts of the arcs at both their ends."""
        graph, xp = self.graph, self.graph.block.xp
        first = {"row": 0, "column": graph.numbering.of["row"].size}
        for side, array, ends in (("row", self.rows, us), ("column", self.columns, vs)):
            size = graph.numbering.of[side].size
            sums = xp.bincount(ends - first[side], weights=count, minlength=size)
            array[graph.numbering.slice(side)] += sums.astype(np.int64)
            dense(graph, side, array, "sum")
        return VertexArray(graph, self.rows + self.columns)


def _note_common(u, v, common, found):
    atomic.add(found, common, 1)


def _own_lists(graph: GridGraph, request: Intersection) -> _Lists:
    """The rows of this rank's block, with weights if the message names them."""
    block, place = graph.block, graph.numbering.slice("row")
    names = () if request.message is None else request.message.names
    weights = None
    if {"weight_u", "weight_v"} & {*names}:
        weights = chosen_weights(graph, request.weights)
        weights = column(block, weights) if isinstance(weights, str) else weights
    indices = block.indices - block.indices.dtype.type(graph.numbering.start["column"])
    return _Lists(
        block.indptr[place.start : place.stop + 1],
        indices,
        weights,
        block.xp,
    )


def _blocks(graph: GridGraph, mine: _Lists) -> Iterator[tuple[Any, Any]]:
    """For each column block: the lists of this rank's vertices in it, and the ids of its vertices.

    Vertices of the row block come first, then those of the column block.
    """
    grid, xp, layout = graph.grid, graph.block.xp, graph.layout
    height, width = (graph.numbering.of[side].size for side in ("row", "column"))
    sizes = grid.row.counts(len(mine.indices))
    for k in range(grid.row.size):
        with grid.world.phase("broadcast"):
            indptr = mine.indptr if k == grid.row.rank else xp.empty(height + 1, np.int64)
            indptr = grid.row.broadcast(xp.ascontiguousarray(indptr), k)
            parts = []
            for array in (mine.indices, mine.weights):
                if array is not None:
                    own = array if k == grid.row.rank else xp.empty(sizes[k], array.dtype)
                    parts.append(grid.row.broadcast(own, k))
        more, others = _of_columns(graph, indptr, parts)
        starts = xp.concatenate([indptr, more[1:] + indptr[-1]])
        arcs = [xp.concatenate(pair) for pair in zip(parts, others, strict=True)]
        columns = layout.columns(k)
        size = max(height + width, columns.size)
        starts = xp.concatenate([starts, xp.full(size + 1 - len(starts), len(arcs[0]), np.int64)])
        ids = layout.vertex(xp.arange(columns.low, columns.high).astype(layout.dtype))
        yield like(graph.block, starts, *arcs, directed=True), ids


def _of_columns(graph: GridGraph, indptr: Any, parts: list[Any]) -> tuple[Any, list[Any]]:
    """Of rows that the whole row group has, those of this rank's column vertices, in order."""
    numbering, layout, group = graph.numbering, graph.layout, graph.grid.column
    mine, columns = numbering.of["row"], numbering.of["column"]
    both = mine.common(columns)
    low, high = both.low - mine.low, both.high - mine.low
    if both.size == 0:
        low = high = 0
    lengths = graph.block.xp.diff(indptr[low : high + 1])
    place = slice(int(indptr[low]), int(indptr[high]))
    with graph.grid.world.phase("gather"):
        counts = [layout.rows(r).common(columns).size for r in range(group.size)]
        lengths, _ = group.allgatherv(lengths, counts)
        others = [group.allgatherv(part[place])[0] for part in parts]
    return offsets(lengths), others


@cache
def _joining(combine: Any) -> Any:
    """For `for_each`: combine what a block gives with what was there."""
    combine = compiled(combine, "reduce.combine", 2)

    def join(i, totals, more):
        totals[i] = combine(totals[i], more[i])

    return join


def _steps(block: CSR, us: Any, vs: Any) -> int:
    """Neighbors looked at: the shorter list of every pair."""
    lengths = block.xp.diff(block.indptr)
    return int(block.xp.minimum(lengths[us], lengths[vs]).sum())
