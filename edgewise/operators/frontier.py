"""Frontier: a set of vertices or of edges, as ids or as a bitmap, whichever is at hand.

It converts by itself: an operator that wants ids asks for ``ids``, one that wants a bitmap asks for
``bits``; both are kept once made. A frontier never changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.graph.lookup import check_vertices, named

__all__ = ["Frontier", "check_members", "frontier", "vertex_members"]


class Frontier:
    """Members of ``0..size-1``: vertices, or edges (CSR positions), each at most once.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> start = frontier(graph, [0, 2])
    >>> start.empty(), len(start), start.ids.tolist(), 2 in start, 1 in start
    (False, 2, [0, 2], True, False)
    """

    __slots__ = ("_bits", "_count", "_ids", "kind", "size")

    def __init__(self, size: int, *, ids: Any = None, bits: Any = None, kind: str = "vertices",
                 count: int | None = None):  # fmt: skip
        if (ids is None) == (bits is None):
            raise ValueError("a frontier is given by ids or by bits, exactly one of them")
        self.kind = check_choice(kind, "kind", ("vertices", "edges"))
        self.size = int(size)
        self._ids, self._bits = ids, bits
        self._count = count

    @property
    def ids(self) -> Any:
        """The members as an array of ids, in no particular order."""
        if self._ids is None:
            self._ids = _module(self._bits).flatnonzero(self.mask).astype(_id_type(self.size))
        return self._ids

    @property
    def bits(self) -> Any:
        """The members as a bitmap in words of 64 bits."""
        if self._bits is None:
            xp = _module(self._ids)
            mask = xp.zeros(-(-self.size // 64) * 64, np.bool_)
            mask[self._ids] = True
            self._bits = xp.packbits(mask, bitorder="little").view(np.uint64)
        return self._bits

    @property
    def mask(self) -> Any:
        """The members as an array of booleans."""
        xp = _module(self.bits)
        return xp.unpackbits(self.bits.view(np.uint8), bitorder="little")[: self.size].view(bool)

    @property
    def dense(self) -> bool:
        """Is a bitmap at hand, and no list of ids?"""
        return self._ids is None

    def empty(self) -> bool:
        """Is there no member?"""
        return len(self) == 0

    def __len__(self) -> int:
        if self._count is None:
            self._count = len(self._ids) if self._ids is not None else int(self.mask.sum())
        return self._count

    def __contains__(self, item: int) -> bool:
        return bool(self.mask[item])

    def __repr__(self) -> str:
        return f"Frontier({len(self):,} of {self.size:,} {self.kind})"


def frontier(graph: Any, vertices: Any = None, *, edges: Any = None) -> Frontier:
    """The frontier of the given vertices (an id or label, several, or a mask), or edges.

    Parameters
    ----------
    graph : Graph
    vertices : int or str, array of int or str, or array of bool, optional
        All vertices, if neither vertices nor edges are given.
    edges : int, array of int, or array of bool, optional
        Edge ids (positions in ``graph.indices``).

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> frontier(Graph.from_edges([0, 1], [1, 2]), edges=[0, 3])
    Frontier(2 of 4 edges)
    """
    if vertices is not None and edges is not None:
        raise TypeError("give vertices or edges, not both")
    if vertices is not None and named(vertices):
        vertices = check_vertices(graph, vertices, "vertices")
    if graph.engine != "local":
        return graph.frontier(vertices, edges)
    kind, chosen, size = "vertices", vertices, graph.num_vertices
    if edges is not None:
        kind, chosen, size = "edges", edges, graph.num_arcs
    xp = graph.xp
    if chosen is None:
        return Frontier(size, ids=xp.arange(size, dtype=_id_type(size)), kind=kind)
    members = xp.atleast_1d(xp.asarray(chosen))
    if members.dtype == np.bool_:
        if members.shape != (size,):
            raise ValueError(f"{kind} as a mask must have {size} entries, got {members.shape}")
        return Frontier(size, ids=xp.flatnonzero(members).astype(_id_type(size)), kind=kind)
    if members.size and members.dtype.kind not in "iu":
        raise TypeError(f"{kind} must be ids or a mask, got dtype {members.dtype}")
    if isinstance(chosen, int) and 0 <= chosen < size:  # no need to look at the device
        return Frontier(size, ids=members.astype(_id_type(size)), kind=kind)
    members = xp.unique(members)
    if members.size and not (members[0] >= 0 and members[-1] < size):
        wrong = members[0] if members[0] < 0 else members[-1]
        raise ValueError(f"{kind} must be ids from 0 to {size - 1}, got {wrong}")
    return Frontier(size, ids=members.astype(_id_type(size)), kind=kind)


def vertex_members(graph: Any, members: Frontier | None) -> Frontier:
    """The vertices that a frontier stands for: themselves, or the targets of its edges."""
    if members is None:
        return frontier(graph)
    check_members(graph, members)
    if members.kind == "edges":
        return frontier(graph, graph.xp.unique(graph.indices[members.ids]))
    return members


def check_members(graph: Any, members: Frontier | None) -> None:
    """Is it None, or a frontier of this graph?"""
    if members is None:
        return
    if not isinstance(members, Frontier):
        raise TypeError(
            f"frontier must be a Frontier or None (edgewise.frontier makes one), got {members!r}"
        )
    size = graph.num_arcs if members.kind == "edges" else graph.num_vertices
    if members.size != size:
        raise ValueError(
            f"frontier is of a graph with {members.size} {members.kind}, this one has {size}"
        )


def _module(array: Any) -> Any:
    """NumPy, or CuPy for an array on a device."""
    if isinstance(array, np.ndarray):
        return np
    import cupy

    return cupy


def _id_type(size: int) -> type:
    return np.int32 if size < 2**31 else np.int64
