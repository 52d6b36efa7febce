"""Values that ranks bring together: a range of ids, all edges, the other direction of an edge.

Arcs on a grid have no numbers. Where an array over them leaves the grid, or its values must go from
one direction of an edge to the other, the two ends say which arc is meant.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.distributed.labels import number_occurring
from edgewise.graph.transfer import host

if TYPE_CHECKING:
    from edgewise.distributed.arrays import ArcArray, VertexArray
    from edgewise.distributed.graph import GridGraph

__all__ = [
    "edge_values",
    "gather",
    "numbered",
    "other_direction",
    "own_values",
    "range_of_ids",
    "values_at",
]


def values_at(graph: GridGraph, part: Any, vertices: Any) -> np.ndarray:
    """Return the values of a few vertices, on every rank."""
    graph.grid.check_alike("reading by vertex", vertices=host(vertices))
    positions = graph.layout.position(np.asarray(host(vertices), np.int64))
    owners = graph.layout.piece(positions)
    order = np.argsort(owners, kind="stable")
    mine = positions[order][owners[order] == graph.grid.rank]
    found = host(part[graph.block.xp.asarray(graph.numbering.local(mine))])
    counts = np.bincount(owners, minlength=graph.grid.size)
    values = np.empty((len(positions), *part.shape[1:]), part.dtype)
    values[order] = _gathered(graph.grid.world, found, counts)
    return values


def gather(graph: GridGraph, array: VertexArray) -> np.ndarray:
    """Return the whole of an array over vertices, in the order of the ids, on every rank."""
    mine = host(array._counted())
    counts = np.array([graph.layout.owned(rank).size for rank in range(graph.grid.size)])
    with graph.grid.world.phase("gather"):
        found = _gathered(graph.grid.world, mine, counts)
    return found[graph.layout.position(np.arange(graph.num_vertices))]


def range_of_ids(array: VertexArray) -> tuple[int, np.ndarray]:
    """The values of this rank's range of ids, and the first of these."""
    graph = array.graph
    world, n, owned = graph.grid.world, graph.num_vertices, graph.layout.owned(graph.grid.rank)
    ids = graph.layout.vertex(np.arange(*owned))
    order = np.argsort(ids, kind="stable")
    ids, values = ids[order], own_values(array)[order]
    starts = np.array([n * k // world.size for k in range(world.size + 1)])
    counts, shape = np.diff(np.searchsorted(ids, starts)), values.shape[1:]
    with world.phase("output"):
        places, _ = world.alltoallv(ids, counts.tolist())
        received, _ = world.alltoallv(values.reshape(-1), (counts * math.prod(shape)).tolist())
    low, high = starts[world.rank : world.rank + 2].tolist()
    ordered = np.empty((high - low, *shape), values.dtype)
    ordered[places - low] = received.reshape(-1, *shape)
    return low, ordered


def own_values(array: VertexArray) -> np.ndarray:
    """The values of the vertices that this rank owns, in host memory."""
    mine = array.local[array.graph.own]
    return np.ascontiguousarray(mine.get() if hasattr(mine, "get") else mine)


def numbered(graph: GridGraph, values: VertexArray) -> VertexArray:
    """See `edgewise.graph.anywhere.numbered`. A collective."""
    mine = np.ascontiguousarray(host(values.local), np.int64)
    (numbers,), _, _ = number_occurring(graph.grid.world, mine)
    return values._like(graph.block.xp.asarray(numbers.astype(np.int64)))


def edge_values(array: ArcArray, root: int | None = None) -> tuple[np.ndarray, ...] | None:
    """Sources, targets and values of all edges in the order of `Graph.edges`, in host memory.

    An undirected edge is there once, from its smaller end. On every rank, or on ``root`` alone, and
    None on the others. A collective.
    """
    graph, world = array.graph, array.graph.grid.world
    columns = [host(one.local) for one in (graph.sources, graph.indices, array)]
    if not graph.directed:
        once = columns[0] <= columns[1]
        columns = [one[once] for one in columns]
    counts = [len(columns[0]) if rank == root else 0 for rank in range(world.size)]
    with world.phase("gather"):
        parts = [np.ascontiguousarray(one) for one in columns]
        gathered = [
            (world.allgatherv(one) if root is None else world.alltoallv(one, counts))[0]
            for one in parts
        ]
    if root is not None and world.rank != root:
        return None
    order = np.lexsort((gathered[1], gathered[0]))
    return tuple(one[order] for one in gathered)


def other_direction(graph: GridGraph, values: ArcArray) -> ArcArray:
    """Return, for each arc of an undirected graph, the value of its reverse arc; collective."""
    from edgewise.distributed.packet_swap import post

    xp, positions = graph.block.xp, graph.positions
    ends = [positions[one.numbers] for one in (graph.sources, graph.indices)]
    ranks = graph.layout.rank(ends[1], ends[0])
    columns, rows, found = post(graph, ranks, (*ends, values.local))
    rows, columns = (graph.numbering.local(one).astype(np.int64) for one in (rows, columns))
    order = xp.lexsort(xp.stack([columns, rows]))  # as the arcs of a block are
    return values._like(found[order])


def _gathered(world: Any, rows: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The rows, or numbers, of all ranks, ``counts`` of each."""
    shape = rows.shape[1:]
    flat = np.ascontiguousarray(rows).reshape(-1)
    flat, _ = world.allgatherv(flat, (counts * math.prod(shape)).tolist())
    return flat.reshape(int(counts.sum()), *shape)
