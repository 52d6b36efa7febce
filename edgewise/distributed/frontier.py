"""Frontiers on a grid: a set of vertices, of which every rank knows those it has a copy of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.operators.frontier import Frontier

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["GridFrontier", "block_frontier", "local_members", "make_frontier", "owned"]


class GridFrontier:
    """Vertices of a graph on a grid; ``local`` are their local numbers, ``count`` how many in all.

    ``local`` is None where every vertex is meant.
    """

    kind = "vertices"

    def __init__(self, graph: GridGraph, members: Any, count: int):
        self.graph, self.local, self.count = graph, members, count

    @property
    def size(self) -> int:
        return self.graph.num_vertices

    def alike(self) -> dict[str, Any]:
        """What all ranks must have in common."""
        return {"vertices": self.size, "members": self.count}

    def empty(self) -> bool:
        """Is there no member?"""
        return self.count == 0

    def __len__(self) -> int:
        return self.count

    @property
    def ids(self) -> np.ndarray:
        """The members' ids, ascending, on every rank: a collective."""
        mask = self.graph.full(False, bool)
        mask.local[slice(None) if self.local is None else self.local] = True
        return np.flatnonzero(mask.gather())

    def __or__(self, other: GridFrontier) -> GridFrontier:
        """The members of either: a collective."""
        if not isinstance(other, GridFrontier):
            return NotImplemented
        if other.graph.layout != self.graph.layout:
            raise ValueError(f"frontiers must be of one graph, got {self}, {other}")
        if self.local is None or other.local is None:
            return GridFrontier(self.graph, None, self.size)
        members = self.graph.block.xp.union1d(self.local, other.local)
        mine = owned(self.graph, block_frontier(self.graph, members))
        world = self.graph.grid.world
        with world.phase("control"):
            count = world.allreduce(np.array([len(mine)], np.int64), "sum")[0]
        return GridFrontier(self.graph, members, int(count))

    def __repr__(self) -> str:
        return f"GridFrontier({self.count:,} of {self.size:,} vertices)"


def make_frontier(graph: GridGraph, vertices: Any, edges: Any) -> GridFrontier:
    """See `edgewise.operators.frontier`."""
    if edges is not None:
        raise ValueError("a graph on a grid has frontiers of vertices alone, not of edges")
    if vertices is None:
        return GridFrontier(graph, None, graph.num_vertices)
    xp = graph.block.xp
    if getattr(vertices, "graph", None) is graph and vertices.dtype == np.bool_:
        members = xp.flatnonzero(vertices.local)
        return GridFrontier(graph, members, int(vertices.sum()))
    chosen = np.atleast_1d(np.asarray(vertices))
    if chosen.dtype == np.bool_:
        if chosen.shape != (graph.num_vertices,):
            raise ValueError(
                f"vertices as a mask must have {graph.num_vertices} entries, got {chosen.shape}"
            )
        chosen = np.flatnonzero(chosen)
    if chosen.size and chosen.dtype.kind not in "iu":
        raise TypeError(f"vertices must be ids or a mask, got dtype {chosen.dtype}")
    chosen = np.unique(chosen)
    if chosen.size and not (chosen[0] >= 0 and chosen[-1] < graph.num_vertices):
        wrong = chosen[0] if chosen[0] < 0 else chosen[-1]
        raise ValueError(f"vertices must be ids from 0 to {graph.num_vertices - 1}, got {wrong}")
    return GridFrontier(graph, graph.local_ids(chosen), len(chosen))


def local_members(graph: GridGraph, members: Any) -> Frontier | None:
    """The local numbers as a frontier of the block; None for all."""
    if members is None or (isinstance(members, GridFrontier) and members.local is None):
        return None
    if isinstance(members, Frontier):
        raise TypeError("frontier must be that of a graph on a grid or None, got Frontier")
    if not isinstance(members, GridFrontier):
        raise TypeError(
            f"frontier must be a Frontier or None (edgewise.frontier makes one), got {members!r}"
        )
    if members.graph.layout != graph.layout:
        raise ValueError("frontier belongs to another graph")
    return block_frontier(graph, members.local)


def block_frontier(graph: GridGraph, ids: Any) -> Frontier:
    """Local numbers as a frontier of the block."""
    return Frontier._trusted(graph.numbering.size, ids=ids.astype(np.int32, copy=False))


def owned(graph: GridGraph, members: Frontier | None) -> Any:
    """Local numbers of the members that this rank owns; None stands for all vertices."""
    own = graph.own
    if members is None:
        return graph.block.xp.arange(own.start, own.stop, dtype=np.int32)
    return members.ids[(members.ids >= own.start) & (members.ids < own.stop)]
