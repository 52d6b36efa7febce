"""Random walks on a grid: a walk travels to the rank that owns its vertex, which takes the step.

An owner has the whole rows of its vertices (`owned_rows`), in the order of one device, so draws are
the same. A step is one exchange of packets: a walk's number and its next vertex, in two hops. In the
end every vertex travels to the rank that keeps the walk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.distributed.packet_swap import hop, post
from edgewise.graph.transfer import host
from edgewise.operators import for_each

if TYPE_CHECKING:
    from edgewise.distributed.arrays import ArcArray
    from edgewise.distributed.graph import GridGraph

__all__ = ["OwnedRows", "WalkRows", "owned_rows", "walks"]


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


def walks(
    graph: GridGraph, low: int, high: int, length: int, sources: Any, step: Any, state: tuple
) -> WalkRows:
    """Return walks ``low`` to ``high - 1``; walk w starts at ``sources[w % len(sources)]``.

    ``step(i, numbers, rows, t, out, *state)`` sets ``out[i]`` to the next vertex of walk
    ``numbers[i]``, which is at the owned row ``rows[i]``, or to -1. None stands for all vertices.
    """
    world, layout, xp = graph.grid.world, graph.layout, graph.block.xp
    bounds = low + np.arange(world.size + 1) * (high - low) // world.size
    first, last = bounds[world.rank : world.rank + 2].tolist()
    own = layout.owned(world.rank).low
    numbers = xp.arange(first, last, dtype=np.int64)
    at = numbers % max(graph.num_vertices, 1) if sources is None else (
        xp.asarray(sources)[numbers % max(len(sources), 1)])  # fmt: skip
    at = at.astype(layout.dtype)
    found = xp.full((last - first, length + 1), -1, graph.id_dtype)
    found[:, 0] = at
    taken: list[tuple] = []
    for t in range(1, length + 1):
        positions = layout.position(at)
        numbers, positions = post(graph, layout.piece(positions), (numbers, positions))
        out = xp.empty(len(numbers), layout.dtype)
        given = (numbers, positions.astype(np.int64) - own, t, out, *state)
        for_each(len(numbers), step, given, device=graph.device)
        world.work(vertices=len(numbers), edges=len(numbers))
        numbers, at = numbers[out >= 0], out[out >= 0]
        taken.append((numbers, xp.full(len(numbers), t, np.int32), at))
    if taken:
        numbers, steps, ids = map(xp.concatenate, zip(*taken, strict=True))
        homes = xp.searchsorted(xp.asarray(bounds), numbers, side="right") - 1
        numbers, steps, ids = post(graph, homes, (numbers, steps, ids))
        found[numbers - first, steps] = ids
    return WalkRows(graph, found, high - low)
