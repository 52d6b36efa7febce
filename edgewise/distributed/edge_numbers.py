"""The numbers that edges have in the order of `Graph.edges`, for the arcs of a graph on a grid.

Edge (u, v), u <= v, comes after all edges whose smaller end is below u, and after those of u that
lead to smaller vertices than v. The first number of each u is a running sum over the ids: every
rank adds up a range of them. The rest are running sums over rows. Each rank handles its share of
vertices and arcs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.base.once import once
from edgewise.distributed.arrays import ArcArray, VertexArray
from edgewise.distributed.exchange import dense
from edgewise.distributed.gathering import other_direction, range_of_ids
from edgewise.distributed.operators.incoming_sums import incoming_sums
from edgewise.distributed.operators.look_up import share_all
from edgewise.distributed.packet_swap import post
from edgewise.graph.transfer import host

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["edge_numbers", "numbers_of"]


def edge_numbers(graph: GridGraph) -> ArcArray:
    """Return the number of each arc's edge, of an undirected graph; a collective."""
    return once(graph, "edge numbers", lambda: _numbered(graph))


def numbers_of(graph: GridGraph, marks: ArcArray) -> np.ndarray:
    """Return the numbers of the marked edges, ascending, on every rank; a collective."""
    mine = host(edge_numbers(graph).per_edge()[marks].local)
    with graph.grid.world.phase("gather"):
        return np.sort(graph.grid.world.allgatherv(np.ascontiguousarray(mine))[0])


def _numbered(graph: GridGraph) -> ArcArray:
    xp, rows = graph.block.xp, graph.row_of_arcs()
    up = graph.sources.local <= graph.indices.local
    counts = xp.bincount(rows[up], minlength=graph.numbering.size).astype(np.int64)
    dense(graph, "row", counts, "sum")
    first = _running(VertexArray(graph, counts))
    # Into u, by ascending sources: those from sources above u come as u's own edges do.
    from_above = graph.sources.local >= graph.indices.local
    before = incoming_sums(graph, ArcArray(graph, from_above)).local
    numbers = ArcArray(graph, first.local[graph.block.indices] + before)
    back = other_direction(graph, numbers)
    return ArcArray(graph, xp.where(from_above, numbers.local, back.local))


def _running(counts: VertexArray) -> VertexArray:
    """For every vertex the sum over all smaller ids."""
    graph, xp = counts.graph, counts.graph.block.xp
    low, values = range_of_ids(counts)
    sums = offsets(values).astype(np.int64)
    sums += sum(graph.grid.world.counts(int(sums[-1]))[: graph.grid.world.rank])
    ids: Any = xp.arange(low, low + len(values), dtype=graph.layout.dtype)
    positions = graph.layout.position(ids)
    fields = (positions, xp.asarray(sums[:-1]))
    positions, sums = post(graph, graph.layout.piece(positions), fields)
    found = graph.full(0, np.int64)
    found.local[graph.numbering.local(positions)] = sums
    share_all(graph, found.local, found.local[graph.own])
    return found
