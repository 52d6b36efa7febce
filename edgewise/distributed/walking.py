"""Random walks on a grid: a walk travels to the rank that owns its vertex, which takes the step.

An owner has the whole rows of its vertices (`owned_rows`), in the order of one device, so draws are
the same. A step is one exchange of packets: a walk's number and its next vertex, in two hops. At
the end the vertices travel to the rank that keeps the walk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.distributed.packet_swap import hop, post
from edgewise.graph.transfer import host
from edgewise.operators import for_each
from edgewise.operators.helpers import find_edge

if TYPE_CHECKING:
    from edgewise.distributed.arrays import ArcArray
    from edgewise.distributed.graph import GridGraph

__all__ = ["OwnedRows", "WalkRows", "have_edges", "owned_rows", "walks"]


class OwnedRows(NamedTuple):
    """The rows of the vertices that a rank owns, in the order of positions; targets are ids."""

    indptr: Any
    indices: Any
    values: Any
    xp: Any


class WalkRows:
    """Walks on a grid: each rank keeps a range of them, one per row."""

    def __init__(self, graph: GridGraph, local: Any, count: int):
        self.graph, self.local, self.shape = graph, local, (count, local.shape[1])
        self.dtype, self.ndim = local.dtype, 2

    def __len__(self) -> int:
        return self.shape[0]

    def gather(self, root: int | None = None) -> Any:
        """All walks, in the host memory of every rank; with ``root`` of that one alone."""
        world, mine = self.graph.grid.world, np.ascontiguousarray(host(self.local)).reshape(-1)
        with world.phase("gather"):
            if root is None:
                found, _ = world.allgatherv(mine)
            else:
                counts = [len(mine) if rank == root else 0 for rank in range(world.size)]
                found, _ = world.alltoallv(mine, counts)
        return found.reshape(self.shape) if root in (None, world.rank) else None

    def tolist(self) -> list:
        return self.gather().tolist()

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.gather().astype(dtype or self.dtype, copy=False)

    def __repr__(self) -> str:
        walks, width = self.shape
        return f"WalkRows({walks:,} walks of {width - 1:,} steps, {len(self.local):,} here)"


def owned_rows(graph: GridGraph, values: ArcArray | None = None) -> OwnedRows:
    """Return the whole rows of this rank's vertices, with values of their arcs; a collective."""
    xp, layout, low = graph.block.xp, graph.layout, graph.layout.owned(graph.grid.rank)
    fields = [graph.positions[graph.sources.numbers], graph.indices.local]
    fields += [] if values is None else [values.local]
    toward = layout.piece(fields[0]) % graph.grid.shape[1]
    with graph.grid.world.phase("packets"):
        sources, targets, *rest = hop(graph, graph.grid.row, toward, tuple(fields))
    rows = sources.astype(np.int64) - low.low
    order = xp.lexsort(xp.stack([targets.astype(np.int64), rows]))
    indptr = offsets(xp.bincount(rows, minlength=low.size))
    return OwnedRows(indptr, targets[order], rest[0][order] if rest else None, xp)


def have_edges(graph: GridGraph, rows: OwnedRows, us: Any, vs: Any) -> Any:
    """Return whether each vertex ``us[i]`` has an edge to ``vs[i]``; None if no rank asks.

    Owners of the first look into their rows: a collective.
    """
    xp, world, layout = graph.block.xp, graph.grid.world, graph.layout
    with world.phase("control"):
        if not world.allreduce(np.array([len(us)], np.int64), "max")[0]:
            return None
    positions = layout.position(us.astype(layout.dtype))
    senders = xp.full(len(us), world.rank, np.int32)
    fields = (positions, vs.astype(layout.dtype), senders, xp.arange(len(us)))
    positions, others, senders, slots = post(graph, layout.piece(positions), fields)
    there = xp.empty(len(positions), bool)
    at = positions.astype(np.int64) - layout.owned(world.rank).low
    for_each(len(at), _search, (at, others, rows.indptr, rows.indices, there), device=graph.device)
    slots, there = post(graph, senders, (slots, there))
    found = xp.empty(len(us), bool)
    found[slots] = there
    return found


def _search(i, at, others, indptr, indices, there):
    there[i] = find_edge(indptr, indices, at[i], others[i]) >= 0


def walks(graph: GridGraph, low: int, high: int, length: int, sources: Any, move: Any) -> WalkRows:
    """Return walks ``low`` to ``high - 1``; walk w starts at ``sources[w % len(sources)]``.

    None stands for all vertices. ``move(t, numbers, rows, before)`` returns the next vertices, or
    -1: of walk ``numbers[i]``, which is at the owned row ``rows[i]`` and was at ``before[i]``. All
    ranks call it in every step.
    """
    world, layout, xp = graph.grid.world, graph.layout, graph.block.xp
    bounds = low + np.arange(world.size + 1) * (high - low) // world.size
    first, last = bounds[world.rank : world.rank + 2].tolist()
    own = layout.owned(world.rank).low
    numbers = xp.arange(first, last, dtype=np.int64)
    at = numbers % max(graph.num_vertices, 1) if sources is None else (
        xp.asarray(sources)[numbers % max(len(sources), 1)])  # fmt: skip
    at = before = at.astype(layout.dtype)
    found = xp.full((last - first, length + 1), -1, graph.id_dtype)
    found[:, 0] = at
    taken: list[tuple] = []
    for t in range(1, length + 1):
        positions = layout.position(at)
        fields = (numbers, positions, before)
        numbers, positions, before = post(graph, layout.piece(positions), fields)
        out = move(t, numbers, positions.astype(np.int64) - own, before)
        world.work(vertices=len(numbers), edges=len(numbers))
        going = out >= 0
        numbers, at, before = numbers[going], out[going], layout.vertex(positions)[going]
        taken.append((numbers, xp.full(len(numbers), t, np.int32), at))
    if taken:
        numbers, steps, ids = map(xp.concatenate, zip(*taken, strict=True))
        homes = xp.searchsorted(xp.asarray(bounds), numbers, side="right") - 1
        numbers, steps, ids = post(graph, homes, (numbers, steps, ids))
        found[numbers - first, steps] = ids
    return WalkRows(graph, found, high - low)
