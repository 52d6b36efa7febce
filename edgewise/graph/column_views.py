"""``graph.edges`` and ``graph.vertices``: called, the ids; subscripted by a name, a column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.graph.attribute_tables import values_of
from edgewise.graph.weight_columns import WEIGHT

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["EdgeView", "VertexView"]


class _View:
    """Columns by name, on the device of the graph if they hold numbers."""

    __slots__ = ("_graph",)
    __iter__ = None  # subscripts are names: nothing to count up

    def __init__(self, graph: Graph):
        self._graph = graph

    def _table(self) -> Any:
        raise NotImplementedError

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        table = self._table()
        return () if table is None else tuple(table.column_names)

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __getitem__(self, name: str) -> Any:
        if name not in self.columns:
            known = ", ".join(map(repr, self.columns)) or "none"
            raise KeyError(f"no column {name!r} of {self._what}; there are: {known}")
        values = values_of(self._table().column(name))
        xp = self._graph.xp
        return values if xp is np or values.dtype.kind not in "biuf" else xp.asarray(values)

    _what = ""


class EdgeView(_View):
    """The edges of a graph: ``graph.edges()`` lists them, ``graph.edges["year"]`` is a column.

    Called, it returns the sources, targets and weights (or None) of all edges, as arrays over
    edges. Each undirected edge is listed once, with its smaller vertex as the source. Subscripted
    by a name, it returns that column as an array over edges. ``columns`` are the names.

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([1, 2], [0, 1]).with_columns(edges={"year": [1999, 2004]})
    >>> graph.edges()[0].tolist(), graph.edges["year"].tolist(), graph.edges.columns
    ([0, 1], [1999, 2004], ('year',))
    """

    __slots__ = ()
    _what = "edges"

    def __call__(self) -> tuple[Any, Any, Any]:
        """Return the sources, targets and weights (or None) of all edges, as arrays over edges."""
        from edgewise.graph import properties

        graph = self._graph
        return properties.arcs(graph) if graph.directed else properties.upper_arcs(graph)

    def _table(self) -> Any:
        return None if self._graph.columns is None else self._graph.columns.edges

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns; ``"weight"`` is one if the graph has weights."""
        return (WEIGHT,) * (self._graph.stored_weights is not None) + super().columns

    def __getitem__(self, name: str) -> Any:
        if name == WEIGHT and self._graph.stored_weights is not None:
            return self()[2]
        return super().__getitem__(name)

    def __len__(self) -> int:
        return self._graph.num_edges

    def __repr__(self) -> str:
        return f"<{len(self):,} edges, columns {', '.join(self.columns) or 'none'}>"


class VertexView(_View):
    """The vertices of a graph: called, their ids; ``graph.vertices["age"]`` is a column.

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1], [1, 2]).with_columns(vertices={"age": [31, 30, 29]})
    >>> graph.vertices().tolist(), graph.vertices["age"].tolist()
    ([0, 1, 2], [31, 30, 29])
    """

    __slots__ = ()
    _what = "vertices"

    def __call__(self) -> Any:
        """Return the ids of all vertices, as an array on the graph's device."""
        return self._graph.vertex_ids()

    def _table(self) -> Any:
        return None if self._graph.columns is None else self._graph.columns.vertices

    def __len__(self) -> int:
        return self._graph.num_vertices

    def __repr__(self) -> str:
        return f"<{len(self):,} vertices, columns {', '.join(self.columns) or 'none'}>"
