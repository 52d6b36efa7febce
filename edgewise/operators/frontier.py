"""Frontier: a set of vertices or of edges, as ids or as a bitmap, whichever is at hand.

It converts by itself: an operator that wants ids asks for ``ids``, one that wants a bitmap asks for
``bits``; both are kept once made. A frontier never changes.
"""

from __future__ import annotations

import operator
from typing import Any, cast

import numpy as np

from edgewise.base.checks import check_choice, check_count
from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices, named
from edgewise.operators.engines import check_graph

__all__ = ["Frontier", "check_members", "check_vertex_members", "frontier", "vertex_members"]


class Frontier:
    """A set of vertices, or of arcs (positions in ``graph.indices``).

    The members have an order, that of ``ids``: as they were given, or ascending if they were given
    as a mask or a bitmap. On one CPU thread, `compute`, `filter`, `for_rows`, `reduce_neighbors`
    and `advance` without ``reduce`` process them one after the other in this order, except that
    `for_rows` and `reduce_neighbors` leave members with more than 32,768 edges for the end
    (``choose="absent"`` does not). On several threads, each thread processes its members in this
    order, beside the others; a member with very many edges may come later. On a GPU and on a grid
    the order is not defined. A frontier of None is all vertices, ascending.

    Parameters
    ----------
    size : int
        The number of vertices or arcs of the graph.
    ids : array of int, or of bool, optional
        The members as ids, or as a boolean mask. Either ``ids`` or ``bits`` must be given.
    bits : array of uint64, optional
        The members as a bitmap. The lowest bit of the first word is member 0.
    kind : {"vertices", "edges"}
        What the members are.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> start = frontier(graph, [0, 2])
    >>> start.empty(), len(start), start.ids.tolist(), 2 in start, 1 in start
    (False, 2, [0, 2], True, False)
    >>> (start | frontier(graph, 1)).ids.tolist()
    [0, 1, 2]
    """

    __slots__ = ("_bits", "_count", "_ids", "kind", "size")

    def __init__(self, size: int, *, ids: Any = None, bits: Any = None, kind: str = "vertices"):
        if (ids is None) == (bits is None):
            raise ValueError("a frontier is given by ids or by bits, exactly one of them")
        self.kind = check_choice(kind, "kind", ("vertices", "edges"))
        self.size = check_count(size, "size")
        self._ids = None if ids is None else _checked_ids(ids, "ids", self.size, _module(ids))
        self._bits = None if bits is None else _checked_bits(bits, self.size, _module(bits))
        self._count: int | None = None

    @classmethod
    def _trusted(cls, size: int, *, ids: Any = None, bits: Any = None, kind: str = "vertices",
                count: int | None = None) -> Frontier:  # fmt: skip
        """A frontier of arrays that are known to be right, as operators make them."""
        one = object.__new__(cls)
        one.kind, one.size = kind, int(size)
        one._ids, one._bits, one._count = ids, bits, count
        return one

    @property
    def ids(self) -> Any:
        """The members as an array of ids, in the order in which one thread processes them."""
        if self._ids is None:
            self._ids = _module(self._bits).flatnonzero(self.mask).astype(_id_type(self.size))
        return self._ids

    @property
    def bits(self) -> Any:
        """The members as a bitmap: an array of uint64 words."""
        if self._bits is None:
            xp = _module(self._ids)
            mask = xp.zeros(-(-self.size // 64) * 64, np.bool_)
            mask[self._ids] = True
            self._bits = xp.packbits(mask, bitorder="little").view(np.uint64)
        return self._bits

    @property
    def mask(self) -> Any:
        """The members as a boolean mask."""
        xp = _module(self.bits)
        return xp.unpackbits(self.bits.view(np.uint8), bitorder="little")[: self.size].view(bool)

    @property
    def dense(self) -> bool:
        """True if the frontier is stored as a bitmap and not as ids."""
        return self._ids is None

    def empty(self) -> bool:
        """Return True if the frontier has no members."""
        return len(self) == 0

    def __len__(self) -> int:
        if self._count is None:
            self._count = len(self._ids) if self._ids is not None else int(self.mask.sum())
        return self._count

    def __contains__(self, item: int) -> bool:
        try:
            place = operator.index(item)
        except TypeError:
            return False
        return 0 <= place < self.size and bool(self.mask[place])

    def __or__(self, other: Frontier) -> Frontier:
        """Return the union of two frontiers, in ascending order."""
        if not isinstance(other, Frontier):
            return NotImplemented
        if (self.kind, self.size) != (other.kind, other.size):
            raise ValueError(f"frontiers must be of one graph and one kind, got {self}, {other}")
        ids = _module(self.ids).union1d(self.ids, other.ids)
        return Frontier._trusted(self.size, ids=ids, kind=self.kind)

    def __repr__(self) -> str:
        return f"Frontier({len(self):,} of {self.size:,} {self.kind})"


@on_every_rank
def frontier(graph: AnyGraph, vertices: Any = None, *, edges: Any = None) -> Frontier:
    """Return the frontier of the given vertices or edges, in ascending order.

    ``Frontier(graph.num_vertices, ids=ids)`` keeps the order of the ids.

    Parameters
    ----------
    graph : Graph
    vertices : int or str, array of int or str, or array of bool, optional
        A vertex id or label, several of them, or a boolean mask over vertices. By default the
        frontier holds all vertices.
    edges : int, array of int, or array of bool, optional
        Arcs as positions in ``graph.indices``, or a boolean mask over arcs.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> frontier(Graph.from_edges([0, 1], [1, 2]), edges=[0, 3])
    Frontier(2 of 4 edges)
    """
    if vertices is not None and edges is not None:
        raise TypeError("give vertices or edges, not both")
    check_graph(graph)
    if vertices is not None and named(vertices):
        vertices = check_vertices(graph, vertices, "vertices")
    if graph.engine != "local":
        return cast(Any, graph).frontier(vertices, edges)  # the grid's own
    kind, chosen, size = "vertices", vertices, graph.num_vertices
    if edges is not None:
        kind, chosen, size = "edges", edges, graph.num_arcs
    xp = graph.xp
    if chosen is None:
        return Frontier._trusted(size, ids=xp.arange(size, dtype=_id_type(size)), kind=kind)
    if type(chosen) is int and 0 <= chosen < size:  # no need to look at the device
        return Frontier._trusted(size, ids=xp.full(1, chosen, _id_type(size)), kind=kind)
    return Frontier._trusted(size, ids=_checked_ids(chosen, kind, size, xp, sort=True), kind=kind)


def vertex_members(graph: AnyGraph, members: Frontier | None) -> Frontier:
    """The vertices that a frontier stands for: themselves, or the targets of its edges."""
    if members is None:
        return frontier(graph)
    check_members(graph, members)
    if members.kind == "edges":
        columns = getattr(graph, "stored", graph).indices
        return frontier(graph, graph.xp.unique(columns[members.ids]))
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


def check_vertex_members(graph: AnyGraph, members: Frontier | None) -> None:
    """Is it a frontier of this graph's vertices?"""
    if graph.engine == "local":
        check_members(graph, members)
    if getattr(members, "kind", "vertices") != "vertices":
        raise ValueError(f"frontier must hold vertices here, got {members!r}")


def _checked_ids(chosen: Any, name: str, size: int, xp: Any, sort: bool = False) -> Any:
    """An id, ids or a mask as ids that lie in 0..size-1, none twice."""
    try:
        members = xp.atleast_1d(xp.asarray(chosen))
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"{name} must be ids or a mask: {error}") from None
    if members.dtype == np.bool_:
        if members.shape != (size,):
            raise ValueError(f"{name} as a mask must have {size} entries, got {members.shape}")
        return xp.flatnonzero(members).astype(_id_type(size))
    if members.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {members.shape}")
    if members.size and members.dtype.kind not in "iu":
        raise TypeError(f"{name} must be ids or a mask, got dtype {members.dtype}")
    unique = xp.unique(members)
    if unique.size and not (unique[0] >= 0 and unique[-1] < size):
        wrong = unique[0] if unique[0] < 0 else unique[-1]
        rule = f"from 0 to {size - 1}" if size else f"of which there are none among 0 {name}"
        raise ValueError(f"{name} must be ids {rule}, got {wrong}")
    kept = unique if sort or len(unique) < len(members) else members
    return xp.ascontiguousarray(kept.astype(_id_type(size)))


def _checked_bits(bits: Any, size: int, xp: Any) -> Any:
    try:
        bits, words = xp.asarray(bits), -(-size // 64)
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"bits must be an array of uint64: {error}") from None
    if bits.dtype != np.uint64 or bits.shape != (words,):
        raise ValueError(
            f"bits must be {words} words of uint64, got shape {bits.shape} of {bits.dtype}"
        )
    if size % 64 and int(bits[-1]) >> size % 64:
        raise ValueError(f"bits must be zero beyond the first {size}")
    return xp.ascontiguousarray(bits)


def _module(array: Any) -> Any:
    """NumPy, or CuPy for an array on a device."""
    if isinstance(array, np.ndarray) or not hasattr(array, "__cuda_array_interface__"):
        return np
    import cupy

    return cupy


def _id_type(size: int) -> type:
    return np.int32 if size < 2**31 else np.int64
