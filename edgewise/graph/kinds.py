"""The types of graphs in signatures: what algorithms and operators use of one, wherever it is.

A `Graph` in host or GPU memory and a graph on a grid of ranks are two classes with one surface.
`AnyGraph` is this surface. What a graph on a grid refuses is not in it: functions that need it say
`Graph`. `VertexSet` is what operators over vertices use, and `Placed` what all operators do. Public
algorithms accept graphs of other libraries, too: `edgewise.graph.foreign.GraphLike`.
"""

from __future__ import annotations

from typing import Any, Protocol

__all__ = ["AnyGraph", "Placed", "VertexSet"]


class Placed(Protocol):
    """Anything on a device: a graph, a matrix in compressed rows, sets of vertices."""

    @property
    def engine(self) -> str:
        """Which engine runs operators on it: ``"local"`` or ``"grid"``."""

    @property
    def device(self) -> str:
        """Where the arrays are: ``"cpu"``, ``"cuda"`` or ``"cuda:1"``; on a grid, this rank's."""

    @property
    def xp(self) -> Any:
        """The module that makes arrays for it: NumPy, CuPy or the grid's."""


class VertexSet(Placed, Protocol):
    """Vertices without edges."""

    @property
    def num_vertices(self) -> int:
        """The number of vertices."""


class AnyGraph(VertexSet, Protocol):
    """A graph on any engine; its arrays are those of its ``xp``."""

    @property
    def one_device(self) -> bool:
        """Has one device all of it?"""

    @property
    def edge_form(self) -> bool:
        """Do functions in edge form run on it?"""

    @property
    def num_arcs(self) -> int:
        """The number of arcs: two for an undirected edge, one for a self-loop."""

    @property
    def num_edges(self) -> int:
        """The number of edges."""

    @property
    def num_self_loops(self) -> int:
        """The number of edges from a vertex to itself."""

    @property
    def max_degree(self) -> int:
        """The highest degree, or out-degree of a directed graph."""

    @property
    def directed(self) -> bool:
        """Are the arcs read as directed edges?"""

    @property
    def indptr(self) -> Any:
        """Where the arcs of every vertex begin."""

    @property
    def indices(self) -> Any:
        """The target of every arc."""

    @property
    def id_dtype(self) -> Any:
        """The integer type of vertex ids."""

    @property
    def weights(self) -> Any:
        """The weight of every arc, or None."""

    @property
    def labels(self) -> Any:
        """What the vertices are called outside, or None."""

    def degrees(self) -> Any:
        """The degree of every vertex, or its out-degree; an undirected loop counts twice."""

    def in_degrees(self) -> Any:
        """The in-degree of every vertex; its degree in an undirected graph."""

    def row_lengths(self) -> Any:
        """The number of arcs that leave every vertex."""

    def column_lengths(self) -> Any:
        """The number of arcs that enter every vertex."""

    def full(self, fill: Any, dtype: Any = None) -> Any:
        """A new array over the vertices."""

    def vertex_ids(self, dtype: Any = None) -> Any:
        """A new array of all vertices in order."""

    def full_arcs(self, fill: Any, dtype: Any = None) -> Any:
        """A new array over the arcs."""

    def with_weights(self, weights: Any) -> Any:
        """The same edges with other weights."""

    def without_self_loops(self) -> Any:
        """The same graph without edges from a vertex to itself."""

    def to_undirected(self, *, duplicates: str = "sum") -> Any:
        """The undirected graph of a directed one."""

    def vertex(self, label: Any) -> Any:
        """The vertex of a label."""

    def label(self, ids: Any) -> Any:
        """The label of a vertex, or the labels of many."""

    def _first_arc(self, mask: Any, values: Any) -> Any:
        """The first arc that a mask picks, with its value."""

    def contract(self, groups: Any, *, reduce: Any = "sum", self_loops: str = "keep") -> Any:
        """The graph of groups of vertices, and each vertex's group."""

    def to(self, device: str) -> Any:
        """The same graph on another device."""
